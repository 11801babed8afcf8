"""Engines: where the segments of a batch are extracted."""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict
from importlib import import_module
from typing import Any

from thresher.archive.places import place_of
from thresher.archive.segments import MANIFEST
from thresher.batch.extraction import AHEAD, Report, Tell, Wishes, done, pool_of, report_of, work
from thresher.batch.inputs import Segment
from thresher.errors import BackendError, MissingExtra

LOOPBACK = "127.0.0.1"
POLL_S = 1.0
REPORTS = Iterator[Report]


def run_locally(segments: Sequence[Segment], output: str, wishes: Wishes, *, jobs: int, tell: Tell) -> REPORTS:
    """Extract segments one after the other, the records of each in so many processes of this machine."""
    pool = pool_of(jobs, wishes.timeout_s, wishes.memory_bytes)
    try:
        for segment in segments:
            yield done(segment, output, wishes, pool, AHEAD * jobs, tell)
    finally:
        pool.close()
        pool_of.cache_clear()


def run_on_spark(segments: Sequence[Segment], output: str, wishes: Wishes, *, master: str) -> REPORTS:
    """Extract segments as tasks of Spark, each tried again elsewhere when its executor dies."""
    session = _library("pyspark.sql", "spark").SparkSession
    failures = _library("py4j.protocol", "spark").Py4JError
    builder = session.builder.appName("thresher batch extract").config("spark.ui.enabled", "false")
    if master.startswith("local"):
        builder = builder.config("spark.driver.bindAddress", LOOPBACK).config("spark.driver.host", LOOPBACK)
        builder = builder.config("spark.pyspark.python", sys.executable)
    spark = builder.master(master).getOrCreate()
    try:
        tasks = spark.sparkContext.parallelize(_tasks(segments, output, wishes), max(1, len(segments)))
        yield from _as_they_come(segments, output, wishes, lambda: tasks.map(work).collect())
    except failures as error:
        raise BackendError(f"Spark: {str(error)[:2_000]}") from error
    finally:
        spark.stop()


def _as_they_come(
    segments: Sequence[Segment], output: str, wishes: Wishes, job: Callable[[], list[dict[str, Any]]]
) -> REPORTS:
    """Run a job aside, and yield the report of each segment once it is committed; those that failed in the end."""
    place = place_of(output)
    names = {f"{MANIFEST}/{segment.id(wishes.identity)}-000000001.json": segment for segment in segments}
    for name in names.keys() & set(place.names(MANIFEST)):
        yield report_of(place, name, again=True)
        del names[name]
    aside = ThreadPoolExecutor(1)
    coming = aside.submit(job)
    try:
        while not wait([coming], POLL_S).done:
            for name in names.keys() & set(place.names(MANIFEST)):
                yield report_of(place, name)
                del names[name]
        ended = {report["source"]: Report(**report) for report in coming.result()}
        yield from (ended[segment.source] for segment in names.values())
    finally:
        aside.shutdown(wait=False, cancel_futures=True)


def run_on_ray(segments: Sequence[Segment], output: str, wishes: Wishes, *, address: str) -> REPORTS:
    """Extract segments as tasks of Ray; without an address on a Ray of this machine, on loopback alone."""
    ray = _library("ray", "ray")
    local = {"_node_ip_address": LOOPBACK, "include_dashboard": False}
    if not address:
        _library("ray._common.usage.usage_lib", "ray").set_usage_stats_enabled_via_env_var(False)
    try:
        ray.init(**({"address": address} if address else local), log_to_driver=False)
        remote = ray.remote(max_retries=4)(work)
        waiting = [remote.remote(task) for task in _tasks(segments, output, wishes)]
        while waiting:
            ready, waiting = ray.wait(waiting, num_returns=1)
            yield from (Report(**report) for report in ray.get(ready))
    except (ray.exceptions.RayError, ConnectionError) as error:
        raise BackendError(f"Ray: {error}") from error
    finally:
        ray.shutdown()


def _tasks(segments: Sequence[Segment], output: str, wishes: Wishes) -> list[dict[str, Any]]:
    return [{"segment": segment.to_json(), "output": output, "wishes": asdict(wishes)} for segment in segments]


def _library(name: str, extra: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtra(f"this engine needs a library ({error}): pip install 'thresher[{extra}]'") from error
