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
    """
    ALTER TABLE documents ADD COLUMN part INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE posts ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
    UPDATE posts SET place = position;
    CREATE INDEX posts_by_place ON posts (thread, place);
    CREATE TABLE parts (
        page TEXT NOT NULL PRIMARY KEY,
        thread TEXT NOT NULL,
        number INTEGER NOT NULL,
        asked_at TEXT NOT NULL,
        url TEXT NOT NULL
    );
    CREATE INDEX parts_by_thread ON parts (thread, number);
    """,
    """
    ALTER TABLE documents ADD COLUMN text_hash TEXT;
    CREATE INDEX documents_by_text_hash ON documents (text_hash, first_seen, key) WHERE text_hash IS NOT NULL;
    CREATE TABLE variants (
        base TEXT NOT NULL,
        name TEXT NOT NULL,
        host TEXT NOT NULL,
        key TEXT NOT NULL,
        run INTEGER NOT NULL,
        text_hash TEXT NOT NULL,
        same INTEGER NOT NULL,
        differs INTEGER NOT NULL,
        url TEXT NOT NULL,
        PRIMARY KEY (base, name)
    );
    CREATE INDEX variants_by_host ON variants (host, name);
    """,
    """
    CREATE TABLE volumes (
        run INTEGER NOT NULL,
        host TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        PRIMARY KEY (run, host)
    );
    CREATE TABLE unlisted (
        run INTEGER NOT NULL,
        reason TEXT NOT NULL,
        links INTEGER NOT NULL,
        PRIMARY KEY (run, reason)
    );
    """,
    """
    CREATE INDEX fates_by_time ON fates (run, at, key) WHERE state <> 'refused';
    """,
    """
    CREATE TABLE versions (
        key TEXT NOT NULL,
        at TEXT NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (key, at)
    );
    """,
    """
    CREATE TABLE article_pages (
        page TEXT NOT NULL PRIMARY KEY,
        article TEXT NOT NULL,
        number INTEGER NOT NULL,
        joined INTEGER NOT NULL,
        run INTEGER NOT NULL,
        seen_at TEXT NOT NULL,
        refusal TEXT,
        text_hash TEXT,
        url TEXT NOT NULL,
        content BLOB NOT NULL
    );
    CREATE INDEX article_pages_by_article ON article_pages (article, number);
    """,
    """
    CREATE TABLE page_sources (
        page TEXT NOT NULL,
        source TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (page, source)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE kinds (
        host TEXT NOT NULL,
        kind TEXT NOT NULL,
        signs INTEGER NOT NULL,
        given_up INTEGER NOT NULL,
        bore INTEGER NOT NULL,
        led INTEGER NOT NULL,
        skipped INTEGER NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (host, kind)
    );
    """,
    """
    CREATE TABLE texts (
        id INTEGER NOT NULL PRIMARY KEY,
        copy_group INTEGER NOT NULL,
        sketch BLOB
    );
    CREATE INDEX texts_by_group ON texts (copy_group);
    CREATE TABLE bands (
        band INTEGER NOT NULL,
        text INTEGER NOT NULL,
        PRIMARY KEY (band, text)
    ) WITHOUT ROWID;
    CREATE TABLE copies (
        key TEXT NOT NULL PRIMARY KEY,
        text INTEGER NOT NULL,
        at TEXT NOT NULL,
        seen TEXT NOT NULL,
        original TEXT NOT NULL,
        changed TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX copies_by_text ON copies (text);
    CREATE INDEX copies_by_original ON copies (original);
    CREATE INDEX copies_by_change ON copies (changed, key);
    """,
    """
    CREATE TABLE states (
        name TEXT NOT NULL PRIMARY KEY,
        content BLOB NOT NULL
    );
    """,
    """
    CREATE TABLE changes (key TEXT NOT NULL PRIMARY KEY, number INTEGER NOT NULL);
    CREATE INDEX changes_by_number ON changes (number);
    INSERT INTO changes (key, number)
        SELECT key, row_number() OVER (ORDER BY first_seen, key) FROM documents;
    """,
    """
    CREATE TABLE bodies (
        hash TEXT NOT NULL PRIMARY KEY,
        host TEXT NOT NULL,
        dictionary INTEGER,
        content BLOB NOT NULL
    );
    CREATE INDEX bodies_by_host ON bodies (host, hash);
    INSERT INTO bodies (hash, host, dictionary, content) SELECT key, '', NULL, body FROM pages;
    ALTER TABLE pages DROP COLUMN body;
    ALTER TABLE pages ADD COLUMN body TEXT NOT NULL DEFAULT '';
    UPDATE pages SET body = key;
    CREATE INDEX pages_by_body ON pages (body);
    CREATE TABLE dictionaries (
        host TEXT NOT NULL,
        number INTEGER NOT NULL,
        bodies INTEGER NOT NULL,
        hash TEXT NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (host, number)
    );
    """,
)

# Text sorts and compares by its code points, whatever the database's language: `COLLATE "C"` where order matters.
# What is compressed already is stored EXTERNAL, so that the server does not try again.
POSTGRESQL = (
    """
    CREATE TABLE runs (
        id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
        state TEXT COLLATE "C" NOT NULL,
        started_at TEXT COLLATE "C" NOT NULL,
        finished_at TEXT COLLATE "C",
        starts TEXT NOT NULL,
        options TEXT NOT NULL
    );
    CREATE TABLE pages (
        key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        run BIGINT NOT NULL,
        status BIGINT NOT NULL,
        fetched_at TEXT COLLATE "C" NOT NULL,
        elapsed_s DOUBLE PRECISION NOT NULL,
        crawl_delay_s DOUBLE PRECISION,
        address TEXT,
        etag TEXT,
        modified TEXT,
        content_type TEXT NOT NULL,
        url TEXT NOT NULL,
        headers TEXT NOT NULL,
        outlinks BYTEA,
        body BYTEA NOT NULL
    );
    CREATE TABLE documents (
        key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        thread TEXT COLLATE "C" NOT NULL,
        run BIGINT NOT NULL,
        first_seen TEXT COLLATE "C" NOT NULL,
        last_seen TEXT COLLATE "C" NOT NULL,
        kind TEXT COLLATE "C" NOT NULL,
        confidence DOUBLE PRECISION NOT NULL,
        length BIGINT NOT NULL,
        published TEXT COLLATE "C",
        language TEXT,
        algorithm TEXT NOT NULL,
        site TEXT COLLATE "C",
        site_name TEXT,
        url TEXT,
        canonical_url TEXT,
        title TEXT NOT NULL,
        authors TEXT NOT NULL,
        description TEXT,
        image TEXT,
        verdict TEXT NOT NULL,
        content BYTEA NOT NULL
    );
    CREATE INDEX documents_by_first_seen ON documents (first_seen, key);
    CREATE TABLE posts (
        thread TEXT COLLATE "C" NOT NULL,
        post TEXT COLLATE "C" NOT NULL,
        page TEXT COLLATE "C" NOT NULL,
        position BIGINT NOT NULL,
        id TEXT,
        author TEXT,
        published TEXT COLLATE "C",
        permalink TEXT,
        reply_to TEXT,
        quotes TEXT NOT NULL,
        xpath TEXT NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (thread, post)
    );
    CREATE INDEX posts_by_page ON posts (page);
    CREATE TABLE fates (
        key TEXT COLLATE "C" NOT NULL,
        run BIGINT NOT NULL,
        state TEXT COLLATE "C" NOT NULL,
        reason TEXT COLLATE "C" NOT NULL,
        at TEXT COLLATE "C" NOT NULL,
        status BIGINT,
        url TEXT NOT NULL,
        found_on TEXT,
        detail TEXT NOT NULL,
        PRIMARY KEY (key, run)
    );
    CREATE INDEX fates_by_run ON fates (run, state, reason);
    CREATE TABLE robots (
        origin TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        status BIGINT NOT NULL,
        fetched_at TEXT COLLATE "C" NOT NULL,
        body BYTEA NOT NULL
    );
    CREATE TABLE traces (
        site TEXT COLLATE "C" NOT NULL,
        run BIGINT NOT NULL,
        key TEXT COLLATE "C" NOT NULL,
        content BYTEA NOT NULL,
        PRIMARY KEY (site, run, key)
    );
    ALTER TABLE pages ALTER outlinks SET STORAGE EXTERNAL, ALTER body SET STORAGE EXTERNAL;
    ALTER TABLE documents ALTER content SET STORAGE EXTERNAL;
    ALTER TABLE robots ALTER body SET STORAGE EXTERNAL;
    ALTER TABLE traces ALTER content SET STORAGE EXTERNAL;
    """,
    """
    ALTER TABLE documents ADD COLUMN part BIGINT NOT NULL DEFAULT 1;
    ALTER TABLE posts ADD COLUMN place BIGINT NOT NULL DEFAULT 0;
    UPDATE posts SET place = position;
    CREATE INDEX posts_by_place ON posts (thread, place);
    CREATE TABLE parts (
        page TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        thread TEXT COLLATE "C" NOT NULL,
        number BIGINT NOT NULL,
        asked_at TEXT COLLATE "C" NOT NULL,
        url TEXT NOT NULL
    );
    CREATE INDEX parts_by_thread ON parts (thread, number);
    """,
    """
    ALTER TABLE documents ADD COLUMN text_hash TEXT COLLATE "C";
    CREATE INDEX documents_by_text_hash ON documents (text_hash, first_seen, key) WHERE text_hash IS NOT NULL;
    CREATE TABLE variants (
        base TEXT COLLATE "C" NOT NULL,
        name TEXT COLLATE "C" NOT NULL,
        host TEXT COLLATE "C" NOT NULL,
        key TEXT COLLATE "C" NOT NULL,
        run BIGINT NOT NULL,
        text_hash TEXT COLLATE "C" NOT NULL,
        same BIGINT NOT NULL,
        differs BIGINT NOT NULL,
        url TEXT NOT NULL,
        PRIMARY KEY (base, name)
    );
    CREATE INDEX variants_by_host ON variants (host, name);
    """,
    """
    CREATE TABLE volumes (
        run BIGINT NOT NULL,
        host TEXT COLLATE "C" NOT NULL,
        bytes BIGINT NOT NULL,
        PRIMARY KEY (run, host)
    );
    CREATE TABLE unlisted (
        run BIGINT NOT NULL,
        reason TEXT COLLATE "C" NOT NULL,
        links BIGINT NOT NULL,
        PRIMARY KEY (run, reason)
    );
    """,
    """
    CREATE INDEX fates_by_time ON fates (run, at, key) WHERE state <> 'refused';
    """,
    """
    CREATE TABLE versions (
        key TEXT COLLATE "C" NOT NULL,
        at TEXT COLLATE "C" NOT NULL,
        content BYTEA NOT NULL,
        PRIMARY KEY (key, at)
    );
    ALTER TABLE versions ALTER content SET STORAGE EXTERNAL;
    """,
    """
    CREATE TABLE article_pages (
        page TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        article TEXT COLLATE "C" NOT NULL,
        number BIGINT NOT NULL,
        joined BIGINT NOT NULL,
        run BIGINT NOT NULL,
        seen_at TEXT COLLATE "C" NOT NULL,
        refusal TEXT,
        text_hash TEXT COLLATE "C",
        url TEXT NOT NULL,
        content BYTEA NOT NULL
    );
    CREATE INDEX article_pages_by_article ON article_pages (article, number);
    ALTER TABLE article_pages ALTER content SET STORAGE EXTERNAL;
    """,
    """
    CREATE TABLE page_sources (
        page TEXT COLLATE "C" NOT NULL,
        source TEXT COLLATE "C" NOT NULL,
        at TEXT COLLATE "C" NOT NULL,
        PRIMARY KEY (page, source)
    );
    """,
    """
    CREATE TABLE kinds (
        host TEXT COLLATE "C" NOT NULL,
        kind TEXT COLLATE "C" NOT NULL,
        signs BIGINT NOT NULL,
        given_up BIGINT NOT NULL,
        bore BIGINT NOT NULL,
        led BIGINT NOT NULL,
        skipped BIGINT NOT NULL,
        at TEXT COLLATE "C" NOT NULL,
        PRIMARY KEY (host, kind)
    );
    """,
    """
    CREATE TABLE texts (
        id BIGINT NOT NULL PRIMARY KEY,
        copy_group BIGINT NOT NULL,
        sketch BYTEA
    );
    ALTER TABLE texts ALTER sketch SET STORAGE EXTERNAL;
    CREATE INDEX texts_by_group ON texts (copy_group);
    CREATE TABLE bands (
        band BIGINT NOT NULL,
        text BIGINT NOT NULL,
        PRIMARY KEY (band, text)
    );
    CREATE TABLE copies (
        key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        text BIGINT NOT NULL,
        at TEXT COLLATE "C" NOT NULL,
        seen TEXT COLLATE "C" NOT NULL,
        original TEXT COLLATE "C" NOT NULL,
        changed TEXT COLLATE "C" NOT NULL
    );
    CREATE INDEX copies_by_text ON copies (text);
    CREATE INDEX copies_by_original ON copies (original);
    CREATE INDEX copies_by_change ON copies (changed, key);
    """,
    """
    CREATE TABLE states (
        name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        content BYTEA NOT NULL
    );
    ALTER TABLE states ALTER content SET STORAGE EXTERNAL;
    """,
    """
    CREATE TABLE changes (key TEXT COLLATE "C" NOT NULL PRIMARY KEY, number BIGINT NOT NULL);
    CREATE INDEX changes_by_number ON changes (number);
    INSERT INTO changes (key, number)
        SELECT key, row_number() OVER (ORDER BY first_seen, key) FROM documents;
    """,
    """
    CREATE TABLE bodies (
        hash TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        host TEXT COLLATE "C" NOT NULL,
        dictionary BIGINT,
        content BYTEA NOT NULL
    );
    ALTER TABLE bodies ALTER content SET STORAGE EXTERNAL;
    INSERT INTO bodies (hash, host, dictionary, content) SELECT key, '', NULL, body FROM pages;
    CREATE INDEX bodies_by_host ON bodies (host, hash);
    ALTER TABLE pages DROP COLUMN body;
    ALTER TABLE pages ADD COLUMN body TEXT COLLATE "C" NOT NULL DEFAULT '';
    UPDATE pages SET body = key;
    CREATE INDEX pages_by_body ON pages (body);
    CREATE TABLE dictionaries (
        host TEXT COLLATE "C" NOT NULL,
        number BIGINT NOT NULL,
        bodies BIGINT NOT NULL,
        hash TEXT COLLATE "C" NOT NULL,
        content BYTEA NOT NULL,
        PRIMARY KEY (host, number)
    );
    ALTER TABLE dictionaries ALTER content SET STORAGE EXTERNAL;
    """,
)
