"""Revisit: which links that earlier runs stored are asked for again, and which are only followed anew.

An article that is stored is not asked for again (unless it is a start, or to be refreshed): the links that it had are
followed. Of a thread only the last page is: there new posts appear, and links to new pages. It is left alone when the
list that led to it shows the number of posts (or of answers) that are stored, and the time of the last of them or one
that is long past. Listings, and all else that gave no document, are asked for again if they changed.

    a feed says something else of an item than before, ─▶ it was edited: it is asked for, on condition
    or a feed or sitemap a later time than before;
    or a wiki's feed names a later change of it

    a list was read a short time ago, for how old      ─▶ it rests: the links that it had are followed, until
    the newest of its items was then                      the run finds something new on its host: then it is asked
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from thresher.crawling.landing import Landing
from thresher.discovery.links import priority_of
from thresher.model import Kind, Link
from thresher.store.contract import Known, LastPage, Store

SAME_S = 60.0  # that a list may be off which shows when the last post was written: one page may leave out the seconds
DAY_S = 86_400.0
SLACK_S = 2 * DAY_S  # that a time in a list may be off: it may lack the hour, and its zone is unknown
REST_SHARE = 0.1  # of the age of its newest item: so long after it was read a list rests
LONGEST_REST_S = 7 * DAY_S
MAX_RESTING = 20_000  # lists of all hosts
MAX_DATED = 200  # items of a list whose dates are looked at
MAX_PARAMETERS = 6  # of an address in a feed
MANY = 8  # entries of a feed or sitemap
FEW_ROWS = 2  # of a list, which are asked for when no number agrees
AGREEING_SHARE = 0.25  # of the rows of a list that show how many posts or answers are stored
ALWAYS_ASKED = frozenset({"start", "search", "redirect", "feed", "subfeed", "comments"})


class Revisit:
    """Decides for one run; lists rest only where it is told when the run began."""

    def __init__(self, store: Store, run: int, *, refresh: bool, now: datetime | None = None) -> None:
        self._store = store
        self._run, self._now = run, now
        self._refresh = refresh
        self._resting: dict[str, dict[str, Link]] = {}  # host → URL → the list as it is to be asked for
        self._stirred: set[str] = set()  # hosts on which this run has found something new
        self._edited: set[str] = set()  # that are asked for in this run
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
        """Return what is asked for of stored threads in which somebody may have written, by what their list shows.

        Where it tells no time of a thread, or one that cannot be, the number of its posts or answers decides.
        """
        known = self._store.known([link.url for link in threads])
        last = self._store.last_pages(sorted({each.thread for each in known.values() if each.thread}))
        rows = [link for link in threads if link.url in known]
        written_in = _written_in(rows, {link.url: last.get(known[link.url].thread or "") for link in rows})
        grown = []
        for link in threads:
            stored = known.get(link.url)
            page = last.get(stored.thread or "") if stored else None
            if page and (link.url in written_in if link.active_at is None else not self._is_quiet(link, page)):
                grown.append(replace(link, url=page.url, why="part", etag=page.etag, modified=page.modified))
            elif stored and page is None and _may_have_grown(link, stored):
                grown.append(replace(link, etag=stored.etag, modified=stored.modified))
        return grown

    def edited(self, landings: Sequence[Landing]) -> list[Link]:
        """Return stored items that feeds and sitemaps show as edited, as they are to be asked for.

        Call it before these are saved: what they said before is what is stored of them.
        """
        if not self.has_history or self._refresh:
            return []
        found = [link for landing in landings for link in self._edited_on(landing) if link.url not in self._edited]
        self._edited.update(link.url for link in found)
        return found

    def rests(self, link: Link) -> bool:
        """Say whether a link leads to a list that rests."""
        return link.url in self._resting.get(link.host, ())

    def stir(self, hosts: Collection[str]) -> list[Link]:
        """Return the lists that rested on hosts on which something new was found: they rest no longer."""
        self._stirred.update(hosts)
        return [link for host in hosts for link in self._resting.pop(host, {}).values()]

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
        if stored.kind is None and stored.thread is None and self._may_rest(link, stored):
            self._resting.setdefault(link.host, {})[link.url] = conditional
            return [replace(link, replay=True)]
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

    def _may_rest(self, link: Link, stored: Known) -> bool:
        """Say whether a list was read so shortly ago, for how old its newest item was, that it need not be now."""
        is_exempt = link.why in ALWAYS_ASKED or bool(link.source) or link.host in self._stirred
        if self._refresh or self._now is None or stored.fetched_at is None or is_exempt:
            return False
        items = [item for item in self._store.outlinks(link.url) if item.why in ("article", "thread")]
        newest = self._newest(items)
        if newest is None or sum(map(len, self._resting.values())) >= MAX_RESTING:
            return False
        if any(item.why == "thread" for item in items) and not _shows_no_later(link, newest):
            return False
        read_at = stored.fetched_at.timestamp()
        return self._now.timestamp() - read_at < min(REST_SHARE * (read_at - newest), LONGEST_REST_S)

    def _newest(self, items: Sequence[Link]) -> float | None:
        """Return the time of the newest item of a list, by what the list shows or the item says; None if unknown."""
        shown = [item.active_at for item in items if item.active_at is not None]
        untold = [item.url for item in items[:MAX_DATED] if item.active_at is None]
        known = self._store.known(untold)
        documents = [self._store.document(url, posts=False) for url in untold if url in known and known[url].kind]
        told = [document.published for document in documents if document and document.published]
        in_a_zone = (at if at.tzinfo else at.replace(tzinfo=UTC) for at in told)
        return max([*shown, *(at.timestamp() for at in in_a_zone)], default=None)

    def _edited_on(self, landing: Landing) -> list[Link]:
        told = [link for link in landing.links if link.why in ("feed", "sitemap") and _tells(link)]
        if not told:
            return []
        changes = [stem for link in told if link.why == "feed" for stem in _stems(link.url)]
        wanted = list(dict.fromkeys([*(link.url for link in told), *changes]))
        known = {url: each for url, each in self._store.known(wanted).items() if each.kind}
        before = _by_item(self._store.outlinks(landing.settlement.lease.link.url), known)
        now = {url: link for url, link in _by_item(told, known).items() if url in known}
        items = [url for url in now if known[url].run != self._run]
        found = [url for url in items if _was_edited(now[url], before.get(url), known[url])]
        if len(found) > MANY and 2 * len(found) > len(items):  # it tells when it was made itself
            return []
        return [replace(now[url], url=url, etag=known[url].etag, modified=known[url].modified) for url in found]

    def _is_quiet(self, link: Link, page: LastPage) -> bool:
        """Say whether nobody wrote since a thread's last page was asked for, by what the list shows."""
        if self._refresh or link.why in ("start", "redirect") or link.active_at is None:
            return False
        if not {str(page.posts), str(page.posts - 1)} & set(link.counts.split()):
            return False
        shows_ours = page.posted_at is not None and abs(link.active_at - page.posted_at.timestamp()) < SAME_S
        return shows_ours or link.active_at + SLACK_S < page.asked_at.timestamp()


def _written_in(links: Sequence[Link], pages: Mapping[str, LastPage | None]) -> set[str]:
    """Return the threads in which somebody wrote, by the numbers that their rows show beside each.

    Whether a list counts posts or answers is seen from most of its rows; where few show either, it counts neither.
    """
    rows = [(link.url, set(link.counts.split()), page.posts) for link in links if (page := pages.get(link.url))]
    as_answers = {url for url, counts, posts in rows if str(posts - 1) in counts}
    as_posts = {url for url, counts, posts in rows if str(posts) in counts}
    quiet = max(as_answers, as_posts, key=len)
    if len(rows) > FEW_ROWS and len(quiet) < AGREEING_SHARE * len(rows):
        return set()
    return {url for url, counts, posts in rows if url not in quiet and any(int(count) >= posts for count in counts)}


def _may_have_grown(link: Link, stored: Known) -> bool:
    """Say whether what was taken for an article is a thread that somebody answered: a list of threads tells so."""
    if link.why != "thread" or link.active_at is None or stored.fetched_at is None:
        return False
    return link.active_at + SLACK_S >= stored.fetched_at.timestamp()


def _by_item(links: Sequence[Link], known: Mapping[str, Known]) -> dict[str, Link]:
    """Return links by the items that they lead to; a wiki's feed names the latest change of a page in place of it."""
    found: dict[str, Link] = {}
    for link in links:
        articles = (url for url in _stems(link.url) if url in known and known[url].kind == Kind.ARTICLE)
        item = link.url if link.url in known else next(articles, link.url)
        if item not in found or (link.active_at or 0.0) > (found[item].active_at or 0.0):
            found[item] = link
    return found


def _stems(url: str) -> list[str]:
    """Return an address with each of its parameters alone, if there are several: one of them may name a page."""
    path, _, query = url.partition("?")
    pairs = query.split("&")
    return [f"{path}?{pair}" for pair in pairs] if 1 < len(pairs) <= MAX_PARAMETERS else []


def _tells(link: Link) -> bool:
    return bool(link.mark) or link.active_at is not None


def _was_edited(link: Link, before: Link | None, stored: Known) -> bool:
    """Say whether a feed or sitemap shows that an item is no longer as it was stored.

    A later time is that of an answer where the item is a thread: its last page is asked for anyhow.
    """
    if before and before.mark and link.mark and before.mark != link.mark:
        return True
    if stored.kind == Kind.THREAD or link.active_at is None or stored.fetched_at is None:
        return False
    until = link.active_at if link.active_at % DAY_S else link.active_at + DAY_S  # a day alone
    is_later = before is None or before.active_at is None or link.active_at > before.active_at
    return is_later and until > stored.fetched_at.timestamp()


def _shows_no_later(link: Link, newest: float) -> bool:
    """Say whether the list that leads to a board shows that nobody has written there since its newest known post."""
    return link.active_at is not None and link.active_at <= newest + SAME_S


def rebased(link: Link, parent: Link) -> Link:
    """Return a stored outlink as it is seen from where its page stands now."""
    depth = parent.depth + link.is_step
    return replace(link, depth=depth, priority=priority_of(link.why, depth))
