"""Pages: one handler gives data; what asked decides whether it goes out as HTML, a fragment of it, JSON or CSV."""

import base64
import binascii
import dataclasses
import json
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from functools import partial
from itertools import chain, islice
from typing import Any

from starlette._utils import get_route_path
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from thresher.catalog.accounts import Role
from thresher.errors import ThresherError
from thresher.export.csv_rows import row as csv_row
from thresher.version import __version__
from thresher.web.access import check_meant, csrf, identify, remember_visit, require, set_cookie
from thresher.web.catalogues import LANGUAGES
from thresher.web.frame import LANGUAGE_COOKIE, N_, frame, wording_of
from thresher.web.problems import TITLES, Refused, problem, problem_of, status_of
from thresher.web.site import site_of

NOTICE_COOKIE = "thresher_notice"
YEAR_S = 365 * 86_400
NOWHERE = N_("There is no page at this address.")


@dataclass
class View:
    """What a page shows. Names in `data` that begin with _ are for the template alone."""

    template: str
    title: str
    data: dict[str, Any] = field(default_factory=dict)
    rows: Sequence[Mapping[str, Any]] | None = None  # the same as a table, for CSV
    status: int = 200
    fragment: str | None = None  # the block of the template that an htmx request gets alone
    headers: Mapping[str, str] = field(default_factory=dict)


Handler = Callable[[Request], Awaitable[View | Response]]


def page(
    path: str,
    handler: Handler,
    *,
    name: str,
    role: str | None = "viewer",
    methods: Sequence[str] = ("GET",),
) -> list[Route]:
    """Return the routes of a page: its path and, if it can be read, path.json and path.csv, named NAME.json, NAME.csv.

    `role` is what one has to be: viewer, analyst, admin, or None for everybody. Unsafe methods need the CSRF token.
    """
    wanted = Role(role) if role else None
    serve = partial(_serve, handler, wanted)
    routes = [Route(path, _endpoint(serve, "html"), methods=list(methods), name=name)]
    if "GET" in methods:
        stem = "/index" if path == "/" else path
        for kind in ("json", "csv"):
            route = Route(f"{stem}.{kind}", _endpoint(serve, kind), methods=["GET"], name=f"{name}.{kind}")
            routes.insert(0, route)  # before the path itself, whose last part may match anything
    return routes


def redirect(request: Request, name: str, /, *, notice: str = "", **params: object) -> Response:
    """Send a browser on to a page, with a notice that is shown there once; an htmx request loads the page, too."""
    target = site_of(request).paths.of(name, **params)
    if "hx-request" in request.headers:
        response = Response(status_code=204, headers={"hx-redirect": target})
    else:
        response = RedirectResponse(target, status_code=303)
    if notice:
        set_cookie(request, response, NOTICE_COOKIE, base64.urlsafe_b64encode(notice[:600].encode()).decode())
    return response


def render(request: Request, view: View) -> Response:
    """Return a view as HTML, or its fragment where htmx asks for one."""
    site, wording = site_of(request), wording_of(request)
    whole = "hx-request" not in request.headers or "hx-history-restore-request" in request.headers
    values = values_of(request, view)
    html = site.templates.render(view.template, values, block=None if whole else view.fragment)
    headers = {"cache-control": "no-store", "vary": "HX-Request, Cookie", **view.headers}
    response = Response(html, view.status, headers=headers, media_type="text/html; charset=utf-8")
    remember_visit(request, response)
    if request.query_params.get("lang") in LANGUAGES:
        set_cookie(request, response, LANGUAGE_COOKIE, wording.language, max_age=YEAR_S)
    if values["notice"]:
        response.delete_cookie(NOTICE_COOKIE, path=site.options.base_path or "/")
    return response


def values_of(request: Request, view: View) -> dict[str, Any]:
    """Return all that the template of a view is given."""
    site, wording = site_of(request), wording_of(request)
    return {
        **frame(request, site.paths),
        **view.data,
        "title": wording.gettext(view.title),
        "user": getattr(request.state, "user", None),
        "csrf": csrf(request),
        "path": get_route_path(request.scope),
        "params": request.query_params,
        "notice": _notice(request),
        "url": site.paths.of,
        "static": lambda name: site.paths.at(f"/static/{site.templates.version}/{name}"),
        "version": __version__,
        "request": request,
    }


def refusal(request: Request, error: ThresherError) -> Response:
    """Return an error as what asked for it can read: a page, or problem details."""
    if not wants_html(request):
        return problem_of(error)
    headers = error.headers if isinstance(error, Refused) else {}
    status = status_of(error)
    data = {"detail": str(error), "status": status, "what": TITLES.get(status, "Error"), "curl": ""}  # no data to fetch
    return render(request, View("error.html", TITLES.get(status, "Error"), data, status=status, headers=headers))


def wants_html(request: Request) -> bool:
    """Say whether a request is for a page, not for data."""
    path = get_route_path(request.scope)
    is_data = path.startswith("/api/") or path.endswith((".json", ".csv", ".jsonl", ".rss"))
    return not is_data and not request.scope.get("root_path", "").endswith("/api/v1")


def plain(value: Any) -> Any:
    """Return a value as JSON has it: dataclasses as objects, times in ISO 8601, sets and tuples as lists."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items() if not str(key).startswith("_")}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str | int | float | bool | None):
        return value
    return [plain(each) for each in value] if isinstance(value, Iterable) else str(value)


def json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a value as JSON."""
    text = json.dumps(plain(value), ensure_ascii=False)
    return Response(text.encode("utf-8", "replace"), status, dict(headers or {}), media_type="application/json")


def csv_response(rows: Sequence[Mapping[str, Any]], name: str) -> Response:
    """Return rows as a CSV file; no cell of it is a formula to a spreadsheet."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return csv_stream(_csv_lines(rows, names), name)


def csv_stream(lines: Iterable[str] | AsyncIterable[bytes], name: str) -> Response:
    """Return lines as a CSV file."""
    headers = {"content-disposition": f'attachment; filename="{name}.csv"', "cache-control": "no-store"}
    return StreamingResponse(lines, headers=headers, media_type="text/csv; charset=utf-8")


def csv_pieces(rows: Iterator[Mapping[str, Any]], lines: int = 500) -> Iterator[bytes]:
    """Yield rows of the same names as pieces of a CSV file, however many there are; without a row, nothing."""
    first = next(rows, None)
    written = _csv_lines(chain([first], rows), list(first)) if first else iter(())
    while piece := "".join(islice(written, lines)):
        yield piece.encode("utf-8", "replace")


def _csv_lines(rows: Iterable[Mapping[str, Any]], names: Sequence[str]) -> Iterator[str]:
    yield "\ufeff" + csv_row(names)  # the mark lets spreadsheets read it as UTF-8
    for row in rows:
        yield csv_row([plain(row.get(name)) for name in names])


def _endpoint(serve: Callable[[Request, str], Awaitable[Response]], kind: str) -> Callable[..., Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return await serve(request, kind)

    return endpoint


async def _serve(handler: Handler, role: Role | None, request: Request, kind: str) -> Response:
    visitor = await identify(request)
    if role is not None:
        if visitor is None and kind == "html" and request.method == "GET":
            return await _to_the_door(request)
        require(visitor, role)
    await check_meant(request)
    found = await handler(request)
    if isinstance(found, Response):
        return found
    if kind == "json":
        rows = {} if found.rows is None or "rows" in found.data else {"rows": found.rows}
        return json_response(found.data | rows, found.status, {"cache-control": "no-store", **found.headers})
    if kind == "csv":
        if found.rows is None:
            return problem(404, "this page has no table")
        if found.status == 202:
            return problem(503, "this is being worked out; ask again in a moment", headers=found.headers)
        return csv_response(found.rows, get_route_path(request.scope).strip("/").removesuffix(".csv").replace("/", "-"))
    return render(request, found)


async def _to_the_door(request: Request) -> Response:
    """Send who is not logged in to the login, or to the first run, and back afterwards."""
    site = site_of(request)
    if not await site.gate.has_users():
        return RedirectResponse(site.paths.at("/setup"), 303)
    path = get_route_path(request.scope) + (f"?{request.url.query}" if request.url.query else "")
    onward = {} if path == "/" else {"next": path}
    response: Response = RedirectResponse(site.paths.of("login", **onward), 303)
    if "hx-request" in request.headers:
        response = Response(status_code=401, headers={"hx-redirect": site.paths.of("login")})
    return response


def _notice(request: Request) -> str:
    try:
        return base64.urlsafe_b64decode(request.cookies.get(NOTICE_COOKIE, "")).decode()
    except (binascii.Error, ValueError):
        return ""


async def on_error(request: Request, error: Exception) -> Response:
    """Answer what a handler raised."""
    if isinstance(error, ThresherError):
        return refusal(request, error)
    if isinstance(error, HTTPException):
        with suppress(Refused):  # no page of ours has looked who it is
            await identify(request)
        detail = NOWHERE if error.status_code == 404 else str(error.detail)
        return refusal(request, Refused(error.status_code, detail, headers=error.headers))
    return refusal(request, Refused(500, "something went wrong; the log of the server says what"))
