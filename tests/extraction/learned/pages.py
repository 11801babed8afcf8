"""Labelled pages to try things on, where they are beside the repository."""

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

ARTICLES = Path(__file__).parents[4] / "shared" / "corpora" / "articles"


def some_pages(count: int = 8) -> Iterator[str]:
    """Yield the markup of the first pages of every corpus; skip the test where there is none."""
    files = sorted(ARTICLES.glob("*/*.jsonl.gz"))
    if not files:
        pytest.skip("no labelled pages beside the repository")
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for line in islice(lines, count):
                yield json.loads(line)["html"]
