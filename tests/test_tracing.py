"""Traces: one of each page, a span for each stage, at a collector; and nothing at all when nobody asked for them."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.commands import run
from tests.crawl.harness import ENVIRON
from tests.servers import HOST
from thresher import logs, tracing
from thresher.model import Lease, Link
from thresher.sample import SampleWeb, serve

STAGES = ("lease", "fetch", "extract", "save", "index", "settle")


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    tracing.begin("worker", "w1", url="", exporter=exporter)
    yield exporter
    tracing.end()


def lease(number: int, token: int = 1) -> Lease:
    return Lease(Link(f"https://me:secret@a.example/{number}", depth=2), token, "w1", 100.0)


def test_the_spans_of_a_page_hang_together_and_one_call_is_a_span_of_each_page(spans: InMemorySpanExporter) -> None:
    pages = [lease(1), lease(2)]
    tracing.leased(pages, asked_s=3.0)
    with tracing.stage("fetch", pages[:1]):
        pass
    with tracing.stage("settle", [*pages, lease(3)]):  # the third was not leased here
        pass
    first, second = (tracing.told(page, reason="article", status=200) for page in pages)
    for page in pages:
        tracing.ended(page)
    tracing.ended(lease(1, token=9))
    tracing.end()
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for span in spans.get_finished_spans():
        found[f"{span.context.trace_id:032x}"][span.name] = span
    assert {*found} == {first, second}
    assert [{*found[str(each)]} for each in (first, second)] == [
        {"page", "lease", "fetch", "settle"},
        {"page", "lease", "settle"},
    ]
    page, settled = found[str(first)]["page"], found[str(first)]["settle"]
    assert page.attributes == {
        "url.full": "https://***@a.example/1",
        "thresher.depth": 2,
        "thresher.reason": "article",
        "thresher.status": 200,
    }
    assert page.end_time - page.start_time >= 3_000_000_000
    assert settled.parent.span_id == page.context.span_id
    assert settled.attributes == {"thresher.pages": 2}


def test_a_share_of_the_pages_is_traced_and_the_rest_costs_nothing() -> None:
    exporter = InMemorySpanExporter()
    tracing.begin("worker", "w1", url="", share=0.0, exporter=exporter)
    tracing.leased([lease(1)], asked_s=0.0)
    with tracing.stage("fetch", [lease(1)]):
        assert tracing.told(lease(1), reason="article") is None
    tracing.ended(lease(1))
    tracing.end()
    assert exporter.get_finished_spans() == ()


def test_nothing_is_imported_and_nothing_is_told_when_nobody_asked_for_traces() -> None:
    assert tracing.told(lease(1), reason="article") is None
    with tracing.stage("fetch", [lease(1)]):
        tracing.leased([lease(1)], asked_s=0.0)
        tracing.ended(lease(1))
    words = "import sys, thresher.cli.crawl; print([name for name in sys.modules if name.startswith('opentelemetry')])"
    said = subprocess.run([sys.executable, "-c", words], check=True, capture_output=True, text=True).stdout
    assert said == "[]\n"


class Collector(BaseHTTPRequestHandler):
    """Keeps what is sent to it as a collector of OpenTelemetry would."""

    kept: list[ExportTraceServiceRequest]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        assert (self.path, self.headers["content-type"]) == ("/v1/traces", "application/x-protobuf")
        self.kept.append(ExportTraceServiceRequest.FromString(body))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@pytest.fixture
def collector() -> Iterator[tuple[str, list[ExportTraceServiceRequest]]]:
    """The address of a collector, and what it was sent."""
    kept: list[ExportTraceServiceRequest] = []
    with ThreadingHTTPServer((HOST, 0), type("Own", (Collector,), {"kept": kept})) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{HOST}:{server.server_address[1]}/v1/traces", kept
        server.shutdown()


def test_a_crawl_sends_each_article_through_all_stages_and_the_log_names_the_trace(
    collector: tuple[str, list[ExportTraceServiceRequest]], tmp_path: Path
) -> None:
    place, kept = collector
    with serve(SampleWeb(pages=10, crawl_delay_s=None)) as site:
        words = ("--data", str(tmp_path), "crawl", *site.starts, "--delay", "0", "--progress", "none")
        ended = run(*words, environ=os.environ | ENVIRON | {"THRESHER_TRACES": place}, timeout_s=280)
    assert ended.returncode == 0, ended.stderr
    spans = [
        span
        for request in kept
        for part in request.resource_spans
        for scope in part.scope_spans
        for span in scope.spans
    ]
    traces: dict[str, list[str]] = defaultdict(list)
    for span in spans:
        traces[span.trace_id.hex()].append(span.name)
    lines = [json.loads(line) for line in (tmp_path / logs.FOLDER / logs.NAME).read_text("utf-8").splitlines()]
    articles = [line for line in lines if line["message"].startswith("stored: ")]
    assert articles
    for line in articles:
        names = traces[line["trace"]["id"]]
        assert sorted(names) == sorted((*STAGES, "page")), line
    told = {each.key: each.value.string_value for each in kept[0].resource_spans[0].resource.attributes}
    assert (told["service.name"], told["thresher.role"]) == ("thresher", "crawl")
