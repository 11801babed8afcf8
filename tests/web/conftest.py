"""The application over an empty corpus, and browsers that are logged in to it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.browsers import Served, serving
from thresher.config import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of a corpus that is not there yet."""
    return Settings(data=str(tmp_path / "data"), allowed_addresses=("127.0.0.1",), delay_s=0)


@pytest.fixture
def served(settings: Settings) -> Iterator[Served]:
    """The application, with an admin, an analyst and a viewer."""
    with serving(settings) as served:
        yield served
