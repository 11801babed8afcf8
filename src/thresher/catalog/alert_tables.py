"""The tables of alerts, and how they came to be: scripts for every dialect, applied in order and never edited."""

from sqlalchemy import BigInteger, Column, MetaData, Table, Text

from thresher.catalog.tables import KEY, LONG, NAME, TIME, TYPES, WORD

COMPONENT = "alerts"
_metadata = MetaData()

saved = Table(
    "alert_saved_searches",
    _metadata,
    Column("name", NAME, primary_key=True),
    Column("query", Text(LONG), nullable=False),
    Column("owner", NAME, nullable=False),
    Column("shared", BigInteger, nullable=False),
    Column("created_at", TIME, nullable=False),
)

alerts = Table(
    "alert_alerts",
    _metadata,
    Column("name", NAME, primary_key=True),
    Column("state", WORD, nullable=False),
    Column("definition", Text(LONG), nullable=False),  # JSON
    Column("started_at", TIME, nullable=False),
    Column("cursor_at", TIME, nullable=False),
    Column("swept_at", TIME, nullable=False),
    Column("due_at", TIME, nullable=False),  # empty: there is none
    Column("memory", Text(LONG), nullable=False),  # JSON
    Column("worker", NAME, nullable=False),  # who looks after it; empty: nobody
    Column("leased_until", TIME, nullable=False),
)

hits = Table(
    "alert_hits",
    _metadata,
    Column("alert", NAME, primary_key=True),
    Column("doc_key", KEY, primary_key=True),
    Column("seen_at", TIME, nullable=False),
    Column("told", WORD, nullable=False),  # empty: no digest has told of it yet
    Column("url", Text(LONG), nullable=False),
    Column("title", Text(LONG), nullable=False),
    Column("site", Text(LONG), nullable=False),
    Column("published", Text(LONG), nullable=False),
    Column("language", Text(LONG), nullable=False),
    Column("snippet", Text(LONG), nullable=False),
)

deliveries = Table(
    "alert_deliveries",
    _metadata,
    Column("id", KEY, primary_key=True),
    Column("alert", NAME, nullable=False),
    Column("target", Text(LONG), nullable=False),
    Column("notice", Text(LONG), nullable=False),  # JSON
    Column("created_at", TIME, nullable=False),
    Column("due_at", TIME, nullable=False),
    Column("state", WORD, nullable=False),
    Column("attempts", BigInteger, nullable=False),
    Column("detail", Text(LONG), nullable=False),
    Column("worker", NAME, nullable=False),  # who sends it; empty: nobody
    Column("leased_until", TIME, nullable=False),
)

attempts = Table(
    "alert_attempts",
    _metadata,
    Column("delivery", KEY, primary_key=True),
    Column("at", TIME, primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("ok", BigInteger, nullable=False),
    Column("detail", Text(LONG), nullable=False),
)

feeds = Table(
    "alert_feeds",
    _metadata,
    Column("id", WORD, primary_key=True),  # the hash of the token
    Column("query", Text(LONG), nullable=False),
    Column("name", NAME, nullable=False),
    Column("owner", NAME, nullable=False),
    Column("created_at", TIME, nullable=False),
)

# Subscriptions at WebSub hubs.
subs = Table(
    "alert_subscriptions",
    _metadata,
    Column("url_key", KEY, primary_key=True),
    Column("hub_key", KEY, primary_key=True),
    Column("source", NAME, nullable=False),
    Column("topic", Text(LONG), nullable=False),
    Column("url", Text(LONG), nullable=False),
    Column("hub", Text(LONG), nullable=False),
    Column("path", WORD, nullable=False),
    Column("secret", WORD, nullable=False),
    Column("asked_at", TIME, nullable=False),
    Column("until", TIME, nullable=False),
    Column("pushed_at", TIME, nullable=False),
    Column("detail", Text(LONG), nullable=False),
    Column("memory", Text(LONG), nullable=False),  # JSON
)

_SCRIPTS = (
    """
    CREATE TABLE IF NOT EXISTS alert_saved_searches (
        name {name} NOT NULL PRIMARY KEY,
        query {text} NOT NULL,
        owner {name} NOT NULL,
        shared {number} NOT NULL,
        created_at {time} NOT NULL
    ) {end};
    CREATE TABLE IF NOT EXISTS alert_alerts (
        name {name} NOT NULL PRIMARY KEY,
        state {word} NOT NULL,
        definition {text} NOT NULL,
        started_at {time} NOT NULL,
        cursor_at {time} NOT NULL,
        swept_at {time} NOT NULL,
        due_at {time} NOT NULL,
        memory {text} NOT NULL,
        worker {name} NOT NULL,
        leased_until {time} NOT NULL
    ) {end};
    CREATE TABLE IF NOT EXISTS alert_hits (
        alert {name} NOT NULL,
        doc_key {key} NOT NULL,
        seen_at {time} NOT NULL,
        told {word} NOT NULL,
        url {text} NOT NULL,
        title {text} NOT NULL,
        site {text} NOT NULL,
        published {text} NOT NULL,
        language {text} NOT NULL,
        snippet {text} NOT NULL,
        PRIMARY KEY (alert, doc_key),
        CONSTRAINT alert_hits_by_time UNIQUE (alert, seen_at, doc_key)
    ) {end};
    CREATE TABLE IF NOT EXISTS alert_deliveries (
        id {key} NOT NULL PRIMARY KEY,
        alert {name} NOT NULL,
        target {text} NOT NULL,
        notice {text} NOT NULL,
        created_at {time} NOT NULL,
        due_at {time} NOT NULL,
        state {word} NOT NULL,
        attempts {number} NOT NULL,
        detail {text} NOT NULL,
        worker {name} NOT NULL,
        leased_until {time} NOT NULL,
        CONSTRAINT alert_deliveries_by_due UNIQUE (state, due_at, id),
        CONSTRAINT alert_deliveries_by_alert UNIQUE (alert, created_at, id)
    ) {end};
    CREATE TABLE IF NOT EXISTS alert_attempts (
        delivery {key} NOT NULL,
        at {time} NOT NULL,
        number {number} NOT NULL,
        ok {number} NOT NULL,
        detail {text} NOT NULL,
        PRIMARY KEY (delivery, at)
    ) {end};
    CREATE TABLE IF NOT EXISTS alert_feeds (
        id {word} NOT NULL PRIMARY KEY,
        query {text} NOT NULL,
        name {name} NOT NULL,
        owner {name} NOT NULL,
        created_at {time} NOT NULL
    ) {end};
    CREATE TABLE IF NOT EXISTS alert_subscriptions (
        url_key {key} NOT NULL,
        hub_key {key} NOT NULL,
        source {name} NOT NULL,
        topic {text} NOT NULL,
        url {text} NOT NULL,
        hub {text} NOT NULL,
        path {word} NOT NULL UNIQUE,
        secret {word} NOT NULL,
        asked_at {time} NOT NULL,
        until {time} NOT NULL,
        pushed_at {time} NOT NULL,
        detail {text} NOT NULL,
        memory {text} NOT NULL,
        PRIMARY KEY (url_key, hub_key)
    ) {end};
    """,
)


def migrations(dialect: str) -> tuple[str, ...]:
    """Return the scripts of a dialect; each may be run again after it broke off half-way."""
    return tuple(script.format(**TYPES[dialect]) for script in _SCRIPTS)
