"""Which destinations the sinks of the settings mean, and the thread that carries to them while a crawl goes on."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from thresher import sqlite
from thresher.archive.destination import ArchiveDestination
from thresher.config import DOCUMENTS, MYSQL, POSTGRESQL, SQLITE, Settings
from thresher.errors import BackendError, UsageError
from thresher.index.contract import Index
from thresher.index.opensearch import OpenSearchIndex
from thresher.index.stems import Stems
from thresher.model import Fate
from thresher.search_server import SearchServer
from thresher.store.contract import Change, Record, Store
from thresher.store.destination import Destination, RawPage
from thresher.store.kafka import KafkaDestination
from thresher.store.servers import server_store
from thresher.store.sinks import Sink
from thresher.store.sql import sqlite_store

INDEX = "index:"  # before the URL of a search server that is to search, not to store
KAFKA = "kafka://"
PAUSE_S = 0.5  # between looks at a log without news
log = logging.getLogger("thresher.sinks")


def sinks_in(settings: Settings) -> Mapping[str, str]:
    """Return the sinks of the settings: the URLs of their destinations by name."""
    return dict(each.split("=", 1) for each in settings.sinks)


def open_sinks(settings: Settings, store: Store, only: Sequence[str] = ()) -> list[Sink]:
    """Return the sinks of the settings, or some of them; raise UsageError for an unknown one."""
    known = sinks_in(settings)
    for name in only:
        if name not in known:
            raise UsageError(f"no sink {name!r}; the setting `sinks` has: {', '.join(known) or 'none'}")
    wanted = {name: url for name, url in known.items() if not only or name in only}
    return [Sink(name, store, _opener(name, url, settings)) for name, url in wanted.items()]


def _opener(name: str, url: str, settings: Settings) -> Callable[[], Destination]:
    return lambda: open_destination(name, url, settings)


def open_destination(name: str, url: str, settings: Settings) -> Destination:
    """Open the destination of a URL; raise UsageError for one of no known kind, BackendError where it cannot be."""
    if url.startswith(INDEX):
        server = SearchServer(url.removeprefix(INDEX))
        return IndexDestination(OpenSearchIndex(server, server.name, stems=Stems(settings.stemming)))
    if url.startswith(KAFKA):
        return KafkaDestination(url)
    if url.startswith(SQLITE):
        path = Path(url.removeprefix(SQLITE))
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite.connect(path)
        return StoreDestination(sqlite_store(connection), connection.close)
    if url.startswith((*POSTGRESQL, *MYSQL, *DOCUMENTS)):
        return StoreDestination(*server_store(url))
    return ArchiveDestination(url, name)


class StoreDestination:
    """Another store: documents, posts and raw pages, each seen first when it was delivered first."""

    def __init__(self, store: Store, close: Callable[[], None]) -> None:
        self._store, self.close = store, close

    def deliver(self, changes: Sequence[Change], page: RawPage) -> None:
        """Save the documents; those that have gone stay."""
        for change in changes:
            stored = change.stored
            if stored is not None and stored.document.url:
                url = stored.document.url
                fate = Fate(url, stored.run, "stored", "stored", stored.last_seen, status=200)
                self._store.save(Record(fate, page(url), stored.document))


class IndexDestination:
    """A search index beside the one of the corpus."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def deliver(self, changes: Sequence[Change], page: RawPage) -> None:
        """Make documents findable, and forget those that have gone."""
        self._index.remove([change.key for change in changes if change.stored is None])
        for change in changes:
            if (stored := change.stored) is not None and stored.document.url:
                self._index.add([stored.document], stored.first_seen, run=stored.run)

    def close(self) -> None:
        """Close the connections."""
        self._index.close()


@contextmanager
def own_store(settings: Settings) -> Iterator[Store]:
    """Give the store of the settings over a connection of its own, for a thread of its own."""
    if settings.store_url.startswith(SQLITE):
        connection = sqlite.connect(Path(settings.store_url.removeprefix(SQLITE)))
        try:
            yield sqlite_store(connection)
        finally:
            connection.close()
    else:
        store, close = server_store(settings.store_url)
        try:
            yield store
        finally:
            close()


def carry_beside(settings: Settings) -> Callable[[], None]:
    """Carry to the sinks in a thread of its own from now on; return what ends that."""
    ending = threading.Event()
    thread = threading.Thread(target=_carry_until, args=(ending, settings), name="sinks", daemon=True)
    thread.start()

    def end() -> None:
        ending.set()
        thread.join(PAUSE_S * 20)  # what is left is carried by the next process, or by `thresher sinks run`

    return end


def _carry_until(ending: threading.Event, settings: Settings) -> None:
    while True:
        try:
            with own_store(settings) as store, ExitStack() as opened:
                sinks = open_sinks(settings, store)
                for sink in sinks:
                    opened.callback(sink.close)
                carry(sinks, ending)
            return
        except BackendError as error:
            log.warning("sinks: %s", error)
            if ending.wait(10 * PAUSE_S):
                return


def carry(sinks: Sequence[Sink], ending: threading.Event) -> None:
    """Carry until the event is set, and then what is there at that moment."""
    while True:
        is_last = ending.is_set()
        moved = sum(sink.carry() for sink in sinks)
        if is_last:
            return
        if not moved:
            ending.wait(PAUSE_S)
