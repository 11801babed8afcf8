"""Robots: a host's robots.txt as it was fetched, and the rules in it that are meant for us.

Read as RFC 9309 says: the groups that name us, merged; those for everybody where none does; the longest rule decides,
and of two that are equally long the one that allows. Reading takes time and memory in proportion to the size of the
file, and asking in proportion to the length of the URL and the number of rules with a wildcard, which is bounded.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import quote

from thresher.urls import MAX_LENGTH

MAX_BYTES = 500 * 1024  # of a robots.txt that are read: RFC 9309 §2.5 asks for this much
MAX_RULES = 10_000  # in our groups
MAX_WILDCARDS = 2_000  # stars and final dollars in them
MAX_NUMBER_CHARS = 20  # of a Crawl-delay

_AGENT = frozenset({"user-agent", "useragent", "user agent"})
_ALLOW = frozenset({"allow"})
_DISALLOW = frozenset({"disallow", "disalow", "dissallow", "dissalow", "diasllow", "disallaw"})
_DELAY = frozenset({"crawl-delay", "crawl delay", "crawldelay"})
_NAME = re.compile(r"[A-Za-z_-]+")
_ESCAPED = re.compile("%([0-9A-Fa-f]{2})")
_PRINTABLE = "".join(chr(code) for code in range(0x21, 0x7F))
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@dataclass(frozen=True, slots=True)
class Robots:
    """A host's robots.txt; `status` 0 means that the host did not answer."""

    origin: str  # scheme://host[:port]
    status: int
    body: bytes
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What a robots.txt asks of us; without rules everything is permitted."""

    plain: Mapping[str, bool] = field(default_factory=dict)  # the beginning of a path → whether it is allowed
    starred: tuple[tuple[str, bool], ...] = ()  # the same of patterns with a * or a final $, longest first
    crawl_delay_s: float | None = None
    lengths: tuple[int, ...] = ()  # of the plain rules, longest first

    def permits(self, url: str) -> bool:
        """Say whether a canonical URL may be fetched; robots.txt itself always may."""
        path = _path_of(url)
        if path == "/robots.txt":
            return True
        longest = next((length for length in self.lengths if length <= len(path) and path[:length] in self.plain), 0)
        allowed = self.plain[path[:longest]] if longest else True
        for pattern, allows in self.starred:
            if len(pattern) < longest:
                break
            if _matches(pattern, path):
                return allows or (allowed and len(pattern) == longest)
        return allowed

    @property
    def size(self) -> int:
        """The characters of all rules."""
        return sum(map(len, self.plain)) + sum(len(pattern) for pattern, _ in self.starred)

    def to_bytes(self) -> bytes:
        """Encode the rules; `rules_from_bytes` reads them."""
        return json.dumps([self.plain, self.starred, self.crawl_delay_s]).encode()


def rules_from_bytes(encoded: bytes) -> RobotsRules | None:
    """Decode what a process of its own has read; None for what it could not."""
    if not encoded:
        return None
    plain, starred, delay_s = json.loads(encoded)
    return _rules(plain, dict(starred), delay_s)


def read_rules(body: bytes, name: str) -> RobotsRules | None:
    """Return the rules for whoever goes by that name; None when they are more than any honest site has."""
    ours, general = _Group(), _Group()
    current: list[_Group] = []
    naming = False  # the last line that counts named somebody
    for word, value in _lines(body):
        if word in _AGENT:
            current = current if naming else []
            naming = True
            group = _group_of(value, name, ours, general)
            if group and group not in current:
                group.named = True
                current.append(group)
        elif word in _ALLOW or word in _DISALLOW:
            naming = False
            for group in current:
                group.add(value, allows=word in _ALLOW)
        elif word in _DELAY:
            naming = False
            for group in current:
                group.delay(value)
    chosen = ours if ours.named else general
    if len(chosen.plain) + len(chosen.starred) > MAX_RULES or chosen.wildcards > MAX_WILDCARDS:
        return None
    return _rules(chosen.plain, chosen.starred, chosen.delay_s)


class _Group:
    """The rules of all groups that name one crawler."""

    def __init__(self) -> None:
        self.named = False
        self.plain: dict[str, bool] = {}
        self.starred: dict[str, bool] = {}
        self.delay_s: float | None = None
        self.wildcards = 0

    def add(self, value: str, *, allows: bool) -> None:
        """Take a rule in; one without a path says nothing, one longer than any URL matches none."""
        if not value or len(value) > MAX_LENGTH or self.wildcards > MAX_WILDCARDS:
            return
        pattern = _pattern_of(value)
        rules = self.starred if "*" in pattern or pattern.endswith("$") else self.plain
        if len(rules) <= MAX_RULES:
            self.wildcards += pattern.count("*") + pattern.endswith("$") if pattern not in rules else 0
            rules[pattern] = rules.get(pattern, False) or allows

    def delay(self, value: str) -> None:
        try:
            seconds = float(value[:MAX_NUMBER_CHARS])
        except ValueError:
            return
        if math.isfinite(seconds) and seconds >= 0:
            self.delay_s = max(seconds, self.delay_s or 0.0)


def _rules(plain: Mapping[str, bool], starred: Mapping[str, bool], delay_s: float | None) -> RobotsRules:
    longest_first = sorted(starred.items(), key=lambda rule: (-len(rule[0]), not rule[1]))
    return RobotsRules(plain, tuple(longest_first), delay_s, tuple(sorted(set(map(len, plain)), reverse=True)))


def _lines(body: bytes) -> Iterator[tuple[str, str]]:
    """Yield the field, in small letters, and the value of each line; a blank may stand for a forgotten colon."""
    text = body[:MAX_BYTES].decode("utf-8-sig", "replace")
    for line in text.replace("\r", "\n").split("\n"):
        said = line.partition("#")[0].strip()
        if not said:
            continue
        word, colon, value = said.partition(":")
        if not colon:
            word, _, value = said.partition(" ")
        yield word.strip().lower(), value.strip()


def _group_of(value: str, name: str, ours: _Group, general: _Group) -> _Group | None:
    if value.startswith("*"):
        return general
    found = _NAME.match(value)
    return ours if found and found[0].lower() == name else None


def _pattern_of(value: str) -> str:
    """Spell a rule as paths are spelled for it: a $ counts at its end alone, several stars are one."""
    ends = value.endswith("$")
    spelled = _spelled(value.removesuffix("$")).replace("$", "%24")
    return re.sub(r"\*+", "*", spelled) + ("$" if ends else "")


def _path_of(url: str) -> str:
    """Return path and query of a URL, spelled so that they can be compared."""
    start = url.find("/", url.find("//") + 2)
    return _spelled(url[start:].partition("#")[0]).replace("*", "%2A").replace("$", "%24") if start >= 0 else "/"


def _spelled(text: str) -> str:
    quoted = quote(text.encode("utf-8", "surrogatepass"), safe=_PRINTABLE)
    return _ESCAPED.sub(_unescaped, quoted) if "%" in quoted else quoted


def _unescaped(escape: re.Match[str]) -> str:
    character = chr(int(escape[1], 16))
    return character if character in _UNRESERVED else escape[0].upper()


def _matches(pattern: str, path: str) -> bool:
    """Match without backtracking: the first place where each part fits leaves the most room for the next."""
    ends = pattern.endswith("$")
    first, *parts = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    last = parts.pop() if parts else None
    for part in parts:
        at = path.find(part, at)
        if at < 0:
            return False
        at += len(part)
    if last is None:
        return not ends or at == len(path)
    return path.endswith(last) and len(path) - len(last) >= at if ends else path.find(last, at) >= 0
