"""How the tables of an SQL store came to be, by dialect: scripts that are applied in order and never edited."""

SQLITE = (
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        state TEXT NOT NULL,
        started_at TEXT NOT NULL,
        finished_at TEXT,
        starts TEXT NOT NULL,
        options TEXT NOT NULL
    );
    CREATE TABLE pages (
        key TEXT NOT NULL PRIMARY KEY,
        run INTEGER NOT NULL,
        status INTEGER NOT NULL,
        fetched_at TEXT NOT NULL,
        elapsed_s REAL NOT NULL,
        crawl_delay_s REAL,
        address TEXT,
        etag TEXT,
        modified TEXT,
        content_type TEXT NOT NULL,
        url TEXT NOT NULL,
        headers TEXT NOT NULL,
        outlinks BLOB,
        body BLOB NOT NULL
    );
    CREATE TABLE documents (
        key TEXT NOT NULL PRIMARY KEY,
        thread TEXT NOT NULL,
        run INTEGER NOT NULL,
        first_seen TEXT NOT NULL,
        last_seen TEXT NOT NULL,
        kind TEXT NOT NULL,
        confidence REAL NOT NULL,
        length INTEGER NOT NULL,
        published TEXT,
        language TEXT,
        algorithm TEXT NOT NULL,
        site TEXT,
        site_name TEXT,
        url TEXT,
        canonical_url TEXT,
        title TEXT NOT NULL,
        authors TEXT NOT NULL,
        description TEXT,
        image TEXT,
        verdict TEXT NOT NULL,
        content BLOB NOT NULL
    );
    CREATE INDEX documents_by_first_seen ON documents (first_seen, key);
    CREATE TABLE posts (
        thread TEXT NOT NULL,
        post TEXT NOT NULL,
        page TEXT NOT NULL,
        position INTEGER NOT NULL,
        id TEXT,
        author TEXT,
        published TEXT,
        permalink TEXT,
        reply_to TEXT,
        quotes TEXT NOT NULL,
        xpath TEXT NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (thread, post)
    );
    CREATE INDEX posts_by_page ON posts (page);
    CREATE TABLE fates (
        key TEXT NOT NULL,
        run INTEGER NOT NULL,
        state TEXT NOT NULL,
        reason TEXT NOT NULL,
        at TEXT NOT NULL,
        status INTEGER,
        url TEXT NOT NULL,
        found_on TEXT,
        detail TEXT NOT NULL,
        PRIMARY KEY (key, run)
    );
    CREATE INDEX fates_by_run ON fates (run, state, reason);
    CREATE TABLE robots (
        origin TEXT NOT NULL PRIMARY KEY,
        status INTEGER NOT NULL,
        fetched_at TEXT NOT NULL,
        body BLOB NOT NULL
    );
    """,
    """
    CREATE TABLE traces (
        site TEXT NOT NULL,
        run INTEGER NOT NULL,
        key TEXT NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (site, run, key)
    );
    """,
)
