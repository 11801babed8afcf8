"""The store in MySQL or MariaDB, which workers on many machines share."""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, bindparam, text

from thresher.database import server_engine
from thresher.store.changes import LOG
from thresher.store.sql import SqlStore

# Applied in order and never edited. Text sorts and compares by its code points, whatever the database's language. Each
# statement is final in MySQL, so a script can be run again; there are no partial indexes.
_END = "ENGINE InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
_KEY = "CHAR(32) CHARACTER SET ascii COLLATE ascii_bin"
_TIME = "VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin"
LOCKS = 1_024  # rows that writers hold to keep others off what hashes to them
_SLOTS = ", ".join(f"({slot})" for slot in range(LOCKS))
_SCRIPT = """
    CREATE TABLE IF NOT EXISTS locks (slot INTEGER NOT NULL PRIMARY KEY) {end};
    INSERT IGNORE INTO locks (slot) VALUES {slots};
    CREATE TABLE IF NOT EXISTS runs (
        id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
        state VARCHAR(64) NOT NULL,
        started_at {time} NOT NULL,
        finished_at {time},
        starts LONGTEXT NOT NULL,
        options LONGTEXT NOT NULL
    ) {end};
    CREATE TABLE IF NOT EXISTS pages (
        `key` {key} NOT NULL PRIMARY KEY,
        run BIGINT NOT NULL,
        status BIGINT NOT NULL,
        fetched_at {time} NOT NULL,
        elapsed_s DOUBLE NOT NULL,
        crawl_delay_s DOUBLE,
        address TEXT,
        etag LONGTEXT,
        modified LONGTEXT,
        content_type LONGTEXT NOT NULL,
        url LONGTEXT NOT NULL,
        headers LONGTEXT NOT NULL,
        outlinks LONGBLOB,
        body LONGBLOB NOT NULL
    ) {end};
    CREATE TABLE IF NOT EXISTS documents (
        `key` {key} NOT NULL PRIMARY KEY,
        thread {key} NOT NULL,
        run BIGINT NOT NULL,
        first_seen {time} NOT NULL,
        last_seen {time} NOT NULL,
        kind VARCHAR(64) NOT NULL,
        confidence DOUBLE NOT NULL,
        length BIGINT NOT NULL,
        published {time},
        language LONGTEXT,
        algorithm VARCHAR(64) NOT NULL,
        site LONGTEXT,
        site_name LONGTEXT,
        url LONGTEXT,
        canonical_url LONGTEXT,
        title LONGTEXT NOT NULL,
        authors LONGTEXT NOT NULL,
        description LONGTEXT,
        image LONGTEXT,
        verdict LONGTEXT NOT NULL,
        content LONGBLOB NOT NULL,
        part BIGINT NOT NULL DEFAULT 1,
        text_hash {key},
        INDEX documents_by_first_seen (first_seen, `key`),
        INDEX documents_by_text_hash (text_hash, first_seen, `key`)
    ) {end};
    CREATE TABLE IF NOT EXISTS posts (
        thread {key} NOT NULL,
        post {key} NOT NULL,
        page {key} NOT NULL,
        position BIGINT NOT NULL,
        id LONGTEXT,
        author LONGTEXT,
        published {time},
        permalink LONGTEXT,
        reply_to LONGTEXT,
        quotes LONGTEXT NOT NULL,
        xpath LONGTEXT NOT NULL,
        text LONGTEXT NOT NULL,
        place BIGINT NOT NULL DEFAULT 0,
        PRIMARY KEY (thread, post),
        INDEX posts_by_page (page),
        INDEX posts_by_place (thread, place)
    ) {end};
    CREATE TABLE IF NOT EXISTS parts (
        page {key} NOT NULL PRIMARY KEY,
        thread {key} NOT NULL,
        number BIGINT NOT NULL,
        asked_at {time} NOT NULL,
        url LONGTEXT NOT NULL,
        INDEX parts_by_thread (thread, number)
    ) {end};
    CREATE TABLE IF NOT EXISTS article_pages (
        page {key} NOT NULL PRIMARY KEY,
        article {key} NOT NULL,
        number BIGINT NOT NULL,
        joined BIGINT NOT NULL,
        run BIGINT NOT NULL,
        seen_at {time} NOT NULL,
        refusal VARCHAR(64),
        text_hash {key},
        url LONGTEXT NOT NULL,
        content LONGBLOB NOT NULL,
        INDEX article_pages_by_article (article, number)
    ) {end};
    CREATE TABLE IF NOT EXISTS fates (
        `key` {key} NOT NULL,
        run BIGINT NOT NULL,
        state VARCHAR(64) NOT NULL,
        reason VARCHAR(64) NOT NULL,
        at {time} NOT NULL,
        status BIGINT,
        url LONGTEXT NOT NULL,
        found_on LONGTEXT,
        detail LONGTEXT NOT NULL,
        PRIMARY KEY (`key`, run),
        INDEX fates_by_run (run, state, reason),
        INDEX fates_by_time (run, at, `key`)
    ) {end};
    CREATE TABLE IF NOT EXISTS robots (
        origin VARCHAR(300) NOT NULL PRIMARY KEY,
        status BIGINT NOT NULL,
        fetched_at {time} NOT NULL,
        body LONGBLOB NOT NULL
    ) {end};
    CREATE TABLE IF NOT EXISTS traces (
        site VARCHAR(300) NOT NULL,
        run BIGINT NOT NULL,
        `key` {key} NOT NULL,
        content LONGBLOB NOT NULL,
        PRIMARY KEY (site, run, `key`)
    ) {end};
    CREATE TABLE IF NOT EXISTS versions (
        `key` {key} NOT NULL,
        at {time} NOT NULL,
        content LONGBLOB NOT NULL,
        PRIMARY KEY (`key`, at)
    ) {end};
    CREATE TABLE IF NOT EXISTS variants (
        base {key} NOT NULL,
        name VARCHAR(64) NOT NULL,
        host LONGTEXT NOT NULL,
        `key` {key} NOT NULL,
        run BIGINT NOT NULL,
        text_hash {key} NOT NULL,
        same BIGINT NOT NULL,
        differs BIGINT NOT NULL,
        url LONGTEXT NOT NULL,
        PRIMARY KEY (base, name),
        INDEX variants_by_host (host(191), name)
    ) {end};
    CREATE TABLE IF NOT EXISTS page_sources (
        page {key} NOT NULL,
        source VARCHAR(80) NOT NULL,
        at {time} NOT NULL,
        PRIMARY KEY (page, source)
    ) {end};
    CREATE TABLE IF NOT EXISTS kinds (
        host VARCHAR(300) NOT NULL,
        kind VARCHAR(300) NOT NULL,
        signs BIGINT NOT NULL,
        given_up BIGINT NOT NULL,
        bore BIGINT NOT NULL,
        led BIGINT NOT NULL,
        skipped BIGINT NOT NULL,
        at {time} NOT NULL,
        PRIMARY KEY (host, kind)
    ) {end};
    CREATE TABLE IF NOT EXISTS texts (
        id BIGINT NOT NULL PRIMARY KEY,
        copy_group BIGINT NOT NULL,
        sketch LONGBLOB,
        INDEX texts_by_group (copy_group)
    ) {end};
    CREATE TABLE IF NOT EXISTS bands (
        band BIGINT NOT NULL,
        text BIGINT NOT NULL,
        PRIMARY KEY (band, text)
    ) {end};
    CREATE TABLE IF NOT EXISTS copies (
        `key` {key} NOT NULL PRIMARY KEY,
        text BIGINT NOT NULL,
        at {time} NOT NULL,
        seen {time} NOT NULL,
        original {key} NOT NULL,
        changed {time} NOT NULL,
        INDEX copies_by_text (text),
        INDEX copies_by_original (original),
        INDEX copies_by_change (changed, `key`)
    ) {end};
    CREATE TABLE IF NOT EXISTS states (
        name VARCHAR(64) NOT NULL PRIMARY KEY,
        content LONGBLOB NOT NULL
    ) {end};
    CREATE TABLE IF NOT EXISTS volumes (
        run BIGINT NOT NULL,
        host VARCHAR(300) NOT NULL,
        bytes BIGINT NOT NULL,
        PRIMARY KEY (run, host)
    ) {end};
    CREATE TABLE IF NOT EXISTS unlisted (
        run BIGINT NOT NULL,
        reason VARCHAR(64) NOT NULL,
        links BIGINT NOT NULL,
        PRIMARY KEY (run, reason)
    ) {end}
"""
_CHANGES = f"""
    CREATE TABLE IF NOT EXISTS changes (
        `key` {_KEY} NOT NULL PRIMARY KEY,
        number BIGINT NOT NULL,
        INDEX changes_by_number (number)
    ) {_END};
    INSERT IGNORE INTO changes (`key`, number)
        SELECT `key`, row_number() OVER (ORDER BY first_seen, `key`) FROM documents;
    INSERT IGNORE INTO locks (slot) VALUES ({LOCKS})
"""
# Run again, it takes hashes for bodies, whose rows are there already, and writes the same hashes anew.
_BODIES = f"""
    CREATE TABLE IF NOT EXISTS bodies (
        hash {_KEY} NOT NULL PRIMARY KEY,
        host VARCHAR(300) NOT NULL,
        dictionary BIGINT,
        content LONGBLOB NOT NULL,
        INDEX bodies_by_host (host, hash)
    ) {_END};
    CREATE TABLE IF NOT EXISTS dictionaries (
        host VARCHAR(300) NOT NULL,
        number BIGINT NOT NULL,
        bodies BIGINT NOT NULL,
        hash {_KEY} NOT NULL,
        content LONGBLOB NOT NULL,
        PRIMARY KEY (host, number)
    ) {_END};
    INSERT IGNORE INTO bodies (hash, host, dictionary, content) SELECT `key`, '', NULL, body FROM pages;
    ALTER TABLE pages DROP COLUMN body, ADD COLUMN body {_KEY} NOT NULL DEFAULT '';
    UPDATE pages SET body = `key`;
    CREATE INDEX pages_by_body ON pages (body)
"""
MIGRATIONS = (_SCRIPT.format(end=_END, key=_KEY, time=_TIME, slots=_SLOTS), _CHANGES, _BODIES)


def mysql_store(url: str) -> tuple[SqlStore, Callable[[], None]]:
    """Return a store with its tables brought up to date, and what closes it; raise BackendError where that fails."""
    engine = server_engine(url, "store", MIGRATIONS)
    # A document is read with the posts of one moment; these connections are apart, for switching one over takes time.
    reading = server_engine(url, "store", MIGRATIONS, isolation_level="REPEATABLE READ")

    def close() -> None:
        engine.dispose()
        reading.dispose()

    return SqlStore(engine, look=reading.begin, alone=_wait_for, lock=_lock), close


def _wait_for(connection: Connection, thread: str) -> None:
    """Wait until nobody else writes the thread: rows of two pages in another order would block each other for good."""
    _lock(connection, [int(thread[:16], 16)])


def _lock(connection: Connection, numbers: Sequence[int]) -> None:
    """Wait until nobody else holds one of these numbers, or others that share a row with them."""
    slots = sorted({LOCKS if number == LOG else number % LOCKS for number in numbers})
    query = text("SELECT slot FROM locks WHERE slot IN :slots ORDER BY slot FOR UPDATE")
    connection.execute(query.bindparams(bindparam("slots", expanding=True)), {"slots": slots}).all()
