"""Documents and links survive being plain data."""

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from thresher.model import Document, Evidence, Kind, Link
from thresher.model.codec import document_from_dict, document_to_dict, links_from_dict, links_to_dict
from thresher.model.content import Block, Post, Span
from thresher.model.document import Verdict

TEXT = st.text(max_size=5)
MAYBE = st.none() | TEXT
MOMENTS = st.none() | st.datetimes() | st.datetimes(timezones=st.just(UTC))
BLOCKS = st.builds(Block, st.lists(st.builds(Span, TEXT, href=MAYBE), max_size=3).map(tuple), TEXT, TEXT, TEXT)
POSTS = st.builds(
    Post,
    author=MAYBE,
    published=MOMENTS,
    text=TEXT,
    position=st.integers(),
    quotes=st.lists(TEXT, max_size=2).map(tuple),
    xpath=TEXT,
)
DOCUMENTS = st.builds(
    Document,
    url=MAYBE,
    kind=st.sampled_from(Kind),
    confidence=st.floats(0, 1),
    title=TEXT,
    blocks=st.lists(BLOCKS, max_size=3).map(tuple),
    authors=st.lists(TEXT, max_size=2).map(tuple),
    published=MOMENTS,
    language=MAYBE,
    links=st.lists(TEXT, max_size=2).map(tuple),
    posts=st.lists(POSTS, max_size=2).map(tuple),
    canonical_url=MAYBE,
    site=MAYBE,
    verdict=st.builds(Verdict, st.lists(TEXT, max_size=2).map(tuple)),
    evidence=st.dictionaries(TEXT, st.builds(Evidence, TEXT, st.floats(0, 1), TEXT), max_size=2),
)


@given(DOCUMENTS)
def test_a_document_survives(document: Document) -> None:
    assert document_from_dict(json.loads(json.dumps(document_to_dict(document)))) == document


LINKS = st.builds(Link, TEXT, st.integers(), TEXT, MAYBE, st.integers(), replay=st.booleans(), etag=MAYBE)


@given(st.lists(LINKS, max_size=4).map(tuple))
def test_links_survive(links: tuple[Link, ...]) -> None:
    assert links_from_dict(json.loads(json.dumps(links_to_dict(links)))) == links


def test_what_links_share_is_said_once() -> None:
    links = [Link(f"https://example.com/{n}", 1, "page", "https://example.com/", n) for n in range(2)]
    data = links_to_dict(links)
    assert (data["depth"], data["why"], data["found_on"]) == (1, "page", "https://example.com/")
    assert (list(data["url"]), list(data["priority"])) == ([link.url for link in links], [0, 1])


def test_what_is_missing_gets_its_default() -> None:
    document = document_from_dict({"url": None, "kind": "article", "confidence": 1.0})
    assert document == Document(None, Kind.ARTICLE, 1.0)
    assert links_from_dict({"url": ["https://example.com/"]}) == (Link("https://example.com/"),)


def test_a_mark_is_told_only_where_there_is_one() -> None:
    document = Document(None, Kind.ARTICLE, 1.0, blocks=(Block((Span("a"),)), Block((Span("b"),), "li", mark="3")))
    assert document_to_dict(document)["blocks"] == [
        {"tag": "p", "xpath": "", "spans": ["a"]},
        {"tag": "li", "xpath": "", "spans": ["b"], "mark": "3"},
    ]


def test_a_zone_is_kept() -> None:
    moment = datetime.fromisoformat("2026-11-01T08:00:00+08:00")
    document = Document(None, Kind.ARTICLE, 1.0, published=moment)
    assert document_to_dict(document)["published"] == "2026-11-01T08:00:00+08:00"
