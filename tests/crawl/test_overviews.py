"""Pages that only show what other pages hold are followed, and not stored."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from thresher.crawling.harvest import harvest
from thresher.crawling.overviews import is_locked, is_overview
from thresher.html import parse
from thresher.model import Block, Document, Kind, Page, Post, Span

TEXT = "".join(
    f"<p>{sentence}</p>"
    for sentence in (
        "The lock keeper has kept a diary of the water since the spring, and on Monday he read from it in the hall.",
        "Nobody had expected that a list of numbers could be so long, or that so many people would come to hear it.",
        "By the end of the evening the council had promised to look at the sluice again before the autumn rain.",
    )
)


def kind_of(body: str, url: str = "https://gull.example/author/tilda", *, head: str = "") -> Kind:
    html = f"<html><head><title>Tilda Marsh – The Gull</title>{head}</head><body>{body}</body></html>"
    page = Page(url, 200, html.encode(), datetime(2025, 5, 1, tzinfo=UTC), {"content-type": "text/html"})
    document = harvest(page, 1, None).document
    assert document is not None
    return document.kind


def test_an_archive_with_one_whole_entry_is_a_listing() -> None:
    entry = f'<article><h2><a href="/2025/04/water-diary/">A diary of the water</a></h2>{TEXT}</article>'
    assert kind_of(f"<h1>Author: Tilda Marsh</h1>{entry}") is Kind.LISTING


def test_an_archive_in_chinese_is_a_listing() -> None:
    text = "".join(
        f"<p>{sentence}</p>"
        for sentence in (
            "守闸人从春天起每天记下水位，星期一晚上他在礼堂里念了其中的几页，台下坐满了附近的居民。",
            "没有人想到一串数字可以这么长，也没有人想到会有这么多人来听，散场时外面还下着雨。",
        )
    )
    entry = f'<article><h2><a href="/2025/04/shui-wei/">守闸人的水位日记</a></h2>{text}</article>'
    assert kind_of(f"<h1>作者：马天</h1>{entry}") is Kind.LISTING


def test_an_article_whose_title_links_to_itself_stays_an_article() -> None:
    own = "https://gull.example/2025/04/water-diary/"
    assert kind_of(f'<article><h1><a href="{own}">A diary of the water</a></h1>{TEXT}</article>', own) is Kind.ARTICLE


def test_an_article_whose_title_links_to_its_canonical_address_stays_an_article() -> None:
    told = '<link rel="canonical" href="https://gull.example/2025/04/water-diary/">'
    title = '<h1><a href="/2025/04/water-diary/">A diary of the water</a></h1>'
    url = "https://gull.example/?p=77"
    assert kind_of(f"<article>{title}{TEXT}</article>", url, head=told) is Kind.ARTICLE


@pytest.mark.parametrize("name", ["h2", "h3"])
def test_another_story_named_between_title_and_text_changes_nothing(name: str) -> None:
    aside = f'<div><{name}><a href="/2025/03/sluice/">What became of the sluice</a></{name}></div>'
    body = f"<article><h1>A diary of the water that nobody expected</h1>{aside}{TEXT}</article>"
    assert kind_of(body, "https://gull.example/2025/04/water-diary/") is Kind.ARTICLE


def test_the_name_of_the_site_above_the_text_changes_nothing() -> None:
    body = f'<h1><a href="/">The Gull</a></h1><div><p><b>A diary of the water</b></p>{TEXT}</div>'
    assert kind_of(body, "https://gull.example/2025/04/water-diary/") is Kind.ARTICLE


ROW = """<div class="row"><div><a href="/t/{n}">{title}</a></div><div><a href="/c/2">Boats</a></div>
<div class="count">{n}</div><div class="date" title="Nov. {n}, 2024, 1:51 p.m.">{n} Nov '24</div></div>"""
TITLES = ("The winch slips under load", "Who has the key of the shed", "Paint that lasts a winter", "Oars for a skiff")


def test_rows_of_threads_that_were_read_as_posts_are_a_board() -> None:
    url = "https://boats.example/active"
    rows = "".join(ROW.format(n=n, title=title) for n, title in enumerate(TITLES, 11))
    tree = parse(f"<html><body><div>{rows}</div></body></html>", url=url)
    paths = [f"/html/body[1]/div[1]/div[{place}]" for place in range(1, len(TITLES) + 1)]
    posts = tuple(Post("Boats", None, "11 Nov '24", place, xpath=path) for place, path in enumerate(paths, 1))
    thread = Document(url, Kind.THREAD, 0.6, "Latest", posts=posts)
    assert is_overview(thread, tree, {url})

    talk = "".join(
        f"<div><a href='/u/{n}'>Tilda</a><p>I would oil it first, then try again.</p></div>" for n in range(4)
    )
    tree = parse(f"<html><body><div>{talk}</div></body></html>", url=url)
    assert not is_overview(thread, tree, {url})


SECRET = '<p><label>Password <input type="password" name="word"></label></p>'


def test_a_form_that_asks_for_a_password_is_no_article() -> None:
    words = (
        "<p>What the lock keeper wrote is kept from strangers. To read it, please enter the password that you have.</p>"
    )
    form = f"<form>{words}{SECRET}</form>"
    page = f"<article><h1>A diary of the water</h1><p>4 May 2025</p>{form}</article>"
    tree = parse(f"<html><body>{page}</body></html>", url="https://gull.example/a/")
    (found,) = tree.body.xpath("//form/p[1]")
    block = Block((Span(found.text),), "p", tree.root.getroottree().getpath(found))
    document = Document("https://gull.example/a/", Kind.ARTICLE, 1.0, "A diary of the water", (block,))
    assert is_locked(document, tree)
    assert not is_locked(replace(document, blocks=(block,) * 10), tree)


def test_an_article_with_a_form_to_sign_in_below_it_stays_an_article() -> None:
    own = "https://gull.example/2025/04/water-diary/"
    assert kind_of(f"<article><h1>A diary of the water</h1>{TEXT}</article><form>{SECRET}</form>", own) is Kind.ARTICLE


def test_words_below_the_form_make_it_no_article_either() -> None:
    form = f"<form><p>This is for members.</p>{SECRET}</form>"
    words = "<p>Enter the password to see what others have said about the diary of the lock keeper.</p>"
    tree = parse(f"<html><body><main><h1>A diary</h1>{form}{words}</main></body></html>", url="https://gull.example/a/")
    (found,) = tree.body.xpath("//main/p")
    block = Block((Span(found.text),), "p", tree.root.getroottree().getpath(found))
    document = Document("https://gull.example/a/", Kind.ARTICLE, 1.0, "A diary", (block,))
    assert is_locked(document, tree)
    above = parse(
        f"<html><body><main><h1>A diary</h1>{words * 2}{form}</main></body></html>", url="https://gull.example/a/"
    )
    blocks = tuple(Block(block.spans, "p", f"/html/body/main/p[{place}]") for place in (1, 2))
    assert not is_locked(replace(document, blocks=blocks), above)


def test_a_line_may_announce_the_form_and_all_may_have_been_read_as_a_post() -> None:
    line = "<p>This content is password protected. Please enter a password to view.</p>"
    body = f"<main><article><h1>A diary</h1>{line}<form>{SECRET}</form></article></main>"
    tree = parse(f"<html><body>{body}</body></html>", url="https://gull.example/a/")
    block = Block((Span(line[3:-4]),), "p", "/html/body/main/article/p")
    post = Post("Tilda", None, line[3:-4], 1, xpath="/html/body/main/article")
    document = Document("https://gull.example/a/", Kind.THREAD, 1.0, "A diary", (block,), posts=(post,))
    assert is_locked(document, tree)
    assert not is_locked(replace(document, posts=(post, replace(post, position=2))), tree)


def test_a_list_with_one_entry_that_was_read_as_a_thread_is_one_all_the_same() -> None:
    entry = f'<article><h2><a href="/2025/04/water-diary/">A diary of the water</a></h2><div>{TEXT}</div></article>'
    tree = parse(f"<html><body><main>{entry}</main></body></html>", url="https://gull.example/page/3/")
    block = Block((Span("The lock keeper has kept a diary"),), "p", "/html/body/main/article/div/p[1]")
    post = Post("Tilda", None, "The lock keeper has kept a diary", 1, xpath="/html/body/main/article")
    document = Document(tree.url, Kind.THREAD, 1.0, "The Gull", (block,), posts=(post,))
    assert is_overview(document, tree, {"https://gull.example/page/3/"})
    assert not is_overview(document, tree, {"https://gull.example/2025/04/water-diary/"})


@pytest.mark.parametrize(
    ("address", "kind"),
    [("/2025/04/diary-{}/", True), ("/?p={}", True), ("/viewtopic.php?p={}", False), ("/t/7?post={}", False)],
)
def test_entries_whose_headings_lead_to_pages_of_their_own_are_no_posts(address: str, kind: bool) -> None:
    page = "https://gull.example/" + ("" if kind else "viewtopic.php?t=7" if "php" in address else "t/7")
    entries = "".join(
        f'<li><h2><a href="{address.format(number)}">A diary of the water, part {number}</a></h2>{TEXT}</li>'
        for number in range(4)
    )
    tree = parse(f"<html><body><ul>{entries}</ul></body></html>", url=page)
    posts = tuple(Post("Tilda", None, "The lock keeper", n, xpath=f"/html/body/ul/li[{n}]") for n in range(1, 5))
    thread = Document(page, Kind.THREAD, 1.0, "The Gull", posts=posts)
    assert is_overview(thread, tree, {page}) is kind
    assert is_overview(thread, tree, {f"{page}?page=3", page}) is kind


@pytest.mark.parametrize(
    ("titles", "is_list"),
    [
        (("A diary of the water", "The lock keeper"), True),
        (("雨中的一天", "码头的故事"), True),
        (("The gull", "Re: The gull"), False),  # of posts, which lead to pages of single ones
        (("A diary of the water", "Re: A diary of the water"), False),
        (("A diary of the water", "A diary of the water"), False),
    ],
)
def test_two_entries_that_are_named_apart_are_no_posts(titles: tuple[str, str], is_list: bool) -> None:
    page = "https://gull.example/index3.html"
    entries = "".join(
        f'<li><h2><a href="/p/{number}.html">{title}</a></h2>{TEXT}</li>' for number, title in enumerate(titles)
    )
    tree = parse(f"<html><body><ul>{entries}</ul></body></html>", url=page)
    posts = tuple(Post("Tilda", None, "The lock keeper", n, xpath=f"/html/body/ul/li[{n}]") for n in (1, 2))
    thread = Document(page, Kind.THREAD, 1.0, "The Gull", posts=posts)
    assert is_overview(thread, tree, {page}) is is_list
