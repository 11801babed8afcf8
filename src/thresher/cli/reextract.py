"""`thresher reextract`: the present extractor reads the stored pages again."""

from datetime import UTC, datetime
from typing import Any

import click

from thresher import __version__, wiring
from thresher.api.corpus import Corpus as Reader
from thresher.cli import exits
from thresher.cli.options import STYLES, filter_options, places_in, query_of, server_options, settings
from thresher.cli.progress import Display
from thresher.cli.terminal import counted, say
from thresher.config import Settings
from thresher.crawling import harvest
from thresher.crawling.corpus import Corpus
from thresher.crawling.pool import Pool, cores
from thresher.crawling.reextraction import NO_PAGE, Reading, Reextracted, Reextractor, Todo
from thresher.errors import NothingCollected
from thresher.extraction.algorithms import check_name
from thresher.model import Link, Run, RunState
from thresher.urls import key_of


@click.command("reextract")
@click.argument("words", nargs=-1, metavar="[QUERY]...")
@filter_options
@click.option("--dry-run", is_flag=True, help="Change nothing; say how many documents would change.")
@click.option("--restart", is_flag=True, help="Start over instead of continuing an interrupted attempt.")
@click.option("--algorithm", help="Content algorithm (default: thresher).")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes that extract pages; default: one per core.")
@click.option("--progress", type=click.Choice(STYLES), default="auto", show_default=True)
@server_options
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], **flags: Any) -> int:
    """Extract stored documents again from their raw pages, for instance after an update: all, or what a query finds.

    Nothing is fetched. Documents that come out the same are not touched. If the text of an article changes, the earlier
    text is kept as a version (`thresher history URL`) and the new one is indexed. A document whose page no longer gives
    one stays as it is. If this is interrupted, run it again to continue.
    """
    if flags["algorithm"]:
        check_name(flags["algorithm"])
    chosen = settings(ctx, **places_in(flags))
    query, jobs = query_of(words, flags), flags["jobs"] or cores()
    corpus = wiring.open_corpus(chosen, create=False)
    probe = harvest.request(harvest.PROBE, Link(harvest.PROBE.url), flags["algorithm"])
    try:
        timeout_s, memory_bytes = chosen.extract_timeout_s, chosen.extract_memory_bytes
        pool = Pool(harvest.answer, jobs, timeout_s=timeout_s, memory_bytes=memory_bytes, probe=probe)
        try:
            reading = Reading(pool, jobs, flags["algorithm"], chosen.require_date, chosen.site_memory)
            return _reextract(corpus, chosen, query, reading, flags)
        finally:
            pool.close()
    finally:
        corpus.close()


def _reextract(corpus: Corpus, chosen: Settings, query: str, reading: Reading, flags: dict[str, Any]) -> int:
    state = f"reextract {key_of(query + ' ' + (reading.algorithm or ''))}"
    if flags["dry_run"]:
        worker = Reextractor(corpus, reading, run=None, state=state, scratch=wiring.scratch_store)
        return _report(_worked(worker, corpus, query, "", flags["progress"]), dry_run=True)
    run, after = _run(corpus, state, query, restart=flags["restart"])
    if after:
        say(f"continuing where run {run.id} was interrupted; --restart starts over")
    ended = RunState.INTERRUPTED
    try:
        worker = Reextractor(corpus, reading, run=run.id, state=state, scratch=wiring.scratch_store)
        result = _worked(worker, corpus, query, after, flags["progress"])
        corpus.store.keep_state(state, {})
        ended = RunState.FINISHED
    except KeyboardInterrupt:
        say("interrupted; the same command continues")
        raise
    finally:
        corpus.index.flush()
        corpus.store.end_run(run.id, ended, datetime.now(UTC))
    note = wiring.search_note(chosen, corpus.index.count()) if query else None
    if note:
        say(note)
    return _report(result, dry_run=False)


def _run(corpus: Corpus, state: str, query: str, *, restart: bool) -> tuple[Run, str]:
    """Return the run to save under, and the mark after which it goes on: that of an interrupted one of this version."""
    store, held = corpus.store, dict(corpus.store.state(state) or {})
    if not restart and held.get("version") == __version__ and (run := store.run(int(held["run"]))):
        store.end_run(run.id, RunState.RUNNING, datetime.now(UTC))
        return run, str(held.get("after", ""))
    run = store.start_run([f"reextract {query}".strip()], {"reextract": query or "*"}, datetime.now(UTC))
    store.keep_state(state, {"run": run.id, "version": __version__, "after": "", "saving": held.get("saving", [])})
    return run, ""


def _worked(worker: Reextractor, corpus: Corpus, query: str, after: str, progress: str) -> Reextracted:
    todo, total = _todo(corpus, query, after)
    display = Display(progress, total)

    def tell(result: Reextracted) -> None:
        view = {"documents": result.documents, "changed": result.changed, "left": result.left.total()}
        display.show(view, _words, done=result.documents, total=total)

    with display.open():
        return worker.go_on(todo, tell)


def _todo(corpus: Corpus, query: str, after: str) -> tuple[Todo, int | None]:
    """Return the documents that come after a mark; with a query, and how many these are."""
    if not query.strip():
        everything = corpus.store.stored(posts=False)
        marks = ((f"{each.first_seen.isoformat()} {each.key}", each.document.url) for each in everything)
        return ((mark, url) for mark, url in marks if url and mark > after), None
    found = {each.url for each in Reader(corpus).documents(query, posts=False) if each.url}
    marked = [pair for pair in sorted((key_of(url), url) for url in found) if pair[0] > after]
    return iter(marked), len(marked)


def _report(result: Reextracted, *, dry_run: bool) -> int:
    changed = "would change" if dry_run else "changed"
    say(f"{counted(result.documents, 'document')} read again, {result.changed} {changed}")
    if result.left:
        say("left as they are: " + ", ".join(f"{count} {why}" for why, count in result.left.most_common(20)))
    if result.documents and result.left[NO_PAGE] == result.documents:
        raise NothingCollected("no raw page of these documents is stored, so nothing can be extracted anew; crawl them")
    return exits.DONE if result.documents else exits.EMPTY


def _words(view: dict[str, Any], between: str) -> str:
    documents = counted(view["documents"], "document")
    return f"{documents} read anew{between}{view['changed']} changed, {view['left']} left as they are"
