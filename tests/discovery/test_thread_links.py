"""The links of a thread's page: other pages are followed, forms, members and the same thread are not."""

from thresher.discovery.pagination import Pagination
from thresher.discovery.thread_links import sort_thread_links, without_first_page
from thresher.model import Link

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
    pages = Pagination(THREAD, 2, pages={1: f"{THREAD}?page=1", 2: f"{THREAD}?page=2"})
    links = (Link(f"{THREAD}?page=1", 2, "page"), Link(f"{THREAD}?page=3", 2, "page"))
    assert [link.url for link in without_first_page(links, pages)] == [THREAD, f"{THREAD}?page=3"]


def test_the_first_page_does_not_lead_to_itself() -> None:
    pages = Pagination(THREAD, 1, pages={1: f"{THREAD}?page=1", 2: f"{THREAD}?page=2"})
    links = (Link(f"{THREAD}?page=1", 2, "page"), Link(f"{THREAD}?page=2", 2, "page"))
    assert [link.url for link in without_first_page(links, pages)] == [f"{THREAD}?page=2"]
