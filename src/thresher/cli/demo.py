"""`thresher demo`: a sample site on this machine, crawled and searched."""

import time
from dataclasses import replace
from datetime import UTC, datetime

import click

from thresher import urls, wiring
from thresher.cli import crawl_summary, exits
from thresher.cli.options import settings
from thresher.cli.progress import Meter
from thresher.cli.search import show
from thresher.cli.terminal import say
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.crawling.run import conduct
from thresher.discovery.scope import Scope
from thresher.errors import UsageError
from thresher.index.query import parse
from thresher.sample import RunningSample, SampleWeb, serve

QUERIES = ("harbour", "降准")
DATA = "thresher-demo"
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
    help=f"First of three ports; 0: any free ports (default {PORT}, or free ports if it is taken).",
)
@click.option("--serve", "keep", is_flag=True, help="Keep serving the sample site afterwards, until Ctrl-C.")
@click.option("--serve-only", is_flag=True, help="Serve the sample site without crawling it.")
@click.option("--data", help=f"Folder of the demo's corpus (default {DATA}).")
@click.pass_context
def command(ctx: click.Context, pages: int, port: int | None, keep: bool, serve_only: bool, data: str | None) -> int:
    """Serve a sample site (news, blog, forum; English and Chinese) on this machine, crawl it and search it."""
    folder = data or ctx.find_root().obj["data"] or DATA
    chosen = replace(settings(ctx, data=folder), allowed_addresses=("127.0.0.1",), delay_s=DELAY_S, backoff_s=BACKOFF_S)
    with _served(SampleWeb(pages=pages), port) as site:
        _say("sample site: " + "  ".join(site.starts))
        code = exits.DONE if serve_only else _tour(chosen, site.starts)
        if keep or serve_only:
            _wait()
    return code


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
