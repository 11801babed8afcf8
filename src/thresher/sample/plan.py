"""The plan of a sample web: its size, seed and addresses, and how numbered items are dated and dealt out."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import NamedTuple

from thresher.sample.dice import dice

REFERENCE = datetime(2025, 12, 1, 12, 0, tzinfo=UTC)
SPAN_DAYS = 730  # everything is dated within two years before the reference


class Origins(NamedTuple):
    """Where the three sites are, each as scheme://host:port."""

    news: str
    blog: str
    forum: str


def origins_at(port: int, host: str = "127.0.0.1") -> Origins:
    """Return the origins on three ports in a row."""
    return Origins(*(f"http://{host}:{port + offset}" for offset in range(3)))


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that a sample web follows from."""

    pages: int
    seed: int
    crawl_delay_s: float | None
    slow_s: float
    reference: datetime
    origins: Origins
    added: tuple[tuple[int, int], ...] = ()  # thread, and how many posts were written since the reference
    edited: tuple[tuple[int, int], ...] = ()  # thread, and the position of a post that was edited since

    @property
    def per_page(self) -> int:
        """How many items a listing shows; few on a small web, so that it has pages to turn too."""
        return min(20, max(3, self.pages // 20))

    def counts(self) -> dict[str, int]:
        """Return how many articles or threads each series has; together they are `pages`."""
        chinese = blog = self.pages // 5
        forum = max(4, self.pages * 3 // 10)
        return {"english": self.pages - chinese - blog - forum, "chinese": chinese, "blog": blog, "forum": forum}


@dataclass(frozen=True, slots=True)
class Series:
    """Items numbered from 1, oldest first, dealt out in turn to groups (sections, categories, boards)."""

    name: str
    count: int
    groups: int
    plan: Plan

    def group_of(self, number: int) -> int:
        """Return the group of an item."""
        return (number - 1) % self.groups

    def rank_of(self, number: int) -> int:
        """Return how many older items the item's group has."""
        return (number - 1) // self.groups

    def size(self, group: int | None = None) -> int:
        """Return how many items a group has, or all groups together."""
        return self.count if group is None else max(0, (self.count - group - 1) // self.groups + 1)

    def pages(self, group: int | None = None) -> int:
        """Return how many listing pages a group has, at least one."""
        return max(1, ceil(self.size(group) / self.plan.per_page))

    def on_page(self, page: int, group: int | None = None) -> list[int]:
        """Return the numbers on a listing page, newest first."""
        newest = self.size(group) - 1 - (page - 1) * self.plan.per_page
        ranks = range(newest, max(-1, newest - self.plan.per_page), -1)
        return [rank + 1 if group is None else rank * self.groups + group + 1 for rank in ranks]

    def published(self, number: int, span_days: int = SPAN_DAYS) -> datetime:
        """Return when an item appeared, to the minute; later numbers are never earlier."""
        step_s = span_days * 86400 / self.count
        start = self.plan.reference - timedelta(days=span_days)
        jitter = dice(self.plan.seed, self.name, "date", number).random()
        moment = start + timedelta(seconds=(number - 1 + jitter) * step_s)
        return moment.replace(second=0, microsecond=0)


def pager_numbers(page: int, pages: int) -> list[int]:
    """Return the page numbers that a pager shows: neighbours, both ends, and jumps that keep every page near."""
    near = {page + step * sign for step in (0, 1, 2, 3, 10, 100, 1000) for sign in (1, -1)}
    return sorted(number for number in near | {1, pages} if 1 <= number <= pages)
