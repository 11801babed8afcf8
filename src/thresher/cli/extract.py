"""`thresher extract`: the clean text of pages, nothing stored."""

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any

import click

from thresher import extract as extract_page
from thresher import urls
from thresher.cli import exits, output
from thresher.cli.options import csv_option, request_options, requests_in, settings
from thresher.errors import ExtractionError, ThresherError, UsageError
from thresher.extraction.algorithms import check_name
from thresher.extraction.contract import Favour
from thresher.model import Document, Kind, Page

_LISTS = (Kind.LISTING, Kind.BOARD)


@click.command("extract")
@click.argument("source", nargs=-1, metavar="FILE|URL|-...")
@click.option("-f", "--format", "format_", type=click.Choice(output.FORMATS), default="md", show_default=True)
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="Write to a file.")
@csv_option
@click.option("--url", help="The address a file was saved from: resolves its links, helps the dates.")
@click.option("--algorithm", help="Content algorithm (default: the best one there is).")
@click.option("--model", help="Model file for an algorithm that is trained.")
@click.option("--precision", is_flag=True, help="Rather miss text than keep noise.")
@click.option("--recall", is_flag=True, help="Rather keep noise than miss text.")
@click.option("--allow-address", "allowed_addresses", multiple=True, help="Private address or network to permit.")
@click.option("--debug", type=click.Path(path_type=Path), help="Write a page that shows what was kept, and why.")
@click.option("--posts", is_flag=True, help="Read the page as a thread of posts, whatever it looks like.")
@click.option("--comments", is_flag=True, help="Read the comments under an article, too.")
@click.option("--links", is_flag=True, help="Print the links of the main text instead, one a line.")
@request_options
@click.pass_context
def command(ctx: click.Context, /, source: tuple[str, ...], format_: str, path: Path | None, **flags: Any) -> int:
    """Print the clean text of pages: files, URLs, or standard input (-). Nothing is stored."""
    sources = source or _piped()
    if flags["debug"] and len(sources) > 1:
        raise UsageError("--debug shows one page: give one FILE or URL")
    if flags["debug"] and str(flags["debug"]) == "-" and path is None:
        raise UsageError("--debug needs a file of its own: standard output has the text")
    if flags["precision"] and flags["recall"]:
        raise UsageError("--precision and --recall pull in opposite directions: give one of them")
    if flags["posts"] and flags["comments"]:
        raise UsageError("--posts takes the whole page for posts, --comments an article above them: give one of them")
    if flags["model"]:
        _check_trained(flags["algorithm"])
    failed: list[str] = []
    coming = _documents(ctx, sources, flags, failed)
    documents = chain(list(islice(coming, 1)), coming)  # a page that cannot be read leaves the file of -o as it was
    with output.opened(path) as stream:
        if flags["links"]:
            stream.writelines(f"{link}\n" for document in documents for link in document.links)
        else:
            output.write(documents, format_, stream, raw_csv=flags["raw_csv"])
    if not failed:
        return exits.DONE
    return exits.SOME_FAILED if len(failed) < len(sources) else exits.FAILED


def _check_trained(algorithm: str | None) -> None:
    from thresher.lab.training import trainer_of

    trainer_of(check_name(algorithm))


def _favour(flags: dict[str, Any]) -> Favour:
    return "precision" if flags["precision"] else "recall" if flags["recall"] else "balance"


def _piped() -> tuple[str, ...]:
    if sys.stdin.isatty():
        raise UsageError("give a FILE, a URL, or - for standard input")
    return ("-",)


def _documents(
    ctx: click.Context, sources: Sequence[str], flags: dict[str, Any], failed: list[str]
) -> Iterator[Document]:
    """Extract one page after the other; one of several that fails is reported and the others go on."""
    for source, page in _pages(ctx, sources, flags):
        found = page if isinstance(page, ThresherError) else _document(page, flags)
        if isinstance(found, Document):
            if remark := _remark(found, source):
                click.echo(f"thresher: {remark}", err=True)
            yield found
        elif len(sources) == 1:
            raise found
        else:
            failed.append(source)
            click.echo(f"thresher: {found}" if source in str(found) else f"thresher: {source}: {found}", err=True)


def _remark(document: Document, source: str) -> str:
    """Return what to say of a page that is no article; empty for one that is."""
    if not document.text:
        return f"no main text in {source}"
    if document.kind is Kind.OTHER:
        return f"{source} does not look like an article"
    return f"{source} looks like a {document.kind.value}, not an article" if document.kind in _LISTS else ""


def _document(page: Page, flags: dict[str, Any]) -> Document | ExtractionError:
    try:
        document = extract_page(
            page.body,
            page.url or None,
            content_type=page.content_type or None,
            fetched_at=page.fetched_at,
            favour=_favour(flags),
            algorithm=flags["algorithm"],
            model=flags["model"],
            posts="always" if flags["posts"] else "comments" if flags["comments"] else "threads",
        )
        if flags["debug"]:
            _write_xray(page, document, flags)
    except ExtractionError as error:
        return error
    return document


def _write_xray(page: Page, document: Document, flags: dict[str, Any]) -> None:
    from thresher.extraction.xray import xray
    from thresher.html import parse

    tree = parse(page.body, url=page.url or None, content_type=page.content_type or None)
    shown = xray(tree, document, model=flags["model"], favour=_favour(flags))
    with output.opened(flags["debug"]) as stream:
        stream.write(shown)
    click.echo(f"thresher: the X-ray is in {flags['debug']}", err=True)


def _pages(
    ctx: click.Context, sources: Sequence[str], flags: dict[str, Any]
) -> Iterator[tuple[str, Page | ThresherError]]:
    """Yield each source with its page, or with the error that says why it cannot be read."""
    remote = list(dict.fromkeys(source for source in sources if source.startswith(("http://", "https://"))))
    fetched = _fetched(ctx, remote, flags) if remote else {}
    for source in sources:
        yield source, fetched[source] if source in fetched else _read(source, flags["url"])


def _fetched(ctx: click.Context, remote: list[str], flags: dict[str, Any]) -> dict[str, Page | ThresherError]:
    from thresher import wiring
    from thresher.crawling.single import fetch_all

    carried = requests_in(ctx, flags, [urls.canonical(url) for url in remote])
    chosen = settings(ctx, allowed_addresses=flags["allowed_addresses"] or None, **carried)
    answers = fetch_all(remote, wiring.fetch_options(chosen), delay_s=chosen.delay_s)
    return dict(zip(remote, answers, strict=True))


def _read(source: str, url: str | None) -> Page | ThresherError:
    try:
        body = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        hint = f"; a page of the web is https://{source}" if source.startswith("www.") else ""
        return UsageError(f"cannot read {source}: {error.strerror}{hint}")
    return Page(url or "", 200, body, datetime.now(UTC))
