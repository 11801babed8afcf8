"""`thresher demo`: a sample site on this machine, crawled and searched."""

import time
from dataclasses import replace
from datetime import UTC, datetime

import click

from thresher import urls, wiring
from thresher.catalog.definitions import duplicate_of
from thresher.cli import crawl_summary, exits
from thresher.cli.options import settings
from thresher.cli.progress import Meter
from thresher.cli.search import show
from thresher.cli.terminal import say
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.crawling.run import conduct
from thresher.crawling.sights import unseen
from thresher.discovery.scope import Scope
from thresher.errors import UsageError
from thresher.index.query import parse
from thresher.model import Source, SourceKind
from thresher.model.source import name_from
from thresher.sample import RunningSample, SampleWeb, serve

QUERIES = ("harbour", "降准")
DATA = "thresher-demo"
WEB_PORT = 8000  # of the web application
PORT = 8765  # where nobody names another: the same addresses every time, as long as they are free
DELAY_S, BACKOFF_S = 0.05, 0.5  # the sample site is ours, and what fails there fails again
GIVES_UP = "poll/results"  # answers with status 500


@click.command("demo")
@click.option(
    "--pages",
    type=click.IntRange(10, 100_000),
    default=60,
    show_default=True,
    help="Number of articles and threads on the sample site.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_530),
    help=f"First of three ports; 0: any free ports (default {PORT}, or free ports if it is taken). With --serve, the "
    f"port of the web application (default {WEB_PORT}).",
)
@click.option("--serve", "keep", is_flag=True, help="Serve the web application on the result, until Ctrl-C.")
@click.option("--serve-only", is_flag=True, help="Serve the sample site without crawling it.")
@click.option("--data", help=f"Folder of the demo's corpus (default {DATA}).")
@click.pass_context
def command(ctx: click.Context, pages: int, port: int | None, keep: bool, serve_only: bool, data: str | None) -> int:
    """Serve a sample site (news, blog, forum; English and Chinese) on this machine, crawl it and search it.

    With --serve, the web application shows the result, follows the sample site as three sources, and can crawl it.
    """
    folder = data or ctx.find_root().obj["data"] or DATA
    chosen = replace(settings(ctx, data=folder), allowed_addresses=("127.0.0.1",), delay_s=DELAY_S, backoff_s=BACKOFF_S)
    with _served(SampleWeb(pages=pages), None if keep else port) as site:
        _say("sample site: " + "  ".join(site.starts))
        code = exits.DONE if serve_only else _tour(chosen, site.starts)
        if keep and not serve_only:
            return _show(chosen, site.starts, port)
        if serve_only:
            _wait()
    return code


def _show(chosen: Settings, starts: tuple[str, ...], port: int | None) -> int:
    """Serve the web application, with the three sites as sources; return its exit code."""
    from thresher.cli.serve import serve as serve_application

    catalog = wiring.open_catalog(chosen)
    try:
        for start, kind in zip(starts, (SourceKind.SITE, SourceKind.SITE, SourceKind.FORUM), strict=True):
            address = urls.canonical(start)
            draft = Source(name=name_from(address), kind=kind, address=address, created_at=datetime.now(UTC))
            if not duplicate_of([address], catalog.sources(), catalog.endpoints()):
                catalog.add(*unseen(replace(draft, tags=("sample",))))
    finally:
        catalog.close()
    options = {"host": "127.0.0.1", "port": WEB_PORT if port is None else port, "workers": 0, "watch": True}
    options |= {"open_": False, "base_path": "", "trust_proxy": False, "hosts": (), "requests_per_min": 0}
    return serve_application(chosen, options)


def _served(web: SampleWeb, port: int | None) -> RunningSample:
    if port is not None:
        return serve(web, port=port)
    try:
        return serve(web, port=PORT)
    except UsageError:
        _say(f"port {PORT} or one of the two after it is taken; using free ports instead")
        return serve(web)


def _tour(chosen: Settings, starts: tuple[str, ...]) -> int:
    corpus = wiring.open_corpus(chosen)
    try:
        hosts = frozenset(urls.host_of(url) for url in starts)
        options = {"scope": Scope(hosts=hosts).as_json(), "limit": None, "refresh": False, "algorithm": None}
        run = corpus.store.start_run([urls.canonical(url) for url in starts], options, datetime.now(UTC))
        meter = Meter("auto", None)
        with meter.open():
            report = conduct(corpus, run, wiring.means(chosen), meter)
        crawl_summary.show(report, chosen.data, max_failures=chosen.max_failures)
        for words in QUERIES:
            _say(f"\n$ thresher --data {chosen.data} search {words}")
            _search(corpus, words)
    finally:
        corpus.close()
    _say(f"\ntry next:\n  thresher --data {chosen.data} search 'harbour -mooring lang:en'")
    _say(f"  thresher --data {chosen.data} why {starts[0]}{GIVES_UP}")
    _say("  thresher demo --serve-only    and in another terminal: thresher probe URL --allow-address 127.0.0.1")
    code = crawl_summary.exit_code(report, chosen.max_failures)
    return exits.DONE if code == exits.SOME_FAILED else code  # the sample site has pages that fail


def _search(corpus: Corpus, words: str) -> None:
    show(corpus.index.search(parse(words, datetime.now(UTC)), limit=3))


def _wait() -> None:
    _say("serving until Ctrl-C")
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        return


def _say(text: str) -> None:
    say(text)
