"""The backends that the contract tests run over."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contracts.frontier_words import Backend, Clock
from tests.frontier.sqlite_backend import SqliteBackend


@pytest.fixture(params=["sqlite"])
def frontiers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """An empty database of each frontier backend."""
    assert request.param == "sqlite"
    backend = SqliteBackend(tmp_path / "frontier.db")
    yield backend
    backend.audit()
    backend.close()


@pytest.fixture
def frontier_clock(frontiers: Backend) -> Clock:
    """The clock that the frontiers under test go by."""
    return frontiers.clock
