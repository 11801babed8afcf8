"""Of several dates that a page tells and shows, the one of its publication is chosen."""

from datetime import UTC, datetime

import pytest

from tests.extraction.dated_page import META, PROSE, dated, page, source
from thresher.extraction.fields.clues import gather
from thresher.extraction.fields.date import find_date
from thresher.extraction.fields.near import Near
from thresher.html import parse


def test_of_short_lines_far_below_the_first_is_taken() -> None:
    lines = "<p>5 June 2016 (changed on 7 June 2016)</p><p>More of the new pier (8 June 2016)</p>"
    document = dated(page(after="<p>x</p>" * 20 + lines))
    assert (document.published, source(document)) == (datetime(2016, 6, 5, tzinfo=UTC), "on a short line")


def test_an_update_that_the_page_shows_does_not_contradict_what_it_tells() -> None:
    changed = '<meta property="article:modified_time" content="2016-06-07T08:00:00Z">'
    for shown in (
        'Updated on <time datetime="2016-06-07">7 June 2016</time>',
        '<time class="published updated" datetime="2016-06-07">7 June 2016</time>',
    ):
        assert source(dated(page(META + changed, shown))) == "meta"


def test_a_day_is_not_called_updated_by_a_time_that_is() -> None:
    teaser = "</div><div>Ann Miller 1 May 2016"
    for shown in ("2 June 2016 updated at 07:35", "2 June 2016"):
        assert source(dated(page(META, shown + teaser))) == "meta"


def test_what_the_url_confirms_is_not_contradicted() -> None:
    url = "http://e.com/2016/06/02/ferry"
    assert source(dated(page(META, "5 June 2016"), url)) == "meta"
    assert source(dated(page(META, "5 June 2016"), url.replace("02/", "09/"))) == "shown, against meta"


def test_a_time_far_from_the_title_gives_way_to_a_date_beside_it() -> None:
    comment = '<time datetime="2016-06-08T03:36:00Z">8 June 2016</time>'
    far = f"<p>x</p>{PROSE}" * 5 + f"<div>{comment}</div>"
    assert dated(page("", "Posted by Ann Miller in the harbour on 3 June 2016", far)).published == datetime(
        2016, 6, 3, tzinfo=UTC
    )
    above = page("", "", far).replace("<h1>", '<time datetime="2016-06-04T05:00:00Z">4 June 2016</time><h1>')
    assert dated(above).published == datetime(2016, 6, 4, 5, tzinfo=UTC)
    latest_posts = '<time class="latest-posts__post-date" datetime="2016-05-01">1 May 2016</time>'
    beside = '<time datetime="2016-06-05T05:00:00Z">5 June</time>'
    assert dated(page("", beside, far + latest_posts)).published == datetime(2016, 6, 5, 5, tzinfo=UTC)


def test_a_text_may_begin_with_its_date() -> None:
    text = "8 June 2016 – The ferry to the islands runs again. " + "The harbour is as full as it was before. " * 4
    document = dated(page("", f"<p>{text}</p>"))
    assert (document.published, source(document)) == (datetime(2016, 6, 8, tzinfo=UTC), "beginning of the text")
    sentence = text.replace("2016 –", "2016 was when")
    assert source(dated(page("", f"<p>{sentence}</p>"))) == "latest on the page"


def test_a_day_that_can_be_read_in_two_orders_is_read_as_the_page_writes_it_elsewhere() -> None:
    teaser = "<p>x</p>" * 20 + '<time datetime="2015-12-02">The ferry</time>'
    assert dated(page("", "02-12-2015")).published == datetime(2015, 2, 12, tzinfo=UTC)
    assert dated(page("", "02-12-2015", teaser)).published == datetime(2015, 12, 2, tzinfo=UTC)


def test_a_day_told_as_midnight_elsewhere_is_that_day() -> None:
    head = '<title>渡轮恢复运行了</title><meta property="article:published_time" content="2016-06-01T16:00:00Z">'
    html = head + "<h1>渡轮恢复运行了</h1>" + "<p>码头上的乘客和往年的夏天一样多，船票已经卖完了。</p>" * 3
    published = dated(html).published
    assert published
    assert published.isoformat() == "2016-06-02T00:00:00+08:00"


@pytest.mark.parametrize("script", ['"publishTime": 1464940800000, "id": 7', 'var ct = "1464940800";'])
def test_a_script_may_count_the_seconds_since_1970(script: str) -> None:
    document = dated(page(f"<script>{script}</script>"))
    assert (document.published, source(document)) == (datetime(2016, 6, 3, 8, tzinfo=UTC), "in a script")


def test_the_time_of_an_event_is_not_that_of_publication() -> None:
    far = "<title>渡轮恢复运行了</title><h1>渡轮恢复运行了</h1>" + "<p>码头上的乘客和往年的夏天一样多。</p>" * 20
    assert dated(far + "<p>报名时间：2016-05-01</p><p>发布时间：2016-06-02</p>").published == datetime(
        2016, 6, 1, 16, tzinfo=UTC
    )


@pytest.mark.parametrize("clock", [datetime.min, datetime.max, datetime.max.replace(tzinfo=UTC)])
@pytest.mark.parametrize("told", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "2016-06-02T08:00:00Z"])
def test_a_clock_and_a_date_out_of_all_range_are_none(clock: datetime, told: str) -> None:
    head = META.replace("2016-06-02T08:00:00Z", told) + META.replace("published", "modified")
    tree = parse(page(head, "3 hours ago"))
    near = Near("The ferry runs again", ("The ferry runs again", "3 hours ago"), ("3 hours ago",), (), place=0)
    date = find_date(tree, gather(tree), near, fetched_at=clock)
    assert date is None or date.value.year == 2016


def test_without_a_title_the_date_right_above_the_text_is_taken() -> None:
    text = "<p>" + "The ferry to the islands runs again, and the harbour is as full as it was before. " * 3 + "</p>"
    links = "<p>The old pier (1 May 2016, 09:00)</p>" + "<p>x</p>" * 15
    html = f"<body>{links}<p>Ann Miller, 3 June 2016</p>{text}<p>The new pier (7 June 2016, 09:00)</p></body>"
    document = dated(html)
    assert (document.published, source(document)) == (datetime(2016, 6, 3, tzinfo=UTC), "above the text")


def test_a_day_called_published_anywhere_is_taken_before_an_update_or_a_sentence_near_the_title() -> None:
    far = "<p>x</p>" * 20 + "<p>First published 2 June 2016</p>"
    for near in (
        "Updated 7 June 2016",
        "The ferry that sank in the harbour of the islands on 1 May 1998 runs again now",
    ):
        document = dated(page("", near, far))
        assert (document.published, source(document)) == (datetime(2016, 6, 2, tzinfo=UTC), "labelled as published")
        assert source(dated(page("", near))) == "in a sentence near the title"


def test_a_chinese_sentence_that_begins_with_a_day_is_about_that_day() -> None:
    title = "<title>渡轮恢复运行了</title><h1>渡轮恢复运行了</h1>"
    sentence = "<p>2016年5月1日渡轮因为风暴停止运行，码头上的乘客只好在岸边等候，他们没有见过这么大的风浪。</p>"
    text = "<p>码头上的乘客和往年的夏天一样多，船票已经卖完了。</p>" * 20
    published = dated(f"{title}{sentence}{text}<p>发布时间：2016-06-02 08:00</p>").published
    assert published == datetime(2016, 6, 2, tzinfo=UTC)


def test_a_stamp_that_a_theme_hides_beside_the_date_it_shows_is_an_update() -> None:
    line = "<span>Ann Miller</span><span>2016-06-07T10:10:52+02:00</span><span>5. June 2016</span> | Harbour"
    assert dated(page("", line)).published == datetime(2016, 6, 5, tzinfo=UTC)
    told = META.replace("06-02", "06-05")
    assert source(dated(page(told, line))) == "meta"


def test_a_time_that_is_called_updated_afterwards_is_still_that_of_the_line_below_the_title() -> None:
    far = "<p>x</p>" * 20 + "<p>Posted on 8 June 2016, 09:00</p>"
    document = dated(page("", "3 June 2016, 14:32 updated", far))
    assert (document.published, source(document)) == (datetime(2016, 6, 3, 14, 32, tzinfo=UTC), "near the title")


@pytest.mark.parametrize(
    ("line", "clock"),
    [
        ("2016-06-02 09:30", (9, 30)),
        ("2016-06-02", (0, 0)),
        ("2016-06-02 09:30</div><div>2016-06-02 11:00", (0, 0)),  # which of them is not told
        ("Updated 2016-06-02 09:30", (0, 0)),
    ],
)
def test_a_day_that_is_told_has_the_only_time_that_the_page_shows_on_it(line: str, clock: tuple[int, int]) -> None:
    published = dated(page('<meta name="publishdate" content="2016-06-02">', line)).published
    assert published == datetime(2016, 6, 2, *clock, tzinfo=UTC)


def test_of_dates_far_above_the_title_the_nearest_is_taken() -> None:
    above = "<p>Friday, 10 June 2016</p><p>x</p><p>Harbour 3 June 2016</p>" + "<p>x</p>" * 8
    assert dated(page().replace("<h1>", f"{above}<h1>")).published == datetime(2016, 6, 3, tzinfo=UTC)
    timed = above.replace("3 June 2016", "3 June 2016 10:30") + "<h1>"
    below = "<p>x</p>" * 15 + "<p>1 June 2016</p>"
    assert dated(page(after=below).replace("<h1>", timed)).published == datetime(2016, 6, 3, 10, 30, tzinfo=UTC)


def test_the_first_and_the_last_day_of_a_period_are_not_of_publication() -> None:
    far = "<p>x</p>" * 20 + "<p>Published 2 June 2016</p>"
    for period in ("1 May 2016 - 9 June 2016", "3-9 June 2016", "3. bis 9. June 2016"):
        assert dated(page("", period, far)).published == datetime(2016, 6, 2, tzinfo=UTC)
        assert source(dated(page(META, period))) == "meta"
    assert dated(page("", "Issue 23 – 9 June 2016", far)).published == datetime(2016, 6, 9, tzinfo=UTC)


def test_a_day_with_another_label_does_not_contradict_what_is_told() -> None:
    assert source(dated(page(META, "Release: 9 June 2016"))) == "meta"
    for shown in ("Date: 9 June 2016", "Published: 9 June 2016", "Ann Miller: news of 9 June 2016"):
        assert source(dated(page(META, shown))) == "shown, against meta"


def test_the_day_since_when_there_is_a_paper_is_not_that_of_a_page() -> None:
    since = "<p>Since 1st March, 1999</p>"
    far = "<p>x</p>" * 20 + "<p>9 June 2016</p>"
    assert dated(page("", since, far)).published == datetime(2016, 6, 9, tzinfo=UTC)


def test_a_short_date_may_follow_who_wrote_the_page() -> None:
    document = dated(page("", "Written by Ann Miller on 24/05/16"))
    assert (document.published, source(document)) == (datetime(2016, 5, 24, tzinfo=UTC), "near the title")


def test_an_abbreviated_word_for_an_update_is_one() -> None:
    lines = "<p>3. June 2016 - 16.03 Uhr</p><p>Akt.: 5. June 2016 - 21.18 Uhr</p>"
    assert dated(page("", lines)).published == datetime(2016, 6, 3, 16, 3, tzinfo=UTC)


@pytest.mark.parametrize("path", ["2016/06/07-boats-for-a-wet-week", "2016/06/07boats", "2016/06/07_boats/"])
def test_a_number_with_which_a_slug_begins_is_no_day(path: str) -> None:
    url = f"http://e.com/{path}"
    assert dated(page(), url).published is None
    assert dated(page("", "<time datetime=2016-06-03T08:15Z>3 June</time>"), url).published == at(3, 8, 15)


def at(day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(2016, 6, day, hour, minute, tzinfo=UTC)


def about(day: str, *, line: str = "", foot: str = "") -> str:
    title = f"What the harbour said on {day}"
    return page(line=line, after=foot).replace("The ferry runs again", title)


@pytest.mark.parametrize("url", ["http://e.com/what-the-harbour-said-on-2016-06-01", "http://e.com/7"])
def test_a_date_in_the_title_is_that_of_the_subject_where_the_page_tells_another(url: str) -> None:
    time = "<time datetime=2016-06-03T08:15Z>3 June 2016</time>"
    assert dated(about("1 June 2016", line=time), url).published == at(3, 8, 15)
    assert dated(about("1 June 2016", line="Ann Miller, 3 June 2016"), url).published == at(3)
    assert dated(
        about("1 June 2016", line="<a href='#top'>What the harbour said on 1 June 2016</a>"), url
    ).published == at(1)


def test_a_date_in_the_title_gives_way_to_that_of_the_last_change() -> None:
    foot = "<footer>harbour.txt · Last modified: 2016/06/03 08:15 by Ann Miller</footer>"
    contents = "<ul><li>What the harbour said on 1 June 2016</li></ul>"
    assert dated(about("1 June 2016", foot=contents + foot)).published == at(3, 8, 15)


def test_a_day_in_the_path_is_told_even_if_the_title_names_it() -> None:
    assert source(dated(about("1 June 2016"), "http://e.com/2016/06/01/harbour")) == "url"
