"""Documents and links survive being plain data."""

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from thresher.model import Document, Evidence, Kind, Link
from thresher.model.codec import document_from_dict, document_to_dict, link_from_dict, link_to_dict
from thresher.model.document import Block, Post, Span, Verdict

TEXT = st.text(max_size=5)
MAYBE = st.none() | TEXT
MOMENTS = st.none() | st.datetimes() | st.datetimes(timezones=st.just(UTC))
BLOCKS = st.builds(Block, st.lists(st.builds(Span, TEXT, href=MAYBE), max_size=3).map(tuple), TEXT, TEXT)
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


@given(st.builds(Link, TEXT, st.integers(), TEXT, MAYBE, st.integers(), replay=st.booleans(), etag=MAYBE))
def test_a_link_survives(link: Link) -> None:
    assert link_from_dict(json.loads(json.dumps(link_to_dict(link)))) == link


def test_what_is_missing_gets_its_default() -> None:
    document = document_from_dict({"url": None, "kind": "article", "confidence": 1.0})
    assert document == Document(None, Kind.ARTICLE, 1.0)
    assert link_to_dict(Link("https://example.com/")) == {"url": "https://example.com/"}


def test_a_zone_is_kept() -> None:
    moment = datetime.fromisoformat("2026-11-01T08:00:00+08:00")
    document = Document(None, Kind.ARTICLE, 1.0, published=moment)
    assert document_to_dict(document)["published"] == "2026-11-01T08:00:00+08:00"
