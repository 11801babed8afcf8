"""The authors are named by structured data, or by a byline."""

import pytest

from thresher.extraction.blocks import cut
from thresher.extraction.fields.authors import find_authors
from thresher.extraction.fields.clues import gather
from thresher.extraction.fields.named_links import find_named_links
from thresher.extraction.fields.near import look_near
from thresher.html import parse


def authors_of(html: str, site_name: str | None = None, url: str | None = None) -> tuple[str, ...]:
    tree = parse(html, url=url)
    clues = gather(tree)
    title = clues.headings[0] if clues.headings else ""
    found = find_authors(tree, clues, look_near(cut(tree.body, bare=True), title), site_name)
    return found.value if found else ()


def json_ld(author: str) -> str:
    return f'<script type="application/ld+json">{{"@type": "Article", "author": {author}}}</script>'


@pytest.mark.parametrize(
    ("html", "names"),
    [
        (json_ld('{"@type": "Person", "name": "Ann Miller"}'), ("Ann Miller",)),
        (json_ld('[{"name": "Ann Miller"}, {"name": "Bo Li"}]'), ("Ann Miller", "Bo Li")),
        (json_ld('"Ann Miller &amp; Bo Li"'), ("Ann Miller", "Bo Li")),
        ("<meta name=author content='By Ann Miller and Bo Li'>", ("Ann Miller", "Bo Li")),
        ("<p>x <a rel='nofollow author' href=/a>Ann Miller</a>", ("Ann Miller",)),
        ("<h1>Ferry</h1><p>By Ann Miller for the Grain</p>", ("Ann Miller",)),
        ("<h1>渡轮恢复</h1><p>来源：新华网 作者：王小明 编辑：李四</p>", ("王小明",)),
        (
            "<p>x</p><span class='byline'> by <span class='author vcard'><a>Ann Miller</a></span></span>",
            ("Ann Miller",),
        ),
        ("<p>x</p><div itemprop=author>Ann Miller</div>", ("Ann Miller",)),
        ("<p>Von Jürgen Groß</p>", ("Jürgen Groß",)),
        (json_ld('{"name": "Ann Miller"}, "creator": ["Ann Miller", "Bo Li"]'), ("Ann Miller", "Bo Li")),
        (json_ld('{"name": "Ann Miller @annmiller"}'), ("Ann Miller",)),
        (json_ld('"By Ann Miller And Bo Li For The Sunday Grain"'), ("Ann Miller", "Bo Li")),
        (json_ld('"Ann Miller/Bo Stone"'), ("Ann Miller", "Bo Stone")),
        ("<h1>Ferry</h1><span class='vcard author'>Loïc Le Clerc</span>", ("Loïc Le Clerc",)),
        ("<h1>Ferry</h1><div class=author-name>Bo2man am 5.6.2016</div>", ("Bo2man",)),
        ("<h1>Ferry</h1><a class='post-author-name' href=/author/ann/>Ann</a>", ("Ann",)),
        ("<h1>Ferry</h1><p>x</p><div class=author-bio><h3>Ann Miller</h3><p>Writes.</p></div>", ("Ann Miller",)),
        ("<h1>Ferry</h1><p>5.6.2016 - Ann Miller</p>", ("Ann Miller",)),
        ("<h1>Ferry</h1><p>Ein Artikel von Ann Miller | 5.6.2016</p>", ("Ann Miller",)),
        ("<h1>Ferry</h1><p>Gespeichert von annm am 5. Juni 2016 - 18:55</p>", ("annm",)),
        ("<h1>Ferry</h1><p>Publié par Ann Miller le 5 juin 2016</p>", ("Ann Miller",)),
        ("<h1>Ferry</h1><p>x</p><dl><dt>Autor:</dt><dd>Ann Miller/SP</dd></dl>", ("Ann Miller",)),
        ("<h1>Ferry</h1><p>x</p>" + "<p>y</p>" * 20 + "<p>Erstellt von Ann Miller</p>", ("Ann Miller",)),
        ("<h1>Ferry</h1><p>5.6.2016 - Redaktion: Ann Miller (Sprecherin)</p>", ("Ann Miller",)),
        ("<h1>Ferry</h1><h2 class=author__name>Ann Miller</h2>", ("Ann Miller",)),
        ("<h1>Ferry</h1><p>x</p><p>Autoren: Ann Miller und Bo Stone</p>", ("Ann Miller", "Bo Stone")),
    ],
)
def test_names_are_found(html: str, names: tuple[str, ...]) -> None:
    assert authors_of(html) == names


@pytest.mark.parametrize(
    "html",
    [
        "<p>text",
        "<meta name=author content='https://facebook.com/grain'>",
        "<meta name=author content=admin>",
        "<p>By the time the ferry came back to the islands it was late and all the people were gone home.</p>",
        "<h1>Ferry</h1>" + "<p>x</p>" * 20 + "<span class=mediaBox__byline>Ann Miller</span>",
        "<h1>Ferry</h1>" + "<p>x</p>" * 20 + "<p>Ein Kommentar von Ann Miller</p>",
        "<h1>Ferry</h1><div class=author-box><h3>Recent Posts</h3></div>",
        json_ld("null"),
        json_ld('{"name": {"first": 1}}'),
    ],
)
def test_what_is_no_name_is_left_out(html: str) -> None:
    assert authors_of(html, "Daily Grain") == ()


def test_an_organization_counts_only_where_no_person_is_shown() -> None:
    told = json_ld('{"@type": "Organization", "name": "Klima Grain"}')
    assert authors_of(f"{told}<h1>Ferry</h1><h5 class=field-author>Ann Miller</h5>") == ("Ann Miller",)
    assert authors_of(f"{told}<h1>Ferry</h1><p>Some text</p>") == ("Klima Grain",)


def test_the_name_of_the_host_with_an_article_is_that_of_the_site() -> None:
    html = "<meta name=author content='Die Furche'><h1>Ferry</h1><p>Von Ann Miller</p><p>Die Furche</p>"
    assert authors_of(html, url="https://www.furche.example/a") == ("Ann Miller",)


def test_a_site_named_after_a_person_is_that_persons() -> None:
    html = "<title>Ferry | Ann Miller</title><h1>Ferry</h1><p>Some text</p>"
    assert authors_of(html, url="https://annmiller.example/a") == ("Ann Miller",)
    assert authors_of(html, url="https://grain.example/a") == ()
    assert authors_of(html.replace("Ann Miller", "Grain Mills"), url="https://grainmills.example/a") == ()


def test_words_below_the_title_are_nobody() -> None:
    assert authors_of("<h1>Ferry</h1><p>Lifetime Warranty</p><p>Some text</p>") == ()
    assert authors_of("<h1>Ferry</h1><p>Hannah Miller</p><p>Some text</p>") == ("Hannah Miller",)


@pytest.mark.parametrize(
    ("told", "shown", "names"),
    [
        ("annm", "<p>By Ann Miller</p>", ("Ann Miller",)),
        ("Daily Grain", "<p>By Ann Miller</p>", ("Ann Miller",)),
        ("Daily Grain", "<p>Some text</p>", ("Daily Grain",)),
        ("Grain Staff", "<p>By Ann Miller</p>", ("Ann Miller",)),
        ("Grain Staff", "<p>Some text</p>", ("Grain Staff",)),
        ("Bo Li", "<p>By Ann Miller</p>", ("Ann Miller",)),
        ("Bo Li", "<p>By Ann Miller</p><p>Edited by Bo Li</p>", ("Ann Miller",)),
        ("Bo Li", "<p>Some text</p>", ("Bo Li",)),
    ],
)
def test_a_login_the_name_of_the_site_or_one_that_is_not_shown_counts_only_without_a_better_one(
    told: str, shown: str, names: tuple[str, ...]
) -> None:
    assert authors_of(f"<meta name=author content='{told}'><h1>The ferry</h1>{shown}", "Daily Grain") == names


def test_a_reporter_counts_before_the_name_of_a_paper() -> None:
    ld = '<script type="application/ld+json">{"@type": "NewsArticle", "author": "渡轮日报"}</script>'
    assert authors_of(f"{ld}<h1>渡轮恢复运行了</h1><p>渡轮日报记者 王小明</p>") == ("王小明",)
    assert authors_of(f"{ld}<h1>渡轮恢复运行了</h1><p>编辑：王小明</p>") == ("渡轮日报",)


@pytest.mark.parametrize(
    ("metas", "names"),
    [
        (
            "<meta name=citation_author content='Miller, Ann'><meta name=citation_author content='Li, Bo'>",
            ("Ann Miller", "Bo Li"),
        ),
        (
            "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Ann Miller'>",
            ("Ann Miller",),
        ),
        (
            "<meta property=article:author content='http://e.com/a'><meta name=parsely-author content='Bo Li'>",
            ("Bo Li",),
        ),
    ],
)
def test_meta_elements_name_authors(metas: str, names: tuple[str, ...]) -> None:
    assert authors_of(metas) == names


def test_the_pictures_of_a_page_have_other_authors() -> None:
    html = "<meta name=author content='Ann Miller'><figure><meta itemprop=author content='Bo Li'></figure>"
    assert authors_of(html) == ("Ann Miller",)


PROSE = "<p>The ferry to the islands runs again, and the harbour is as full as it was before the storm came in.</p>"


def test_a_byline_near_the_title_is_taken_before_elements_elsewhere() -> None:
    other = f"{PROSE * 20}<div class=author>Bob Stone</div>"
    assert authors_of(f"<h1>Ferry</h1><p>By Ann Miller</p>{other}") == ("Ann Miller",)
    assert authors_of(f"<h1>Ferry</h1>{other}") == ("Bob Stone",)
    links = "<a rel=author href=/a>Ann Miller</a>, Bo Stone and Bob Moss"
    assert authors_of(f"<h1>Ferry</h1><p>By {links}</p>{PROSE}") == ("Ann Miller", "Bo Stone", "Bob Moss")


def test_who_posted_a_page_gives_way_to_the_byline_that_it_shows() -> None:
    told = json_ld('{"name": "Bob Stone"}')
    page = f"{told}<h1>Ferry</h1><p>By Ann Miller</p>{PROSE * 20}<p>Posted: Bob Stone</p>"
    assert authors_of(page) == ("Ann Miller",)


@pytest.mark.parametrize(
    ("href", "names"),
    [
        ("/a/ann-miller", ["Ann Miller"]),
        ("https://e.com/AnnMiller.html", ["Ann Miller"]),
        ("/tag/ann-miller", []),
        ("/harbour", []),
    ],
)
def test_a_link_named_after_a_person(href: str, names: list[str]) -> None:
    tree = parse(f"<h1>Ferry</h1><h2>Harbour</h2><p><a href='{href}'>Ann Miller</a></p>{PROSE}")
    assert list(find_named_links(tree, look_near(cut(tree.body, bare=True), "Ferry"))) == names


@pytest.mark.parametrize("credit", ["<div id=byline>annm</div>", "<p id=author_name>annm</p>"])
def test_an_id_may_say_who_it_is(credit: str) -> None:
    assert authors_of(f"<h1>Ferry</h1><h2>Harbour</h2>{credit}{PROSE}") == ("annm",)
    assert authors_of(f"<h1>Ferry</h1><h2>Harbour</h2>{credit.replace('id=', 'id=no')}{PROSE}") == ()


def test_an_office_is_nobody() -> None:
    assert authors_of(f"<h1>Ferry</h1><h2>Harbour</h2><p class=author-name>Contributing Editor</p>{PROSE}") == ()


PARAGRAPHS = "<p>开往海岛的渡轮恢复了运行，船上的乘客和暴风雨之前一样多，码头上的商店也都开了门。</p>" * 4


@pytest.mark.parametrize(
    ("meta", "title", "names"),
    [
        ("海港日报", "渡轮恢复运行了", ()),
        ("海港", "渡轮恢复运行了_海港新闻中心", ()),
        ("haigang", "渡轮恢复运行了 - 海港网", ()),
        ("haigang", "渡轮恢复运行了 - haigang 的日记", ("haigang",)),
        ("老渔夫", "渡轮恢复运行了", ("老渔夫",)),
        ("王小明", "渡轮恢复运行了", ("王小明",)),
    ],
)
def test_chinese_pages_are_not_by_the_site_that_meta_names(meta: str, title: str, names: tuple[str, ...]) -> None:
    head = f"<title>{title}</title><meta name=author content='{meta}'>"
    html = f"{head}<h1>渡轮恢复运行了</h1><p>2016-06-02 09:30</p>{PARAGRAPHS}"
    assert authors_of(html, url="http://www.haigang.com/1.html") == names


@pytest.mark.parametrize(
    ("credit", "names"),
    [
        ("<div class=author>正有 <span>2</span> 人评论</div>", ()),
        ("<div class=author>大陸新聞組上海8日電</div>", ()),
        ("<div class=byline>(AFP) – <span>11 小時前</span></div>", ()),
        ("<div class=author>老渔夫</div>", ("老渔夫",)),
        ("<div class=author>渔夫</div>", ("渔夫",)),
    ],
)
def test_words_of_lists_desks_and_agencies_are_no_authors_of_chinese_pages(credit: str, names: tuple[str, ...]) -> None:
    assert authors_of(f"<h1>渡轮恢复运行了</h1>{credit}{PARAGRAPHS}") == names


def test_several_who_are_credited_far_from_a_chinese_title_are_of_columns() -> None:
    column = "<p><a href=/author/{0}>{0}</a>：海岛往事</p>"
    page = f"<h1>渡轮恢复运行了</h1>{PARAGRAPHS}" + "<p>x</p>" * 20
    assert authors_of(page + column.format("王小明")) == ("王小明",)
    assert authors_of(page + column.format("王小明") + column.format("李小舟")) == ()


@pytest.mark.parametrize("maker", ["Harbour Media S.A.", "PortNet sp. z o.o.", "hafen.example.com"])
def test_the_maker_of_a_site_is_nobody_where_only_a_meta_element_tells_it(maker: str) -> None:
    told = f"<meta name=author content='{maker}'>"
    assert authors_of(f"{told}<h1>Ferry</h1>{PROSE}") == ()
    assert authors_of(f"{told}<h1>Ferry</h1><p>By Ann Miller</p>{PROSE}") == ("Ann Miller",)


@pytest.mark.parametrize("word", ["Thursday", "Publiziert", "shutterstock"])
def test_a_day_and_a_stamp_are_nobody(word: str) -> None:
    assert authors_of(f"<h1>Ferry</h1><h2>Harbour</h2><p class=author-name>{word}</p>{PROSE}") == ()


def test_a_stamp_may_end_with_the_author() -> None:
    credit = "<p class=byline>Veröffentlicht am 5. Mai 2016 von annm</p>"
    assert authors_of(f"<h1>Ferry</h1><h2>Harbour</h2>{credit}{PROSE}") == ("annm",)


def test_a_login_between_title_and_date_is_the_author_unless_a_section_is_called_so() -> None:
    page = f"<h1>The ferry runs again</h1><p>annm_92</p><p>5 May 2016</p>{PROSE * 20}"
    assert authors_of(page) == ("annm_92",)
    assert authors_of(f"<p>annm_92 (12)</p>{page}") == ()


STORY = (
    "<p>The council met on Monday, and the benches were as full as they had not been since the flood of last year.</p>"
    "<p>“It was about time,” said Nadia Moore, who runs a shop near the square and has been to every meeting.</p>"
)


@pytest.mark.parametrize("name", ["Wendy Kerr", "Carys Yates", "周春兰"])
@pytest.mark.parametrize("foot", ["<footer>", "<footer class=entry-footer>", "<div class=post-footer>"])
def test_the_byline_may_stand_in_the_foot_of_the_article(name: str, foot: str) -> None:
    byline = f"<span class=byline>By <a href='/author/u17' rel=author>{name}</a></span></footer></div>"
    page_foot = "<footer class=site-footer>Theme: <a rel=author href=/m>Max Miller</a></footer>"
    title = "市民关注图书馆开放时间" if name == "周春兰" else "Council rethinks library hours"
    html = f"<h1>{title}</h1><article>{STORY}{foot}Published May 3, 2016 {byline}</article>{page_foot}"
    assert authors_of(html) == (name,)


def test_one_of_several_who_are_credited_below_the_text_is_not_guessed() -> None:
    credits = "".join(
        f"<article><footer>On boats <a rel=author href=/{n}>{n}</a></footer></article>" for n in ("Xu Qo", "Vy Zz")
    )
    assert authors_of(f"<h1>Council rethinks library hours</h1>{STORY * 8}{credits}") == ()


@pytest.mark.parametrize(
    "line",
    [
        "harbour.txt · Last modified: 2024/09/26 00:48 by Katya Okafor",
        "This page was last edited on 26 September 2024, at 00:48 by Katya Okafor.",
        "Last changed by Katya Okafor, 26 September 2024",
    ],
)
def test_who_changed_a_page_last_counts_where_nobody_signs_it(line: str) -> None:
    assert authors_of(f"<h1>Council rethinks library hours</h1>{STORY * 3}<div>{line}</div>") == ("Katya Okafor",)
    signed = f"<h1>Council rethinks library hours</h1><p>By Ann Miller</p>{STORY * 3}<div>{line}</div>"
    assert authors_of(signed) == ("Ann Miller",)
