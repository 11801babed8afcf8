"""Real pages are read without complaint, and their links are stable."""

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from thresher import urls
from thresher.discovery.links import discover
from thresher.discovery.traps import trap
from thresher.errors import PageTooLarge
from thresher.html import Tree, parse

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
URL = "https://example.com/a/page.html"


def real_trees(per_file: int) -> Iterator[Tree]:
    for path in sorted(CORPORA.rglob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in islice(lines, per_file):
                try:
                    yield parse(json.loads(line)["html"], url=URL)
                except PageTooLarge:
                    continue


@pytest.mark.corpus
@pytest.mark.skipif(not CORPORA.is_dir(), reason="the labelled pages are not here")
def test_links_of_real_pages_are_canonical_and_seldom_look_like_traps() -> None:
    found = [discover(tree, URL) for tree in real_trees(per_file=15)]
    links = [link.url for page in found for link in page.links]
    assert len(links) > 10_000
    assert all(urls.canonical(url) == url for url in links)
    assert sum(trap(url) is not None for url in links) < len(links) / 100
    assert sum(reason == "bad-url" for page in found for _, reason in page.skipped) < len(links) / 100
