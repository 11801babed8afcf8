"""The SQL store in PostgreSQL: workers that write at the same time, tables that many create at once, outages."""

import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from sqlalchemy import Engine, inspect, text

from tests.servers import Server, new_database
from thresher.errors import BackendError, MissingExtra, Unreachable, UsageError
from thresher.model import Block, Document, Fate, Kind, Page, Post, Span
from thresher.store import migrations, tables
from thresher.store.contract import ARTICLE_PAGE, SITE_PAGES, Record, Store
from thresher.store.postgresql import postgresql_engine, postgresql_store
from thresher.store.servers import server_store
from thresher.store.sql import SqlStore
from thresher.urls import key_of

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
URL = "https://example.com/a"
WORKERS = 8


@pytest.fixture
def engine(postgresql_url: str) -> Iterator[Engine]:
    engine = postgresql_engine(postgresql_url)
    yield engine
    engine.dispose()


@pytest.fixture
def store(engine: Engine) -> SqlStore:
    return postgresql_store(engine)


def record(
    url: str = URL, *, posts: tuple[Post, ...] = (Post(None, None, "p", 1),), thread: str | None = None
) -> Record:
    document = Document(url, Kind.THREAD, 1.0, title="T", posts=posts, site="example.com")
    fate = Fate(url, 1, "stored", "stored", NOW)
    return Record(fate, Page(url, 200, b"x", NOW), document, thread=thread, traces=b"t")


def at_once(url: str, work: Callable[[Store, int], None]) -> None:
    """Let several workers, each with connections of its own, do a piece of work at the same time."""

    def worker(number: int) -> None:
        store, close = server_store(url)
        try:
            work(store, number)
        finally:
            close()

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(worker, range(WORKERS)))


def count(engine: Engine, table: str) -> int:
    with engine.begin() as connection:
        return int(connection.scalar(text(f"SELECT count(*) FROM {table}")) or 0)


def test_many_workers_may_create_the_tables_at_once(postgresql_url: str) -> None:
    at_once(postgresql_url, lambda store, _: store.save(record()))
    engine = postgresql_engine(postgresql_url)
    assert count(engine, "documents") == 1
    engine.dispose()


def test_the_migrations_make_the_tables_that_the_code_speaks_of(engine: Engine) -> None:
    found = inspect(engine)
    for table in tables.metadata.sorted_tables:
        columns = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
        assert columns == {column.name: column.nullable for column in table.columns}
        assert found.get_pk_constraint(table.name)["constrained_columns"] == [c.name for c in table.primary_key]


def test_a_database_of_an_earlier_version_is_brought_up_to_date(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = next(number for number, script in enumerate(migrations.POSTGRESQL) if "TABLE article_pages" in script)
    with monkeypatch.context() as before:
        before.setattr(migrations, "POSTGRESQL", migrations.POSTGRESQL[:added])
        old = postgresql_engine(postgresql_url)
        assert "article_pages" not in inspect(old).get_table_names()
        old.dispose()
    new = postgresql_engine(postgresql_url)
    store = postgresql_store(new)
    for number in (2, 1):
        store.save(article_page(number))
    assert len(list(store.documents())) == 1
    new.dispose()


def article_page(number: int, run: int = 1) -> Record:
    url = f"{URL}/{number}" if number > 1 else URL
    document = Document(url, Kind.ARTICLE, 1.0, title="T", blocks=(Block((Span(f"page {number} says so"),)),))
    fate = Fate(url, run, "stored", "stored", NOW, status=200)
    return Record(fate, Page(url, 200, b"x", NOW), document, thread=URL, part=number)


def test_pages_of_an_article_saved_by_many_workers_at_once_are_one_document(
    postgresql_url: str, engine: Engine
) -> None:
    def save_all(store: Store, number: int) -> None:
        for page in random.Random(number).sample(range(1, 9), 8):
            store.save(article_page(page))

    at_once(postgresql_url, save_all)
    (whole,) = postgresql_store(engine).documents()
    assert whole.text.split("\n") == [f"page {number} says so" for number in range(1, 9)]
    assert postgresql_store(engine).tally(1) == {("stored", "stored"): 1, ("stored", ARTICLE_PAGE): 7}


def near_copy(number: int) -> Record:
    """Return an article that resembles those of the numbers next to its own."""
    url = f"https://site{number}.example/"
    lines = [" ".join(f"word{line}x{place}" for place in range(12)) for line in range(4 * number, 4 * number + 20)]
    document = Document(url, Kind.ARTICLE, 1.0, title="T", blocks=tuple(Block((Span(line),)) for line in lines))
    return Record(Fate(url, 1, "stored", "stored", NOW, status=200), Page(url, 200, b"x", NOW), document)


def test_copies_saved_by_many_workers_at_once_are_one_group(postgresql_url: str, engine: Engine) -> None:
    def save_all(store: Store, number: int) -> None:
        for each in random.Random(number).sample(range(12), 12):
            store.save(near_copy(each))

    at_once(postgresql_url, save_all)
    keys = [key_of(near_copy(number).fate.url) for number in range(12)]
    assert set(postgresql_store(engine).originals(keys).values()) == {min(keys)}


def test_what_is_sorted_is_sorted_by_code_point_in_any_language(engine: Engine) -> None:
    query = (
        "SELECT DISTINCT column_name FROM information_schema.columns WHERE table_name = ANY(:names) "
        "AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'"
    )
    names = [table.name for table in tables.metadata.sorted_tables]
    with engine.begin() as connection:
        by_language = set(connection.scalars(text(query), {"names": names}))
        assert connection.scalar(text("SELECT 'a' < 'B'")), "the server under test sorts by code point anyway"
    assert not by_language & {"key", "thread", "post", "page", "site", "origin", "at", "first_seen", "published"}


def test_the_same_urls_saved_by_many_workers_at_once_are_there_once(postgresql_url: str, engine: Engine) -> None:
    urls = [f"https://example.com/{number}" for number in range(25)]

    def save_all(store: Store, number: int) -> None:
        for url in random.Random(number).sample(urls, len(urls)):
            store.save(record(url))

    at_once(postgresql_url, save_all)
    assert [count(engine, name) for name in ("pages", "documents", "posts", "fates", "traces")] == [len(urls)] * 5


def test_pages_that_give_the_same_posts_do_not_block_each_other(postgresql_url: str, engine: Engine) -> None:
    def save_all(store: Store, number: int) -> None:
        for turn in range(20):
            dice = random.Random(100 * number + turn)
            posts = tuple(Post(None, None, "p", n, id=f"p{n}") for n in dice.sample(range(10), 10))
            store.save(record(f"https://example.com/{dice.randrange(3)}", posts=posts, thread=URL))

    at_once(postgresql_url, save_all)
    assert count(engine, "posts") == 10


def test_refusals_noted_in_any_order_do_not_block_each_other(postgresql_url: str, engine: Engine) -> None:
    fates = [Fate(f"https://example.com/{n}", 1, "refused", "off-host", NOW) for n in range(100)]

    def note_all(store: Store, number: int) -> None:
        for turn in range(10):
            store.note(random.Random(100 * number + turn).sample(fates, len(fates)))

    at_once(postgresql_url, note_all)
    assert count(engine, "fates") == 100


def test_traces_of_many_workers_stay_few(postgresql_url: str, store: SqlStore) -> None:
    def save_all(store: Store, number: int) -> None:
        for page in range(SITE_PAGES // 2):
            store.save(record(f"https://example.com/{number}/{page}"))

    at_once(postgresql_url, save_all)
    kept = store.traces("example.com", before=2)
    everything = sorted(stored.key for stored in store.stored())
    assert sorted(kept) == everything[:SITE_PAGES]


def test_an_outage_says_that_it_can_be_tried_again_and_ends_by_itself(
    postgres_process: Server, store: SqlStore
) -> None:
    store.save(record())
    postgres_process.kill()
    try:
        for call in (store.runs, lambda: store.save(record()), lambda: store.document(URL)):
            with pytest.raises(Unreachable, match=r"the store does not answer .* trying again") as caught:
                call()
            assert caught.value.retry
    finally:
        postgres_process.start()
    assert store.document(URL) == record().document
    store.save(record())


def test_a_restart_between_two_calls_goes_unnoticed(postgres_process: Server, store: SqlStore) -> None:
    store.save(record())
    postgres_process.stop()
    postgres_process.start()
    store.save(record())
    assert store.document(URL) == record().document


def test_a_connection_lost_half_way_leaves_nothing_and_can_be_tried_again(engine: Engine, store: SqlStore) -> None:
    body = "BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END"
    end = f"CREATE FUNCTION gone() RETURNS trigger AS '{body}' LANGUAGE plpgsql"
    with engine.begin() as connection:
        connection.execute(text(end))
        connection.execute(text("CREATE TRIGGER gone BEFORE INSERT ON posts FOR EACH ROW EXECUTE FUNCTION gone()"))
    with pytest.raises(Unreachable, match="terminating connection"):
        store.save(record())
    assert store.fates(URL) == []
    with engine.begin() as connection:
        connection.execute(text("DROP TRIGGER gone ON posts"))
    store.save(record())
    assert store.document(URL) == record().document


def test_a_worker_stopped_half_way_does_not_hold_the_others_up_for_ever(engine: Engine) -> None:
    with engine.begin() as connection:
        for setting in ("idle_in_transaction_session_timeout", "lock_timeout"):
            assert connection.scalar(text(f"SHOW {setting}")) in ("30s", "1min")


def test_a_row_that_somebody_holds_can_be_tried_again(engine: Engine, store: SqlStore) -> None:
    store.save(record())
    reached = engine.connect()
    reached.execute(text("UPDATE pages SET run = 7"))
    with engine.begin() as connection:
        connection.execute(text("ALTER ROLE CURRENT_USER SET statement_timeout = '1s'"))
    other = postgresql_engine(engine.url.render_as_string(hide_password=False))
    try:
        with pytest.raises(Unreachable, match="statement timeout"):
            postgresql_store(other).save(record())
    finally:
        reached.rollback()
        reached.execute(text("ALTER ROLE CURRENT_USER RESET statement_timeout"))
        reached.commit()
        reached.close()
        other.dispose()
    store.save(record())


def test_a_database_of_a_newer_version_is_refused(postgresql_url: str, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO migrations (component, number) VALUES ('store', 99)"))
    with pytest.raises(BackendError, match=r"step 99.*upgrade thresher"):
        postgresql_engine(postgresql_url)


def test_a_database_that_cannot_hold_every_letter_is_refused(postgres_process: Server) -> None:
    url = new_database(postgres_process, "latin", "--encoding=LATIN1", "--template=template0", "--locale=C")
    with pytest.raises(BackendError, match=r"LATIN1.*UTF8"):
        postgresql_engine(url)


def test_a_server_that_is_not_there_is_unreachable_and_no_password_is_told() -> None:
    with pytest.raises(Unreachable, match="does not answer") as caught:
        postgresql_engine("postgres://ann:s3cret@127.0.0.1:1/corpus")
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(("right", "wrong"), [("/postgres", "/nowhere"), ("thresher@", "nobody@")])
def test_a_database_or_a_login_that_is_not_there_is_nothing_to_wait_for(
    postgres_process: Server, right: str, wrong: str
) -> None:
    with pytest.raises(BackendError, match="does not exist") as raised:
        postgresql_engine(postgres_process.url.replace(right, wrong))
    assert not raised.value.retry


def test_a_server_that_accepts_and_stays_silent_is_given_up(postgres_process: Server, postgresql_url: str) -> None:
    postgres_process.pause()
    try:
        with pytest.raises(Unreachable, match="timeout"):
            postgresql_engine(f"{postgresql_url}&connect_timeout=2")
    finally:
        postgres_process.go_on()
    postgresql_engine(f"{postgresql_url}&connect_timeout=9").dispose()


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"pip install 'thresher\[postgresql\]'"):
        postgresql_engine("postgresql://127.0.0.1/corpus")


def test_a_malformed_url_is_a_usage_error_that_tells_no_password() -> None:
    with pytest.raises(UsageError, match="postgresql://USER") as caught:
        postgresql_engine("postgresql://ann:s3cret@host:port/corpus")
    assert "s3cret" not in str(caught.value)
