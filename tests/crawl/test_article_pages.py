"""Articles over several pages, crawled with the real command: one document each, which any of their pages leads to."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.commands import run
from tests.crawl import paged_site
from tests.crawl.harness import ENVIRON
from tests.crawl.paged_site import PORT, TRAM, WALK
from thresher import wiring
from thresher.api.crawls import crawl as crawl_from_python
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.index.query import parse
from thresher.model import Document

WALKS = ("/walk/", "/walk/2/", "/walk/3/")


@pytest.fixture
def pages() -> dict[str, str]:
    return paged_site.site()


@pytest.fixture
def origin(pages: dict[str, str]) -> Iterator[str]:
    with paged_site.served(pages) as origin:
        yield origin


def thresher(data: Path, *args: str) -> str:
    ended = run("--data", str(data), *args, environ=os.environ | ENVIRON)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout + (ended.stderr if args[0] == "crawl" else "")


def crawl(data: Path, origin: str, *flags: str) -> str:
    return thresher(data, "crawl", f"{origin}/", "--delay", "0", "--progress", "none", *flags)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """What is in the folder when it is first asked for."""
    opened = wiring.open_corpus(Settings(data=str(tmp_path)))
    yield opened
    opened.close()


def by_path(corpus: Corpus, origin: str) -> dict[str, Document]:
    return {str(found.url).removeprefix(origin): found for found in corpus.store.documents()}


def paragraphs(document: Document | None) -> list[str]:
    assert document
    return [block.text for block in document.blocks if block.tag == "p"]


def hits(corpus: Corpus, origin: str, words: str) -> list[str]:
    found = corpus.index.search(parse(f'"{words}"', datetime.now(UTC)), limit=100).hits
    return [hit.url.removeprefix(origin) for hit in found]


def test_each_article_is_one_document_with_the_text_of_all_its_pages(
    corpus: Corpus, tmp_path: Path, origin: str
) -> None:
    summary = crawl(tmp_path, origin)
    found = by_path(corpus, origin)
    assert sorted(found) == ["/news/20240508.html", "/post/1", "/post/2", "/post/3", "/seeds/", "/story?id=7", "/walk/"]
    assert corpus.index.count() == len(found)
    assert "7 documents and 6 further article pages" in summary
    assert paragraphs(found["/walk/"]) == list(WALK)
    assert paragraphs(found["/story?id=7"]) == list(TRAM)
    assert paragraphs(found["/news/20240508.html"]) == list(PORT)
    walk = found["/walk/"]
    assert (walk.title, walk.authors) == ("The walk above the harbour", ("Nora Field",))
    assert walk.published == datetime(2024, 5, 6, 8, tzinfo=UTC)
    assert found["/news/20240508.html"].title == "老港口的最后一个夏天"


def test_every_page_leads_to_the_article_and_says_what_it_is(corpus: Corpus, tmp_path: Path, origin: str) -> None:
    crawl(tmp_path, origin)
    assert "article-page, status 200): a further page of an article" in thresher(tmp_path, "why", f"{origin}/walk/2/")
    shown = [json.loads(thresher(tmp_path, "show", origin + path, "-f", "json")) for path in WALKS]
    assert [each["url"] for each in shown] == [f"{origin}/walk/"] * 3
    assert shown[0] == shown[2]
    assert "\n\n".join(WALK) in thresher(tmp_path, "show", f"{origin}/walk/3/", "-f", "md")
    for text in (WALK[0], WALK[3], WALK[5]):
        assert hits(corpus, origin, " ".join(text.split()[:6])) == ["/walk/"]
    assert hits(corpus, origin, PORT[3][:12]) == ["/news/20240508.html"]
    lines = thresher(tmp_path, "export", "-f", "jsonl").splitlines()
    exported = {json.loads(line)["url"]: json.loads(line)["text"] for line in lines}
    assert len(exported) == len(lines) == 7
    assert all(text in exported[f"{origin}/walk/"] for text in WALK)


def test_a_crawl_that_begins_with_a_later_page_finds_the_same(corpus: Corpus, tmp_path: Path, origin: str) -> None:
    starts = [f"{origin}{path}" for path in ("/walk/3/", "/news/20240508_3.html")]
    thresher(tmp_path, "crawl", *starts, "--delay", "0", "--progress", "none", "--limit", "2")
    assert sorted(by_path(corpus, origin)) == ["/news/20240508_3.html", "/walk/3/"]
    thresher(tmp_path, "crawl", *starts, "--delay", "0", "--progress", "none")
    found = by_path(corpus, origin)
    assert paragraphs(found["/walk/"]) == list(WALK)
    assert paragraphs(found["/news/20240508.html"]) == list(PORT)
    assert not {"/walk/2/", "/walk/3/", "/news/20240508_3.html"} & set(found)


def test_pages_of_an_article_are_no_farther_from_the_start(corpus: Corpus, tmp_path: Path, origin: str) -> None:
    crawl(tmp_path, origin, "--max-depth", "1")
    assert paragraphs(corpus.store.document(f"{origin}/walk/")) == list(WALK)
    assert corpus.store.document(f"{origin}/post/2") is None


def test_a_later_crawl_asks_for_no_page_again_and_a_refresh_brings_what_has_changed(
    corpus: Corpus, tmp_path: Path, pages: dict[str, str], origin: str
) -> None:
    crawl(tmp_path, origin)
    before = corpus.store.document(f"{origin}/walk/")
    crawl(tmp_path, origin)
    assert corpus.store.document(f"{origin}/walk/") == before
    pages["/walk/2/"] = pages["/walk/2/"].replace("three islands", "four islands")
    del pages["/walk/3/"]
    crawl(tmp_path, origin, "--refresh")
    text = paragraphs(corpus.store.document(f"{origin}/walk/"))
    assert text == [*WALK[:2], WALK[2].replace("three islands", "four islands"), WALK[3]]
    assert hits(corpus, origin, "sees four islands") == ["/walk/"]
    assert hits(corpus, origin, "When the clinic closed") == []
    assert len(by_path(corpus, origin)) == corpus.index.count() == 7


def test_articles_that_come_one_by_one_come_once_and_whole(tmp_path: Path, origin: str) -> None:
    settings: dict[str, Any] = {"allowed_addresses": ["127.0.0.1"], "delay_s": 0}
    found = list(crawl_from_python(f"{origin}/", data=tmp_path, stream=True, **settings))
    walks = [document for document in found if (document.url or "").startswith(f"{origin}/walk/")]
    assert [paragraphs(document) for document in walks] == [list(WALK)]
    assert len(found) == 7


def test_the_last_page_of_an_article_is_its_own_though_comments_are_most_of_it(
    corpus: Corpus, tmp_path: Path, pages: dict[str, str], origin: str
) -> None:
    said = "".join(
        f'<li class="comment" id="comment-{n}"><article class="comment-body"><div class="vcard">'
        f'<b class="fn">{name}</b> <span>says:</span></div><time datetime="2024-05-0{n}T19:46:00+01:00">'
        f'May {n}, 2024 at 7:46 pm</time><div class="comment-content"><p>{text}</p></div>'
        f'<a href="#respond">Reply</a></article></li>'
        for n, (name, text) in enumerate(
            (
                ("Farid", "Has anybody asked what the benches will cost us in the end?"),
                ("Bela", "Thank you for explaining this so clearly, I had only heard half of it."),
                ("Greasy_hands", "I live around the corner and can confirm every word about the ash."),
            ),
            start=6,
        )
    )
    end = "In winter few people walk here, and nobody sweeps."
    page = pages["/walk/3/"].replace(paged_site.body_of(*WALK[4:]), paged_site.body_of(end))
    pages["/walk/3/"] = page.replace("</main>", f'<div id="comments"><ol class="comment-list">{said}</ol></div></main>')
    crawl(tmp_path, origin)
    found = by_path(corpus, origin)["/walk/"]
    assert paragraphs(found) == [*WALK[:4], end]
    assert found.posts == ()
