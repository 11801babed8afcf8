"""Lists that are watched: which of their links are taken, and when their further pages are looked at.

page 1 of a list ──▶ its items; where it names too few, every link
    │ next
    ▼
page 2 …            after downtime, as long as everything on the page before was new;
                    back to the day of `since`, as long as something was
"""

from collections.abc import Collection, Sequence

from thresher.model import Link, Source

ITEMS = ("article", "thread")  # whys of links to what a page lists
NEXT = "next"
MIN_ITEMS = 3  # of a page that is believed to name all its items


def taken(links: Sequence[Link], source: Source) -> list[Link]:
    """Return the links of a list that are followed: its items; every link where a pattern chooses, or few are known."""
    inner = [link for link in links if link.why != NEXT]
    is_told = sum(link.why in ITEMS for link in inner) >= MIN_ITEMS
    return [link for link in inner if link.why != "page"] if is_told and not source.include else inner


def leads_on(items: Sequence[str], new: Collection[str], source: Source, *, is_first_round: bool) -> bool:
    """Say whether the page after one with these items is looked at; `new` are those that the source had not shown."""
    if source.since is not None:
        return bool(new)
    return not is_first_round and bool(items) and len(new) == len(items)
