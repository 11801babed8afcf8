"""What the frame of every page shows: the language and theme that were chosen, the rail, and the same page as data."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette._utils import get_route_path
from starlette.requests import Request

from thresher.web.catalogues import LANGUAGES, SOURCE, catalogue, preferred
from thresher.web.formats import Formats
from thresher.web.paths import Paths

LANGUAGE_COOKIE = "thresher_language"
THEME_COOKIE = "thresher_theme"
THEMES = ("light", "dark")


def N_(text: str) -> str:  # noqa: N802  # the name that gettext's tools look for
    """Mark a text that is translated where it is shown."""
    return text


@dataclass(frozen=True, slots=True)
class Place:
    """One entry of the rail; a gap stands above some."""

    name: str  # of its route
    label: str
    key: str  # behind g, on the keyboard
    within: tuple[str, ...]  # the beginnings of the paths that belong to it
    gap: bool = False


RAIL = (
    Place("today", N_("Today"), "t", ("/stories",)),
    Place("search", N_("Search"), "s", ("/search", "/document", "/saved", "/alerts")),
    Place("sources", N_("Sources"), "o", ("/sources",), gap=True),
    Place("crawls", N_("Crawls"), "c", ("/crawls", "/runs")),
    Place("monitor", N_("Monitor"), "m", ("/monitor",), gap=True),
    Place("workers", N_("Workers"), "w", ("/workers",)),
    Place("logs", N_("Logs"), "l", ("/logs",)),
    Place("corpus", N_("Corpus"), "p", ("/corpus", "/label"), gap=True),
    Place("settings", N_("Settings"), "e", ("/settings",)),
)


@dataclass(frozen=True, slots=True)
class Wording:
    """How the interface speaks to one reader: texts, numbers and times in their language."""

    language: str
    formats: Formats

    def gettext(self, message: str, /, **values: object) -> str:
        """Return a text in this language, with %(name)s filled in where values are given."""
        found = catalogue(self.language).gettext(message)
        return found % values if values else found

    def ngettext(self, one: str, many: str, num: int, /, **values: object) -> str:
        """Return the form of a text for a number of things, with %(num)s and %(name)s filled in."""
        shown = {"num": self.formats.number(num), **values}
        return catalogue(self.language).ngettext(one, many, num) % shown


def language_of(request: Request) -> str:
    """Return the language of a request: as chosen on a page, else as the browser asks."""
    wanted = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE, "")
    if wanted in LANGUAGES:
        return wanted
    return preferred(request.headers.get("accept-language", "")) or SOURCE


def wording_of(request: Request) -> Wording:
    """Return how the interface speaks to who sends a request."""
    language = language_of(request)
    return Wording(language, Formats(language))


def frame(request: Request, paths: Paths) -> dict[str, Any]:
    """Return what every template is given besides its own data."""
    wording, path = wording_of(request), get_route_path(request.scope)
    theme = request.cookies.get(THEME_COOKIE, "")
    return {
        "language": wording.language,
        "formats": wording.formats,
        "theme": theme if theme in THEMES else "",
        "rail": [_entry(place, path, paths, wording) for place in RAIL if paths.has(place.name)],
        "here_with": lambda **changes: paths.at(path) + with_query(request.url.query, changes),
        "address": lambda name, **params: address(paths, name, **params),
        "curl": _curl(request, paths, path),
        "gettext": wording.gettext,
        "_": wording.gettext,
        "ngettext": wording.ngettext,
    }


def address(paths: Paths, name: str, /, **params: object) -> str | None:
    """Return the address of a page; None where there is no page of this name."""
    return paths.of(name, **params) if paths.has(name) else None


def with_query(query: str, changes: Mapping[str, object]) -> str:
    """Return a query string with some parameters replaced; those that are None are left out."""
    pairs = [(name, value) for name, value in parse_qsl(query) if name not in changes]
    pairs += [(name, str(value)) for name, value in changes.items() if value is not None]
    return f"?{urlencode(pairs)}" if pairs else ""


def _entry(place: Place, path: str, paths: Paths, wording: Wording) -> dict[str, Any]:
    here = any(path == start or path.startswith(f"{start}/") for start in place.within)
    return {
        "href": paths.of(place.name),
        "label": wording.gettext(place.label),
        "icon": place.name,
        "key": place.key,
        "here": here or (place.name == "today" and path == "/"),
        "gap": place.gap,
    }


def _curl(request: Request, paths: Paths, path: str) -> str:
    stem = "/index" if path == "/" else path.rstrip("/")
    query = f"?{request.url.query}" if request.url.query else ""
    target = f"{request.url.scheme}://{request.url.netloc}{paths.at(stem)}.json{query}"
    return f'curl -H "Authorization: Bearer $TOKEN" {shlex.quote(target)}'
