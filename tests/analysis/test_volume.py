"""Documents are counted per hour, day, week, month and year, as the index has counted them."""

from datetime import datetime
from xml.etree import ElementTree

import pytest

from thresher.analysis.charts import panels
from thresher.analysis.volume import MAX_PLOTTED, OTHERS, Per, Volume, chart_of
from thresher.model import Bucket, Histogram

SVG = "{http://www.w3.org/2000/svg}"


def histogram(unit: Per, **counts: int) -> Histogram:
    """Return a histogram of counts by _2026_11_16."""
    buckets = [Bucket(name[1:].replace("_", "-"), count) for name, count in counts.items()]
    return Histogram(unit, tuple(buckets))


@pytest.mark.parametrize(
    ("per", "begin", "name", "before"),
    [
        ("hour", "2026-11-16T09:00", "2026-11-16T09:00", "2026-11-16T08:00"),
        ("day", "2026-03-01", "2026-03-01", "2026-02-28"),
        ("week", "2026-11-16", "2026-W47", "2026-W46"),
        ("month", "2026-01", "2026-01", "2025-12"),
        ("year", "2026", "2026", "2025"),
    ],
)
def test_periods_have_names_and_empty_ones_between_are_drawn(per: Per, begin: str, name: str, before: str) -> None:
    volume = Volume(per)
    volume.add("", Histogram(per, (Bucket(begin, 2),)))
    assert volume.rows() == [(name, "", 2)]
    earlier = {
        "hour": "2026-11-16T07:00",
        "day": "2026-02-27",
        "week": "2026-11-02",
        "month": "2025-11",
        "year": "2024",
    }
    volume.add("", Histogram(per, (Bucket(earlier[per], 1),)))
    chart = chart_of(volume, "volume")
    assert list(chart.x_names)[1:] == [before, name]
    assert chart.series[0].points == ((0.0, 1.0), (1.0, 0.0), (2.0, 2.0))


@pytest.mark.parametrize("per", ["hour", "day", "week", "month", "year"])
def test_the_ends_of_time_are_drawn_like_any_other(per: Per) -> None:
    volume = Volume(per)
    length = {"hour": 16, "month": 7, "year": 4}.get(per, 10)
    moments = [moment.isoformat(timespec="minutes")[:length] for moment in (datetime.min, datetime.max)]
    volume.add("", Histogram(per, tuple(Bucket(moment, 1) for moment in moments)))
    assert sum(count for *_, count in volume.rows()) == 2
    assert len(chart_of(volume, "all of time").x_names) == MAX_PLOTTED
    volume = Volume(per)
    volume.add("", Histogram(per, (Bucket(moments[0], 1),)))
    assert len(chart_of(volume, "the first moment").x_names) == 1


def test_documents_that_are_in_no_group_are_counted_as_one() -> None:
    volume = Volume("day")
    volume.add("a", histogram("day", _2026_11_16=2, _2026_11_17=1), undated=1)
    volume.add_rest("all others", histogram("day", _2026_11_16=5, _2026_11_17=1, _2026_11_18=1), 3)
    assert volume.rows() == [
        ("2026-11-16", "a", 2),
        ("2026-11-16", "all others", 3),
        ("2026-11-17", "a", 1),
        ("2026-11-18", "all others", 1),
    ]
    assert volume.undated == 3


def test_the_chart_draws_empty_periods_as_zero_and_small_groups_as_one() -> None:
    volume = Volume("day")
    for number in range(9):
        volume.add(f"site{number}", histogram("day", _2026_11_16=1))
    volume.add("site0", histogram("day", _2026_11_19=1))
    chart = chart_of(volume, "volume")
    assert [series.name for series in chart.series][-1] == OTHERS
    assert chart.series[0].points == ((0.0, 1.0), (1.0, 0.0), (2.0, 0.0), (3.0, 1.0))
    assert chart.series[-1].points[0] == (0.0, 2.0)
    assert list(chart.x_names) == ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19"]
    texts = {text.text for text in ElementTree.fromstring(panels([chart])).iter(f"{SVG}text")}
    assert {"2026-11-16", "documents", "day"} <= texts


def test_a_chart_of_nothing_can_be_drawn() -> None:
    assert ElementTree.fromstring(panels([chart_of(Volume("day"), "nothing")])).tag == f"{SVG}svg"
