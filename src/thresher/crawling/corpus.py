"""What a run is given: an open corpus, and the means to crawl.

Nothing here needs what fetches and extracts, so that commands which only read start fast.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from thresher.catalog.alerts import Alerts
from thresher.catalog.contract import Catalog
from thresher.fetch.contract import FetchOptions
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
    alerts: Callable[[], Alerts]  # with saved searches; likewise
    close: Callable[[], None]
    faults: Callable[[], list[str]] = list  # what is wrong with the files of this machine, read whole
    apart: bool = False  # the frontier is a server of its own, which may be asked while the store is written


@dataclass(frozen=True, slots=True)
class Means:
    """How a run is carried out: what does not belong to the run itself."""

    rules: Rules
    fetching: FetchOptions
    extractors: int
    extract_timeout_s: float
    extract_memory_bytes: int
    require_date: bool = False
    min_confidence: float = 0.0
    site_memory: bool = True
    comment_feeds: bool = False
    host_bytes: int = 0
    run_bytes: int = 0
    shortage: Callable[[], str] = lambda: ""  # what this machine is short of, for which the work has to wait
