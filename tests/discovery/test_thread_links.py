"""The links of a thread's page: other pages are followed, forms, members and the same thread are not."""

from thresher.discovery.pagination import Pagination
from thresher.discovery.thread_links import sort_page_links, sort_thread_links, without_first_page
from thresher.model import Kind, Link

THREAD = "https://boats.example/forum/oars-3/topic/a-skiff-7/"


def left_of(*urls: str, why: str = "page", url: str = THREAD, pagination: Pagination | None = None) -> dict[str, str]:
    links = [Link(each, 2, why) for each in urls]
    return dict(sort_thread_links(links, url, pagination).left)


def test_a_link_to_one_post_of_the_thread_is_the_thread_itself() -> None:
    assert left_of(f"{THREAD}?post=91") == {f"{THREAD}?post=91": "same-thread"}


def test_another_page_of_the_thread_is_followed() -> None:
    assert left_of(f"{THREAD}?page=2") == {}


def test_another_thread_of_the_same_script_is_followed() -> None:
    url = "https://boats.example/viewtopic.php?t=7"
    assert left_of("https://boats.example/viewtopic.php?t=8", url=url) == {}
    assert left_of("https://boats.example/viewtopic.php?t=7&hilit=oar", url=url) != {}


def test_members_and_forms_are_left() -> None:
    member, login = "https://boats.example/member/profile/20/", "https://boats.example/user/login/?next=/x"
    assert left_of(member, login) == {member: "forum-member", login: "forum-login"}


def test_what_a_list_of_threads_names_is_followed() -> None:
    assert left_of("https://boats.example/forum/help/", why="board") == {}


def test_the_first_page_is_followed_by_its_name_without_a_number() -> None:
    pages = Pagination(
        THREAD, 2, pages={1: f"{THREAD}?page=1", 2: f"{THREAD}?page=2"}, numbered_first=f"{THREAD}?page=1"
    )
    links = (Link(f"{THREAD}?page=1", 2, "page"), Link(f"{THREAD}?page=3", 2, "page"))
    assert [link.url for link in without_first_page(links, pages)] == [THREAD, f"{THREAD}?page=3"]


def test_the_first_page_does_not_lead_to_itself() -> None:
    pages = Pagination(THREAD, 1, pages={1: THREAD, 2: f"{THREAD}?page=2"}, numbered_first=f"{THREAD}?page=1")
    links = (Link(f"{THREAD}?page=1", 2, "page"), Link(f"{THREAD}?page=2", 2, "page"))
    assert [link.url for link in without_first_page(links, pages)] == [f"{THREAD}?page=2"]


def whys_of(page: str, *feeds: str, kind: Kind) -> list[str]:
    links = tuple(Link(feed, 2, "subfeed", page) for feed in feeds)
    return [link.why for link in sort_page_links(links, page, None, kind).links]


def test_the_feed_of_an_article_is_one_of_comments() -> None:
    page = "https://a.example/2024/06/the-ferry/"
    assert whys_of(page, f"{page}feed/", "https://a.example/feed/", kind=Kind.ARTICLE) == ["comments", "subfeed"]
    page = "https://a.example/?p=12"
    feeds = ("https://a.example/?feed=rss2&p=12", "https://a.example/?feed=rss2", "https://a.example/?feed=rss2&p=13")
    assert whys_of(page, *feeds, kind=Kind.ARTICLE) == ["comments", "subfeed", "subfeed"]


def test_the_feed_of_a_front_page_that_is_an_article_is_the_sites() -> None:
    assert whys_of("https://a.example/", "https://a.example/feed/", kind=Kind.ARTICLE) == ["subfeed"]


def test_the_feed_of_a_list_is_left_and_that_of_a_page_of_another_kind_is_not() -> None:
    page = "https://a.example/tag/boats/"
    assert whys_of(page, f"{page}feed/", "https://a.example/feed/", kind=Kind.LISTING) == ["subfeed"]
    assert whys_of(page, f"{page}feed/", kind=Kind.OTHER) == ["subfeed"]


def test_a_board_leaves_members_forms_and_other_views_of_its_threads() -> None:
    board, member = "https://boats.example/forum/oars-3/", "https://boats.example/member/profile/20/"
    other = "https://boats.example/forum/oars-3/topic/a-sail-8/"
    below = "https://boats.example/forum/help/"
    named = [
        Link(THREAD, 1, "thread"),
        Link(other, 1, "thread"),
        Link(below, 1, "page"),
        Link(f"{board}?page=2", 1, "next"),
    ]
    besides = [Link(f"{THREAD}?post=91", 1, "page"), Link(f"{other}?page=3", 1, "page"), Link(member, 1, "page")]
    found = sort_page_links((*named, *besides), board, None, Kind.BOARD)
    assert dict(found.left) == {f"{THREAD}?post=91": "same-thread", member: "forum-member"}
    assert [link.url for link in found.links] == [THREAD, other, below, f"{board}?page=2", f"{other}?page=3"]
    assert sort_page_links((Link(member, 1, "page"),), board, None, Kind.BOARD).left == ()
    assert sort_page_links((*named, Link(member, 1, "page")), board, None, Kind.LISTING).left == ()


def test_a_board_that_a_list_of_boards_led_to_is_one_though_it_shows_a_single_thread() -> None:
    board, member = "https://boats.example/forum/oars-3/", "https://boats.example/member/profile/20/"
    thread = f"{board}topic/a-broken-oar-7/"
    links = tuple(Link(url, 1, "page") for url in (thread, member, f"{thread}?post=107", f"{thread}?page=2"))
    for kind in (Kind.OTHER, Kind.LISTING, Kind.BOARD):
        found = sort_page_links(links, board, None, kind, is_board=True)
        assert [link.url for link in found.links] == [thread, f"{thread}?page=2"]
        assert dict(found.left) == {member: "forum-member", f"{thread}?post=107": "same-thread"}
    assert sort_page_links(links, board, None, Kind.OTHER).left == ()
