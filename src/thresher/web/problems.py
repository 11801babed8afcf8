"""Errors as programs read them: problem details of RFC 9457."""

from collections.abc import Mapping

from starlette.responses import JSONResponse

from thresher.errors import (
    BackendError,
    ExtractionError,
    NotPermitted,
    QueryError,
    ThresherError,
    Unreachable,
    UsageError,
)
from thresher.web.frame import N_

TITLES = {
    400: N_("Bad request"),
    401: N_("Not logged in"),
    403: N_("Not allowed"),
    404: N_("Not found"),
    405: N_("Method not allowed"),
    406: N_("Not acceptable"),
    408: N_("Too slow"),
    409: N_("Conflict"),
    413: N_("Too large"),
    415: N_("Unsupported media type"),
    421: N_("Wrong host"),
    422: N_("Not understood"),
    429: N_("Too many requests"),
    500: N_("Internal error"),
    503: N_("Not available"),
}
STATUS: tuple[tuple[type[ThresherError], int], ...] = (
    (QueryError, 422),
    (UsageError, 422),
    (ExtractionError, 422),
    (NotPermitted, 403),
    (Unreachable, 503),
    (BackendError, 503),
)


class Refused(ThresherError):
    """A request that is answered with an error: its status says which."""

    def __init__(self, status: int, detail: str, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.headers = dict(headers or {})


def status_of(error: ThresherError) -> int:
    """Return the HTTP status that says what kind of error it was."""
    if isinstance(error, Refused):
        return error.status
    return next((status for kind, status in STATUS if isinstance(error, kind)), 500)


def problem(
    status: int, detail: str, *, headers: Mapping[str, str] | None = None, more: Mapping[str, object] | None = None
) -> JSONResponse:
    """Return an error as application/problem+json."""
    body = {"type": "about:blank", "title": TITLES.get(status, "Error"), "status": status, "detail": detail}
    return JSONResponse(
        body | dict(more or {}), status, headers=dict(headers or {}), media_type="application/problem+json"
    )


def problem_of(error: ThresherError) -> JSONResponse:
    """Return one of our errors as application/problem+json."""
    more = {"place": error.place} if isinstance(error, QueryError) else None
    headers = error.headers if isinstance(error, Refused) else {"retry-after": "5"} if error.retry else None
    return problem(status_of(error), str(error), headers=headers, more=more)
