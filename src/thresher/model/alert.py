"""SavedSearch, Alert, Notice, Delivery: what people want to be told of, and what was sent to them."""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from thresher.errors import UsageError
from thresher.model.codec import storable
from thresher.model.source import check_name

MAX_QUERY = 5_000
MAX_TARGETS = 20  # of one alert
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MAIL = "mailto:"
WEB = ("https://", "http://")
ANY_SOURCE = "*"
SECRET = "whsec_"  # how secrets of webhooks begin
MIN_KEY, MAX_KEY = 24, 64  # bytes
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]{1,64}@[\w.-]{1,255}")
_SPAN = re.compile(r"(\d{1,4})([hdw])")
_SPAN_H = {"h": 1, "d": 24, "w": 168}


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSearch:
    """A query with a name; `saved:NAME` stands for it in other queries. Raise UsageError for what makes no sense."""

    name: str  # unique
    query: str
    owner: str = ""  # the user; empty: somebody on the command line
    shared: bool = True  # shown to everybody, not to its owner alone
    created_at: datetime | None = None

    def __post_init__(self) -> None:
        check_name(self.name)
        if not self.query.strip():
            raise UsageError(f"saved search {self.name}: give it a query")
        if len(self.query) > MAX_QUERY:
            raise UsageError(f"saved search {self.name}: the query has more than {MAX_QUERY} characters")


class AlertKind(StrEnum):
    """When an alert tells something."""

    EVERY = "every"  # each document that matches, soon after it was stored
    DIGEST = "digest"  # what matched since the last time, daily or weekly at a time
    SPIKE = "spike"  # much more matches than usual
    SILENCE = "silence"  # nothing matches any more, or a source has fallen silent or is broken


class AlertState(StrEnum):
    """Whether an alert is looked after."""

    ACTIVE = "active"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """What somebody wants to be told of, and where. Raise UsageError for what makes no sense."""

    name: str  # unique
    kind: AlertKind = AlertKind.EVERY
    query: str = ""
    source: str = ""  # of a silence: a source in place of a query; ANY_SOURCE: all sources
    to: tuple[str, ...] = ()  # mailto:ADDRESS and URLs of webhooks; none: seen in the log alone
    at: str = "07:00"  # of a digest
    day: str = ""  # of a weekly digest, one of DAYS; empty: daily
    zone: str = "UTC"  # of `at`
    window: str = "1d"  # of a spike: the span that is compared with those before it
    after: str = ""  # of a silence: how long is too long; empty: what is unusual
    owner: str = ""
    state: AlertState = AlertState.ACTIVE
    created_at: datetime | None = None

    def __post_init__(self) -> None:
        check_name(self.name)
        try:
            self._check()
        except UsageError as error:
            raise UsageError(f"alert {self.name}: {error}") from None

    def _check(self) -> None:
        if self.source and self.kind is not AlertKind.SILENCE:
            raise UsageError("only an alert of silence takes a source; put source:NAME into the query")
        if bool(self.source) == bool(self.query.strip()):
            raise UsageError("give it a query" + (" or a source, not both" if self.source else ""))
        if len(self.query) > MAX_QUERY:
            raise UsageError(f"the query has more than {MAX_QUERY} characters")
        if len(self.to) > MAX_TARGETS:
            raise UsageError(f"it may have {MAX_TARGETS} targets")
        for target in self.to:
            check_target(target)
        if not _TIME.fullmatch(self.at):
            raise UsageError(f"{self.at!r} is not a time of day such as 07:30")
        if self.day and self.day not in DAYS:
            raise UsageError(f"{self.day!r} is not one of {', '.join(DAYS)}")
        zone_of(self.zone)
        span_h(self.window)
        if self.after:
            span_h(self.after)

    @property
    def is_active(self) -> bool:
        """True unless somebody paused it."""
        return self.state is AlertState.ACTIVE

    def next_digest(self, after: datetime) -> datetime:
        """Return the first time of its digest after another, by the clock on the wall of its zone."""
        zone = zone_of(self.zone)
        hour, minute = map(int, self.at.split(":"))
        local = after.astimezone(zone)
        for days in range(9):
            day = local.date() + timedelta(days=days)
            if self.day and DAYS[day.weekday()] != self.day:
                continue
            moment = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone).astimezone(UTC)
            if moment > after:
                return moment
        raise AssertionError("a week has all days")


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertHit:
    """A document that an alert has found."""

    key: str
    url: str
    title: str
    seen_at: datetime
    site: str = ""
    published: str = ""  # as the page gave it
    language: str = ""
    snippet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What an alert has to say at one time."""

    alert: str
    kind: str  # an AlertKind, or "test"
    at: datetime
    message: str  # one line
    query: str = ""
    total: int = 0  # documents it is about; `hits` may be fewer
    hits: tuple[AlertHit, ...] = ()
    link: str = ""  # where to see more


class DeliveryState(StrEnum):
    """How far a delivery is."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"  # given up; it can be replayed


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A notice on its way to one target."""

    id: str
    alert: str
    target: str
    notice: Notice
    created_at: datetime
    due_at: datetime
    state: DeliveryState = DeliveryState.WAITING
    attempts: int = 0
    detail: str = ""  # of the last attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try to deliver."""

    number: int
    at: datetime
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an alert stands: what it has looked at, and what it remembers."""

    started_at: datetime  # documents from before do not count
    cursor_at: datetime  # up to where documents were looked at, by when they were first seen
    swept_at: datetime  # when what came late was looked for last
    due_at: datetime | None = None  # of a digest, a spike or a silence: when to judge next
    memory: Mapping[str, Any] = field(default_factory=dict)


def check_target(target: str) -> None:
    """Raise UsageError for what is neither an e-mail address nor the URL of a webhook."""
    if target.startswith(MAIL):
        if not _ADDRESS.fullmatch(target.removeprefix(MAIL)):
            raise UsageError(f"{target!r} is not an e-mail address such as mailto:ann@example.org")
        return
    try:
        parts = urlsplit(target)
        if target.startswith(WEB) and parts.hostname and parts.port != 0 and not re.search(r"[\x00-\x20\x7f]", target):
            if "@" in parts.netloc:
                raise UsageError("the URL of a webhook holds no login: whoever is called checks the signature")
            return
    except ValueError:  # a port that is no number
        pass
    raise UsageError(f"{target!r} is neither mailto:ADDRESS nor the https:// URL of a webhook")


def secret_key(word: str) -> bytes | None:
    """Return the key that a secret of webhooks stands for; None for what is none."""
    try:
        key = base64.b64decode(word.removeprefix(SECRET), validate=True)
    except binascii.Error:
        return None
    return key if word.startswith(SECRET) and MIN_KEY <= len(key) <= MAX_KEY else None


def is_secret(word: str) -> bool:
    """Say whether a word is a secret that webhooks can be signed with."""
    return secret_key(word) is not None


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone; raise UsageError for an unknown one."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"{name!r} is not a time zone such as Europe/Berlin or Asia/Shanghai") from None


def span_h(text: str) -> int:
    """Return the hours of a span such as 6h, 2d or 1w; raise UsageError."""
    matched = _SPAN.fullmatch(text)
    if not matched or not int(matched[1]):
        raise UsageError(f"{text!r} is not a span such as 6h, 2d or 1w")
    return int(matched[1]) * _SPAN_H[matched[2]]


def alert_to_dict(alert: Alert) -> dict[str, Any]:
    """Return an alert as plain JSON data, without the fields that are at their default."""
    data = {
        item.name: getattr(alert, item.name)
        for item in fields(Alert)
        if getattr(alert, item.name) != item.default or item.name == "kind"
    }
    created = {"created_at": alert.created_at.isoformat()} if alert.created_at else {}
    return data | created | {"kind": str(alert.kind), "to": list(alert.to), "state": str(alert.state)}


def alert_from_dict(data: Mapping[str, Any]) -> Alert:
    """Return the alert that `alert_to_dict` described; raise UsageError for an unknown field or a wrong value."""
    known = {item.name for item in fields(Alert)}
    unknown = sorted(set(data) - known)
    if unknown:
        raise UsageError(f"an alert has no field {unknown[0]!r}; there are {', '.join(sorted(known))}")
    if not isinstance(data.get("name"), str):
        raise UsageError("give the alert a name")
    values = dict(data)
    try:
        values["kind"] = AlertKind(values.get("kind", "every"))
        values["state"] = AlertState(values.get("state", "active"))
    except ValueError:
        raise UsageError(f"alert {data['name']}: the kind is one of {', '.join(AlertKind)}") from None
    to = values.get("to", ())
    if isinstance(to, str) or not all(isinstance(target, str) for target in to):
        raise UsageError(f"alert {data['name']}: to: not a list of texts")
    values["to"] = tuple(to)
    if isinstance(values.get("created_at"), str):
        values["created_at"] = datetime.fromisoformat(values["created_at"])
    wrong = next((name for name in _TEXTS if not isinstance(values.get(name, ""), str)), None)
    if wrong:
        raise UsageError(f"alert {data['name']}: {wrong}: not a text")
    return Alert(**values)


def notice_to_dict(notice: Notice) -> dict[str, Any]:
    """Return a notice as plain JSON data."""
    return {
        "alert": notice.alert,
        "kind": notice.kind,
        "at": notice.at.isoformat(),
        "message": notice.message,
        "query": notice.query,
        "total": notice.total,
        "link": notice.link,
        "hits": [_hit_to_dict(hit) for hit in notice.hits],
    }


def notice_from_dict(data: Mapping[str, Any]) -> Notice:
    """Return the notice that `notice_to_dict` described."""
    hits = tuple(AlertHit(**{**hit, "seen_at": datetime.fromisoformat(hit["seen_at"])}) for hit in data["hits"])
    return Notice(**{**data, "at": datetime.fromisoformat(data["at"]), "hits": hits})


def _hit_to_dict(hit: AlertHit) -> dict[str, Any]:
    texts = {item.name: storable(str(getattr(hit, item.name))) for item in fields(AlertHit)}
    return texts | {"seen_at": hit.seen_at.isoformat()}


_TEXTS = ("name", "query", "source", "at", "day", "zone", "window", "after", "owner")
