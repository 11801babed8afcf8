"""`thresher reindex`: bring the index up to date with the store."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import click

from thresher import wiring
from thresher.cli import exits
from thresher.cli.index import rebuild
from thresher.cli.options import places_in, server_options, settings
from thresher.cli.terminal import counted, say
from thresher.crawling.corpus import Corpus
from thresher.crawling.threads import with_posts
from thresher.store.contract import Stored

BATCH = 100  # documents per transaction


@click.command("reindex")
@click.option("--rebuild", is_flag=True, help="Rebuild the whole index: the same as `thresher index rebuild`.")
@server_options
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> int:
    """Add the documents of the store that the index does not have, so that `thresher search` finds them.

    You need this once for a store in PostgreSQL that an earlier version wrote, and after `index` in the settings was
    changed; otherwise it does no harm. You can run it again at any time, even during a crawl.
    """
    if flags.pop("rebuild"):
        return int(ctx.invoke(rebuild, **flags))
    corpus = wiring.open_corpus(settings(ctx, **places_in(flags)), create=False)
    try:
        before = corpus.index.count()
        corpus.store.note_copies()
        indexed = sum(_add(corpus, batch) for batch in _batches(corpus.store.stored(posts=False)))
        corpus.index.flush()
        after = corpus.index.count()
    finally:
        corpus.close()
    say(f"{counted(indexed, 'document')} indexed, {after - before} of them new")
    return exits.DONE


def _add(corpus: Corpus, batch: list[Stored]) -> int:
    with corpus.together():
        for stored in batch:
            document = with_posts(corpus.store, stored.document)
            corpus.index.add([document], stored.first_seen, run=stored.run)
    return len(batch)


def _batches(everything: Iterable[Stored]) -> Iterator[list[Stored]]:
    source = iter(everything)
    while batch := list(islice(source, BATCH)):
        yield batch
