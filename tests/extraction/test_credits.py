"""Elements that say they name the author are read, but not those of comments and teasers."""

from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from tests.extraction.learned.pages import some_pages
from thresher.extraction.fields import credits as signed
from thresher.extraction.fields.credits import find_credits
from thresher.html import parse

needs_compiled = pytest.mark.skipif(find_spec("thresher.extraction.fields._signed") is None, reason="not compiled here")
VALUES = (
    *("author", "AUTHOR-name", "Byline x", "Redakteur", "redakteur", "autoris", "comment", "wr\u0131ter", "h", ""),
    *(
        "/authors/ann",
        "/Author/x",
        "http://e.com/team/a",
        "/teams/b/",
        "?author=3",
        "/autho/",
        "//profile/",
        "staff/x/",
        "/u/7",
        "home.php?mod=space",
        "/space-uid-3.html",
        "/@ann",
        "/us/",
        "user-nickname",
        "js_name",
        "author_name",
    ),
)
ELEMENT = st.tuples(
    st.sampled_from(["h1", "a", "p", "div", "span", "section", "td"]),
    st.sampled_from(["class", "CLASS", "rel", "href", "itemprop", "id", "x:class"]),
    st.sampled_from(VALUES),
    st.booleans(),
)


def credited(html: str, title_place: int = 0) -> list[tuple[tuple[str, ...], bool]]:
    return [(credit.names, credit.after_title) for credit in find_credits(parse(html), title_place)]


@pytest.mark.parametrize(
    "credit",
    [
        "<a rel=author href=/x>Ann Miller</a>",
        "<span itemprop=author>Ann Miller</span>",
        "<p class=authorName>Ann Miller</p>",
        "<div class='post-byline'>By <b>Ann Miller</b> on 5 June</div>",
        "<div class=byline><a href=/x>Ann Miller</a><span>The Grain Gazette</span></div>",
        "<div class=author>By <a>Ann Miller</a>. Reviewed by <a>Bo Li</a></div>",
        "<div><span class=author>Ann Miller</span><span class=author>Associate Editor</span></div>",
        "<div class=article__author>Guide by <a>Ann Miller</a></div>",
        "<li><a href='/authors/ann-miller'>Ann Miller</a></li>",
        "<div class=author-box><div class=author-image>Picture</div><div class=author-name>Ann Miller</div></div>",
    ],
)
def test_a_credit_names_the_author(credit: str) -> None:
    assert credited(f"<h1>Ferry</h1>{credit}<p>text")[0] == (("Ann Miller",), True)


def test_authors_side_by_side_belong_together() -> None:
    names = "<div><span class=author>Ann Miller</span> <span class=author>Bo Li</span></div>"
    assert credited(f"<h1>Ferry</h1>{names}")[0][0] == ("Ann Miller", "Bo Li")
    assert credited("<h1>Ferry</h1><div class=byline><b>Ann Miller</b> and <b>Bo Li</b></div>")[0][0] == (
        "Ann Miller",
        "Bo Li",
    )


def test_a_credit_before_the_title_says_so() -> None:
    assert credited("<p class=author>Ann Miller</p><h1>Ferry</h1>") == [(("Ann Miller",), False)]
    assert credited("<h1>Grain</h1><p class=author>Ann Miller</p><h1>Ferry</h1>", 1) == [(("Ann Miller",), False)]


def test_a_box_about_the_author_names_one() -> None:
    assert credited("<h1>Ferry</h1><p class=author-bio>Ann Miller</p>") == [(("Ann Miller",), True)]


@pytest.mark.parametrize(
    "html",
    [
        "<div class=comments><p class=author>Ann Miller</p></div>",
        "<aside><p class=author>Ann Miller</p></aside>",
        "<article class=teaser-card><p class=author>Ann Miller</p></article>",
        "<p class=authority>Ann Miller</p>",
        "<p class=byline>5 June 2016</p>",
    ],
)
def test_what_is_no_credit(html: str) -> None:
    assert credited(f"<h1>Ferry</h1>{html}") == []


def is_heading_or_credit(element: etree._Element) -> bool:
    return element.tag == "h1" or signed._kind_of(element, signed._hint_of(element)) is not None


def assert_agree(html: str) -> None:
    body = parse(html).body
    told = [
        each for each in body.iter(*signed._TAGS) if each.tag == "h1" or signed._kind_of(each, signed._hint_of(each))
    ]
    found = list(signed._candidates(body, is_cjk=False))
    assert [each for each in found if each.tag == "h1" or signed._kind_of(each, signed._hint_of(each))] == told
    told = [each for each in body.iter(*signed._TAGS) if signed._account_kind(each, signed._hint_of(each))]
    found = list(signed._candidates(body, is_cjk=True))
    assert [each for each in found if signed._account_kind(each, signed._hint_of(each))] == told


@needs_compiled
@settings(max_examples=300)
@given(st.lists(ELEMENT, max_size=20))
def test_the_compiled_search_overlooks_no_credit(elements: list[tuple[str, str, str, bool]]) -> None:
    parts = [f"<{tag} {name}='{value}'>t{f'</{tag}>' * closed}" for tag, name, value, closed in elements]
    assert_agree("".join(parts))


@needs_compiled
@pytest.mark.corpus
def test_the_compiled_search_overlooks_no_credit_of_labelled_pages() -> None:
    for html in some_pages():
        assert_agree(html)
