"""Traces: the way of one URL through all stages as spans of OpenTelemetry, sent to a collector over OTLP.

    page ─┬─ lease      asked of the frontier
          ├─ fetch      robots.txt, if need be, and the page
          ├─ extract    in a process of its own
          ├─ save, index, settle    with the pages that were written in the same call

Off unless `begin` was called: nothing is imported then, and a stage costs one look at a variable. What cannot be sent
is dropped; a collector that is away never holds a crawl up. No server that is crawled hears of a trace.
"""

import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from thresher.errors import MissingExtra
from thresher.model import Lease
from thresher.urls.secrets import masked_text
from thresher.version import __version__

MOST_OPEN = 10_000  # pages whose trace has begun; of more, nothing is told
TIMEOUT_S = 5.0  # of the collector
_S = 1_000_000_000  # nanoseconds


@dataclass(frozen=True, slots=True)
class _Tracing:
    """The library's parts that are used, and the traces that have begun, by lease."""

    api: Any
    provider: Any
    tracer: Any
    pages: dict[tuple[str, Any], Any]


_now: _Tracing | None = None


def begin(role: str, worker: str, *, url: str, share: float = 1.0, exporter: Any = None) -> None:
    """Trace a share of the pages from now on, and send the spans to a collector; `exporter` is for tests.

    Raise MissingExtra when the libraries are not installed.
    """
    global _now
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import TraceIdRatioBased
    except ImportError as error:
        raise MissingExtra(f"traces need a library ({error}): pip install 'thresher[tracing]'") from error
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # a collector that is away is none of a crawl's news
    told = {"service.name": "thresher", "service.version": __version__, "service.instance.id": worker}
    provider = TracerProvider(
        sampler=TraceIdRatioBased(share), resource=Resource(told | {"thresher.role": role}), shutdown_on_exit=True
    )
    provider.add_span_processor(BatchSpanProcessor(exporter or OTLPSpanExporter(endpoint=url, timeout=TIMEOUT_S)))
    _now = _Tracing(trace, provider, provider.get_tracer("thresher", __version__), {})


def end() -> None:
    """Send what is left, and trace no more."""
    global _now
    if _now is not None:
        ending, _now = _now, None
        ending.provider.shutdown()


def leased(leases: Iterable[Lease], asked_s: float) -> None:
    """Begin the traces of leases that were asked for so many seconds ago."""
    if _now is None:
        return
    until = time.time_ns()
    since = until - int(asked_s * _S)
    for lease in leases:
        if len(_now.pages) >= MOST_OPEN:
            return
        facts = {"url.full": masked_text(lease.link.url), "thresher.depth": lease.link.depth}
        page = _now.tracer.start_span("page", start_time=since, attributes=facts)
        if page.is_recording():
            _now.pages[_key(lease)] = page
            _span(_now, "lease", page, since, until)


@contextmanager
def stage(name: str, leases: Iterable[Lease]) -> Iterator[None]:
    """Let the work of this block be a span of each page that it was done for."""
    if _now is None:
        yield
        return
    since = time.time_ns()
    try:
        yield
    finally:
        if _now is not None:
            pages = [page for lease in leases if (page := _now.pages.get(_key(lease))) is not None]
            for page in pages:
                _span(_now, name, page, since, time.time_ns(), **{"thresher.pages": len(pages)})


def told(lease: Lease, **facts: str | int | None) -> str | None:
    """Note what became of a page, and return the identifier of its trace; None where it has none."""
    page = None if _now is None else _now.pages.get(_key(lease))
    if page is None:
        return None
    page.set_attributes({f"thresher.{name}": value for name, value in facts.items() if value is not None})
    return f"{page.get_span_context().trace_id:032x}"


def ended(lease: Lease) -> None:
    """End the trace of a lease that is settled, or given up."""
    page = None if _now is None else _now.pages.pop(_key(lease), None)
    if page is not None:
        page.end()


def _span(tracing: _Tracing, name: str, page: Any, since: int, until: int, **facts: int) -> None:
    within = tracing.api.set_span_in_context(page)
    tracing.tracer.start_span(name, context=within, start_time=since, attributes=facts).end(end_time=until)


def _key(lease: Lease) -> tuple[str, Any]:
    return lease.link.key, lease.token
