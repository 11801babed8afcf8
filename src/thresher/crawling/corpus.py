"""A corpus that is open: nothing here needs what fetches and extracts, so that commands which only read start fast."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from thresher.catalog.contract import Catalog
from thresher.frontier.contract import Frontier, Rules, Standing
from thresher.frontier.overseer import Overseer
from thresher.index.contract import Index
from thresher.store.contract import Store


@dataclass(frozen=True)
class Corpus:
    """An open data folder: what is stored and found in it, and the frontiers of its jobs."""

    store: Store
    index: Index
    together: Callable[[], AbstractContextManager[object]]
    frontier: Callable[[str, Rules], Frontier]  # by job
    jobs: Callable[[], list[str]]
    overseer: Callable[[str, Rules], Overseer]  # by job, one that is there
    standings: Callable[[str], Mapping[str, Standing]]  # where a URL waits, by job
    catalog: Callable[[], Catalog]  # of the sources; in the embedded corpus its calls join an open transaction
    close: Callable[[], None]
    faults: Callable[[], list[str]] = list  # what is wrong with the files of this machine, read whole
    apart: bool = False  # the frontier is a server of its own, which may be asked while the store is written
