"""Whatever a page says can be saved and read again: one hostile page must not stop a crawl."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.servers import new_schema
from thresher import sqlite
from thresher.model import Block, Document, Evidence, Fate, Kind, Link, Page, Post, Span, Verdict
from thresher.store.contract import Record, Store
from thresher.store.postgresql import postgresql_engine, postgresql_store
from thresher.store.sql import sqlite_store

NUMBERS = count()
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
TEXT = st.text(st.characters() | st.sampled_from("\0\ud800\udfff\ufffe\u202e'\"%:;\\{}$"), max_size=20)
ZONES = st.none() | st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
ENDS_OF_TIME = (
    datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=8))),
    datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-8))),
)
MOMENTS = st.none() | st.sampled_from(ENDS_OF_TIME) | st.datetimes(timezones=ZONES)
POSTS = st.builds(
    Post,
    author=st.none() | TEXT,
    published=MOMENTS,
    text=TEXT,
    position=st.integers(1, 10**6),
    id=st.none() | TEXT,
    permalink=st.none() | TEXT,
    reply_to=st.none() | TEXT,
    quotes=st.lists(TEXT, max_size=2).map(tuple),
    xpath=TEXT,
)
DOCUMENTS = st.builds(
    Document,
    url=TEXT,
    kind=st.sampled_from([Kind.ARTICLE, Kind.THREAD]),
    confidence=st.floats(0, 1),
    title=TEXT,
    blocks=st.lists(
        st.builds(Block, spans=st.tuples(st.builds(Span, text=TEXT, href=st.none() | TEXT))), max_size=2
    ).map(tuple),
    authors=st.lists(TEXT, max_size=2).map(tuple),
    published=MOMENTS,
    language=st.none() | TEXT,
    description=st.none() | TEXT,
    image=st.none() | TEXT,
    links=st.lists(TEXT, max_size=2).map(tuple),
    posts=st.lists(POSTS, max_size=3).map(tuple),
    canonical_url=st.none() | TEXT,
    site=st.none() | TEXT,
    site_name=st.none() | TEXT,
    algorithm=st.just("cevc"),
    verdict=st.builds(Verdict, faults=st.lists(TEXT, max_size=2).map(tuple)),
    evidence=st.dictionaries(TEXT, st.builds(Evidence, source=TEXT, confidence=st.floats(0, 1), raw=TEXT), max_size=2),
)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    if request.param == "sqlite":
        connection = sqlite.connect(Path(tmp_path_factory.mktemp("any")) / "corpus.db")
        yield sqlite_store(connection)
        connection.close()
    else:
        engine = postgresql_engine(new_schema(request.getfixturevalue("postgres_process"), "any_text"))
        yield postgresql_store(engine)
        engine.dispose()


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(
    url=TEXT,
    document=DOCUMENTS,
    thread=st.none() | TEXT,
    headers=st.dictionaries(TEXT, TEXT, max_size=3),
    body=st.binary(),
    said=TEXT,
)
def test_whatever_a_page_says_can_be_saved_and_read_again(
    store: Store, url: str, document: Document, thread: str | None, headers: dict[str, str], body: bytes, said: str
) -> None:
    address = f"https://example.com/{next(NUMBERS)}/{url}"
    fate = Fate(address, 1, "stored", "stored", NOW, detail=said, status=200, found_on=said)
    links = (Link(f"https://example.com/{said}", found_on=said, etag=said),)
    record = Record(
        fate,
        Page(address, 200, body, NOW, headers=headers),
        document,
        links,
        traces=body,
        thread=thread and address + thread,
    )
    for _ in range(2):
        store.save(record)
    store.note([Fate(f"{address}/{said}", 1, "refused", "off-host", NOW, found_on=said)])
    kept = store.page(address)
    assert kept
    assert kept.body == body
    found = store.document(address)
    assert found
    assert len(found.title) == len(document.title)
    assert store.known([address])
    assert len(store.outlinks(address)) == 1
    assert len(store.fates(address)) == 1

    if document.site:
        assert any(True for _ in store.documents(site=document.site))
