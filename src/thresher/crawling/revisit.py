"""Revisit: which links that earlier runs stored are asked for again, and which are only followed anew.

An article that is stored is not asked for again (unless it is a start, or to be refreshed): the links that it had are
followed. Of a thread only the last page is: there new posts appear, and links to new pages. It is left alone when the
list that led to it shows the number of posts (or of answers) that are stored, and the time of the last of them or one
that is long past. Listings, and all else that gave no document, are asked for again if they changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from thresher.discovery.links import priority_of
from thresher.model import Link
from thresher.store.contract import Known, LastPage, Store

SAME_S = 60.0  # that a list may be off which shows when the last post was written: one page may leave out the seconds
SLACK_S = 2 * 86_400.0  # that a time in a list may be off: it may lack the hour, and its zone is unknown


class Revisit:
    """Decides for one run."""

    def __init__(self, store: Store, run: int, *, refresh: bool) -> None:
        self._store = store
        self._run = run
        self._refresh = refresh
        self.has_history = any(other.id != run for other in store.runs(limit=2))

    def revised(self, links: Sequence[Link]) -> list[Link]:
        """Return the links as they are to be offered, with the last pages of the threads that they lead to."""
        if not self.has_history or not links:
            return list(links)
        parents = [link.found_on for link in links if link.found_on]
        known = self._store.known([*(link.url for link in links), *dict.fromkeys(parents)])
        last = self._store.last_pages(sorted({each.thread for each in known.values() if each.thread}))
        return [each for link in links for each in self._revised(link, known, last)]

    def grown(self, threads: Sequence[Link]) -> list[Link]:
        """Return what is asked for of stored threads in which somebody may have written, by what their list shows."""
        known = self._store.known([link.url for link in threads])
        last = self._store.last_pages(sorted({each.thread for each in known.values() if each.thread}))
        grown = []
        for link in threads:
            stored = known.get(link.url)
            page = last.get(stored.thread or "") if stored else None
            if page and not self._is_quiet(link, page):
                grown.append(replace(link, url=page.url, why="part", etag=page.etag, modified=page.modified))
            elif stored and page is None and _may_have_grown(link, stored):
                grown.append(replace(link, etag=stored.etag, modified=stored.modified))
        return grown

    def stored_before(self, links: Sequence[Link]) -> set[str]:
        """Answer which links have a page that an earlier run stored, by their URLs."""
        if not self.has_history or not links:
            return set()
        known = self._store.known([link.url for link in links])
        return {url for url, stored in known.items() if stored.run != self._run}

    def _revised(self, link: Link, known: Mapping[str, Known], last: Mapping[str, LastPage]) -> list[Link]:
        stored = known.get(link.url)
        if stored is None or stored.run == self._run:
            return [link]
        conditional = replace(link, etag=stored.etag, modified=stored.modified)
        again = stored.thread is None and (self._refresh or _may_have_grown(link, stored))
        kept = [conditional if stored.kind is None or link.why == "start" or again else replace(link, replay=True)]
        page = last.get(stored.thread or "")
        parent = known.get(link.found_on or "")
        inside = parent is not None and parent.thread == stored.thread and link.why != "redirect"
        if page is None or inside or self._is_quiet(link, page):
            return kept
        why = link.why if link.why == "start" else "part"
        newest = replace(link, url=page.url, why=why, etag=page.etag, modified=page.modified)
        return [newest] if page.url == link.url else [newest, *kept]

    def _is_quiet(self, link: Link, page: LastPage) -> bool:
        """Say whether nobody wrote since a thread's last page was asked for, by what the list shows."""
        if self._refresh or link.why in ("start", "redirect") or link.active_at is None:
            return False
        if not {str(page.posts), str(page.posts - 1)} & set(link.counts.split()):
            return False
        shows_ours = page.posted_at is not None and abs(link.active_at - page.posted_at.timestamp()) < SAME_S
        return shows_ours or link.active_at + SLACK_S < page.asked_at.timestamp()


def _may_have_grown(link: Link, stored: Known) -> bool:
    """Say whether what was taken for an article is a thread that somebody answered: a list of threads tells so."""
    if link.why != "thread" or link.active_at is None or stored.fetched_at is None:
        return False
    return link.active_at + SLACK_S >= stored.fetched_at.timestamp()


def rebased(link: Link, parent: Link) -> Link:
    """Return a stored outlink as it is seen from where its page stands now."""
    depth = parent.depth + link.is_step
    return replace(link, depth=depth, priority=priority_of(link.why, depth))
