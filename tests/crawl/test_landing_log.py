"""What the log is told of a landing: how long after its publication a document came, and can be found."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.contracts.store_words import document, fate
from thresher.crawling.landing import Landing, log_landing
from thresher.frontier.contract import Settlement
from thresher.model import Lease, Link, Outcome, Run, RunState
from thresher.store.contract import Record

URL = "https://a.example/1"
HOUR_S = 3_600.0


def told(caplog: pytest.LogCaptureFixture, published: datetime | None, **terms: Any) -> dict[str, Any]:
    """What the line says of a document that was published then and came now."""
    now = datetime.now(UTC)
    record = Record(fate(URL, at=now), document=document(URL, published=published))
    landing = Landing(Settlement(Lease(Link(URL), 1, "w", 0.0), Outcome.DONE, "article"), record)
    caplog.set_level("INFO", "thresher.log")
    log_landing(landing, Run(1, (URL,), {}, RunState.RUNNING, now), **terms)
    return caplog.records[-1].__dict__


def test_a_document_that_can_be_found_at_once_tells_both_times(caplog: pytest.LogCaptureFixture) -> None:
    facts = told(caplog, datetime.now(UTC) - timedelta(hours=2))
    assert 2 * HOUR_S <= facts["lag_s"] < 3 * HOUR_S
    (lag_s,) = facts["index_lags_s"]
    assert facts["lag_s"] <= lag_s < 3 * HOUR_S


def test_where_the_index_comes_later_only_the_arrival_is_told(caplog: pytest.LogCaptureFixture) -> None:
    facts = told(caplog, datetime.now(UTC) - timedelta(hours=2), is_findable=False)
    assert facts["lag_s"] >= 2 * HOUR_S
    assert facts["index_lags_s"] == []


@pytest.mark.parametrize("published", [None, datetime(2026, 11, 1, tzinfo=UTC), datetime(2001, 2, 3, 4, 5, tzinfo=UTC)])
def test_a_day_alone_and_old_news_are_no_lag(caplog: pytest.LogCaptureFixture, published: datetime | None) -> None:
    facts = told(caplog, published)
    assert facts["lag_s"] is None
    assert facts["index_lags_s"] == []
