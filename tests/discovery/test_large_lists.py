"""Feeds and sitemaps of 100,000 entries, sound and hostile, are read in bounded memory (see large_lists.py)."""

import json

from tests.commands import run
from tests.discovery.large_lists import CASES
from thresher.discovery.links import MAX_LISTED

MAX_PEAK_BYTES = 400_000_000  # of the whole process; the worst case takes 240 MB
FEWER = {  # entries that can be read: libxml2 gives up at a depth of 256, and a feed is cut after 10 MB
    "no entry is closed": 253,
    "utf-16 that says utf-8": 44_346,
    "a name of its own for each": 0,
}
CHOSEN = (
    "rss",
    "sitemap, compressed",
    "json feed",
    "every entry is an entity bomb",
    "utf-8 that says utf-16",
    *FEWER,
)


def test_lists_of_100_000_entries_are_read_up_to_the_limit_and_in_bounded_memory() -> None:
    assert set(CHOSEN) <= set(CASES)
    ended = run(*CHOSEN, module="tests.discovery.large_lists")
    assert ended.returncode == 0, ended.stderr
    told = {one["name"]: one for one in map(json.loads, ended.stdout.splitlines())}
    assert {name: one["links"] for name, one in told.items()} == {name: FEWER.get(name, MAX_LISTED) for name in CHOSEN}
    assert max(one["peak_bytes"] for one in told.values()) < MAX_PEAK_BYTES
