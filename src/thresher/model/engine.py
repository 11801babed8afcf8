"""Engine: a search engine that is asked for keywords, and the addresses of its result pages."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from thresher import urls
from thresher.errors import UsageError

KEYWORD, PAGE, OFFSET = "{keyword}", "{page}", "{offset}"
MAX_PAGES = 50  # result pages of one keyword; no engine that we know gives out more
RESULTS_A_PAGE = 10  # that most engines count with
_ANYTHING = "thresher0anything0"  # stands for what varies, while an address is made canonical
HOT = "@hot"  # in place of keywords: those of the list that `thresher keywords` keeps


class EngineKind(StrEnum):
    """How an engine is asked."""

    TEMPLATE = "template"  # its address holds {keyword}; what comes back is a page of links or a feed
    SEARXNG = "searxng"  # its address is that of a SearXNG instance, which answers with JSON


class ResultPage(NamedTuple):
    """One page of results: where it is, and what it answers."""

    url: str  # canonical
    engine: str
    keyword: str
    number: int  # from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A search engine. Raise UsageError for a value that makes no sense."""

    name: str
    url: str  # with {keyword}, and {page} or {offset} if it has several pages; of a SearXNG instance, its address
    kind: EngineKind = EngineKind.TEMPLATE
    pages: int = 1  # result pages that are asked for
    first: int | None = None  # what {page} or {offset} is on the first page; None: 1 or 0
    step: int | None = None  # what it grows by; None: 1 or 10
    delay_s: float = 0.0  # between two requests; shorter than those of other hosts it is not
    robots: bool = True  # False: its owner lets us ask, whatever its robots.txt says
    encoding: str = "utf-8"  # of keywords in the address

    def __post_init__(self) -> None:
        try:
            self._check()
            self._address("test", 1)
        except UsageError as error:
            raise UsageError(f"engine {self.name}: {error}") from None

    def _check(self) -> None:
        if self.kind is EngineKind.TEMPLATE and KEYWORD not in self.url:
            raise UsageError(f'its url has no {KEYWORD}; for a SearXNG instance, add kind = "searxng"')
        if not 1 <= self.pages <= MAX_PAGES:
            raise UsageError(f"pages = {self.pages} is not between 1 and {MAX_PAGES}")
        if self.pages > 1 and PAGE not in self._template and OFFSET not in self._template:
            raise UsageError(f"pages = {self.pages} needs {PAGE} or {OFFSET} in its url")
        if KEYWORD in urlsplit(self.url).netloc:
            raise UsageError(f"its url has {KEYWORD} in the place of a host")
        try:
            "".encode(self.encoding)
        except LookupError:
            raise UsageError(f"{self.encoding!r} is not an encoding") from None

    @property
    def _template(self) -> str:
        if self.kind is EngineKind.TEMPLATE or KEYWORD in self.url:
            return self.url
        address, _, query = self.url.partition("?")
        address = address.rstrip("/").removesuffix("/search")
        asked = f"{address}/search?q={KEYWORD}&format=json&pageno={PAGE}"
        return f"{asked}&{query}" if query else asked

    @property
    def pattern(self) -> str:
        """A regular expression that the addresses of its result pages match from end to end."""
        template = self._template
        for mark in (KEYWORD, PAGE, OFFSET):
            template = template.replace(mark, _ANYTHING)
        return re.escape(urls.canonical(template)).replace(_ANYTHING, "[^/?&]*")

    def result_pages(self, keyword: str) -> list[ResultPage]:
        """Return the result pages of a keyword that are to be asked for; raise UsageError when it makes no URL."""
        numbers = range(1, self.pages + 1)
        return [ResultPage(self._address(keyword, number), self.name, keyword, number) for number in numbers]

    def _address(self, keyword: str, number: int) -> str:
        template = self._template
        by_offset = OFFSET in template
        first = self.first if self.first is not None else (0 if by_offset else 1)
        step = self.step if self.step is not None else (RESULTS_A_PAGE if by_offset else 1)
        place = str(first + step * (number - 1))
        word = quote(keyword, "", self.encoding, "xmlcharrefreplace")
        return urls.canonical(template.replace(PAGE, place).replace(OFFSET, place).replace(KEYWORD, word))


def engines_from(tables: Mapping[str, Any]) -> tuple[Engine, ...]:
    """Return the engines that tables of settings describe, each under its name; raise UsageError."""
    engines = []
    for name, table in tables.items():
        if not isinstance(table, Mapping):
            raise UsageError(f"engine {name}: write it as a table, [engines.{name}] with url = …")
        known = {item.name for item in fields(Engine)} - {"name"}
        unknown = sorted(set(table) - known)
        if unknown:
            raise UsageError(f"engine {name}: unknown field {unknown[0]!r}; there are {', '.join(sorted(known))}")
        engines.append(_engine(name, table))
    return tuple(engines)


def engines_to(engines: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return engines, as plain data, in the form that `engines_from` reads; what is at its default is left out."""
    usual = {item.name: item.default for item in fields(Engine)}
    return {
        engine["name"]: {
            name: str(value) if isinstance(value, StrEnum) else value
            for name, value in engine.items()
            if name != "name" and value != usual[name]
        }
        for engine in engines
    }


def chosen(engines: Sequence[Engine], names: Sequence[str]) -> list[Engine]:
    """Return the engines of these names, all when there are none; raise UsageError for one that is not set up."""
    if not engines:
        raise UsageError("no search engine is set up: add a table [engines.NAME] with its url to the settings file")
    by_name = {engine.name: engine for engine in engines}
    for name in names:
        if name not in by_name:
            raise UsageError(f"there is no engine {name!r} in the settings; there are {', '.join(sorted(by_name))}")
    return [by_name[name] for name in dict.fromkeys(names)] if names else list(engines)


def result_pages(keywords: Iterable[str], engines: Sequence[Engine]) -> list[ResultPage]:
    """Return all result pages of keywords, the first pages of all engines before the second ones."""
    words = dict.fromkeys(word for word in (" ".join(keyword.split()) for keyword in keywords) if word)
    pages = [page for word in words for engine in engines for page in engine.result_pages(word)]
    return sorted(pages, key=lambda page: page.number)


def _engine(name: str, table: Mapping[str, Any]) -> Engine:
    types: dict[str, tuple[type, ...]] = {
        **dict.fromkeys(("url", "kind", "encoding"), (str,)),
        **dict.fromkeys(("pages", "first", "step"), (int,)),
        "delay_s": (int, float),
        "robots": (bool,),
    }
    for field, value in table.items():
        if not isinstance(value, types[field]) or (isinstance(value, bool) and field != "robots"):
            raise UsageError(f"engine {name}: {field} = {value!r} is of the wrong type")
    if "url" not in table:
        raise UsageError(f"engine {name}: it has no url")
    try:
        kind = EngineKind(table.get("kind", EngineKind.TEMPLATE))
    except ValueError:
        raise UsageError(f"engine {name}: kind = {table['kind']!r} is not one of {', '.join(EngineKind)}") from None
    if float(table.get("delay_s", 0)) < 0:
        raise UsageError(f"engine {name}: delay_s is less than 0")
    return Engine(name=name, **{**table, "kind": kind})
