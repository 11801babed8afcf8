"""A moment has the day that the page shows, days and months the order in which it writes them, and data many names."""

from datetime import UTC, datetime

import pytest

from tests.extraction.dated_page import META, dated, page, source

NIGHT = META.replace("T08:00:00Z", "T02:25:54Z")  # of 2 June in UTC, of 1 June in America


def shown(html: str, url: str | None = None) -> str:
    published = dated(html, url).published
    assert published is not None
    return published.isoformat()


@pytest.mark.parametrize(
    ("line", "moment"),
    [
        ("June 1, 2016 | 9:25pm", "2016-06-01T21:25:54-05:00"),
        ("June 1, 2016, 7:25 PM PDT", "2016-06-01T19:25:54-07:00"),
        ("June 1, 2016", "2016-06-02T02:25:54+00:00"),
        ("June 2, 2016", "2016-06-02T02:25:54+00:00"),
    ],
)
def test_a_moment_told_in_utc_is_given_in_the_zone_that_a_time_beside_the_day_tells(line: str, moment: str) -> None:
    assert shown(page(NIGHT, line)) == moment


def test_another_time_than_the_one_told_is_taken_as_it_is_shown() -> None:
    assert shown(page(NIGHT, "June 1, 2016 | 9:05pm")) == "2016-06-01T21:05:00+00:00"


def test_a_moment_told_in_a_zone_of_its_own_keeps_its_day() -> None:
    told = META.replace("T08:00:00Z", "T22:25:54-05:00")
    assert shown(page(told, "June 3, 2016")) == "2016-06-02T22:25:54-05:00"
    assert shown(page(told, "June 3, 2016 3:25 AM")) == "2016-06-03T03:25:54+00:00"


def test_the_month_in_the_url_says_which_number_is_the_month() -> None:
    url = "http://e.com/2012/11/ferry.html"
    assert dated(page("", "11.05.12 by Ann Miller"), url).published == datetime(2012, 11, 5, tzinfo=UTC)
    assert dated(page("", "05/11/2012 by Ann Miller"), url).published == datetime(2012, 11, 5, tzinfo=UTC)
    assert dated(page("", "11/05/2012 by Ann Miller"), url).published == datetime(2012, 11, 5, tzinfo=UTC)
    other = "http://e.com/2012/07/ferry.html"
    assert dated(page("", "05.11.12 by Ann Miller"), other).published == datetime(2012, 5, 11, tzinfo=UTC)


def test_an_english_page_of_a_country_that_writes_the_day_first_is_read_so() -> None:
    line = "By Ann Miller 11/05/2012"
    for host, month, number in (("e.com", 11, 5), ("e.co.uk", 5, 11), ("e.ie", 5, 11), ("e.us", 11, 5)):
        published = dated(page("", line), f"http://www.{host}/ferry").published
        assert published == datetime(2012, month, number, tzinfo=UTC)
    american = page("", line).replace("lang=en", "lang=en-US")
    assert dated(american, "http://www.e.co.uk/ferry").published == datetime(2012, 11, 5, tzinfo=UTC)


def test_what_is_told_is_not_contradicted_by_the_same_day_in_another_order_or_beside_another() -> None:
    told = META.replace("2016-06-02T08:00:00Z", "2016-01-11")
    assert source(dated(page(told, "By Ann Miller 11/01/2016"))) == "meta"
    teaser = '</div><time datetime="2016-01-04">The old pier</time><div>'
    assert source(dated(page(told, f"By Ann Miller 11 January 2016{teaser}"))) == "meta"
    assert source(dated(page(told, f"By Ann Miller{teaser}"))) == "shown, against meta"


def test_a_german_page_never_writes_the_month_before_a_full_stop() -> None:
    text = "<p>Die Fähre zu den Inseln fährt wieder, und der Hafen ist so voll wie vor dem Sturm im Mai.</p>" * 3
    html = f"<html lang=de><title>Die Fähre fährt wieder</title><h1>Die Fähre fährt wieder</h1><p>11.05.2012</p>{text}"
    published = dated(html, "http://e.com/2012/11/faehre.html").published
    assert published == datetime(2012, 5, 11, tzinfo=UTC)


@pytest.mark.parametrize("month", ["jun", "June", "JUN"])
def test_a_url_may_name_the_month_in_letters(month: str) -> None:
    document = dated(page(), f"http://e.com/news/2016/{month}/02/ferry")
    assert (document.published, source(document)) == (datetime(2016, 6, 2, tzinfo=UTC), "url")
    assert dated(page(), "http://e.com/news/2016/ferry/02/boat").published is None


@pytest.mark.parametrize("path", ["2016-06/02/c_17.htm", "201606/02/WS17.html", "2016/0602/c17.html", "2016/6/2/17"])
def test_a_url_may_write_year_month_and_day_in_other_ways(path: str) -> None:
    assert dated(page(), f"http://e.com/news/{path}").published == datetime(2016, 6, 2, tzinfo=UTC)
    assert dated(page(), "http://e.com/news/2016-06/17").published is None


@pytest.mark.parametrize("name", ["content:publishDate", "dateOfPublication", "issue_date", "harbourPubDate"])
def test_sites_have_names_of_their_own_for_the_date_of_publication(name: str) -> None:
    document = dated(page(f'<meta name="{name}" content="June 2, 2016">'))
    assert (document.published, source(document)) == (datetime(2016, 6, 2, tzinfo=UTC), "meta")


@pytest.mark.parametrize("name", ["last_published_date", "publication", "expirationDate", "updateTime"])
def test_not_every_name_with_a_date_is_that_of_publication(name: str) -> None:
    assert dated(page(f'<meta name="{name}" content="June 2, 2016">')).published is None


def test_a_name_that_is_known_comes_before_one_of_the_site() -> None:
    own = '<meta name="content:publishDate" content="2016-06-07">'
    assert dated(page(own + META)).published == datetime(2016, 6, 2, 8, tzinfo=UTC)
