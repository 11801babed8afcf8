"""Articles, threads, boards and listings are told from each other, and from error pages and empty shells."""

from math import log1p

import pytest

from tests.discovery.forum_pages import ENGINES, Engine
from thresher.extraction.extractor import extract
from thresher.extraction.kind import KINDS, decide
from thresher.extraction.kinds.features import FEATURES
from thresher.model import Kind
from thresher.sample import SampleWeb

SENTENCE = "The ferry to the islands runs again, and the harbour is as full as it was before the storm. "
CHINESE = "开往海岛的渡轮在暴风雨之后恢复了运行，码头上的乘客和往年的夏天一样多，船票已经卖到了下个月的月底。"
MENU = "<ul>" + "".join(f"<li><a href=/s{n}>Section number {n}</a>" for n in range(20)) + "</ul>"


def paragraphs(count: int, text: str = SENTENCE * 2) -> str:
    """Return paragraphs of the same words, no two alike."""
    return "".join(f"<p>{text[7 * number :] + text[: 7 * number]}</p>" for number in range(count))


def teasers(count: int) -> str:
    return "".join(
        f"<div><h2><a href=/a{n}>A headline with number {n}</a></h2><p>{SENTENCE}</p></div>" for n in range(count)
    )


def kind_of(body: str, url: str | None = None) -> Kind:
    return extract(f"<html><head><title>Daily Grain</title></head><body>{body}</body></html>", url).kind


@pytest.mark.parametrize(
    "body",
    [
        MENU + "<h1>The ferry runs</h1>" + paragraphs(6) + MENU,
        "<h1>The ferry runs</h1>" + paragraphs(2),
        MENU + "<h1>渡轮恢复运行</h1>" + paragraphs(5, CHINESE) + MENU,
        MENU + "<div>" + "<br><br>".join([SENTENCE * 2] * 8) + "</div>" + MENU,
        "<h1>The ferry runs</h1>" + paragraphs(8) + "<h3>Related</h3>" + teasers(3),
    ],
)
def test_pages_of_prose_are_articles(body: str) -> None:
    document_kind = kind_of(body)
    assert document_kind is Kind.ARTICLE


@pytest.mark.parametrize(
    "body", [MENU + teasers(12), teasers(25) + MENU, MENU * 4, MENU + "<p>The latest of all.</p>" + MENU]
)
def test_pages_of_links_and_teasers_are_listings(body: str) -> None:
    assert kind_of(body) is Kind.LISTING
    assert kind_of(body, "http://e.com/") is Kind.LISTING


def test_goods_with_a_text_below_are_a_listing() -> None:
    goods = "".join(
        f"<li><a href=/p{n}><img src=/{n}.jpg></a><h3><a href=/p{n}>Enamel kettle in colour {n}</a></h3>"
        f"<span>${n}9.90</span><a href=/c>Add to cart</a></li>"
        for n in range(1, 19)
    )
    shop = "<a href=/cart>Cart</a><a href=/w>Wishlist</a><div>Sort by</div><div>Price</div><div>Brand</div>"
    body = f"{shop}<h1>Kettles</h1><ul>{goods}</ul><div><h2>Which kettle is right?</h2>{paragraphs(5)}</div>"
    assert kind_of(body) is Kind.LISTING
    assert kind_of(body, "http://e.com/kitchen/kettles/") is Kind.LISTING


def test_an_article_in_a_shops_magazine_stays_an_article() -> None:
    shop = "<a href=/cart>Cart</a><a href=/w>Wishlist</a><a href=/s>Sale</a><a href=/g>Gift cards</a>"
    body = f"{shop}<h1>Why old kettles sing</h1><p>By Ada Marsh, 12 March 2019</p><div>{paragraphs(8)}</div>"
    assert kind_of(body) is Kind.ARTICLE


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript>",
        "<div id=root></div><noscript><b>You need to <i>enable</i> JavaScript to run this app.</b></noscript>",
        "<h1>404 Not Found</h1><p>The page that you are looking for is not here.</p><hr>nginx",
        "<form><label>Name of the user</label><input><label>Password of the user</label><input></form>",
    ],
)
def test_error_pages_and_empty_shells_are_something_else(body: str) -> None:
    document = extract(f"<title>x</title>{body}")
    assert document.kind is Kind.OTHER
    assert not document.verdict.valid


def test_the_confidence_is_a_share() -> None:
    for body in ("", MENU, paragraphs(1), paragraphs(50)):
        assert 0 <= extract(body).confidence <= 1


def test_the_evidence_says_what_was_counted() -> None:
    assert "6 blocks of prose" in extract(paragraphs(6)).evidence["kind"].raw


@pytest.mark.parametrize("engine", ENGINES[:4], ids=lambda engine: engine.name)
def test_thread_lists_and_front_pages_of_forums_are_boards(engine: Engine) -> None:
    assert extract(engine.board_page()).kind is Kind.BOARD
    assert extract(engine.front_page()).kind is Kind.BOARD


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_no_thread_list_is_kept_as_a_document(engine: Engine) -> None:
    assert extract(engine.board_page()).kind not in (Kind.ARTICLE, Kind.THREAD)


def test_every_article_and_thread_of_the_sample_web_is_told_as_one() -> None:
    web = SampleWeb(60)
    expected = web.expected_urls()
    for url in expected.articles:
        assert extract(web.answer(url).body, url).kind is Kind.ARTICLE, url
    for url in expected.threads | expected.thread_pages:
        assert extract(web.answer(url).body, url).kind is Kind.THREAD, url


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_lists_of_two_or_three_dated_teasers_are_no_threads(seed: int) -> None:
    for pages in (10, 20):
        web = SampleWeb(pages, seed)
        for url in web.expected_urls().listings:
            assert extract(web.answer(url).body, url).kind not in (Kind.ARTICLE, Kind.THREAD), (pages, url)


def test_chances_of_all_kinds_add_up_to_one() -> None:
    row = [0.0] * len(FEATURES)
    row[FEATURES.index("size")] = 9.0
    likely = decide(row, [0.2, 0.9, 0.1, 0.1, 0.0])
    assert sum(likely.values()) == pytest.approx(1)
    assert max(KINDS, key=lambda kind: likely[kind]) is Kind.THREAD


def test_a_text_in_sections_is_one_article_wherever_its_sections_stand() -> None:
    row = dict.fromkeys(FEATURES, 0.0) | {"size": 8.4, "headlines": 6, "odds": 6, "chosen_share": 0.88, "compact": 0.8}
    row |= {"own_heads_plain": 3, "cores": 5, "core_share": 0.3}
    as_listing, as_thread = [0.2, 0.0, 0.0, 0.3, 0.0], [0.1, 0.7, 0.0, 0.1, 0.0]
    some_dates = row | {"posts_n": 6, "posts_chosen": 1, "posts_dates": 0.6}
    all_dated = some_dates | {"posts_dates": 1}
    assert best_of(row, as_listing) is Kind.ARTICLE
    assert best_of(some_dates, as_thread) is Kind.ARTICLE
    assert best_of(all_dated, as_thread) is Kind.THREAD
    assert best_of(row | {"own_heads_plain": 0}, as_listing) is Kind.LISTING


def best_of(row: dict[str, float], given: list[float]) -> Kind:
    likely = decide(list(row.values()), given)
    return max(KINDS, key=lambda kind: likely[kind])


def test_a_page_of_a_wiki_is_an_article() -> None:
    contents = "".join(f"<li><a href='#part{number}'>The part numbered {number}</a></li>" for number in range(4))
    parts = "".join(
        f"<h2 id=part{number}>The part numbered {number}</h2><div class=level2>{paragraphs(3)}</div>"
        for number in range(4)
    )
    tools = "".join(f"<li><a href='/wiki?do={word}'>{word} this page</a></li>" for word in ("Edit", "Watch", "Move"))
    html = (
        f"<title>harbour [The Book]</title><h1 class=logo><a href=/>The Book</a></h1><ul>{contents}</ul>"
        f"<h1>The harbour of Brackwater</h1><div class=level1>{paragraphs(2)}</div>{parts}"
        f"<div>harbour.txt · Last modified: 2024/09/26 00:48 by <bdi>Katya Okafor</bdi></div><ul>{tools}</ul>"
    )
    document = extract(html, "http://wiki.example/wiki?id=harbour:12")
    assert (document.kind, document.authors) == (Kind.ARTICLE, ("Katya Okafor",))


def test_three_posts_of_a_paragraph_or_two_are_no_endless_page_of_articles() -> None:
    row = dict.fromkeys(FEATURES, 0.0) | {"size": 7.1, "odds": 4, "core_share": 1, "chosen_share": 0.4}
    row |= {"posts_n": 3, "posts_chosen": 1, "posts_dates": 1}
    given = [0.03, 0.97, 0.0, 0.0, 0.0]
    assert best_of(row | {"posts_own": log1p(300)}, given) is Kind.THREAD
    assert best_of(row | {"posts_own": log1p(900)}, given) is Kind.ARTICLE
