"""Report: how a run ended, in figures."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from thresher.crawling.judge import THREAD_PAGE
from thresher.crawling.reasons import is_failure
from thresher.frontier.contract import Census
from thresher.model import Run
from thresher.store.contract import ARTICLE_PAGE


@dataclass(frozen=True, slots=True)
class Report:
    """How a run ended: its URLs by (state, reason), the links left, and why starts failed, if any did."""

    run: Run
    tally: Mapping[tuple[str, str], int]
    census: Census
    failed_starts: Mapping[str, str] = field(default_factory=dict)

    @property
    def documents(self) -> int:
        """Documents stored in this run; a thread or an article is one, however many pages it has."""
        stored = {reason: count for (state, reason), count in self.tally.items() if state == "stored"}
        return sum(stored.values()) - self.thread_pages - self.article_pages

    @property
    def thread_pages(self) -> int:
        """Further pages of threads stored in this run."""
        return self.tally.get(("stored", THREAD_PAGE), 0)

    @property
    def article_pages(self) -> int:
        """Further pages of articles stored in this run."""
        return self.tally.get(("stored", ARTICLE_PAGE), 0)

    @property
    def fetched(self) -> int:
        """Pages fetched with success in this run."""
        return self.census.fetched

    @property
    def failures(self) -> int:
        """URLs that were given up, answered with an error, or could not be read."""
        return sum(count for (state, reason), count in self.tally.items() if is_failure(state, reason))

    @property
    def asked(self) -> int:
        """URLs that were asked for and did not merely lead elsewhere."""
        return sum(n for (state, reason), n in self.tally.items() if state != "refused" and reason != "redirected")
