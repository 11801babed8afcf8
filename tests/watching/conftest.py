"""The corpus that tests of watching share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from thresher import wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """An empty corpus in the folder of the test."""
    opened = wiring.open_corpus(Settings(data=str(tmp_path)))
    yield opened
    opened.close()
