"""The frontier's tables in SQLite, as append-only migrations."""

# A link waits in a lane: its host's, or the job's lane of replays (the host named ""), which send no request and so
# know no politeness. Triggers keep a job's counters; the steps keep a lane's, in the row that they write anyway.
# `at` is the one time that matters in a state, NULL where none does: delayed → due, leased → expiry, dead → burial.
_FIRST = """
CREATE TABLE frontier_jobs (
    id       INTEGER PRIMARY KEY,
    name     TEXT    NOT NULL UNIQUE,
    pending  INTEGER NOT NULL DEFAULT 0,
    delayed  INTEGER NOT NULL DEFAULT 0,
    leased   INTEGER NOT NULL DEFAULT 0,
    done     INTEGER NOT NULL DEFAULT 0,
    dead     INTEGER NOT NULL DEFAULT 0,
    reserved INTEGER NOT NULL DEFAULT 0               -- places of the page limit in use
);

CREATE TABLE frontier_hosts (
    id       INTEGER PRIMARY KEY,
    job      INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    next_at  REAL    NOT NULL,                        -- no lease before this time
    asked_s  REAL    NOT NULL DEFAULT 0,              -- Crawl-delay of robots.txt
    strain   INTEGER NOT NULL DEFAULT 0,              -- answers in a row that said "too busy"
    accepted INTEGER NOT NULL DEFAULT 0,
    waiting  INTEGER NOT NULL DEFAULT 0,              -- pending in this lane, suspects aside
    leased   INTEGER NOT NULL DEFAULT 0,
    UNIQUE (job, name)
);
CREATE INDEX frontier_hosts_due ON frontier_hosts (job, next_at) WHERE waiting > 0;

CREATE TABLE frontier_links (
    id       INTEGER PRIMARY KEY,                     -- in order of acceptance
    job      INTEGER NOT NULL,
    key      BLOB    NOT NULL,
    host     INTEGER NOT NULL,
    lane     INTEGER NOT NULL,
    state    TEXT    NOT NULL DEFAULT 'pending',
    at       REAL,
    url      TEXT    NOT NULL,
    depth    INTEGER NOT NULL,
    why      TEXT    NOT NULL,
    found_on TEXT,
    priority INTEGER NOT NULL,
    hops     INTEGER NOT NULL,
    replay   INTEGER NOT NULL,
    etag     TEXT,
    modified TEXT,
    token    INTEGER NOT NULL DEFAULT 0,              -- leases given so far
    worker   TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    lost     INTEGER NOT NULL DEFAULT 0,
    suspect  INTEGER NOT NULL DEFAULT 0,              -- lost so often that it is leased alone
    reserved INTEGER NOT NULL DEFAULT 0,              -- holds a place of the page limit
    stale    INTEGER NOT NULL DEFAULT 0,              -- made shallower while leased
    reason   TEXT    NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX frontier_links_key ON frontier_links (job, key);
CREATE INDEX frontier_links_waiting ON frontier_links (lane, priority DESC)
    WHERE state = 'pending' AND suspect = 0;
CREATE INDEX frontier_links_placed ON frontier_links (job, lane, priority DESC)
    WHERE state = 'pending' AND suspect = 0 AND reserved = 1 AND replay = 0;
CREATE INDEX frontier_links_suspect ON frontier_links (job, state) WHERE suspect = 1;
CREATE INDEX frontier_links_timed ON frontier_links (job, state, at) WHERE at IS NOT NULL;

CREATE TABLE frontier_shapes (
    host     INTEGER NOT NULL,
    shape    TEXT    NOT NULL,
    barren   INTEGER NOT NULL DEFAULT 0,              -- pages without a document
    fruitful INTEGER NOT NULL DEFAULT 0,              -- pages with one
    PRIMARY KEY (host, shape)
) WITHOUT ROWID;
CREATE INDEX frontier_shapes_barren ON frontier_shapes (host, barren) WHERE fruitful = 0;

CREATE TRIGGER frontier_links_added AFTER INSERT ON frontier_links
BEGIN
    UPDATE frontier_jobs SET pending = pending + 1 WHERE id = new.job;
END;

CREATE TRIGGER frontier_links_moved AFTER UPDATE OF state, reserved ON frontier_links
BEGIN
    UPDATE frontier_jobs SET
        pending  = pending  - (old.state = 'pending') + (new.state = 'pending'),
        delayed  = delayed  - (old.state = 'delayed') + (new.state = 'delayed'),
        leased   = leased   - (old.state = 'leased')  + (new.state = 'leased'),
        done     = done     - (old.state = 'done')    + (new.state = 'done'),
        dead     = dead     - (old.state = 'dead')    + (new.state = 'dead'),
        reserved = reserved - old.reserved + new.reserved
    WHERE id = new.job;
END;
"""

_FLEET = """
ALTER TABLE frontier_jobs ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE frontier_hosts ADD COLUMN pace_s REAL NOT NULL DEFAULT 0;       -- mean time to answer, lately
ALTER TABLE frontier_hosts ADD COLUMN address TEXT;                         -- that was asked last
ALTER TABLE frontier_hosts ADD COLUMN booked INTEGER NOT NULL DEFAULT 0;    -- has its turn at an address that rests
ALTER TABLE frontier_hosts ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE frontier_hosts ADD COLUMN boosted INTEGER NOT NULL DEFAULT 0;   -- served before the others

DROP INDEX frontier_hosts_due;
CREATE INDEX frontier_hosts_due ON frontier_hosts (job, boosted, next_at) WHERE waiting > 0 AND paused = 0;

CREATE INDEX frontier_hosts_paused ON frontier_hosts (job) WHERE paused = 1;

CREATE TABLE frontier_addresses (
    job     INTEGER NOT NULL,
    address TEXT    NOT NULL,
    next_at REAL    NOT NULL,                         -- no request before this time
    booked  REAL    NOT NULL DEFAULT 0,               -- hosts that wait for it have booked it until then
    turns   INTEGER NOT NULL DEFAULT 0,               -- how many have
    PRIMARY KEY (job, address)
) WITHOUT ROWID;

CREATE TABLE frontier_beats (
    job    INTEGER NOT NULL,
    worker TEXT    NOT NULL,
    at     REAL    NOT NULL,
    doing  TEXT    NOT NULL,
    PRIMARY KEY (job, worker)
) WITHOUT ROWID;
"""

_ORDERS = "ALTER TABLE frontier_beats ADD COLUMN told TEXT NOT NULL DEFAULT '';  -- what the worker is to do"

_SITES = """
CREATE TABLE frontier_sites (
    job   INTEGER NOT NULL,
    site  TEXT    NOT NULL,                           -- a registrable domain
    hosts INTEGER NOT NULL,                           -- of it that have links
    PRIMARY KEY (job, site)
) WITHOUT ROWID;
"""

# Politeness is shared by all jobs: a host or an address rests from the request of any of them. The clock goes on from
# where it was, whatever the machine's does.
_SHARED = """
CREATE TABLE frontier_clock (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    last  REAL NOT NULL,                              -- the latest time that the frontier has seen
    ahead REAL NOT NULL                               -- of the machine's clock, by so many seconds
);
INSERT INTO frontier_clock (id, last, ahead) VALUES (1, 0, 0);

CREATE TABLE frontier_rests (
    host        TEXT NOT NULL PRIMARY KEY,
    next_at     REAL NOT NULL,                        -- no request of any job before this time
    asked_at    REAL NOT NULL DEFAULT 0,              -- the last lease or settle
    job         INTEGER,                              -- that asked last
    rival       INTEGER,                              -- another job that waits for its turn
    rival_until REAL NOT NULL DEFAULT 0               -- its turn is kept until then
) WITHOUT ROWID;
INSERT INTO frontier_rests (host, next_at)
    SELECT name, max(next_at) FROM frontier_hosts WHERE name <> '' GROUP BY name;

CREATE TABLE frontier_address_rests (
    address TEXT NOT NULL PRIMARY KEY,
    next_at REAL NOT NULL
) WITHOUT ROWID;
INSERT INTO frontier_address_rests (address, next_at)
    SELECT address, max(next_at) FROM frontier_addresses GROUP BY address;

ALTER TABLE frontier_hosts ADD COLUMN busy_until REAL NOT NULL DEFAULT 0;  -- its leases have expired by then
CREATE INDEX frontier_hosts_busy ON frontier_hosts (name) WHERE leased > 0;
"""

_SOURCES = """
ALTER TABLE frontier_links ADD COLUMN source TEXT NOT NULL DEFAULT '';     -- that it is followed for
ALTER TABLE frontier_links ADD COLUMN again INTEGER NOT NULL DEFAULT 0;    -- delayed because it comes again and again
"""

MIGRATIONS: tuple[str, ...] = (_FIRST, _FLEET, _ORDERS, _SITES, _SHARED, _SOURCES)
