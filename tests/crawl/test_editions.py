"""AMP, print and canonical pages, crawled with the real command: one document each, and no page fetched for nothing."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import run
from tests.crawl import paged_site
from tests.crawl.harness import ENVIRON
from tests.crawl.paged_site import TRAM, WALK
from tests.watching.site import STORY
from thresher import wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus


def page(title: str, head: str, *paragraphs: str, html: str = "<html>", links: str = "") -> str:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    head = f"<head><title>{title}</title>{head}</head>"
    return f"<!doctype html>{html}{head}<body><article><h1>{title}</h1>{text}</article>{links}</body></html>"


def site() -> dict[str, str]:
    """A story with editions that its main page names, one whose AMP page is listed, and pages that lie."""
    amp = '<link rel="amphtml" href="/walk/amp">'
    printing = '<a href="/walk/print">Print</a> <a href="/more">More</a>'
    told = [f"{one} {other}" for one, other in zip(STORY, STORY[::-1], strict=True)]
    of_walk, of_tram = '<link rel="canonical" href="/walk">', '<link rel="canonical" href="/tram">'
    home, lie = '<link rel="canonical" href="/">', '<link rel="canonical" href="/walk">'
    return {
        "/": "<html><head><title>Harbour News</title></head><body>"
        + "".join(f'<p><a href="{path}">All of {path}</a></p>' for path in LISTED)
        + "</body></html>",
        "/walk": page("The walk", amp, *WALK, links=printing),
        "/walk/amp": page("The walk", of_walk, *WALK, html="<html amp>"),
        "/walk/print": page("The walk", of_walk, *WALK),
        "/tram": page("The tram, in full", "", *TRAM),
        "/tram?amp=1": page("The tram", of_tram, *TRAM[:-1], html="<html ⚡>"),
        "/home": page("Nobody at the harbour", home, *told),
        "/liar": page("A winter on the ice", lie, *STORY[::-1], *STORY[2:]),
    }


LISTED = ("/walk", "/tram?amp=1", "/home", "/liar")
MORE = "<html><head><title>More</title></head><body>" + "".join(
    f'<p><a href="{path}">More of {path}</a></p>' for path in ("/walk/amp", "/walk/print", "/tram")
)


@pytest.fixture
def asked() -> list[str]:
    return []


@pytest.fixture
def origin(asked: list[str]) -> Iterator[str]:
    class Pages(dict[str, str]):
        def get(self, path: str, default: str | None = None) -> str | None:  # type: ignore[override]
            asked.append(path)
            return super().get(path, default)

    with paged_site.served(Pages(site() | {"/more": MORE})) as origin:
        yield origin


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    opened = wiring.open_corpus(Settings(data=str(tmp_path)))
    yield opened
    opened.close()


def thresher(data: Path, *args: str) -> str:
    ended = run("--data", str(data), *args, environ=os.environ | ENVIRON)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def stored(corpus: Corpus, origin: str) -> list[str]:
    return sorted((found.url or "").removeprefix(origin) for found in corpus.store.documents())


def test_the_editions_of_a_page_are_one_document(corpus: Corpus, tmp_path: Path, origin: str, asked: list[str]) -> None:
    thresher(tmp_path, "crawl", f"{origin}/", "--delay", "0", "--progress", "none")
    assert stored(corpus, origin) == ["/home", "/liar", "/tram", "/walk"]
    assert corpus.index.count() == 4
    assert "/walk/amp" not in asked
    assert "/walk/print" not in asked
    assert asked.count("/tram") == 1
    assert "edition, status 200): another version" in thresher(tmp_path, "why", f"{origin}/tram?amp=1")
    assert "copy" in thresher(tmp_path, "why", f"{origin}/walk/amp")
    shown = thresher(tmp_path, "show", f"{origin}/tram?amp=1")
    assert "The tram, in full" in shown
    assert TRAM[-1] in shown


def test_an_edition_that_is_found_first_leads_to_the_main_page(corpus: Corpus, tmp_path: Path, origin: str) -> None:
    thresher(tmp_path, "crawl", f"{origin}/walk/amp", "--delay", "0", "--progress", "none", "--max-depth", "0")
    assert stored(corpus, origin) == ["/walk"]
