"""What the API takes and gives, as its description tells it."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

MAX_QUERY = 5_000  # characters
MAX_URL = 8_000
MAX_HTML = 10_000_000

Url = Annotated[str, StringConstraints(min_length=1, max_length=MAX_URL)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Pattern = Annotated[str, StringConstraints(min_length=1, max_length=500)]


class Given(BaseModel):
    """What is sent: unknown fields are refused, so that a misspelt one is told."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """An error, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    place: int | None = Field(None, description="of a query: at which of its characters, from 0")


class HitOut(BaseModel):
    """A document that was found."""

    key: str
    url: str
    title: str
    snippet: str
    marks: list[tuple[int, int]] = Field(description="where in the snippet the matches are")
    score: float
    site: str
    kind: str
    language: str | None
    published: datetime | None
    authors: list[str]
    copies: int
    copy_sites: int
    original: str | None
    seen: datetime | None
    title_marks: list[tuple[int, int]]
    passages: list[dict[str, Any]]


class Found(BaseModel):
    """Some hits, how many there are in all, and how to go on."""

    total: int
    next: str | None = Field(description="pass it as `after`; null: there are no more")
    suggestion: str | None
    hits: list[HitOut]


class BucketOut(BaseModel):
    """How many documents have a value."""

    value: str
    count: int


class DatesOut(BaseModel):
    """How many documents were published in each period."""

    unit: str
    buckets: list[BucketOut]


class FacetsOut(BaseModel):
    """How what was found is spread."""

    counts: dict[str, list[BucketOut]]
    dates: DatesOut
    undated: int


class ClauseOut(BaseModel):
    """How many documents a part of a query finds, or takes away."""

    text: str
    count: int
    excludes: bool


class PostOut(BaseModel):
    """One author's part of a thread."""

    author: str | None
    published: datetime | None
    text: str
    position: int
    id: str | None
    permalink: str | None
    reply_to: str | None
    quotes: list[str]
    xpath: str


class DocumentOut(BaseModel):
    """An article or thread."""

    model_config = ConfigDict(extra="allow")
    url: str | None
    kind: str
    title: str
    text: str
    site: str | None
    authors: list[str]
    published: datetime | None
    language: str | None
    description: str | None
    links: list[str]
    evidence: dict[str, Any]
    posts: list[PostOut]


class Posts(BaseModel):
    """Some posts of a thread."""

    total: int
    next: str | None
    posts: list[PostOut]


class VersionOut(BaseModel):
    """An article as it was from a time on."""

    at: datetime
    title: str
    text: str
    published: datetime | None


class Versions(BaseModel):
    """All versions of an article, the present one last."""

    versions: list[VersionOut]


class Copies(BaseModel):
    """Documents with the same text, the original first."""

    copies: list[str]


class Items(BaseModel):
    """A page of a list."""

    total: int
    next: str | None = None
    items: list[dict[str, Any]]


class Why(BaseModel):
    """What became of a URL."""

    url: str
    document: bool
    copies: list[str]
    waiting: list[dict[str, Any]]
    fates: list[dict[str, Any]]


class Probe(Given):
    """A URL to look at; nothing is stored."""

    url: Url


class Extract(Given):
    """A page to read: its HTML, or a URL to fetch it from."""

    html: Annotated[str, StringConstraints(max_length=MAX_HTML)] | None = None
    url: Url | None = Field(None, description="of the page; it is fetched when no HTML is given")
    algorithm: Name | None = None
    favour: Literal["balance", "precision", "recall"] = "balance"
    posts: Literal["threads", "comments", "always", "never"] = "threads"
    images: bool = False


class SourceNew(Given):
    """A source to follow."""

    url: Url
    name: Name | None = None
    kind: Literal["feed", "site", "forum"] | None = None
    include: list[Pattern] = Field([], max_length=100)
    exclude: list[Pattern] = Field([], max_length=100)
    frequency: Annotated[str, StringConstraints(max_length=100)] | None = Field(
        None, description="adaptive, an interval (15m, 2h, 1d) or a cron line"
    )
    language: Annotated[str, StringConstraints(max_length=20)] | None = None
    channel: Name | None = None
    tags: list[Name] = Field([], max_length=100)
    limit: int | None = Field(None, ge=1, le=10_000_000, description="new documents a day")
    since: date | None = None
    probe: bool = Field(True, description="look at the address first, and find its feeds and boards")


class SourceChange(Given):
    """What is to change of a source; what is left out stays."""

    include: list[Pattern] | None = Field(None, max_length=100)
    exclude: list[Pattern] | None = Field(None, max_length=100)
    frequency: Annotated[str, StringConstraints(max_length=100)] | None = None
    language: Annotated[str, StringConstraints(max_length=20)] | None = None
    channel: Annotated[str, StringConstraints(max_length=80)] | None = None
    tags: list[Name] | None = Field(None, max_length=100)
    limit: int | None = Field(None, ge=0, le=10_000_000, description="new documents a day; 0: no limit")
    since: date | None = None


class Survey(BaseModel):
    """What was found at an address."""

    model_config = ConfigDict(extra="allow")
    source: dict[str, Any]
    endpoints: list[dict[str, Any]]
    samples: list[dict[str, Any]]


class RunNew(Given):
    """A crawl to start."""

    urls: list[Url] = Field(min_length=1, max_length=1_000)
    limit: int | None = Field(None, ge=1, le=100_000_000, description="pages")
    max_depth: int | None = Field(None, ge=0, le=1_000)
    since: date | None = None
    include: list[Pattern] = Field([], max_length=100)
    exclude: list[Pattern] = Field([], max_length=100)
    reach: Literal["host", "subdomains", "any"] = "host"
    algorithm: Name | None = None
    refresh: bool = False
    delay_s: float | None = Field(None, ge=0, le=3_600)


class RunOut(BaseModel):
    """How a run stands."""

    run: int
    state: str
    started_at: datetime
    finished_at: datetime | None
    duration_s: float
    links: int
    documents: int
    failed: int
    starts: list[str]


class Runs(BaseModel):
    """Runs, newest first."""

    total: int
    next: str | None
    runs: list[RunOut]


class WorkerNew(Given):
    """Workers to start on the machine of the server."""

    count: int = Field(1, ge=1, le=16)


class FleetSize(Given):
    """How many members the fleet is to have."""

    count: int = Field(ge=0, le=256)


class KeywordNew(Given):
    """Words to keep as hot keywords."""

    words: list[Word] = Field(min_length=1, max_length=1_000)


class UserNew(Given):
    """An account to make."""

    name: Name
    password: Annotated[str, StringConstraints(max_length=2_000)]
    role: Literal["viewer", "analyst", "admin"] = "viewer"


class UserChange(Given):
    """What is to change of an account."""

    password: Annotated[str, StringConstraints(max_length=2_000)] | None = None
    role: Literal["viewer", "analyst", "admin"] | None = None


class UserOut(BaseModel):
    """An account."""

    name: str
    role: str
    created_at: datetime


class TokenNew(Given):
    """A token to make."""

    name: Name
    scope: Literal["read", "write", "worker", "admin"] = "read"
    days: int | None = Field(None, ge=1, le=36_500, description="until it ends; null: never")


class TokenOut(BaseModel):
    """A token, without its secret."""

    name: str
    user: str
    scope: str
    created_at: datetime
    used_at: datetime | None
    expires_at: datetime | None


class TokenMade(BaseModel):
    """A new token: its secret is never shown again."""

    name: str
    scope: str
    token: str


class SavedNew(Given):
    """A search to save."""

    query: Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUERY)]
    shared: bool = Field(True, description="shown to everybody, not to its owner alone")


class SavedOut(BaseModel):
    """A saved search."""

    name: str
    query: str
    owner: str
    shared: bool
    created_at: datetime | None


Target = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
Short = Annotated[str, StringConstraints(max_length=100)]


class AlertNew(Given):
    """An alert to add."""

    name: Name
    query: Annotated[str, StringConstraints(max_length=MAX_QUERY)] | None = None
    kind: Literal["every", "digest", "spike", "silence"] = "every"
    source: Short | None = Field(None, description="of silence: a source in place of a query; *: all sources")
    to: list[Target] = Field([], max_length=20, description="mailto:ADDRESS and URLs of webhooks")
    at: Short | None = Field(None, description="of a digest: HH:MM")
    day: Literal["", "mon", "tue", "wed", "thu", "fri", "sat", "sun"] | None = Field(
        None, description="of a weekly digest; empty: daily"
    )
    zone: Short | None = Field(None, description="of a digest: the time zone")
    window: Short | None = Field(None, description="of a spike: the span that is compared, e.g. 6h")
    after: Short | None = Field(None, description="of silence: how long is too long; empty: what is unusual")


class AlertChange(Given):
    """What is to change of an alert; what is left out stays."""

    query: Annotated[str, StringConstraints(max_length=MAX_QUERY)] | None = None
    kind: Literal["every", "digest", "spike", "silence"] | None = None
    source: Short | None = None
    to: list[Target] | None = Field(None, max_length=20)
    at: Short | None = None
    day: Literal["", "mon", "tue", "wed", "thu", "fri", "sat", "sun"] | None = None
    zone: Short | None = None
    window: Short | None = None
    after: Short | None = None


class AlertOut(BaseModel):
    """An alert; fields at their default are left out."""

    model_config = ConfigDict(extra="allow")
    name: str
    kind: str
    state: str
    to: list[str]
    found: int


class DeliveryOut(BaseModel):
    """Something on its way to a mailbox or a webhook."""

    id: str
    alert: str
    target: str
    state: str
    created_at: datetime
    due_at: datetime
    attempts: int
    detail: str
    message: str
    total: int


class FeedNew(Given):
    """A feed to make."""

    query: Annotated[str, StringConstraints(max_length=MAX_QUERY)] = Field("", description="empty: everything")
    name: Annotated[str, StringConstraints(max_length=80)] = ""


class FeedOut(BaseModel):
    """A feed, without its address."""

    id: str
    name: str
    query: str
    created_at: datetime


class FeedMade(FeedOut):
    """A new feed: its address is never shown again."""

    path: str = Field(description="of its address, on this server")
