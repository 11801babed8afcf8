"""The links to the items of a listing are found without any pattern, and learned from what became of others."""

from thresher.discovery.links import discover
from thresher.discovery.listings import article_links, is_hub, score_links, shape_of, with_articles
from thresher.html import Tree, parse
from thresher.urls import kind_of

URL = "https://islands.example/news"
TITLES = [
    "The ferry to the islands is late again",
    "A storm has closed the small harbour",
    "Two new boats will be built in spring",
    "Why the lighthouse keeper stays at home",
    "The school on the northern island opens",
]
MENU = "".join(f'<li><a href="/{name}">{name.title()}</a></li>' for name in ("home", "sport", "culture", "contact"))
FOOT = "".join(f'<a href="/{name}">{name.title()}</a> ' for name in ("imprint", "privacy", "terms", "jobs"))


def slug(title: str) -> str:
    return title.lower().replace(" ", "-")


def listing(titles: list[str]) -> Tree:
    items = "".join(
        f'<li class="teaser"><h3><a href="/2026/11/{slug(title)}">{title}</a></h3><time>16 November 2026</time>'
        f'<p>What happened on the islands, in a few words. <a href="/author/ann">Ann Berg</a></p></li>'
        for title in titles
    )
    html = f"<nav><ul>{MENU}</ul></nav><main><h1>News</h1><ul>{items}</ul></main><footer>{FOOT}</footer>"
    return parse(f"<html><body>{html}</body></html>", url=URL)


def wanted(titles: list[str]) -> set[str]:
    return {f"https://islands.example/2026/11/{slug(title)}" for title in titles}


def test_the_teasers_of_a_section_are_its_articles_and_menus_are_not() -> None:
    assert {link.url for link in article_links(listing(TITLES), URL)} == wanted(TITLES)


def test_chinese_titles_count_by_their_width() -> None:
    rows = "".join(
        f'<li><a href="/a/{n}.html">渡轮今天又晚点了岛民等候{n}小时</a><span>2026-11-1{n}</span></li>' for n in range(8)
    )
    tree = parse(f"<html><body><nav><ul>{MENU}</ul></nav><ul class='list'>{rows}</ul></body></html>", url=URL)
    assert {link.url for link in article_links(tree, URL)} == {f"https://islands.example/a/{n}.html" for n in range(8)}


def test_links_come_with_the_surest_first_and_say_why() -> None:
    links = score_links(listing(TITLES), URL)
    assert [link.score for link in links] == sorted((link.score for link in links), reverse=True)
    assert links[0].text in TITLES
    assert links[0].reasons


def test_a_page_of_menus_alone_is_no_hub() -> None:
    assert is_hub(score_links(listing(TITLES), URL))
    assert not is_hub(score_links(listing([]), URL))


def test_what_became_of_links_before_outweighs_their_looks() -> None:
    tree = listing(TITLES)
    assert "https://islands.example/sport" not in {link.url for link in article_links(tree, URL)}
    kind = kind_of("https://islands.example/sport")
    learned = article_links(tree, URL, {kind: (10**6, 0), kind_of(next(iter(wanted(TITLES)))): (0, 10**6)})
    assert {link.url for link in learned} == {"https://islands.example/sport"}
    elsewhere = {kind: (10**6, 0), kind_of(next(iter(wanted(TITLES)))): (0, 10**6)}
    abroad = parse('<html><body><a href="https://other.example/sport">Sport</a></body></html>', url=URL)
    assert article_links(abroad, URL, elsewhere) == []


def test_shapes_mask_numbers_and_slugs_and_keep_sections() -> None:
    assert shape_of("https://a.example/2026/11/the-ferry-is-late.html") == "a.example/#/#/~.html"
    assert shape_of("https://a.example/sport/?page=2&b=1") == "a.example/sport/?b&page"


def test_articles_are_leased_before_the_other_links_of_their_page() -> None:
    tree = listing(TITLES)
    links = with_articles(discover(tree, URL).links, tree, URL)
    articles = {link.url: link.priority for link in links if link.why == "article"}
    assert articles.keys() == wanted(TITLES)
    assert min(articles.values()) > max(link.priority for link in links if link.why == "page")


def test_a_page_without_links_has_no_articles() -> None:
    assert article_links(parse("<html><body><p>Nothing here.</p></body></html>", url=URL), URL) == []
