"""Documents are counted per day, week and month of UTC."""

from datetime import UTC, date, datetime, timedelta, timezone
from xml.etree import ElementTree

import pytest

from thresher.analysis.charts import panels
from thresher.analysis.volume import MAX_PLOTTED, OTHERS, Per, Volume, chart_of, first_day, name_of

MONDAY = datetime(2026, 11, 16, 9, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("per", "day", "name"),
    [
        ("day", date(2026, 11, 18), "2026-11-18"),
        ("week", date(2026, 11, 16), "2026-W47"),
        ("month", date(2026, 11, 1), "2026-11"),
    ],
)
def test_a_moment_belongs_to_its_period(per: Per, day: date, name: str) -> None:
    assert first_day(MONDAY + timedelta(days=2), per) == day
    assert name_of(day, per) == name


def test_days_are_those_of_utc_and_a_time_without_a_zone_is_taken_as_such() -> None:
    assert first_day(datetime(2026, 11, 16, 2, tzinfo=timezone(timedelta(hours=8))), "day") == date(2026, 11, 15)
    assert first_day(datetime(2026, 11, 16, 2), "day") == date(2026, 11, 16)


@pytest.mark.parametrize("per", ["day", "week", "month"])
@pytest.mark.parametrize("moment", [datetime.min, datetime.max])
def test_the_ends_of_time_are_counted_like_any_other(moment: datetime, per: Per) -> None:
    volume = Volume(per)
    for hours in (-23, 0, 23):
        volume.add("", moment.replace(tzinfo=timezone(timedelta(hours=hours))))
    assert sum(count for *_, count in volume.rows()) == 3


def test_documents_are_counted_by_group_and_those_without_a_date_apart() -> None:
    volume = Volume("week")
    for group, days in (("a", 0), ("a", 6), ("b", 6), ("a", 7)):
        volume.add(group, MONDAY + timedelta(days=days))
    volume.add("b", None)
    assert volume.rows() == [("2026-W47", "a", 2), ("2026-W47", "b", 1), ("2026-W48", "a", 1)]
    assert volume.undated == 1


def test_the_chart_draws_empty_periods_as_zero_and_small_groups_as_one() -> None:
    volume = Volume("day")
    for number in range(9):
        volume.add(f"site{number}", MONDAY)
    volume.add("site0", MONDAY + timedelta(days=3))
    chart = chart_of(volume, "volume")
    assert [series.name for series in chart.series][-1] == OTHERS
    assert chart.series[0].points == ((0.0, 1.0), (1.0, 0.0), (2.0, 0.0), (3.0, 1.0))
    assert chart.series[-1].points[0] == (0.0, 2.0)
    assert list(chart.x_names) == ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19"]
    texts = {text.text for text in ElementTree.fromstring(panels([chart])).iter(f"{SVG}text")}
    assert {"2026-11-16", "documents", "day"} <= texts


def test_a_date_that_lies_far_off_does_not_stretch_the_chart_without_end() -> None:
    volume = Volume("day")
    volume.add("", datetime(1, 1, 1))
    volume.add("", MONDAY)
    chart = chart_of(volume, "volume")
    assert len(chart.x_names) == MAX_PLOTTED
    assert chart.x_names[-1] == "2026-11-16"


def test_a_chart_of_nothing_can_be_drawn() -> None:
    assert ElementTree.fromstring(panels([chart_of(Volume("day"), "nothing")])).tag == f"{SVG}svg"
