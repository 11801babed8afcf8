"""The date of publication comes from the surest source, and never from the future."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.extraction.dated_page import META, NOW, dated, page, source

JSON_LD = (
    '<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "2016-06-01T08:00:00+08:00"}</script>'
)
TIME = '<time datetime="2016-06-03T08:00:00Z">3 June</time>'
URL = "http://e.com/2016/06/04/ferry"
LINE = "5 June 2016, 08:00"
FAR = "<p>8 June 2016, 08:00</p>"  # not the same day in another zone


def test_the_sources_are_asked_in_order() -> None:
    everything = dated(page(JSON_LD + META), URL)
    assert (everything.published, source(everything)) == (
        datetime.fromisoformat("2016-06-01T08:00:00+08:00"),
        "json-ld datePublished",
    )
    assert [
        (source(document), document.published.day if document.published else 0)
        for document in (
            dated(page(META), URL),
            dated(page("", TIME + FAR), URL),
            dated(page("", TIME + FAR)),
        )
    ] == [("meta", 2), ("url", 4), ("time", 3)]
    near = dated(page("", LINE))
    assert (source(near), near.published) == ("near the title", datetime(2016, 6, 5, 8, tzinfo=UTC))


def test_a_day_in_the_url_gets_its_time_from_the_page() -> None:
    assert dated(page("", "4 June 2016, 08:15"), URL).published == datetime(2016, 6, 4, 8, 15, tzinfo=UTC)
    assert dated(page("", "Ferry"), "http://e.com/20160604/x.html").published == datetime(2016, 6, 4, tzinfo=UTC)


def test_the_latest_plausible_date_of_the_page_comes_last() -> None:
    long = "people waited for the ferry at the pier, as they had done all the years before"
    lines = "<p>x</p>" * 20 + f"<p>Until 2016-05-01 {long}</p><p>From 2016-06-07 12:00 on {long}</p>"
    lines += f"<p>In 2031-01-01 {long}</p><p>Since 1970-01-01 {long}</p>"
    document = dated(page(after=lines))
    assert (document.published, source(document)) == (datetime(2016, 6, 7, 12, tzinfo=UTC), "latest on the page")


def test_dates_in_the_future_and_before_the_web_are_refused() -> None:
    future = META.replace("2016-06-02", "2016-06-12")
    assert dated(page(future)).published is None
    assert dated(page(META.replace("2016", "1980"))).published is None
    assert dated(page(future, LINE)).published == datetime(2016, 6, 5, 8, tzinfo=UTC)


def test_a_day_ahead_may_be_another_zone() -> None:
    assert dated(page(META.replace("06-02", "06-11"))).published is not None


def test_without_a_clock_no_date_is_in_the_future_and_none_is_relative() -> None:
    assert dated(page(META.replace("2016", "2035")), fetched_at=None).published == datetime(2035, 6, 2, 8, tzinfo=UTC)
    assert dated(page("", "3 hours ago"), fetched_at=None).published is None


@pytest.mark.parametrize("words", ["3 hours ago", "3小时前"])
def test_relative_dates_count_from_the_fetch(words: str) -> None:
    document = dated(page("", words))
    assert document.published == NOW - timedelta(hours=3)
    assert document.evidence["published"].raw == words


def test_a_naive_clock_is_utc() -> None:
    assert dated(page("", "3 hours ago"), fetched_at=NOW.replace(tzinfo=None)).published == NOW - timedelta(hours=3)


def test_every_date_knows_its_zone() -> None:
    for html in (page(META.replace("Z", "")), page("", LINE), page(JSON_LD)):
        published = dated(html).published
        assert published is not None
        assert published.utcoffset() is not None


def test_chinese_pages_are_in_the_zone_of_china() -> None:
    html = (
        "<title>渡轮恢复运行了</title><h1>渡轮恢复运行了</h1><p>2016年6月8日 20:07</p>"
        + "<p>码头上的乘客和往年的夏天一样多，船票已经卖完了。</p>" * 3
    )
    assert dated(html).published == datetime(2016, 6, 8, 12, 7, tzinfo=UTC)
    yesterday = dated(html.replace("2016年6月8日", "昨天"))
    assert yesterday.published == datetime(2016, 6, 9, 12, 7, tzinfo=UTC)


def test_dates_in_long_text_near_the_title_are_its_subject() -> None:
    text = "On 1 May 2016 the ferry was put out of service because of the storm, and people had to wait a long time. "
    document = dated(page("", f"<p>{text}{text}</p><p>6 June 2016</p>"))
    assert (source(document), document.published) == ("near the title", datetime(2016, 6, 6, tzinfo=UTC))


def test_the_only_date_shown_below_the_title_wins_over_one_that_is_told_otherwise() -> None:
    document = dated(page(JSON_LD, "5 June 2016"))
    assert (document.published, source(document)) == (
        datetime(2016, 6, 5, tzinfo=UTC),
        "shown, against json-ld datePublished",
    )
    for shown in ("Updated 5 June 2016", "1 June 2016", "5 June 2016</div><div>7 June 2016"):
        assert source(dated(page(JSON_LD, shown))) == "json-ld datePublished"


def test_a_moment_told_in_utc_takes_the_zone_in_which_the_page_shows_it() -> None:
    told = META.replace("2016-06-02T08:00:00Z", "2016-06-02T03:30:00Z")
    shown = '<time datetime="2016-06-01T22:30:00-05:00">1 June</time>'
    published = dated(page(told, shown)).published
    assert published is not None
    assert published.isoformat() == "2016-06-01T22:30:00-05:00"


def test_of_two_days_side_by_side_that_a_page_tells_the_one_that_it_shows_is_taken() -> None:
    noon = META.replace("T08:00:00Z", "T20:10:00Z")
    assert source(dated(page(noon, "1 June 2016"))) == "shown, against meta"  # in no zone is it the day before
    assert source(dated(page(noon, "3 June 2016"))) == "meta"
    assert source(dated(page(noon.replace("20:10", "22:00"), "3 June 2016"))) == "shown, against meta"  # midnight there
    assert source(dated(page(META, "Heard on our radio programme of the islands on 1 June 2016"))) == "meta"
    both = dated(page(JSON_LD.replace("06-01", "06-03") + META, "2 June 2016"))
    assert both.published == datetime(2016, 6, 2, 8, tzinfo=UTC)


def test_what_is_shown_after_the_last_change_is_of_something_else() -> None:
    changed = '<meta property="article:modified_time" content="2016-06-03T08:00:00Z">'
    assert source(dated(page(META + changed, "7 June 2016"))) == "meta"
    assert source(dated(page(META + changed.replace("-03", "-07"), "7 June 2016"))) == "shown, against meta"


def test_a_date_with_a_short_year_or_behind_a_label_or_on_a_line_of_its_own() -> None:
    short = dated(page("", "28.01.16"))
    assert (short.published, source(short)) == (
        datetime(2016, 1, 28, tzinfo=UTC),
        "near the title",
    )
    far = "<p>x</p>" * 20
    made = dated(page(after=far + "<p>Geschrieben am 25.5.2016</p><p>27.5.2016</p>"))
    assert (made.published, source(made)) == (datetime(2016, 5, 25, tzinfo=UTC), "labelled as published")
    alone = dated(page(after=far + "<p>5 June 2016</p><p>Comments are open until 7 June 2016</p>"))
    assert (alone.published, source(alone)) == (datetime(2016, 6, 5, tzinfo=UTC), "on a line of its own")


def test_the_day_may_come_first_in_the_url() -> None:
    assert dated(page("", "Ferry"), "http://e.com/news/29-05-2016").published == datetime(2016, 5, 29, tzinfo=UTC)


def test_the_time_after_the_title_is_not_that_of_a_teaser() -> None:
    teaser = '<time datetime="2016-06-09">9 June</time>'
    html = page("", '<time datetime="2016-06-03">3 June</time>').replace("<body>", f"<body>{teaser}")
    assert dated(html).published == datetime(2016, 6, 3, tzinfo=UTC)


def test_a_day_in_the_url_is_preferred_to_any_time_element() -> None:
    assert dated(page("", TIME), "http://e.com/2016/6/4/ferry").published == datetime(2016, 6, 4, tzinfo=UTC)


def test_an_update_is_not_the_publication() -> None:
    document = dated(page("", "Updated: 6 June 2016</div><div>Published: 5 June 2016"))
    assert document.published == datetime(2016, 6, 5, tzinfo=UTC)


def test_a_date_without_a_year_is_in_the_year_of_the_url_or_the_last_one() -> None:
    assert dated(page("", "5 May"), "http://e.com/2014/ferry").published == datetime(2014, 5, 5, tzinfo=UTC)
    last = dated(page("", "7 July, 08:00"))
    assert (last.published, source(last)) == (datetime(2015, 7, 7, 8, tzinfo=UTC), "near the title, without a year")
    assert dated(page("", "5 May"), fetched_at=None).published is None


def test_a_labelled_date_is_found_far_from_the_title() -> None:
    far = "<p>x</p>" * 20 + "<p>2016-06-07</p><p>Published on</p><p>2016-06-02</p>"
    document = dated(page(after=far))
    assert (document.published, source(document)) == (datetime(2016, 6, 2, tzinfo=UTC), "labelled as published")
    sentence = "<p>The first study of ferries, which was published 6 June 2014, counted the people on each of them.</p>"
    assert dated(page(after=far.replace("<p>2016-06-07</p>", sentence))).published == document.published


def test_the_date_of_change_is_taken_where_there_is_no_other() -> None:
    document = dated(page(META.replace("published_time", "modified_time")))
    assert (document.published, source(document)) == (datetime(2016, 6, 2, 8, tzinfo=UTC), "modified")


def test_a_date_told_in_days_or_weeks_has_no_time() -> None:
    assert dated(page("", "2 days ago")).published == datetime(2016, 6, 8, tzinfo=UTC)
    assert dated(page("", "2 weeks ago")).published == datetime(2016, 5, 27, tzinfo=UTC)


@pytest.mark.parametrize(
    "stamp",
    [
        '<span itemprop="datePublished" content="2016-06-03T08:00:00Z">lately</span>',
        '<span itemprop="datePublished">3 June 2016, 08:00</span>',
        '<span property="dc:date dc:created" content="2016-06-03T08:00:00Z">lately</span>',
        '<span property="schema:datePublished" content="2016-06-03T08:00:00Z"></span>',
        '<abbr class="published" title="2016-06-03T08:00:00Z">lately</abbr>',
    ],
)
def test_microdata_rdfa_and_hatom_name_the_date_on_any_element(stamp: str) -> None:
    document = dated(page("", stamp))
    assert (document.published, source(document)) == (datetime(2016, 6, 3, 8, tzinfo=UTC), "time")


def test_dates_of_comments_events_and_changes_are_not_that_of_the_page() -> None:
    of_comment = '<div class=comments><p itemprop="datePublished" content="2016-06-03">x</p></div>'
    of_event = '<span itemprop="startDate" content="2016-06-03">x</span>'
    assert dated(page(after=of_comment)).published is None
    assert dated(page("", of_event)).published is None
    changed = '<span itemprop="dateModified" content="2016-06-07">x</span>'
    assert dated(page("", f"{changed} 3 June 2016")).published == datetime(2016, 6, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    "line",
    [
        "By Ann Miller • 6/03/16 4:02pm",
        "Posted 6/3/16",
        "6/03/16 - Harbour",
        "Last updated: June 7, 2016 at 6:33 a.m. First published: June 3, 2016 at 4:12 p.m.",
        "3 June 2016, 09:50 / Updated 7 June 2016",
        "June 3, 2016June 7, 2016 June 7, 2016",
        "03/06/201612/06/2016",
        "<p>It began on 1 June 2016 and no one knew of it before the storm came over the islands.</p><p>3 June 2016",
    ],
)
def test_of_several_dates_that_of_publication_is_told_by_what_stands_beside(line: str) -> None:
    is_english = "03/06" not in line
    document = dated(page("", line).replace("lang=en", "lang=en" if is_english else "lang=en-GB"))
    assert document.published
    assert document.published.date().isoformat() == "2016-06-03"


def test_the_day_shown_is_taken_before_that_of_the_url_in_another_zone() -> None:
    document = dated(page("", "3 June 2016, 23:30"), URL)
    assert (document.published, source(document)) == (datetime(2016, 6, 3, 23, 30, tzinfo=UTC), "shown, against url")


def test_data_in_a_script_tells_one_day_or_nothing() -> None:
    script = '<script>window.data = {"page": {"publishedAt": "2016-06-03T08:00:00Z", "id": 7}}</script>'
    document = dated(page(script))
    assert (document.published, source(document)) == (datetime(2016, 6, 3, 8, tzinfo=UTC), "in a script")
    assert dated(page(script + script.replace("06-03", "06-05"))).published is None


def test_the_day_above_the_title_is_that_of_the_reader() -> None:
    today = page(after="<p>x</p>" * 20 + "<p>2016-06-03 22:46</p>").replace(
        "<body>", "<body><p>2016-06-09</p>" + "<p>x</p>" * 9
    )
    assert dated(today).published == datetime(2016, 6, 3, 22, 46, tzinfo=UTC)
