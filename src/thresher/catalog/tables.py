"""The tables of a catalog, and how they came to be: scripts for every dialect, applied in order and never edited."""

from sqlalchemy import BigInteger, Column, Float, Integer, MetaData, String, Table, Text

LONG = 2**32 - 1  # makes MySQL choose its largest type; the others have no limit
MAX_WORD = 64  # characters of a keyword, and of our own short words

KEY = String(32)  # urls.key_of
NAME = String(80)  # of a source
TIME = String(40)  # ISO 8601, UTC, with microseconds: sorts as text
WORD = String(MAX_WORD)

metadata = MetaData()

sources = Table(
    "catalog_sources",
    metadata,
    Column("name", NAME, primary_key=True),
    Column("kind", WORD, nullable=False),
    Column("state", WORD, nullable=False),
    Column("created_at", TIME, nullable=False),
    Column("address", Text(LONG), nullable=False),
    Column("definition", Text(LONG), nullable=False),  # JSON: all fields that are not at their default
)

endpoints = Table(
    "catalog_endpoints",
    metadata,
    Column("source", NAME, primary_key=True),
    Column("url_key", KEY, primary_key=True),
    Column("url", Text(LONG), nullable=False),
    Column("kind", WORD, nullable=False),
    Column("state", WORD, nullable=False),
    Column("interval_s", Float(53)),
    Column("last_asked", TIME),
    Column("last_new", TIME),
    Column("asked", BigInteger, nullable=False),
    Column("found", BigInteger, nullable=False),
    Column("new", BigInteger, nullable=False),
    Column("failures", BigInteger, nullable=False),
    Column("moved_to", Text(LONG), nullable=False),
    Column("rhythm", Text(LONG), nullable=False),
)

# The WebSub hubs that endpoints name.
hubs = Table(
    "catalog_hubs",
    metadata,
    Column("source", NAME, primary_key=True),
    Column("url_key", KEY, primary_key=True),
    Column("hubs", Text(LONG), nullable=False),  # with blanks between
)

rounds = Table(
    "catalog_rounds",
    metadata,
    Column("source", NAME, primary_key=True),
    Column("at", TIME, primary_key=True),
    Column("url_key", KEY, primary_key=True),
    Column("url", Text(LONG), nullable=False),
    Column("status", BigInteger),
    Column("found", BigInteger, nullable=False),
    Column("new", BigInteger, nullable=False),
    Column("reason", WORD, nullable=False),
    Column("interval_s", Float(53)),
)

judged = Table(
    "catalog_judged",
    metadata,
    Column("source", NAME, primary_key=True),
    Column("url_key", KEY, primary_key=True),
    Column("at", TIME, nullable=False),
    Column("valid", Integer, nullable=False),  # 1: a document was stored
    Column("reason", WORD, nullable=False),
    Column("length", BigInteger, nullable=False),
    Column("text_hash", KEY),
    Column("url", Text(LONG), nullable=False),
)

hours = Table(
    "catalog_hours",
    metadata,
    Column("source", NAME, primary_key=True),
    Column("hour", BigInteger, primary_key=True),
    Column("state", WORD, primary_key=True),
    Column("reason", WORD, primary_key=True),
    Column("count", BigInteger, nullable=False),
)

keywords = Table(
    "catalog_keywords",
    metadata,
    Column("word", WORD, primary_key=True),
    Column("origin", WORD, nullable=False),
    Column("added_at", TIME, nullable=False),
    Column("weight", Float(53), nullable=False),
)

# How often something was changed: who watches need not read all of it to know.
changes = Table(
    "catalog_changes",
    metadata,
    Column("name", WORD, primary_key=True),
    Column("number", BigInteger, nullable=False),
)

# What the words in braces stand for. Text sorts and compares by its code points, whatever the database's language.
TYPES = {
    "sqlite": {
        **dict.fromkeys(("key", "name", "time", "word", "text"), "TEXT"),
        "number": "INTEGER",
        "real": "REAL",
        "end": "",
    },
    "postgresql": {
        **dict.fromkeys(("key", "name", "time", "word"), 'TEXT COLLATE "C"'),
        "text": "TEXT",
        "number": "BIGINT",
        "real": "DOUBLE PRECISION",
        "end": "",
    },
    "mysql": {
        "key": "VARCHAR(32)",
        "name": "VARCHAR(80)",
        "time": "VARCHAR(40)",
        "word": "VARCHAR(64)",
        "text": "LONGTEXT",
        "number": "BIGINT",
        "real": "DOUBLE",
        "end": "ENGINE InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
    },
}

_SCRIPTS = (
    """
    CREATE TABLE IF NOT EXISTS catalog_sources (
        name {name} NOT NULL PRIMARY KEY,
        kind {word} NOT NULL,
        state {word} NOT NULL,
        created_at {time} NOT NULL,
        address {text} NOT NULL,
        definition {text} NOT NULL
    ) {end};
    CREATE TABLE IF NOT EXISTS catalog_endpoints (
        source {name} NOT NULL,
        url_key {key} NOT NULL,
        url {text} NOT NULL,
        kind {word} NOT NULL,
        state {word} NOT NULL,
        interval_s {real},
        last_asked {time},
        last_new {time},
        asked {number} NOT NULL,
        found {number} NOT NULL,
        new {number} NOT NULL,
        failures {number} NOT NULL,
        moved_to {text} NOT NULL,
        rhythm {text} NOT NULL,
        PRIMARY KEY (source, url_key)
    ) {end};
    CREATE TABLE IF NOT EXISTS catalog_rounds (
        source {name} NOT NULL,
        at {time} NOT NULL,
        url_key {key} NOT NULL,
        url {text} NOT NULL,
        status {number},
        found {number} NOT NULL,
        new {number} NOT NULL,
        reason {word} NOT NULL,
        interval_s {real},
        PRIMARY KEY (source, at, url_key)
    ) {end};
    CREATE TABLE IF NOT EXISTS catalog_judged (
        source {name} NOT NULL,
        url_key {key} NOT NULL,
        at {time} NOT NULL,
        valid {number} NOT NULL,
        reason {word} NOT NULL,
        length {number} NOT NULL,
        text_hash {key},
        url {text} NOT NULL,
        PRIMARY KEY (source, url_key),
        CONSTRAINT catalog_judged_by_time UNIQUE (source, at, url_key)
    ) {end};
    CREATE TABLE IF NOT EXISTS catalog_hours (
        source {name} NOT NULL,
        hour {number} NOT NULL,
        state {word} NOT NULL,
        reason {word} NOT NULL,
        count {number} NOT NULL,
        PRIMARY KEY (source, hour, state, reason)
    ) {end};
    CREATE TABLE IF NOT EXISTS catalog_keywords (
        word {word} NOT NULL PRIMARY KEY,
        origin {word} NOT NULL,
        added_at {time} NOT NULL,
        weight {real} NOT NULL
    ) {end};
    """,
    """
    CREATE TABLE IF NOT EXISTS catalog_hubs (
        source {name} NOT NULL,
        url_key {key} NOT NULL,
        hubs {text} NOT NULL,
        PRIMARY KEY (source, url_key)
    ) {end};
    """,
    """
    CREATE TABLE IF NOT EXISTS catalog_changes (
        name {word} NOT NULL PRIMARY KEY,
        number {number} NOT NULL
    ) {end};
    """,
)


def migrations(dialect: str) -> tuple[str, ...]:
    """Return the scripts of a dialect; each may be run again after it broke off half-way."""
    return tuple(script.format(**TYPES[dialect]) for script in _SCRIPTS)
