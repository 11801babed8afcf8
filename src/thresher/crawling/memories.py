"""Memories: what earlier runs showed of each site, as the extraction of a page wants it.

A run uses what the runs before it left, and adds for the next one: within a run every page of a site is read in the
same light, in whatever order pages come and however often the run is interrupted.
"""

from thresher import urls
from thresher.extraction.memory import SiteMemory, Traces, recall
from thresher.extraction.memory_codec import memory_to_bytes, traces_from_bytes
from thresher.store.contract import Store

MAX_SITES = 500  # sites whose memory is held; the store has the others
NOTHING = memory_to_bytes(SiteMemory())


class Memories:
    """The memories of one run's sites; used in the books' thread."""

    def __init__(self, store: Store, run: int) -> None:
        self._store = store
        self._run = run
        self._sites: dict[str, tuple[dict[str, Traces], bytes]] = {}

    def of(self, url: str) -> bytes:
        """Return what is known of a URL's site from other pages, encoded."""
        site = urls.site_of(url)
        if site not in self._sites:
            if len(self._sites) >= MAX_SITES:
                self._sites.clear()
            self._sites[site] = self._read(site)
        pages, memory = self._sites[site]
        own = urls.key_of(url)
        return _encoded({key: traces for key, traces in pages.items() if key != own}) if own in pages else memory

    def _read(self, site: str) -> tuple[dict[str, Traces], bytes]:
        found = self._store.traces(site, before=self._run)
        pages = {key: traces_from_bytes(data) for key, data in found.items()}
        return pages, _encoded(pages)


def _encoded(pages: dict[str, Traces]) -> bytes:
    return memory_to_bytes(recall(pages.values())) if pages else NOTHING
