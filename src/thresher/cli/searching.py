"""Keyword searches on the command line: which result pages they mean, and what came of them."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from thresher import wiring
from thresher.cli.options import places_in, settings
from thresher.cli.terminal import counted, say
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.crawling.reasons import advice_on, meaning_of
from thresher.errors import UsageError
from thresher.model import Run
from thresher.model.engine import HOT, chosen, result_pages
from thresher.store.contract import Store

F = TypeVar("F", bound=Callable[..., Any])


def search_options(function: F) -> F:
    """Add --search and --engine."""
    search = click.option(
        "--search",
        multiple=True,
        metavar="KEYWORDS",
        help=f"Collect what search engines find (repeatable; {HOT}: all hot keywords).",
    )
    engine = click.option("--engine", multiple=True, metavar="NAME", help="Ask only this engine (repeatable).")
    return search(engine(function))


def with_search(ctx: click.Context, flags: dict[str, Any]) -> dict[str, Any]:
    """Return the flags of a crawl with the result pages of --search as its starts, and its scope: the results alone.

    What `search` says is then, for each start, its engine, keyword and number. Raise UsageError.
    """
    if not flags["search"]:
        if flags["engine"]:
            raise UsageError("--engine says who is asked for keywords: give --search, too")
        return flags
    if flags["start"]:
        raise UsageError("give URLs to start from or --search, not both")
    known = settings(ctx, **places_in(flags))
    engines = chosen(known.engines, flags["engine"])
    pages = result_pages(keywords_of(flags["search"], known), engines)
    if not pages:
        raise UsageError("give --search one or more words")
    reaches = any(flags[name] for name in ("same_host", "subdomains", "any_host"))
    return flags | {
        "start": tuple(page.url for page in pages),
        "search": {page.url: [page.engine, page.keyword, page.number] for page in pages},
        "any_host": flags["any_host"] or not reaches,
        "max_depth": 1 if flags["max_depth"] is None else flags["max_depth"],
    }


def keywords_of(words: Sequence[str], known: Settings) -> list[str]:
    """Return keywords with those of the hot list in the place of its name."""
    if HOT not in words:
        return list(words)
    catalog = wiring.open_catalog(known)
    try:
        hot = [keyword.word for keyword in catalog.keywords()]
    finally:
        catalog.close()
    if not hot:
        raise UsageError(
            "the list of hot keywords is empty; `thresher keywords add WORD` or `thresher keywords refresh`"
        )
    return [each for word in words for each in (hot if word == HOT else [word])]


def show_searches(corpus: Corpus, run: Run) -> None:
    """Print how many results each search of a run brought, and what to do about those that brought none."""
    advice: dict[str, None] = {}
    for url, (engine, keyword, number) in run.options.get("search", {}).items():
        outcome, reason = _outcome(corpus.store, run, url)
        say(f"  {engine}: {keyword}{f', page {number}' if number > 1 else ''}: {outcome}")
        advice[advice_on(reason, url)] = None
    for line in filter(None, advice):
        say(f"  {line}")


def _outcome(store: Store, run: Run, url: str) -> tuple[str, str]:
    """Return what came of a result page, and the reason if it failed."""
    links = store.outlinks(url)
    if links and links[0].why == "search":  # it was redirected
        return _outcome(store, run, links[0].url)
    fate = next((fate for fate in store.fates(url) if fate.run == run.id), None)
    if fate is None:
        return "not asked yet", ""
    if fate.reason in ("search", "unchanged"):
        return counted(len(links), "result") + (f"; {fate.detail}" if fate.detail else ""), ""
    return f"{fate.reason}: {meaning_of(fate.reason)}", fate.reason
