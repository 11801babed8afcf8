"""Metrics: what a process counts, and what it reads when it is asked, in the text format of Prometheus.

    Metrics("serve") ──counter, gauge, histogram──▶ count while working
                     ◀──text(families)── what is read only when somebody asks: queues, documents, disks

Every role has one of its own; names begin with thresher_ and end with their unit.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from thresher.logs import ONLY_FILE
from thresher.version import __version__

TYPE = CONTENT_TYPE_PLAIN_0_0_4
BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.3, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
LAG_BUCKETS_S = (60.0, 300.0, 900.0, 1_800.0, 3_600.0, 10_800.0, 21_600.0, 43_200.0, 86_400.0, 172_800.0, 259_200.0)
PORTS = 32  # that are tried, one after the other, where several processes of a machine have one setting


@dataclass(frozen=True, slots=True)
class Family:
    """Values of one name that were read just now, by the values of its labels."""

    name: str
    about: str
    values: Mapping[tuple[str, ...], float]
    labels: Sequence[str] = field(default=())


class Metrics:
    """What one process counts and measures."""

    def __init__(self, role: str) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        about = self.gauge("thresher_build_info", "Which version runs, and as what.", "version", "role")
        about.labels(__version__, role).set(1)

    def counter(self, name: str, about: str, *labels: str) -> Counter:
        """Return a number that only grows; its name ends in _total."""
        return Counter(name, about, labels, registry=self.registry)

    def gauge(self, name: str, about: str, *labels: str) -> Gauge:
        """Return a number that goes up and down."""
        return Gauge(name, about, labels, registry=self.registry)

    def histogram(self, name: str, about: str, *labels: str, buckets: Sequence[float] = BUCKETS_S) -> Histogram:
        """Return what counts values by their size; of times, in seconds."""
        return Histogram(name, about, labels, registry=self.registry, buckets=buckets)

    def text(self, families: Iterable[Family] = ()) -> bytes:
        """Return everything in the text format, and what was read just now."""
        read = CollectorRegistry()
        read.register(_Read(families))
        return generate_latest(self.registry) + generate_latest(read)


class PageMetrics(logging.Handler):
    """Counts what becomes of pages, from the lines that are logged of them."""

    def __init__(self, metrics: Metrics) -> None:
        super().__init__(logging.INFO)
        words = "Pages that were dealt with, by what became of them, why, and the HTTP status."
        self._pages = metrics.counter("thresher_pages_total", words, "outcome", "reason", "status")
        self._bytes = metrics.counter("thresher_received_bytes_total", "Bytes of the bodies of pages.")
        self._extract_s = metrics.histogram(
            "thresher_extraction_seconds", "Reading a page, with the wait for a process."
        )
        words = "From the publication of documents to their arrival."
        self._lag_s = metrics.histogram("thresher_lag_seconds", words, buckets=LAG_BUCKETS_S)
        words = "From the publication of documents until they can be found."
        self._index_lag_s = metrics.histogram("thresher_index_lag_seconds", words, buckets=LAG_BUCKETS_S)
        self._last = metrics.gauge("thresher_last_stored_timestamp_seconds", "When a document was last stored.")

    def emit(self, record: logging.LogRecord) -> None:
        """Count one line."""
        outcome = getattr(record, "state", None)
        for lag_s in getattr(record, "index_lags_s", ()):
            self._index_lag_s.observe(lag_s)
        if record.name != ONLY_FILE or outcome is None:
            return
        self._pages.labels(outcome, getattr(record, "reason", ""), str(getattr(record, "status", None) or "")).inc()
        if getattr(record, "is_document", False):
            self._last.set(record.created)
        self._bytes.inc(getattr(record, "bytes", None) or 0)
        if (extract_s := getattr(record, "extract_s", None)) is not None:
            self._extract_s.observe(extract_s)
        if (lag_s := getattr(record, "lag_s", None)) is not None:
            self._lag_s.observe(lag_s)


def offer_metrics(role: str, host: str, port: int) -> int:
    """Count pages from now on and answer Prometheus; return the port, the first free one from the given one on.

    Raises OSError when there is none.
    """
    metrics = Metrics(role)
    taken = OSError()
    for number in range(port, port + PORTS):
        try:
            start_http_server(number, addr=host, registry=metrics.registry)
        except OSError as error:
            taken = error
        else:
            logging.getLogger(ONLY_FILE).addHandler(PageMetrics(metrics))
            return number
    raise taken


class _Read:
    """Families as a registry wants them."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._families = list(families)

    def collect(self) -> Iterator[Metric]:
        for each in self._families:
            metric = GaugeMetricFamily(each.name, each.about, labels=each.labels)
            for labels, value in each.values.items():
                metric.add_metric(labels, value)
            yield metric
