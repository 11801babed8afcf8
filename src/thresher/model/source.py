"""Source, Endpoint, Round, Judged: what we follow, where it is asked, and what came of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any

from cronsim import CronSim, CronSimError

from thresher import urls
from thresher.errors import UsageError
from thresher.model.engine import HOT

ADAPTIVE = "adaptive"
MIN_EVERY_S = 60.0
MAX_EVERY_S = 366 * 86_400.0
MAX_NAME = 80  # characters
_UNITS_S = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_EVERY = re.compile(r"(\d{1,9})\s*([smhdw])", re.IGNORECASE)
_NAME = re.compile(r"[\w][\w.-]*")
_NOT_IN_NAMES = re.compile(r"[^\w.]+")
_CRON_FIELDS = 5


class SourceKind(StrEnum):
    """What a source is."""

    FEED = "feed"
    SITE = "site"
    FORUM = "forum"
    SEARCH = "search"


class SourceState(StrEnum):
    """Whether a source is asked."""

    ACTIVE = "active"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A site, feed, forum or keyword search that we follow. Raise UsageError for a value that makes no sense."""

    name: str  # unique; letters of any script, digits, and . _ - between them
    kind: SourceKind
    address: str = ""  # canonical URL; empty for a search that has keywords alone
    keywords: tuple[str, ...] = ()  # HOT stands for those of the list of hot keywords
    engine: str = ""  # which search engine is asked for the keywords
    include: tuple[str, ...] = ()  # regular expressions, searched in canonical URLs; they win over what is learned
    exclude: tuple[str, ...] = ()
    frequency: str = ADAPTIVE  # "adaptive", an interval (15m, 2h, 1d), or a cron line (five fields, UTC)
    language: str = ""
    channel: str = ""  # news, blog, forum, or any word
    tags: tuple[str, ...] = ()
    limit: int | None = None  # new documents a day
    since: date | None = None  # older documents are not wanted
    state: SourceState = SourceState.ACTIVE
    created_at: datetime | None = None

    def __post_init__(self) -> None:
        check_name(self.name)
        every_s(self.frequency)
        for pattern in (*self.include, *self.exclude):
            _check_pattern(pattern)
        if self.limit is not None and self.limit < 1:
            raise UsageError(f"source {self.name}: limit {self.limit} is less than 1")
        if self.kind is SourceKind.SEARCH and not self.keywords:
            raise UsageError(f"source {self.name}: a search needs keywords")
        if self.kind is not SourceKind.SEARCH and not self.address:
            raise UsageError(f"source {self.name}: a {self.kind} needs an address")

    @property
    def is_active(self) -> bool:
        """True unless somebody paused it."""
        return self.state is SourceState.ACTIVE

    def wants(self, url: str) -> bool:
        """Say whether the patterns let a canonical URL pass; without patterns, every URL does."""
        if any(re.search(pattern, url) for pattern in self.exclude):
            return False
        return not self.include or any(re.search(pattern, url) for pattern in self.include)


class EndpointKind(StrEnum):
    """What an endpoint answers with."""

    FEED = "feed"
    SITEMAP = "sitemap"
    LISTING = "listing"
    BOARD = "board"
    SEARCH = "search"


class EndpointState(StrEnum):
    """Whether an endpoint is asked."""

    ACTIVE = "active"
    MOVED = "moved"  # `moved_to` is asked instead
    GONE = "gone"  # given up: it answers that it is gone, or fails for long


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One address of a source that is asked again and again."""

    source: str
    url: str  # canonical
    kind: EndpointKind
    interval_s: float | None = None  # until it is asked again; None: it was never asked
    last_asked: datetime | None = None
    last_new: datetime | None = None  # when it brought a new link last
    asked: int = 0  # times
    found: int = 0  # links, over all times
    new: int = 0  # of them, unknown before
    failures: int = 0  # in a row, up to now
    moved_to: str = ""
    rhythm: str = ""  # what the schedule remembers of it (watching/schedule.py)
    hubs: tuple[str, ...] = ()  # WebSub hubs that it names
    state: EndpointState = EndpointState.ACTIVE

    @property
    def due(self) -> datetime | None:
        """When it is to be asked next; None: at once, since it never was."""
        if self.last_asked is None or self.interval_s is None:
            return None
        return self.last_asked + timedelta(seconds=self.interval_s)

    def after(self, visit: "Round") -> "Endpoint":
        """Return the endpoint as it is after a round: the counts, times and interval brought up to date."""
        return replace(
            self,
            interval_s=visit.interval_s if visit.interval_s is not None else self.interval_s,
            last_asked=visit.at,
            last_new=visit.at if visit.new else self.last_new,
            asked=self.asked + 1,
            found=self.found + visit.found,
            new=self.new + visit.new,
            failures=self.failures + 1 if visit.reason else 0,
            rhythm=visit.rhythm or self.rhythm,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One visit of an endpoint."""

    source: str
    url: str
    at: datetime
    status: int | None = None  # None: there was no answer
    found: int = 0  # links that it listed
    new: int = 0  # of them, unknown before
    reason: str = ""  # why it failed, a short fixed word as of a Fate; empty: it did not
    interval_s: float | None = None  # that was chosen after it
    rhythm: str = ""  # what the schedule has learned by it; kept with the endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What became of one page of a source: a document that was stored, or the reason why there is none."""

    source: str
    url: str
    at: datetime
    stored: bool
    reason: str  # as of a Fate: article, thread; no-date, short-text, other, http-404 …
    length: int = 0  # characters of the main text
    text_hash: str | None = None  # Document.text_hash: the same for pages with the same text


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyword:
    """A hot keyword that searches may be made for."""

    word: str
    origin: str  # edited, imported, rising
    added_at: datetime
    weight: float = 0.0  # how strongly it rises, for those that do


def every_s(frequency: str) -> float | None:
    """Return the seconds of an interval such as 15m; None for "adaptive" and cron lines; raise UsageError."""
    if frequency == ADAPTIVE:
        return None
    matched = _EVERY.fullmatch(frequency.strip())
    if matched is None:
        next_by_cron(frequency, datetime(2000, 1, 1, tzinfo=UTC))
        return None
    seconds = float(int(matched[1]) * _UNITS_S[matched[2].lower()])
    if not MIN_EVERY_S <= seconds <= MAX_EVERY_S:
        raise UsageError(f"{frequency!r} is not between one minute and one year")
    return seconds


def next_by_cron(line: str, after: datetime) -> datetime:
    """Return the first time after another that a cron line of five fields names, in UTC; raise UsageError."""
    form = "use adaptive, an interval (15m, 2h, 1d) or a cron line of five fields (0 */2 * * *)"
    if len(line.split()) != _CRON_FIELDS:
        raise UsageError(f"{line!r} is not a frequency; {form}")
    try:
        return next(CronSim(line, after.astimezone(UTC)))
    except CronSimError as error:
        raise UsageError(f"{line!r} is not a cron line ({error}); {form}") from None
    except StopIteration:
        raise UsageError(f"{line!r} is a cron line that never comes true") from None


def name_from(address: str, taken: frozenset[str] | set[str] = frozenset()) -> str:
    """Make the name of a source from its address (or keywords), unlike all that are taken."""
    plain = re.sub(r"^https?://(?:www\.)?", "", address.strip().lower()).rstrip("/")
    plain = re.sub(r"\.(?:xml|rss|atom|html?|php|json)$", "", plain)
    name = _NOT_IN_NAMES.sub("-", plain).strip("-._")[:MAX_NAME].rstrip("-._") or "source"
    choice, number = name, 1
    while choice in taken:
        number += 1
        choice = f"{name[: MAX_NAME - 8]}-{number}"
    return choice


def source_to_dict(source: Source) -> dict[str, Any]:
    """Return a source as plain JSON and TOML data, without the fields that are empty or at their default."""
    data = {
        item.name: _plain(getattr(source, item.name))
        for item in fields(Source)
        if getattr(source, item.name) != item.default or item.name == "kind"
    }
    return {name: value for name, value in data.items() if value is not None}


def source_from_dict(data: Mapping[str, Any]) -> Source:
    """Return the source that `source_to_dict` described; raise UsageError for an unknown field or a wrong value."""
    name = data.get("name")
    label = f"source {name}" if isinstance(name, str) and name else "a source without a name"
    known = {item.name for item in fields(Source)}
    unknown = sorted(set(data) - known)
    if unknown:
        raise UsageError(f"{label}: unknown field {unknown[0]!r}; there are {', '.join(sorted(known))}")
    if not isinstance(name, str) or not name:
        raise UsageError("a source without a name: give each one a `name`")
    values = {field: _READERS[field](data[field], f"{label}: {field}") for field in data}
    values.setdefault("kind", SourceKind.SEARCH if values.get("keywords") else SourceKind.SITE)
    try:
        return Source(**values)
    except UsageError as error:
        message = str(error)
        raise UsageError(message if message.startswith("source ") else f"{label}: {message}") from None


def check_name(name: str) -> None:
    """Raise UsageError for what cannot name a source, a saved search or an alert."""
    if not _NAME.fullmatch(name) or len(name) > MAX_NAME:
        raise UsageError(
            f"{name!r} is not a name: use up to {MAX_NAME} letters, digits and . _ - , beginning with a letter or digit"
        )


def _check_pattern(pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise UsageError(f"{pattern!r} is not a regular expression: {error}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value) if isinstance(value, StrEnum) else value


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{what}: {value!r} is not a text")
    return value


def _texts(value: Any, what: str) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, list | tuple):
        raise UsageError(f"{what}: {value!r} is not a list of texts")
    return tuple(_text(item, what) for item in value)


def _keywords(value: Any, what: str) -> tuple[str, ...]:
    return (HOT,) if value == "hot" else _texts(value, what)


def _url(value: Any, what: str) -> str:
    text = _text(value, what)
    try:
        return urls.canonical(text if "://" in text else f"https://{text}") if text else ""
    except UsageError as error:
        raise UsageError(f"{what}: {error}") from None


def _limit(value: Any, what: str) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise UsageError(f"{what}: {value!r} is not a whole number")
    return value


def _date(value: Any, what: str) -> date | None:
    if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    try:
        return date.fromisoformat(_text(value, what)[:10])
    except ValueError:
        raise UsageError(f"{what}: {value!r} is not a date such as 2026-11-01") from None


def _moment(value: Any, what: str) -> datetime | None:
    if value is None or isinstance(value, datetime):
        return value
    try:
        return datetime.fromisoformat(_text(value, what))
    except ValueError:
        raise UsageError(f"{what}: {value!r} is not a time") from None


def _one_of(kind: type[StrEnum]) -> Any:
    def read(value: Any, what: str) -> StrEnum:
        try:
            return kind(_text(value, what))
        except ValueError:
            raise UsageError(f"{what}: {value!r} is not one of {', '.join(kind)}") from None

    return read


_READERS: Mapping[str, Any] = {
    **dict.fromkeys(("name", "engine", "frequency", "language", "channel"), _text),
    "keywords": _keywords,
    **dict.fromkeys(("include", "exclude", "tags"), _texts),
    "address": _url,
    "kind": _one_of(SourceKind),
    "state": _one_of(SourceState),
    "limit": _limit,
    "since": _date,
    "created_at": _moment,
}
