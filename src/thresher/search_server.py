"""A search server: requests, writing in bulk at the server's pace, and errors in our words."""

import json
import logging
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from thresher.errors import BackendError, MissingExtra, Unreachable, UsageError

SECURE = ("opensearchs", "elasticsearchs")
PORT = 9200
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
TIMEOUT_S = 30.0  # of a request that is no search
MAX_BULK_BYTES = 5_000_000  # of one request, if no single document has more
MAX_BULK_ROWS = 500
BUSY = 429
AWAY = (408, BUSY, 502, 503, 504)  # what is answered in the place of a server that is not there, or not now
UNTRUSTED = "CERTIFICATE_VERIFY_FAILED"
ATTEMPTS = 6  # to write what a busy server refused
FIRST_WAIT_S = 0.25  # before the second; then twice as long each time
_RAISE: Any = object()
_THERE = ("already_exists", "version_conflict")  # what servers call it when something stands where another should

Row = tuple[str, str, Any]  # update, create or delete; the key; what is written


class SearchServer:
    """A connection to OpenSearch or Elasticsearch, for several threads at once."""

    def __init__(
        self,
        url: str,
        *,
        what: str = "index",
        name: str = "thresher",
        timeout_s: float = TIMEOUT_S,
        compress: bool | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take opensearch://USER:PASSWORD@HOST:PORT/NAME; raise MissingExtra without the library. Connect later.

        `what` is kept there, as errors call it, under `name` where the URL gives none; `timeout_s` is of one request,
        and `compress` says whether what is sent is made smaller: unless it is said, only on its way to another machine.
        Over TLS the server's certificate is checked, by the authorities in the file `?ca_certs=` where it is given.
        """
        parts = urlsplit(url)
        try:
            import opensearchpy
        except ImportError as error:
            raise MissingExtra(
                f"{'an' if what == 'index' else 'a'} {what} in {parts.scheme} needs a library ({error}): "
                "pip install 'thresher[opensearch]'"
            ) from error
        if not parts.hostname:
            raise UsageError(f"{what}: not a URL of the form opensearch://USER:PASSWORD@HOST:PORT/NAME")
        login = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
        self.name = parts.path.strip("/") or name
        self._where = f"the {what} at {parts.hostname}:{parts.port or PORT}"
        self._timeout_s = timeout_s
        self._sleep = sleep
        self._errors = opensearchpy.exceptions
        # What the client tells of requests that fail is told by our errors.
        logging.getLogger("opensearch").setLevel(logging.CRITICAL)
        warnings.filterwarnings("ignore", category=opensearchpy.exceptions.OpenSearchWarning)
        self._client = opensearchpy.OpenSearch(
            hosts=[{"host": parts.hostname, "port": parts.port or PORT}],
            http_auth=login,
            use_ssl=parts.scheme in SECURE,
            ca_certs=parse_qs(parts.query).get("ca_certs", [None])[0],
            timeout=timeout_s,
            max_retries=0,
            http_compress=parts.hostname not in THIS_MACHINE if compress is None else compress,
        )

    def call(self, method: str, path: str, body: object = None, *, missing: Any = _RAISE, exists: Any = _RAISE) -> Any:
        """Return the answer: `missing` for what is not there, `exists` for what is there already, or has changed."""
        try:
            return self._request(method, path, body)
        except self._errors.NotFoundError as error:
            if missing is _RAISE:
                raise BackendError(f"{self._where} failed: {_told(error)}") from error
            return missing
        except self._errors.TransportError as error:
            if exists is not _RAISE and any(known in str(error.error) for known in _THERE):
                return exists
            raise self._translated(error) from error

    def search(self, index: str, body: Mapping[str, Any], limit_s: float) -> Any:
        """Return what a search finds; raise UsageError when it takes too long."""
        asked = dict(body) | {"timeout": f"{max(1, int(limit_s * 1000))}ms"}
        try:
            found = self._request("POST", f"/{index}/_search", asked, timeout_s=limit_s + 5)
        except self._errors.ConnectionTimeout as error:
            raise self._slow(limit_s) from error
        except self._errors.TransportError as error:
            raise self._translated(error) from error
        if found.get("timed_out"):
            raise self._slow(limit_s)
        return found

    def bulk(self, indexes: Sequence[str], rows: Sequence[Row], *, refresh: str) -> None:
        """Write rows to each of some indexes, waiting while the server is busy; what exists is not created again."""
        self.write([_lines(index, row) for index in indexes for row in rows], refresh=refresh)

    def write(self, lines: Sequence[str], *, refresh: str = "false") -> None:
        """Write rows, each given as its lines of a bulk request, waiting while the server is busy."""
        for chunk in _chunks(lines):
            left, wait_s = chunk, FIRST_WAIT_S
            for attempt in range(ATTEMPTS):
                left = self._send(left, refresh)
                if not left:
                    break
                if attempt + 1 == ATTEMPTS:
                    raise Unreachable(f"{self._where} is too busy for now; trying again may help")
                self._sleep(wait_s)
                wait_s *= 2

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _send(self, lines: list[str], refresh: str) -> list[str]:
        """Send lines of a bulk request; return those that a busy server did not take."""
        try:
            answer = self._request("POST", f"/_bulk?refresh={refresh}", "".join(lines))
        except self._errors.TransportError as error:
            if error.status_code == BUSY:
                return lines
            raise self._translated(error) from error
        results = [next(iter(item.values())) for item in answer["items"]] if answer["errors"] else []
        for result in results:
            if result["status"] >= 400 and result["status"] not in (BUSY, 404, 409):
                raise BackendError(f"{self._where} refused a row: {result.get('error')!s:.300}")
        return (
            [line for line, result in zip(lines, results, strict=True) if result["status"] == BUSY] if results else []
        )

    def _request(self, method: str, path: str, body: object = None, *, timeout_s: float | None = None) -> Any:
        place, _, query = path.partition("?")
        params: dict[str, Any] = dict(part.split("=", 1) for part in query.split("&")) if query else {}
        return self._client.transport.perform_request(
            method, place, params=params | {"request_timeout": timeout_s or self._timeout_s}, body=body
        )

    def _translated(self, error: Any) -> BackendError:
        if isinstance(error, self._errors.SSLError) and UNTRUSTED in str(error):
            return BackendError(f"{self._where} has a certificate of no known authority; see ?ca_certs=")
        if isinstance(error, self._errors.ConnectionError) or error.status_code in AWAY:
            words = " ".join(f"{error.status_code} {error.error}".split())[:300]
            return Unreachable(f"{self._where} does not answer for now: {words}; trying again may help")
        return BackendError(f"{self._where} failed: {_told(error)}")

    def _slow(self, limit_s: float) -> UsageError:
        return UsageError(
            f"the query took longer than {limit_s:g} s; add words or a field such as site: or date: to narrow it"
        )


def _lines(index: str, row: Row) -> str:
    action, key, body = row
    retries = {"retry_on_conflict": 3} if action == "update" else {}
    lines = [json.dumps({action: {"_index": index, "_id": key} | retries})]
    if body is not None:
        lines.append(json.dumps(body, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def _chunks(lines: Sequence[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for line in lines:
        if chunk and (size + len(line) > MAX_BULK_BYTES or len(chunk) >= MAX_BULK_ROWS):
            yield chunk
            chunk, size = [], 0
        chunk.append(line)
        size += len(line)
    if chunk:
        yield chunk


def _told(error: Any) -> str:
    return " ".join(f"{error.status_code} {error.error} {_reason(error)}".split())[:300]


def _reason(error: Any) -> str:
    info = error.info if isinstance(error.info, dict) else {}
    cause = info.get("error")
    return str(cause.get("reason", "")) if isinstance(cause, dict) else ""
