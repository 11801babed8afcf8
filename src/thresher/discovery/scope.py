"""Scope: which Links a run may follow."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal, Protocol, get_args

from thresher import urls
from thresher.errors import UsageError
from thresher.model import Document, Link

Mode = Literal["host", "subdomains", "any"]
BEFORE_SINCE = "before-since"
DATED = ("feed", "sitemap", "article", "thread", "next")  # reasons of links whose date tells how old the page is
SLACK_S = 86_400.0  # that a date may be off: it may lack the hour and the zone


class Limits(Protocol):
    """Which links may be followed: those of a run (Scope), or those of the sources that are watched."""

    @property
    def max_depth(self) -> int | None: ...

    def refuse(self, link: Link) -> str | None: ...

    def widened(self, host: str) -> "Limits": ...

    def is_too_old(self, document: Document, link: Link) -> bool: ...


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a run stays: on its hosts, on them and what lies under them, or anywhere; how deep; which URLs.

    A host is a name with its port where that is not the default. "subdomains" of www.example.com are those of
    example.com. The patterns are regular expressions, searched in the canonical URL; what `exclude` finds is left
    out, and where `include` is given, what it does not find is left out too. Starts pass both. With `since`, links that
    a feed, sitemap or list dates earlier are left, and the further pages of lists that only have such links.
    """

    hosts: frozenset[str]
    mode: Mode = "host"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_depth: int | None = None
    since: str | None = None  # a day, as 2026-11-01

    def __post_init__(self) -> None:
        if self.mode not in get_args(Mode):
            raise UsageError(f"scope mode {self.mode!r} is not one of {', '.join(get_args(Mode))}")
        for pattern in (*self.include, *self.exclude):
            _compiled(pattern)
        if self.since is not None:
            _start_of(self.since)

    @classmethod
    def around(cls, starts: Iterable[str], **limits: Any) -> "Scope":
        """Return the scope of the hosts of these canonical URLs, with the other fields as given."""
        return cls(hosts=frozenset(map(urls.host_of, starts)), **limits)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Scope":
        """Return the scope that `as_json` wrote; raise UsageError when the data is of another form."""
        try:
            plain = dict(data)
            hosts, include, exclude = (plain.pop(name, ()) for name in ("hosts", "include", "exclude"))
            return cls(hosts=frozenset(hosts), include=tuple(include), exclude=tuple(exclude), **plain)
        except TypeError as error:
            raise UsageError(f"not a scope: {error}") from None

    def as_json(self) -> dict[str, Any]:
        """Return the scope as plain JSON data."""
        return asdict(self) | {
            "hosts": sorted(self.hosts),
            "include": list(self.include),
            "exclude": list(self.exclude),
        }

    def widened(self, host: str) -> "Scope":
        """Return this scope with one more host: where a start turned out to redirect to."""
        return replace(self, hosts=self.hosts | {host})

    def refuse(self, link: Link) -> str | None:
        """Return why a link is not to be followed (too-deep, off-host, excluded, …, before-since), or None."""
        if self.max_depth is not None and link.depth > self.max_depth:
            return "too-deep"
        if not self._covers(link.host):
            return "off-host"
        if link.depth == 0:
            return None
        if any(_compiled(pattern).search(link.url) for pattern in self.exclude):
            return "excluded"
        if self.include and not any(_compiled(pattern).search(link.url) for pattern in self.include):
            return "not-included"
        return BEFORE_SINCE if self.since and is_old_link(link, self.since) else None

    def is_too_old(self, document: Document, link: Link) -> bool:
        """Say whether a document is dated before the day that matters."""
        return self.since is not None and is_old_document(document, self.since)

    def _covers(self, host: str) -> bool:
        if self.mode == "any" or host in self.hosts:
            return True
        return self.mode == "subdomains" and any(
            host == top or host.endswith(f".{top}") for top in (own.removeprefix("www.") for own in self.hosts)
        )


def is_old_link(link: Link, since: str) -> bool:
    """Say whether the feed, sitemap or list that a link was found in dates it before a day."""
    return link.why in DATED and link.active_at is not None and link.active_at + SLACK_S < _start_of(since)


def is_old_document(document: Document, since: str) -> bool:
    """Say whether a document, or the last post of a thread, is dated before a day; one without a date is not."""
    times = [at for at in (document.published, *(post.published for post in document.posts)) if at]
    aware = [at if at.tzinfo else at.replace(tzinfo=UTC) for at in times]
    return bool(aware) and max(aware).timestamp() < _start_of(since)


@lru_cache(maxsize=64)
def _start_of(day: str) -> float:
    try:
        return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        raise UsageError(f"{day!r} is not a day such as 2026-11-01") from None


@lru_cache(maxsize=1_024)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise UsageError(f"{pattern!r} is not a valid regular expression: {error}") from None
