"""`thresher index`: bring the index up to date with the store, or rebuild it."""

from collections.abc import Iterator
from typing import Any

import click

from thresher import wiring
from thresher.cli import exits
from thresher.cli.options import places_in, server_options, settings
from thresher.cli.terminal import counted, say
from thresher.crawling.corpus import Corpus
from thresher.crawling.threads import with_posts
from thresher.index.contract import Given

TOLD_EVERY = 5_000  # documents


@click.group("index")
def command() -> None:
    """Maintain the index that `thresher search` uses."""


@command.command("rebuild")
@server_options
@click.pass_context
def rebuild(ctx: click.Context, /, **flags: Any) -> int:
    """Rebuild the search index from the stored documents.

    Needed once after an upgrade that changes how words are found, after changing the setting `stemming`, and when
    the index is damaged. Searches are answered by the old index until the new one is complete, and crawls can go on.
    If it is interrupted, run it again.
    """
    corpus = wiring.open_corpus(settings(ctx, **places_in(flags)), create=False)
    done = told = 0
    try:
        for batch in corpus.index.rebuild(_stored(corpus)):
            done += batch
            if done - told >= TOLD_EVERY:
                told = done
                say(f"{counted(done, 'document')} so far")
    finally:
        corpus.close()
    say(f"rebuilt the index: {counted(done, 'document')}")
    return exits.DONE


def _stored(corpus: Corpus) -> Iterator[Given]:
    for stored in corpus.store.stored(posts=False):
        document = with_posts(corpus.store, stored.document)
        yield Given(stored.key, document, stored.first_seen, stored.run)
