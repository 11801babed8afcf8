"""Every program, crawled four times: filled, unchanged, changed, and changed with `--refresh`; and what is promised."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from tests.programs.compare import Result, compare, crawl
from tests.programs.content import Changes, article_changes, thread_changes
from tests.programs.dokuwiki import dokuwiki
from tests.programs.forums import machina, misago, spirit
from tests.programs.pelican import pelican
from tests.programs.site import Site
from tests.programs.wordpress import PLAIN, PRETTY, wordpress
from thresher import urls

FIRST, SECOND, CHANGED, REFRESHED = "first", "unchanged", "changed", "refreshed"
RIGHT = 0.98  # of titles, authors and times
TEXT = 0.99  # mean F1 of the words
REQUESTS = {FIRST: 1.6, SECOND: 0.4}  # for each item, at most
FORMS = re.compile(
    r"/(?:wp-login|login|register|publish|reply|post/create|quote|report|profile|user|member|author)\b"
    r"|[?&](?:do|action)=(?:login|register|reply|quote|report|profile|edit|revisions|recover)|[?&](?:replytocom|author)="
)
MOST_OF_A_KIND = 5  # links to forms and members that lead to nothing, in one crawl


class Program(Protocol):
    """A program that runs, and a way to change what is in it."""

    site: Site

    def change(self, changes: Changes[Any]) -> None:
        """Let these changes happen; the site's items are those of the database afterwards."""


@dataclass(frozen=True)
class Entry:
    """How a program is started in an empty folder, and what happens to it between two crawls."""

    start: Callable[..., AbstractContextManager[Program]]  # with a folder, and `few` for a site of a few items
    changes: Callable[[], Changes[Any]]


PROGRAMS = {
    "pelican": Entry(pelican, article_changes),
    "dokuwiki": Entry(dokuwiki, article_changes),
    "spirit": Entry(spirit, thread_changes),
    "machina": Entry(machina, thread_changes),
    "misago": Entry(misago, thread_changes),
    **{
        f"wordpress-{year}-{word}": Entry(
            partial(wordpress, theme=f"twentytwenty{year}", permalinks=permalinks), article_changes
        )
        for year in ("one", "two", "three")
        for word, permalinks in (("plain", PLAIN), ("pretty", PRETTY))
    },
}


def play(name: str, folder: Path, *, few: bool = False) -> Iterator[tuple[str, Result]]:
    """Yield how each crawl of a program went, by its name; `few`: with a few items alone."""
    entry, data = PROGRAMS[name], folder / "corpus"
    with entry.start(folder, few=few) as program:
        yield FIRST, _crawled(program.site, data)
        yield SECOND, _crawled(program.site, data)
        program.change(entry.changes())
        yield CHANGED, _crawled(program.site, data)
        yield REFRESHED, _crawled(program.site, data, "--refresh")


def _crawled(site: Site, data: Path, *options: str) -> Result:
    before = len(site.requests())
    crawl(site, data, *options)
    return compare(site, data, site.requests()[before:])


def lost_or_wrong(crawl: str, result: Result) -> list[str]:
    """Return what a crawl lost, gave away or got wrong, each as a line."""
    lines = [f"missing: {url}" for url in result.missing] + [f"leak: {leak}" for leak in result.leaks]
    for word, right in (("titles", result.titles), ("authors", result.authors), ("times", result.times)):
        if right < RIGHT * result.items:
            lines.append(f"{word}: {right} of {result.items} are right")
    if crawl == CHANGED:  # an edit is seen when a page is asked for again
        return lines
    if result.text_f1 < TEXT:
        lines.append(f"texts: F1 {result.text_f1:.3f}")
    if result.posts < result.threads:
        lines.append(f"posts: {result.posts} of {result.threads} threads are complete and in order")
    return lines


def superfluous(crawl: str, result: Result, *, few: bool = False) -> list[str]:
    """Return what a crawl stored besides the items, and whether it asked too often, each as a line.

    On a site of a few items what has to be asked for besides them weighs more than they do.
    """
    lines = [f"copy: {url}" for url in result.copies] + [f"listing: {url}" for url in result.listings]
    asked = Counter(urls.kind_of(f"http://site.test{path}") for path in set(result.asked) if FORMS.search(path))
    lines += [f"forms: {kind} was asked for {count} times" for kind, count in asked.items() if count > MOST_OF_A_KIND]
    if not few and result.requests_per_document > REQUESTS.get(crawl, result.requests):
        lines.append(f"requests: {result.requests_per_document:.2f} for each item")
    return lines
