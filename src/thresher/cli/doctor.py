"""`thresher doctor`: does this installation work?"""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from thresher import config, wiring
from thresher.catalog.facts import healths
from thresher.cli import exits
from thresher.cli.options import places_in, server_options, settings
from thresher.cli.terminal import counted, show
from thresher.crawling import harvest
from thresher.crawling.corpus import Corpus
from thresher.crawling.landing import harvest_from_bytes
from thresher.crawling.pool import Pool
from thresher.errors import BackendError, NothingCollected, ThresherError
from thresher.extraction.compiled import compiled_line
from thresher.fetch.rendering import browser_path, check_render
from thresher.index.query import parse
from thresher.model import Link
from thresher.text import squeeze
from thresher.urls.secrets import masked_text

FREE_BYTES = 1_000_000_000


@click.command("doctor")
@click.option("--deep", is_flag=True, help="Read everything in the corpus and list what is damaged.")
@server_options
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> int:
    """Check Python, the data folder, disk space, SQLite and extraction on this machine.

    The corpus and the configured servers are opened and checked too. --deep reads the whole corpus, which is slow.
    """
    chosen = settings(ctx, **places_in(flags))
    checks: dict[str, Callable[[config.Settings], str]] = {
        "python": _python,
        "data folder": _folder,
        "disk": _disk,
        "new corpus": _new_corpus,
        **({"frontier": wiring.check_frontier} if chosen.frontier else {}),
        "corpus": _corpus,
        "sources": _sources,
        **({"everything collected": _everything} if flags["deep"] else {}),
        "extraction": _extraction,
        "compiled parts": _compiled,
        **({"rendering": _rendering} if chosen.render != "off" else {}),
        "contact": _contact,
    }
    failed = 0
    for name, check in checks.items():
        try:
            show(f"ok    {name}: {squeeze(check(chosen))}")
        except (ThresherError, OSError) as error:
            failed += 1
            show(f"FAIL  {name}: {squeeze(masked_text(str(error)))}")
    return exits.FAILED if failed else exits.DONE


def _python(chosen: config.Settings) -> str:
    return f"{sys.version.split()[0]}"


def _rendering(chosen: config.Settings) -> str:
    check_render(chosen.render)
    return browser_path() or "the system has no Chromium; Playwright's own is used if it is installed"


def _folder(chosen: config.Settings) -> str:
    folder = Path(chosen.data)
    near = _nearest(folder)
    if not near.is_dir():
        raise BackendError(f"{near} is a file; choose another folder with --data")
    if not os.access(near, os.W_OK):
        raise BackendError(f"{near} is not writable; choose another folder with --data")
    return f"{folder} ({'exists' if folder.exists() else 'will be created'})"


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest of those above it that exists."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())


def _disk(chosen: config.Settings) -> str:
    free = shutil.disk_usage(_nearest(Path(chosen.data))).free
    if free < FREE_BYTES:
        raise BackendError(f"only {free / 1e9:.1f} GB free; a crawl needs more")
    return f"{free / 1e9:.0f} GB free"


def _new_corpus(chosen: config.Settings) -> str:
    with tempfile.TemporaryDirectory(prefix="thresher-") as folder:
        _look_into(wiring.open_corpus(config.Settings(data=folder)))
    return "can be created, written and searched"


def _corpus(chosen: config.Settings) -> str:
    try:
        corpus = wiring.open_corpus(chosen, create=False)
    except NothingCollected as nothing_yet:
        return str(nothing_yet)
    runs, documents = _look_into(corpus)
    return f"{counted(documents, 'document')} searchable on this machine; {counted(runs, 'run')} so far"


def _sources(chosen: config.Settings) -> str:
    """Count the sources, and name those that need care; they are no fault of this installation."""
    try:
        catalog = wiring.open_catalog(chosen, create=False)
    except NothingCollected:
        return "none"
    try:
        found = healths(catalog, datetime.now(UTC))
    finally:
        catalog.close()
    troubled = [health for health in found if health.problems]
    for health in troubled:
        for problem in health.problems:
            show(f"      {health.source.name}: {problem.kind}: {squeeze(problem.detail)}")
    return f"{counted(len(found), 'source')}, {len(troubled)} with problems"


def _everything(chosen: config.Settings) -> str:
    """Read all there is; raise BackendError with what is damaged, each named, and what to do about it."""
    try:
        corpus = wiring.open_corpus(chosen, create=False)
    except NothingCollected as nothing_yet:
        return str(nothing_yet)
    try:
        stored = [f"the file: {fault}" for fault in corpus.faults()] + list(corpus.store.damaged())
        indexed = corpus.index.damaged()
        documents = corpus.index.count()
    finally:
        corpus.close()
    for fault in [*stored, *(f"the index entry of {url}" for url in indexed)]:
        show(f"      damaged: {squeeze(masked_text(fault))}")
    if stored:
        raise BackendError(f"{len(stored)} damaged in the store; restore a backup, or crawl again with --refresh")
    if indexed:
        raise BackendError(f"{len(indexed)} damaged in the index; `thresher index rebuild` repairs it")
    return f"{counted(documents, 'document')}, nothing is damaged"


def _look_into(corpus: Corpus) -> tuple[int, int]:
    """Count runs and documents, asking store, frontier and index; raise BackendError when one does not answer."""
    try:
        corpus.jobs()
        corpus.index.search(parse("word", datetime.now(UTC)))
        return len(corpus.store.runs()), corpus.index.count()
    finally:
        corpus.close()


def _extraction(chosen: config.Settings) -> str:
    pool = Pool(harvest.answer, 1, timeout_s=chosen.extract_timeout_s, memory_bytes=chosen.extract_memory_bytes)
    page = harvest.PROBE
    try:
        answer = harvest_from_bytes(asyncio.run(pool.ask(harvest.request(page, Link(page.url), None))))
        given_up = pool.given_up or "none; this system supports only time and memory limits"
    finally:
        pool.close()
    if not answer.document or "ferry" not in answer.document.title:
        raise BackendError("the extraction process returned a page without its title")
    return f"works in a separate process; restrictions: {given_up}"


def _compiled(chosen: config.Settings) -> str:
    return compiled_line()


def _contact(chosen: config.Settings) -> str:
    return chosen.contact or "none set; site owners cannot reach you (setting `contact`)"
