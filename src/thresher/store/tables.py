"""The tables of an SQL store, as every dialect sees them; migrations.py creates them."""

from sqlalchemy import BigInteger, Column, Float, Integer, LargeBinary, MetaData, String, Table, Text

LONG = 2**32 - 1  # makes MySQL choose its largest types; the others have no limit

KEY = String(32)  # urls.key_of
TIME = String(40)  # ISO 8601, UTC, with microseconds: sorts as text
WORD = String(64)  # one of a few fixed words of ours; what a page says has no limit

LARGE = ("bodies", "dictionaries", "robots")  # tables whose rows may have megabytes

metadata = MetaData()

runs = Table(
    "runs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("state", WORD, nullable=False),
    Column("started_at", TIME, nullable=False),
    Column("finished_at", TIME),
    Column("starts", Text(LONG), nullable=False),  # JSON
    Column("options", Text(LONG), nullable=False),  # JSON
)

pages = Table(
    "pages",
    metadata,
    Column("key", KEY, primary_key=True),
    Column("run", Integer, nullable=False),  # that fetched the URL last
    Column("status", BigInteger, nullable=False),
    Column("fetched_at", TIME, nullable=False),
    Column("elapsed_s", Float, nullable=False),
    Column("crawl_delay_s", Float),
    Column("address", Text),
    Column("etag", Text),
    Column("modified", Text),
    Column("content_type", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("headers", Text(LONG), nullable=False),  # JSON
    Column("outlinks", LargeBinary(LONG)),  # JSON, compressed; of the last answer
    Column("body", KEY, nullable=False),  # the hash of its body in `bodies`; "" for an empty one
)

# What pages consist of: each body once, however many pages have it.
bodies = Table(
    "bodies",
    metadata,
    Column(
        "hash", KEY, primary_key=True
    ),  # of what it says, or the key of a page that was stored before there were any
    Column("host", String(300), nullable=False),  # that it first came from
    Column("dictionary", Integer),  # the number of the host's dictionary that it is compressed with, if any
    Column("content", LargeBinary(LONG), nullable=False),  # compressed
)

# What bodies of a host have in common; none is ever changed or removed.
dictionaries = Table(
    "dictionaries",
    metadata,
    Column("host", String(300), primary_key=True),
    Column("number", Integer, primary_key=True),  # of the host's, from 1
    Column("bodies", BigInteger, nullable=False),  # that the host had when it was trained
    Column("hash", KEY, nullable=False),  # of its content
    Column("content", LargeBinary(LONG), nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("key", KEY, primary_key=True),
    Column("thread", KEY, nullable=False),
    Column("run", Integer, nullable=False),  # that saved it last
    Column("first_seen", TIME, nullable=False),
    Column("last_seen", TIME, nullable=False),
    Column("kind", WORD, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("length", BigInteger, nullable=False),  # characters of the main text
    Column("published", TIME),  # ISO 8601 with the zone that the page gave, if any
    Column("language", Text),
    Column("algorithm", WORD, nullable=False),
    Column("site", Text),
    Column("site_name", Text),
    Column("url", Text),
    Column("canonical_url", Text),
    Column("title", Text(LONG), nullable=False),
    Column("authors", Text(LONG), nullable=False),  # JSON
    Column("description", Text(LONG)),
    Column("image", Text(LONG)),
    Column("verdict", Text, nullable=False),  # JSON: the faults
    Column("content", LargeBinary(LONG), nullable=False),  # blocks, links and evidence: JSON, compressed
    Column("part", BigInteger, nullable=False),  # the page of the thread that all but the posts comes from
    Column("text_hash", KEY),  # Document.text_hash
)

posts = Table(
    "posts",
    metadata,
    Column("thread", KEY, primary_key=True),
    Column("post", KEY, primary_key=True),  # hash of the post's id, or of what it says
    Column("page", KEY, nullable=False),
    Column("position", BigInteger, nullable=False),  # as the page showed it; -1: it showed none
    Column("id", Text),
    Column("author", Text),
    Column("published", TIME),
    Column("permalink", Text),
    Column("reply_to", Text),
    Column("quotes", Text(LONG), nullable=False),  # JSON
    Column("xpath", Text, nullable=False),
    Column("text", Text(LONG), nullable=False),
    Column("place", BigInteger, nullable=False),  # what posts of a thread are ordered by
)

parts = Table(
    "parts",
    metadata,
    Column("page", KEY, primary_key=True),
    Column("thread", KEY, nullable=False),
    Column("number", BigInteger, nullable=False),  # of the page in its thread, from 1
    Column("asked_at", TIME, nullable=False),
    Column("url", Text, nullable=False),
)

# Pages that are one of several of an article, as their pagers say, each with what was read from it.
article_pages = Table(
    "article_pages",
    metadata,
    Column("page", KEY, primary_key=True),
    Column("article", KEY, nullable=False),  # the key of the first page
    Column("number", BigInteger, nullable=False),  # of the page, from 1
    Column("joined", Integer, nullable=False),  # 1: its text is in the document of the first page; 0: in its own
    Column("run", Integer, nullable=False),  # that saved it last
    Column("seen_at", TIME, nullable=False),
    Column("refusal", WORD),  # why the page is no document of its own, if it is too short for one
    Column("text_hash", KEY),  # Document.text_hash of this page alone
    Column("url", Text, nullable=False),
    Column("content", LargeBinary(LONG), nullable=False),  # the document without its posts: JSON, compressed
)

fates = Table(
    "fates",
    metadata,
    Column("key", KEY, primary_key=True),
    Column("run", Integer, primary_key=True),
    Column("state", WORD, nullable=False),
    Column("reason", WORD, nullable=False),
    Column("at", TIME, nullable=False),
    Column("status", BigInteger),
    Column("url", Text, nullable=False),
    Column("found_on", Text),
    Column("detail", Text, nullable=False),
)

robots = Table(
    "robots",
    metadata,
    Column("origin", String(300), primary_key=True),
    Column("status", BigInteger, nullable=False),
    Column("fetched_at", TIME, nullable=False),
    Column("body", LargeBinary(LONG), nullable=False),
)

traces = Table(
    "traces",
    metadata,
    Column("site", String(300), primary_key=True),
    Column("run", Integer, primary_key=True),
    Column("key", KEY, primary_key=True),
    Column("content", LargeBinary(LONG), nullable=False),  # compressed
)

# Articles that were edited: each version, the present one too. One that never changed has no row.
versions = Table(
    "versions",
    metadata,
    Column("key", KEY, primary_key=True),
    Column("at", TIME, primary_key=True),
    Column("content", LargeBinary(LONG), nullable=False),  # compressed JSON: title, text, published
)

# Documents whose URLs differ in one parameter alone: what they show of it. One stands for all of a base.
variants = Table(
    "variants",
    metadata,
    Column("base", KEY, primary_key=True),  # the key of the URL without the parameter
    Column("name", String(64), primary_key=True),  # of the parameter
    Column("host", Text, nullable=False),
    Column("key", KEY, nullable=False),
    Column("run", Integer, nullable=False),
    Column("text_hash", KEY, nullable=False),
    Column("same", Integer, nullable=False),  # 1 when another one had the same text
    Column("differs", Integer, nullable=False),  # 1 when another one of the same run had another text
    Column("url", Text, nullable=False),
)

# Which sources led to which pages; a document has those of all its pages.
page_sources = Table(
    "page_sources",
    metadata,
    Column("page", KEY, primary_key=True),
    Column("source", String(80), primary_key=True),  # its name in the catalog
    Column("at", TIME, nullable=False),  # when it first did
)

# What pages of a host whose links are of one kind (urls.kind_of) have given.
kinds = Table(
    "kinds",
    metadata,
    Column("host", String(300), primary_key=True),
    Column("kind", String(300), primary_key=True),
    Column("signs", BigInteger, nullable=False),  # that it leads to nothing, in a row
    Column("given_up", Integer, nullable=False),
    Column("bore", BigInteger, nullable=False),
    Column("led", BigInteger, nullable=False),
    Column("skipped", BigInteger, nullable=False),
    Column("at", TIME, nullable=False),
)

# Every different text that a document has or had, by the beginning of its hash (see copies.py).
texts = Table(
    "texts",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("copy_group", BigInteger, nullable=False),  # the text that stands for all that are alike
    Column("sketch", LargeBinary),  # none of a text that is too short
)

# What texts that may be alike have in common.
bands = Table(
    "bands",
    metadata,
    Column("band", BigInteger, primary_key=True),
    Column("text", BigInteger, primary_key=True),
)

# Documents with a text long enough to be copied, and who published it first.
copies = Table(
    "copies",
    metadata,
    Column("key", KEY, primary_key=True),
    Column("text", BigInteger, nullable=False),
    Column("at", TIME, nullable=False),  # published, or first seen if that is earlier or all that is known
    Column("seen", TIME, nullable=False),  # first
    Column("original", KEY, nullable=False),  # the first of its group
    Column("changed", TIME, nullable=False),  # when that was settled
)

# The log of changes: each document that was saved, or has gone since, with the number of the last change.
changes = Table(
    "changes",
    metadata,
    Column("key", KEY, primary_key=True),
    Column("number", BigInteger, nullable=False),
)

# What analyses remember.
states = Table(
    "states",
    metadata,
    Column("name", WORD, primary_key=True),
    Column("content", LargeBinary(LONG), nullable=False),  # JSON, compressed
)

# What the hosts of a run have sent.
volumes = Table(
    "volumes",
    metadata,
    Column("run", Integer, primary_key=True),
    Column("host", String(300), primary_key=True),
    Column("bytes", BigInteger, nullable=False),
)

# Links that were refused and are only counted: of one page that has very many.
unlisted = Table(
    "unlisted",
    metadata,
    Column("run", Integer, primary_key=True),
    Column("reason", WORD, primary_key=True),
    Column("links", BigInteger, nullable=False),
)
