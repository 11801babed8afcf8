"""Dates are read out of text in the forms that pages use."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.costs import costing_at_most
from thresher.extraction.fields.dates import Habits, find_dates, find_short, read_date
from thresher.extraction.fields.relative import read_relative

NOW = datetime(2016, 6, 8, 12, 0, tzinfo=UTC)
EAST_8 = timezone(timedelta(hours=8))


def day(hour: int = 0, minute: int = 0, second: int = 0, zone: timezone = UTC) -> datetime:
    return datetime(2016, 6, 8, hour, minute, second, tzinfo=zone)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2016-06-08 10:10:20", day(10, 10, 20)),
        ("2016/06/08 10:10", day(10, 10)),
        ("2016/6/8 10:10:20", day(10, 10, 20)),
        ("2016.06.08", day()),
        ("发布时间：2016年6月8日 20:07 来源", day(20, 7)),
        ("2016年06月08日20时07分", day(20, 7)),
        ("2016年6月8日（水）20:07", day(20, 7)),
        ("2016年6月8日 星期三 下午3:05", day(15, 5)),
        ("2016. 6. 8. 오후 3:05", day(15, 5)),
        ("2016년 6월 8일 15:05", day(15, 5)),
        ("2016-06-08T20:07:11+08:00", day(20, 7, 11, EAST_8)),
        ("2016-06-08T20:07:11.123Z", day(20, 7, 11)),
        ("Wed, 08 Jun 2016 20:07:00 +0800", day(20, 7, 0, EAST_8)),
        ("June 8, 2016 8:07 pm EST", day(20, 7, 0, timezone(timedelta(hours=-5)))),
        ("June 8, 2016 12:07 a.m.", day(0, 7)),
        ("June 8, 2016, 5 a.m.", day(5, 0)),
        ("June 8, 2016 at 11 PM GMT", day(23, 0)),
        ("8 June 2016, 12 pm", day(12, 0)),
        ("June 8, 2016, noon", day(12, 0)),
        ("June 8, 2016, midnight", day(0, 0)),
        ("8 June 2016, 5 amazing boats", day()),
        ("8 June 2016: noontide", day()),
        ("Jun. 8th, 2016", day()),
        ("8 June 2016", day()),
        ("8 de junio de 2016", day()),
        ("8. Juni 2016, 12:30 Uhr", day(12, 30)),
        ("8 juin 2016 à 10h30", day(10, 30)),
        ("8 czerwca 2016", day()),
        ("8 июня 2016, 12:30", day(12, 30)),
        ("8 Ιουνίου 2016", day()),
        ("8 Haziran 2016", day()),
        ("08.06.2016 12:30", day(12, 30)),
        ("8-Jun-2016 07:00", day(7, 0)),
        ("8/jun/2016", day()),
        ("junio 8 de 2016", day()),
        ("8 d’juny de 2016", day()),
        ("8. júna 2016", day()),
        ("2016. június 8. 10:30", day(10, 30)),
        ("2016 m. birželio 8 d.", day()),
        ("8 जून 2016", day()),
        ("8 มิถุนายน 2016", day()),
        ("8 ביוני 2016", day()),
        ("8 حزيران 2016", day()),
        ("📅Jun. 8. 2016", day()),
        ("Jun 08 09:34 2016", day(9, 34)),
        ("Wed Jun  8 20:07:11 +0800 2016", day(20, 7, 11, EAST_8)),
        ("8.Juni 2016 um 10:30", day(10, 30)),
        ("8.jun.2016 às 10h30", day(10, 30)),
        ("2016•06•08", day()),
        ("08 | 06 | 2016", day()),
        ("| Wednesday , June 8 , 2016 |", day()),
        ("20160608 10:30", day(10, 30)),
        ("8. Juni 2016 - 16.03 Uhr", day(16, 3)),
        ("8. Juni 2016 - 10.03 Uhr", day(10, 3)),
        ("June 8, 2016 - 4.30pm", day(16, 30)),
    ],
)
def test_a_date_is_read(text: str, moment: datetime) -> None:
    (found,) = find_dates(text)
    assert found.at == moment
    assert found.at.utcoffset() == moment.utcoffset()
    assert found.raw in text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2016",
        "© 2016 Grain",
        "2016-13-45",
        "2016-2017",
        "tel. 2016 55 55",
        "8 Foo 2016",
        "1.2.3",
        "12:30",
        "20160608123",
    ],
)
def test_what_is_no_date_is_left_alone(text: str) -> None:
    assert list(find_dates(text)) == []


@pytest.mark.parametrize("text", ["1465374430", "1465374430000", "20160608082710"])
def test_a_field_may_hold_nothing_but_digits(text: str) -> None:
    moment = read_date(text)
    assert moment is not None
    assert moment.at == day(8, 27, 10)


def test_no_digits_of_other_lengths_are_a_date() -> None:
    assert [read_date(text) for text in ("146537443", "99999999999999", "2" * 50)] == [None] * 3


def test_a_relative_date_before_the_first_year_is_none() -> None:
    assert read_relative("3 hours ago", datetime.min) is None
    assert read_relative("yesterday", datetime.min) is None


def test_all_dates_of_a_text_are_found_in_order() -> None:
    text = "2014-01-02 to 3 March 2015; then 4.5.2016 and 2017年6月7日"
    assert [found.at.year for found in find_dates(text)] == [2014, 2015, 2016, 2017]


def test_ambiguous_numbers_follow_the_language() -> None:
    assert next(find_dates("06/08/2016", Habits(day_first=False))).at == day()
    assert next(find_dates("08/06/2016", Habits(day_first=True))).at == day()
    assert next(find_dates("13/08/2016", Habits(day_first=False))).at.day == 13


def test_the_month_comes_first_where_nothing_else_is_a_day_or_the_weekday_says_so() -> None:
    assert next(find_dates("06.18.2016")).at == datetime(2016, 6, 18, tzinfo=UTC)
    assert next(find_dates("06.08.2016")).at == datetime(2016, 8, 6, tzinfo=UTC)
    assert next(find_dates("06.08.2016", Habits(day_first=False))).at == day()
    assert next(find_dates("Wednesday, 06.08.2016")).at == day()
    assert next(find_dates("Wed 08/06/2016", Habits(day_first=False))).at == day()
    assert next(find_short("Posted on Wednesday, 06.08.16")).at == day()
    assert next(find_dates("Friday, 06.08.2016")).at == datetime(2016, 8, 6, tzinfo=UTC)


def test_an_hour_without_minutes_is_a_time() -> None:
    for text in ("June 8, 2016, midnight", "8 June 2016 at 5 p.m."):
        moment = next(find_dates(text))
        assert (moment.has_time, moment.raw) == (True, text)


def test_a_month_may_be_written_together_with_the_word_before_it() -> None:
    (found,) = find_dates("Ann MillerJune 8, 2016 10:30")
    assert (found.at, found.raw, found.start) == (day(10, 30), "June 8, 2016 10:30", len("Ann Miller"))
    assert list(find_dates("Ann Millerjune 8, 2016")) == []


def test_an_impossible_time_leaves_the_day() -> None:
    assert next(find_dates("2016-06-08 99:99")).at == day()


@pytest.mark.parametrize(
    "text", ["2016-06-08", "20160608", "2016-06-08T00:00:00Z", "20160608T000000Z", " 2016-06-08 00:00 "]
)
def test_fields_of_structured_data_are_read(text: str) -> None:
    moment = read_date(text)
    assert moment is not None
    assert moment.at == day()


@given(st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2099, 1, 1)))
def test_iso_dates_are_read_back(moment: datetime) -> None:
    moment = moment.replace(microsecond=0, tzinfo=UTC)
    found = read_date(moment.isoformat())
    assert found is not None
    assert found.at == moment
    assert next(find_dates(f"at {moment.isoformat(' ')} it was")).at == moment


@given(st.text(alphabet="0123456789-/.:年月日 TJune", max_size=40))
def test_no_text_raises(text: str) -> None:
    assert all(1900 <= found.at.year <= 2099 for found in find_dates(text))
    read_date(text)
    read_relative(text, NOW)


@pytest.mark.parametrize(
    ("text", "ago"),
    [
        ("3小时前", timedelta(hours=3)),
        ("10分钟之前发布", timedelta(minutes=10)),
        ("刚刚", timedelta()),
        ("昨天 12:30", timedelta(days=1, minutes=-30)),
        ("前天 12:00", timedelta(days=2)),
        ("今天 10:00", timedelta(hours=2)),
        ("2 hours ago", timedelta(hours=2)),
        ("posted an hour ago by Ann", timedelta(hours=1)),
        ("5 mins ago", timedelta(minutes=5)),
        ("yesterday at 12:00", timedelta(days=1)),
        ("vor 2 Stunden", timedelta(hours=2)),
        ("il y a 3 jours", timedelta(days=3)),
        ("hace 5 minutos", timedelta(minutes=5)),
        ("2 часа назад", timedelta(hours=2)),
        ("3시간 전", timedelta(hours=3)),
        ("1か月前", timedelta(days=30)),
        ("3h ago", timedelta(hours=3)),
        ("3 uur geleden", timedelta(hours=3)),
        ("för 2 timmar sedan", timedelta(hours=2)),
        ("gestern, 12:00", timedelta(days=1)),
        ("Posted: yesterday | Harbour", timedelta(days=1, hours=12)),
    ],
)
def test_a_relative_date_counts_from_now(text: str, ago: timedelta) -> None:
    told = read_relative(text, NOW)
    assert told is not None
    assert told[0] == NOW - ago


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2 dogs ago",
        "ago",
        "3 hours",
        "昨日",
        "long ago",
        "yesterday 99:99",
        "Islands Today",
        "Today on the islands",
        "今天天气",
    ],
)
def test_what_tells_no_time_is_none(text: str) -> None:
    assert read_relative(text, NOW) is None


@pytest.mark.parametrize(
    "piece",
    [
        "2016 ",
        "2016-",
        "1",
        "a",
        "June ",
        "12 ",
        "8 de ",
        "2016-06-08 ",
        "3 ",
        "前",
        "2016年",
        "8. Juni ",
        " ",
        "2016/",
    ],
)
def test_a_line_of_five_megabytes_takes_no_time(piece: str) -> None:
    line = piece * (5_000_000 // len(piece))
    with costing_at_most(3):
        for _ in find_dates(line):
            pass
        read_date(line)
        read_relative(line, NOW)


@pytest.mark.parametrize("word", ["by Ann Miller", "von Ann Miller", "BY ANN MILLER", "in News"])
def test_a_word_after_the_time_is_no_zone(word: str) -> None:
    (found,) = find_dates(f"2024/09/26 00:48 {word}")
    assert found.raw == "2024/09/26 00:48"
