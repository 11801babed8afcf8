"""Which pages belong together, told by their links and addresses."""

import gzip
import json
import re
from pathlib import Path

import pytest

from thresher.discovery.pagination import Pagination, find_pagination
from thresher.html import parse

HOST = "https://forum.example"
CORPUS = Path(__file__).parents[3] / "shared/corpora/forums/threads.jsonl.gz"


def found(path: str, *links: tuple[str, str], head: str = "") -> Pagination:
    anchors = " ".join(f'<a href="{href}">{text}</a>' for text, href in links)
    html = f"<html><head>{head}</head><body><h1>T</h1>{anchors}</body></html>"
    return find_pagination(parse(html, url=HOST + path), HOST + path)


# The second of three pages at least, in the addresses of many kinds of software.
SECOND_PAGES = {
    "phpbb": ("/viewtopic.php?f=2&t=9", "/viewtopic.php?f=2&t=9&start={10}", (0, 10)),
    "discuz": ("/thread-9-1-1.html", "/thread-9-{1}-1.html", (1, 1)),
    "discuz, plain": ("/forum.php?mod=viewthread&tid=9", "/forum.php?mod=viewthread&tid=9&extra=&page={1}", (1, 1)),
    "xenforo": ("/threads/a-title.9/", "/threads/a-title.9/page-{1}", (1, 1)),
    "mybb": ("/thread-9.html", "/thread-9-page-{1}.html", (1, 1)),
    "vbulletin": ("/showthread.php?9-a-title", "/showthread.php?9-a-title/page{1}", (1, 1)),
    "smf": ("/index.php?topic=9.0", "/index.php?topic=9.{15}", (0, 15)),
    "smf, pretty": ("/index.php/topic,9.0.html", "/index.php/topic,9.{15}.html", (0, 15)),
    "flarum": ("/d/9-a-title", "/d/9-a-title?page={1}", (1, 1)),
    "invision": ("/topic/9-a-title/", "/topic/9-a-title/page/{1}/", (1, 1)),
    "tieba": ("/p/9", "/p/9?pn={1}", (1, 1)),
    "tianya": ("/post-free-9-1.shtml", "/post-free-9-{1}.shtml", (1, 1)),
    "counted from nought": ("/t?id=9", "/t?id=9&page={1}", (0, 1)),
    "suffix": ("/topic9.html", "/topic9-{20}.html", (0, 20)),
    "article": ("/2024/05/a-long-walk/", "/2024/05/a-long-walk/{1}/", (1, 1)),
    "article, one word": ("/walk", "/walk/{1}", (1, 1)),
    "article, file": ("/news/c_20240508.html", "/news/c_20240508_{1}.html", (1, 1)),
    "wordpress": ("/2024/05/a-title/", "/2024/05/a-title/comment-page-{1}/", (1, 1)),
}


@pytest.mark.parametrize("kind", SECOND_PAGES)
@pytest.mark.parametrize("words", [("Next", "Previous"), ("下一页", "上一页"), ("»", "«"), ("", "")])
def test_each_page_of_a_thread_knows_the_first_its_number_and_its_neighbours(kind: str, words: tuple[str, str]) -> None:
    first, later, (start, step) = SECOND_PAGES[kind]
    paths = [first] + [re.sub(r"\{\d+\}", str(start + step * (n - 1)), later) for n in (2, 3, 4)]
    for here, path in enumerate(paths):
        pager = [(str(at + 1), target) for at, target in enumerate(paths) if at != here]
        pager += [(words[0], paths[here + 1])] if words[0] and here < 3 else []
        pager += [(words[1], paths[here - 1])] if words[1] and here else []
        page = found(path, ("Board", "/board/3"), ("Next topic", first.replace("9", "10")), *pager)
        assert (page.first.split("&extra")[0], page.number) == (HOST + first, here + 1)
        assert page.next == (HOST + paths[here + 1] if here < 3 else None)
        assert page.previous == (HOST + paths[here - 1] if here else None)
        assert page.last == (HOST + paths[3] if here < 3 else None)


def test_a_page_without_a_pager_is_alone() -> None:
    page = found("/viewtopic.php?t=9", ("Next", "/viewtopic.php?t=10"), ("»", "/"), ("12", "/members/12"))
    assert page == Pagination(f"{HOST}/viewtopic.php?t=9")


def test_a_page_that_links_to_itself_alone_has_no_pager() -> None:
    assert found("/doku.php?id=blog:7", ("7", "/doku.php?id=blog:7")).number == 1


def test_the_next_thread_is_no_next_page() -> None:
    head = '<link rel="next" href="/2024/11/another-title"><link rel="prev" href="/2024/09/some-title">'
    assert found("/2024/10/a-title", head=head).next is None
    assert found("/viewtopic.php?t=9", ("›", "/viewtopic.php?t=10")).next is None


def test_words_alone_will_do_where_they_lead_to_the_address_without_a_number() -> None:
    assert found("/a-walk/", ("Next page", "/a-walk/2/")).next == f"{HOST}/a-walk/2/"
    assert found("/a-walk/2/", ("«", "/a-walk/"), ("»", "/a-walk/3/")).first == f"{HOST}/a-walk/"
    alone = found("/walks/12", ("Previous", "/walks/11"), ("Next", "/walks/13"))
    assert (alone.number, alone.pages) == (1, None)


def test_words_alone_will_do_where_the_address_names_a_page() -> None:
    page = found("/t/9?page=3", ("Suivant", "/t/9?page=4"), ("Première", "/t/9"), ("Dernière", "/t/9?page=8"))
    assert (page.first, page.number) == (f"{HOST}/t/9", 3)
    assert (page.next, page.last) == (f"{HOST}/t/9?page=4", f"{HOST}/t/9?page=8")


def test_further_pages_of_comments_are_pages_of_the_article() -> None:
    page = found(
        "/a-title/comment-page-2/", ("« Older Comments", "/a-title/comment-page-1/#c"), ("A title", "/a-title/")
    )
    assert (page.first, page.number) == (f"{HOST}/a-title/", 2)
    first = found("/a-title/", ("Newer Comments »", "/a-title/comment-page-2/#comments"))
    assert (first.number, first.next) == (1, f"{HOST}/a-title/comment-page-2/")


def test_elements_of_the_head_will_do() -> None:
    page = found("/t/9", head='<link rel="next" href="/t/9?page=2">')
    assert page.next == f"{HOST}/t/9?page=2"


def test_a_box_of_pages_is_a_pager() -> None:
    options = "".join(f"<option value='/t/9?page={n}'>Page {n}</option>" for n in (1, 2, 3, 4))
    html = f"<select>{options}</select>"
    page = find_pagination(parse(html, url=f"{HOST}/t/9?page=2"), f"{HOST}/t/9?page=2")
    assert (page.first, page.number, page.last) == (f"{HOST}/t/9", 2, f"{HOST}/t/9?page=4")


def test_the_last_of_two_pages_is_the_second() -> None:
    page = found("/viewtopic.php?t=9&start=15", ("1", "/viewtopic.php?t=9"))
    assert (page.first, page.number) == (f"{HOST}/viewtopic.php?t=9", 2)


def test_the_second_of_two_pages_needs_no_other_link_than_that_to_the_first() -> None:
    page = found("/thread-9-2-1.html", ("1", "/thread-9-1-1.html"))
    assert (page.first, page.number) == (f"{HOST}/thread-9-1-1.html", 2)
    assert found("/thread/2", ("1", "/thread/1")) == Pagination(f"{HOST}/thread/2")


@pytest.mark.parametrize("slash", ["", "/"])
def test_the_first_page_keeps_the_slash_that_the_later_ones_have(slash: str) -> None:
    first = f"/talk/9/bread-ovens{slash}"
    one, two, three = (f"{first}?page={n}" for n in (1, 2, 3))
    assert found(first, ("1", one), ("2", two), ("3", three)).first == HOST + first
    assert found(two, ("1", one), ("2", two), ("3", three)).first == HOST + first
    assert found(three, ("Previous", two), head=f'<link rel="canonical" href="{three}">').first == HOST + first


@pytest.mark.parametrize("slash", ["", "/"])
def test_the_first_page_has_the_slash_that_the_site_links_it_with(slash: str) -> None:
    first = f"/talk/bread-ovens.9{slash}"
    page = found("/talk/bread-ovens.9/page-3", ("Bread ovens", first), ("2", "/talk/bread-ovens.9/page-2"))
    assert (page.first, page.number) == (HOST + first, 3)


@pytest.mark.parametrize(
    ("later", "sooner"),
    [
        ('<i class="fa fa-chevron-right"></i>', '<i class="fa fa-chevron-left"></i>'),
        ('<span class="icon icon-arrow-forward"></span>', '<span class="icon icon-arrow-back"></span>'),
        ('<svg><use href="#caret-right"></use></svg>', '<svg><use href="#caret-left"></use></svg>'),
        ("<svg><title>Next page</title></svg>", "<svg><title>Previous page</title></svg>"),
        ('<svg aria-label="Next"><path d="M0 0"/></svg>', '<svg aria-label="Previous"><path d="M0 0"/></svg>'),
        ('<img src="r.gif" alt="Next">', '<img src="l.gif" alt="Previous">'),
        ('<i class="material-icons">navigate_next</i>', '<i class="material-icons">navigate_before</i>'),
    ],
)
@pytest.mark.parametrize("step", ["page={1}", "offset={20}"])
def test_pagers_of_icons_alone_are_read(later: str, sooner: str, step: str) -> None:
    start, width = (1, 1) if "page" in step else (0, 20)
    at = {n: "/talk/9/ovens/?" + re.sub(r"\{\d+\}", str(start + width * (n - 1)), step) for n in (1, 2, 3, 5)}
    first = found("/talk/9/ovens/", (later, at[2]), ('Last <i class="fa fa-chevron-right"></i>', at[5]))
    assert (first.number, first.next, first.last) == (1, HOST + at[2], HOST + at[5])
    assert sorted(first.pages or ()) == [1, 2, 5]
    second = found(at[2], (sooner, at[1]), (later, at[3]))
    assert (second.first, second.number, second.next) == (HOST + "/talk/9/ovens/", 2, HOST + at[3])


def test_layout_words_of_a_link_without_text_are_no_pager() -> None:
    assert found("/t?id=9", ('<i class="float-right text-left"></i>', "/t?id=9&page=2")) == Pagination(HOST + "/t?id=9")


def test_the_last_page_alone_tells_its_own_number_where_the_address_counts_pages() -> None:
    page = found("/t?id=9", ("Last", "/t?id=9&page=4"))
    assert (page.number, page.pages and sorted(page.pages)) == (1, [1, 4])


def test_how_many_a_page_shows_is_no_pager() -> None:
    links = [(str(n), f"/t?id=9&perpage={n}") for n in (10, 20, 50)]
    assert found("/t?id=9", *links) == Pagination(f"{HOST}/t?id=9")


@pytest.mark.parametrize(
    ("path", "told", "first"),
    [
        ("/viewtopic.php?f=2&t=9", "/viewtopic.php?t=9", "/viewtopic.php?t=9"),
        ("/forum.php?mod=viewthread&tid=9", "/thread-9-1-1.html", "/thread-9-1-1.html"),
        ("/viewtopic.php?p=77", "/viewtopic.php?t=9", "/viewtopic.php?t=9"),
        ("/viewtopic.php?t=9", "/", "/viewtopic.php?t=9"),
        ("/viewtopic.php?f=2&t=9", "/viewforum.php?f=2", "/viewtopic.php?f=2&t=9"),
        ("/viewtopic.php?t=9", "https://evil.example/viewtopic.php?t=9", "/viewtopic.php?t=9"),
    ],
)
def test_the_address_that_a_page_gives_as_its_own_counts_where_it_can_be_believed(
    path: str, told: str, first: str
) -> None:
    assert found(path, head=f'<link rel="canonical" href="{told}">').first == HOST + first


def test_pages_reached_by_another_address_belong_to_the_same_thread() -> None:
    head = '<link rel="canonical" href="/viewtopic.php?t=9&amp;start=10">'
    links = [("1", "/viewtopic.php?f=2&t=9"), ("3", "/viewtopic.php?f=2&t=9&start=20")]
    page = found("/viewtopic.php?f=2&t=9&start=10", *links, head=head)
    assert (page.first, page.number) == (f"{HOST}/viewtopic.php?t=9", 2)


def test_real_threads_of_three_kinds_of_software_are_put_together() -> None:
    if not CORPUS.exists():
        pytest.skip("needs the forum corpus")
    checked = 0
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        for line in lines:
            thread = json.loads(line)
            if not thread["engine"].startswith("live_"):
                continue
            url, checked = thread["url"], checked + 1
            page = find_pagination(parse(thread["html"], url=url), url)
            offset = re.search(r"&start=(\d+)", url)
            number = re.search(r"&(?:page|p)=(\d+)", url)
            expected = int(offset[1]) // 10 + 1 if offset else int(number[1]) if number else 1
            assert (page.first, page.number) == (re.split(r"&(?:start|extra|page|p)=", url)[0], expected), url
    assert checked


def test_a_page_that_only_its_path_numbers_is_not_taken_for_the_front_page() -> None:
    links = [(f"page {number}", f"/{number}") for number in range(4)]
    assert found("/", *links).numbered_first is None
    assert found("/t/9", ("1", "/t/9?page=1"), ("2", "/t/9?page=2")).numbered_first == f"{HOST}/t/9?page=1"
