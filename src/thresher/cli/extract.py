"""`thresher extract`: the clean text of pages, nothing stored."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import click

from thresher import extract as extract_page
from thresher.cli import exits, output
from thresher.cli.options import settings
from thresher.errors import ThresherError, UsageError
from thresher.extract.contract import Favour
from thresher.model import Document, Page


@click.command("extract")
@click.argument("source", nargs=-1, metavar="FILE|URL|-...")
@click.option("-f", "--format", "format_", type=click.Choice(output.FORMATS), default="md", show_default=True)
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("--url", help="The address a file was saved from: resolves its links, helps the dates.")
@click.option("--algorithm", help="Content algorithm (default: the best one there is).")
@click.option("--model", help="Model file for an algorithm that is trained.")
@click.option("--precision", "favour", flag_value="precision", help="Rather miss text than keep noise.")
@click.option("--recall", "favour", flag_value="recall", help="Rather keep noise than miss text.")
@click.option("--links", is_flag=True, help="Print the links of the main text instead, one a line.")
@click.pass_context
def command(
    ctx: click.Context, /, source: tuple[str, ...], format_: str, path: Path | None, **flags: str | None
) -> int:
    """Print the clean text of pages: files, URLs, or standard input (-). Nothing is stored."""
    failures: list[str] = []
    show_links = bool(flags.pop("links"))
    documents = _documents(ctx, source or _piped(), flags, failures)
    with output.opened(path) as stream:
        if show_links:
            stream.writelines(f"{link}\n" for document in documents for link in document.links)
        else:
            output.write(documents, format_, stream)
    if not failures:
        return exits.DONE
    return exits.FAILED if len(failures) == len(source) else exits.SOME_FAILED


def _piped() -> tuple[str, ...]:
    if sys.stdin.isatty():
        raise UsageError("give a FILE, a URL, or - for standard input")
    return ("-",)


def _documents(
    ctx: click.Context, sources: tuple[str, ...], flags: dict[str, str | None], failures: list[str]
) -> Iterator[Document]:
    """Extract one source after the other; one that fails is reported and the others go on."""
    url = flags.pop("url")
    favour = cast(Favour, flags.pop("favour") or "balance")
    for source in sources:
        try:
            page = _page(ctx, source, url)
            yield extract_page(
                page.body,
                page.url or None,
                content_type=page.content_type or None,
                fetched_at=page.fetched_at,
                favour=favour,
                **flags,
            )
        except UsageError:
            raise
        except ThresherError as error:
            if len(sources) == 1:
                raise
            failures.append(source)
            click.echo(f"thresher: {source}: {error}", err=True)


def _page(ctx: click.Context, source: str, url: str | None) -> Page:
    if source.startswith(("http://", "https://")):
        from thresher import wiring
        from thresher.crawl.single import fetch_one

        return fetch_one(source, wiring.fetch_options(settings(ctx)))
    try:
        body = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {source}: {error.strerror}") from error
    return Page(url or "", 200, body, datetime.now(UTC))
