"""`thresher extract`: the clean text of pages, nothing stored."""

import sys
from pathlib import Path
from typing import Any

import click

from thresher.cli import exits, output
from thresher.cli.extract_inputs import STDIN, Input, Inputs, read
from thresher.cli.extract_records import Joined, Record, Wishes, document_of, failed, is_folder, record_of
from thresher.cli.options import STYLES, csv_option, request_options, requests_in, settings
from thresher.cli.terminal import say
from thresher.config import Settings
from thresher.errors import ThresherError, UsageError
from thresher.extraction.algorithms import check_name
from thresher.model import Document, Page


@click.command("extract")
@click.argument("source", nargs=-1, metavar="FILE|FOLDER|URL|-...")
@click.option(
    "--from", "lists", multiple=True, metavar="LIST", help="File with one input per line; - reads standard input."
)
@click.option("-f", "--format", "format_", type=click.Choice(output.FORMATS), default="md", show_default=True)
@click.option("-o", "--output", "path", metavar="FILE|DIR/", help="Write to a file, or one file per page to a folder.")
@csv_option
@click.option("--url", help="URL the file was saved from: resolves links, helps to find the date.")
@click.option("--images", is_flag=True, help="Keep the images of the main text.")
@click.option("--links", is_flag=True, help="Print only the links of the main text, one per line.")
@click.option("--posts", is_flag=True, help="Treat the page as a thread of posts, whatever it looks like.")
@click.option("--comments", is_flag=True, help="Also extract the comments below an article.")
@click.option("--any-page", is_flag=True, help="Also extract documentation, products, services and lists.")
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Take a text that is right with a lower probability for none.",
)
@click.option("--precision", is_flag=True, help="Prefer missing text to keeping noise.")
@click.option("--recall", is_flag=True, help="Prefer keeping noise to missing text.")
@click.option("--algorithm", help="Content algorithm (default: thresher).")
@click.option("--model", help="Model file for a trainable algorithm.")
@click.option(
    "--allow-address", "allowed_addresses", multiple=True, help="Private address or network to allow (repeatable)."
)
@request_options
@click.option("--debug", type=click.Path(path_type=Path), help="Write an HTML page that shows what was kept, and why.")
@click.option(
    "--jobs", type=click.IntRange(min=1, max=1000), help="Processes for several pages (default: one per core)."
)
@click.option("--progress", type=click.Choice(STYLES), default="auto", show_default=True, help="How to show progress.")
@click.option("-q", "--quiet", is_flag=True, help="Print only errors.")
@click.pass_context
def command(
    ctx: click.Context, /, source: tuple[str, ...], lists: tuple[str, ...], path: str | None, **flags: Any
) -> int:
    """Print the main text of pages: files, folders, URLs, or standard input (-). Nothing is stored.

    Exit codes: 4 if there is no main text, 3 if some of several pages cannot be read, 1 if none can.
    """
    _check(flags, path)
    inputs = _inputs(source, lists, flags)
    wishes = _wishes(flags, several=inputs.several)
    carried = requests_in(ctx, flags, list(inputs.urls.values()))
    chosen = settings(ctx, allowed_addresses=flags["allowed_addresses"] or None, **carried)
    if inputs.several or is_folder(path):
        return _many(inputs, wishes, path, chosen, {name: flags[name] for name in ("jobs", "progress", "quiet")})
    record = _one(next(iter(inputs)), wishes, chosen, flags["debug"])
    if record.remark and not flags["quiet"]:
        say(f"thresher: {record.remark}")
    with output.opened(Path(path) if path else None) as stream:
        joined = Joined(stream, wishes, several=False)
        joined.add(record.text or "")
        joined.close()
    return exits.EMPTY if record.empty else exits.DONE


def _check(flags: dict[str, Any], path: str | None) -> None:
    if flags["debug"] and str(flags["debug"]) == "-" and path is None:
        raise UsageError("--debug needs a file name: the text goes to standard output")
    if flags["precision"] and flags["recall"]:
        raise UsageError("--precision and --recall pull in opposite directions: give one of them")
    if flags["posts"] and flags["comments"]:
        raise UsageError(
            "--posts treats the whole page as posts, --comments expects an article above them: give one of them"
        )
    if flags["any_page"] and flags["algorithm"]:
        raise UsageError("--any-page is for the default algorithm: give no --algorithm")
    check_name(flags["algorithm"])
    if flags["model"]:
        _check_trained(flags["algorithm"])


def _check_trained(algorithm: str | None) -> None:
    from thresher.lab.training import trainer_of

    trainer_of(check_name(algorithm))


def _inputs(source: tuple[str, ...], lists: tuple[str, ...], flags: dict[str, Any]) -> Inputs:
    if not source and not lists:
        if sys.stdin.isatty():
            raise UsageError("give a FILE, a FOLDER, a URL, --from LIST, or - for standard input")
        source = (STDIN,)
    if (*source, *lists).count(STDIN) > 1:
        raise UsageError("standard input can be read only once: give one -")
    inputs = Inputs(source, lists, url=flags["url"])
    if inputs.several and flags["url"]:
        raise UsageError("--url is for one page; in a list, write the URL after the file, separated by a tab")
    if inputs.several and flags["debug"]:
        raise UsageError("--debug shows one page: give one FILE or URL")
    return inputs


def _wishes(flags: dict[str, Any], *, several: bool) -> Wishes:
    return Wishes(
        format_=flags["format_"],
        named=several,
        raw_csv=flags["raw_csv"],
        links_only=flags["links"],
        images=flags["images"],
        algorithm=flags["algorithm"],
        model=flags["model"],
        favour="precision" if flags["precision"] else "recall" if flags["recall"] else "balance",
        min_confidence=flags["min_confidence"],
        pages="any" if flags["any_page"] else "articles",
        posts="always" if flags["posts"] else "comments" if flags["comments"] else "threads",
    )


def _one(each: Input, wishes: Wishes, chosen: Settings, xray_file: Path | None) -> Record:
    """Extract one page here; raise ThresherError, with its name, when that cannot be done."""
    try:
        page = _fetched(each.source, chosen) if each.is_url else read(each.source, each.url)
        document = document_of(page, wishes)
    except ThresherError as error:
        error.args = (failed(each.source, error).error,)
        raise
    if xray_file:
        _write_xray(page, document, wishes, xray_file)
    return record_of(document, each.source, wishes)


def _fetched(url: str, chosen: Settings) -> Page:
    from thresher import wiring
    from thresher.crawling.single import fetch_one

    return fetch_one(url, wiring.fetch_options(chosen))


def _many(inputs: Inputs, wishes: Wishes, path: str | None, chosen: Settings, told: dict[str, Any]) -> int:
    try:
        from thresher.cli.extract_batch import extract_many
    except ModuleNotFoundError as error:
        if error.name != "resource":  # limits of processes, which Windows does not have
            raise
        raise ThresherError("extracting several pages needs Linux or macOS; on Windows, use WSL") from error
    return extract_many(inputs, wishes, path, chosen, **told)


def _write_xray(page: Page, document: Document, wishes: Wishes, file: Path) -> None:
    from thresher.extraction.xray import xray
    from thresher.html import parse

    tree = parse(page.body, url=page.url or None, content_type=page.content_type or None)
    with output.opened(file) as stream:
        stream.write(xray(tree, document, model=wishes.model, favour=wishes.favour))
    say(f"thresher: the X-ray is in {file}")
