"""A permalink leads to its post, and a time is in the zone that the page tells for it."""

from datetime import UTC, datetime

import pytest

from tests.extraction.forum.talk import Said, talk
from thresher.extraction.forum.thread import Thread, find_thread
from thresher.html import parse

URL = "https://quay.example/t/31?page=2"
NOW = datetime(2019, 3, 22, 18, 2, tzinfo=UTC)


def plain(tools: str = "", *, time: str = "{at:%Y-%m-%d %H:%M}") -> str:
    """Return the row of a post with such a time, and with such links below."""
    return f"""<div class=post id=pid{{n}}><div class=who><a href="/people/{{by}}">{{by}}</a></div>
    <div class=when>{time}</div><div class=said>{{text}}</div><div class=tools>{tools}</div></div>"""


def thread(row: str, *, foot: str = "", language: str = "en", told: str = "") -> Thread:
    """Read a thread each post of which is such a row; {n} is its number, {at} its time and {text} what it says."""
    said = talk(language, posts=5)
    rows = "".join(_row(row, each, told) for each in said)
    html = f"<html><title>Boats</title><body><h1>Boats</h1><div>{rows}</div><div id=foot>{foot}</div></body></html>"
    return find_thread(parse(html, url=URL), fetched_at=NOW)


def _row(row: str, each: Said, told: str) -> str:
    text = "".join(f"<p>{line}</p>" for line in each.text) + (f"<p>{told}</p>" if each.number == 2 else "")
    return row.format(n=7000 + each.number, floor=each.number, at=each.at, by=each.author, text=text)


TO_POST = "goto.php?to=findpost&topic=31&pid={n}"


def links(row: str) -> list[str | None]:
    return [post.permalink for post in thread(row).posts]


@pytest.mark.parametrize(
    "other",
    [
        "home.php?mod=mail&ac=pm&op=showmsg&touid=3&pid={n}&tid=31",
        "privmsg.php?mode=post&p={n}",
        "posting.php?mode=quote&p={n}",
        "post.php?action=reply&tid=31&repquote={n}",
        "newreply.php?do=newreply&p={n}",
        "threads/boats.31/reply?quote={n}",
        "/posts/{n}/report",
        "/posts/{n}/timeline",
        "/posts/{n}/react?reaction_id=1",
        "/posts/{n}/ip",
        "report.php?p={n}",
        "edit.php?pid={n}",
        "user/addflag.php?post=31&p={n}",
        "post.php?action-quote-tid-31-pid-{n}-article-1.html",
        "https://share.example/sharer?u=https%3A%2F%2Fquay.example%2Fpost%2F{n}",
        "javascript:act({n})",
        "#menu_{n}_open",
    ],
)
def test_links_that_do_something_with_a_post_do_not_lead_to_it(other: str) -> None:
    before = plain(f'<a href="{other}">do</a> <a href="{TO_POST}">#{{floor}}</a>')
    assert links(before) == [f"https://quay.example/t/{TO_POST.format(n=7000 + n)}" for n in range(1, 6)]


def test_a_word_in_the_name_of_a_thread_does_nothing() -> None:
    found = links(plain('<a href="/threads/how-to-quote-and-report.31/post-{n}">here</a>'))
    assert found[0] == "https://quay.example/threads/how-to-quote-and-report.31/post-7001"


def test_a_link_with_the_number_of_another_post_leads_to_that_one() -> None:
    signature = '<a href="/posts/123456/">my story</a>'
    assert links(plain(f'{signature}<a href="posts/{{n}}/">link</a>'))[1] == "https://quay.example/t/posts/7002/"


def test_a_link_that_all_posts_share_leads_to_none_of_them() -> None:
    row = '<div class=post><b>{by}</b> <a href="/t/31#p1"><i>{at:%d.%m.%Y %H:%M}</i></a><div>{text}</div></div>'
    assert links(row) == [None] * 5


def test_a_post_without_a_link_has_its_place_on_the_page() -> None:
    assert links(plain('<a href="/report.php?p={n}">report</a>'))[0] == f"{URL}#pid7001"


def test_a_link_around_the_time_leads_to_the_post_where_nothing_tells_its_number() -> None:
    row = '<div class=post><b>{by}</b> <a href="/s/x#c_a{floor}b"><i>{at:%d.%m.%Y %H:%M}</i></a><div>{text}</div></div>'
    assert links(row)[:2] == ["https://quay.example/s/x#c_a1b", "https://quay.example/s/x#c_a2b"]


def times(foot: str = "", *, row: str = plain(), language: str = "en", told: str = "") -> str:
    first = thread(row, foot=foot, language=language, told=told).posts[0].published
    assert first is not None
    return first.isoformat()


@pytest.mark.parametrize(
    ("foot", "zone"),
    [
        ("<p>GMT+8, 2019-3-22 18:02 , Processed in 0.03 second(s)</p>", "+08:00"),
        ("<p>当前时区 GMT+8, 现在时间是 2019-3-22 18:02</p>", "+08:00"),
        ("<p>当前时区为 UTC + 8 小时</p>", "+08:00"),
        ("<p>All times are GMT -5. The time now is <b>06:02 PM</b>.</p>", "-05:00"),
        ("<p>All times are GMT. The time now is 06:02 PM.</p>", "+00:00"),
        ("<p>All times are <span title='America/Chicago'>UTC-06:00</span></p>", "-06:00"),
        ("<p>All times are UTC + 5:30 hours</p>", "+05:30"),
        ("<p>All times are UTC - 8 hours [ <abbr>DST</abbr> ]</p>", "-07:00"),
        ("<p>All times are CET.</p>", "+01:00"),
        ("<p>All times are EST (Australia)</p>", "+00:00"),
        ("<p>Alle Zeiten sind UTC+02:00</p>", "+02:00"),
        ("<p>Часовой пояс GMT +4.</p>", "+04:00"),
        ("<p>The GMT+8 club meets on Fridays</p>", "+00:00"),
        ("<p>All times are GMT+99</p>", "+00:00"),
    ],
)
def test_a_time_is_in_the_zone_that_the_page_tells(foot: str, zone: str) -> None:
    assert times(foot) == f"2019-03-14T09:26:00{zone}"


def test_what_a_post_says_of_times_is_not_said_of_the_page() -> None:
    assert times(told="All times are GMT+3, so do not be late") == "2019-03-14T09:26:00+00:00"
    foot = "<p>All times are GMT -5.</p>"
    assert times(foot, told="All times are GMT+3, so do not be late") == "2019-03-14T09:26:00-05:00"


def test_a_language_that_is_spoken_in_one_zone_tells_it_where_the_page_does_not() -> None:
    assert times(language="zh") == "2019-03-14T09:26:00+08:00"
    assert times("<p>All times are GMT+7</p>", language="zh") == "2019-03-14T09:26:00+07:00"


def test_an_offset_in_the_time_itself_wins() -> None:
    row = plain(time="<time datetime='{at:%Y-%m-%dT%H:%M:%S}+02:00'>{at:%d.%m.%Y %H:%M}</time>")
    assert times("<p>All times are GMT -5.</p>", row=row) == "2019-03-14T09:26:00+02:00"


def test_the_time_that_is_shown_wins_over_a_clock_without_a_zone() -> None:
    row = plain(time="<time datetime='2019-03-0{floor}T06:26:09'>0{floor}-03-2019, 09:26 AM</time>")
    assert times("<p>All times are GMT -8.</p>", row=row) == "2019-03-01T09:26:09-08:00"


def test_yesterday_is_the_day_before_the_page_s_today() -> None:
    row = plain(time="Yesterday, 0{floor}:26")
    assert times("<p>All times are GMT+8.</p>", row=row) == "2019-03-22T01:26:00+08:00"  # it is the 23rd there


def test_a_number_of_a_post_is_not_its_floor() -> None:
    assert [post.position for post in thread(plain("<a href=/x>#{n}</a>")).posts] == [1, 2, 3, 4, 5]
