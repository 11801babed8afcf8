"""Throw-away clusters of a measurement: a Spark master with workers, and a Ray of two nodes, on loopback alone."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from thresher.errors import MissingExtra
from thresher.lab.servers import HOST, free_port

SPARK = [f"SPARK_LOCAL_IP={HOST}", "SPARK_LOCAL_HOSTNAME=localhost", f"PYSPARK_PYTHON={sys.executable}"]
# Ray asks a public address which of ours it would use, and tells its makers how it is used, unless it is told not to.
RAY = [f"RAY_OVERRIDE_NODE_IP_ADDRESS={HOST}", "RAY_USAGE_STATS_ENABLED=0", "RAY_DISABLE_IMPORT_WARNING=1"]
RAY_PROGRAM = """
import sys, time
from ray.cluster_utils import Cluster
node = {"node_ip_address": "127.0.0.1", "num_cpus": 1, "include_dashboard": False, "object_store_memory": 100_000_000}
cluster = Cluster(initialize_head=True, head_node_args=node)
del node["include_dashboard"]
cluster.add_node(**node)
print(cluster.address, flush=True)
sys.stdin.readline()
cluster.shutdown()
"""
READY_S = 180.0


@dataclass(frozen=True, slots=True)
class Engine:
    """Somewhere to run a batch: options of the command, its variables, and where its workers are found."""

    name: str
    options: tuple[str, ...]
    variables: tuple[str, ...] = ()
    roots: tuple[int, ...] = ()  # processes below which the workers are; none: below the command's own
    worker: str = ""  # what the command line of a worker contains


@contextmanager
def own_spark(workers: int = 2) -> Iterator[Engine]:
    """Run a Spark master and workers of one core each."""
    found = util.find_spec("pyspark")
    if found is None or found.origin is None:
        raise MissingExtra("Spark needs a library: pip install 'thresher[spark]'")
    program = Path(found.origin).with_name("bin") / "spark-class"
    port = free_port()
    master = f"spark://{HOST}:{port}"
    with ExitStack() as stack:
        start = ["env", *SPARK, str(program)]
        place = [
            *start,
            "org.apache.spark.deploy.master.Master",
            "--host",
            HOST,
            "--port",
            str(port),
            "--webui-port",
            "0",
        ]
        _started(stack, place, "I have been elected leader")
        worker = [*start, "org.apache.spark.deploy.worker.Worker", master, "--host", HOST, "-c", "1", "-m", "1200m"]
        pids = []
        for _ in range(workers):
            folder = stack.enter_context(_folder())
            process = _started(stack, [*worker, "-d", folder], "Successfully registered")
            pids.append(process.pid)
        options = ("--engine", "spark", "--master", master)
        yield Engine("spark", options, tuple(SPARK), tuple(pids), "CoarseGrainedExecutorBackend")


@contextmanager
def own_ray() -> Iterator[Engine]:
    """Run a Ray of two nodes of one core each."""
    if util.find_spec("ray") is None:
        raise MissingExtra("Ray needs a library: pip install 'thresher[ray]'")
    command = ["env", *RAY, sys.executable, "-c", RAY_PROGRAM]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout
    assert process.stdin
    try:
        address = process.stdout.readline().split()[0]
        options = ("--engine", "ray", "--address", address)
        yield Engine("ray", options, tuple(RAY), (process.pid,), "ray::work")
    finally:
        process.stdin.close()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            _end_all([process.pid, *below(process.pid)])
            process.wait()


def _end_all(pids: Sequence[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _folder() -> "TemporaryDirectory[str]":
    return TemporaryDirectory(prefix="thresher-spark-", ignore_cleanup_errors=True)


def _started(stack: ExitStack, command: Sequence[str], ready: str) -> "subprocess.Popen[str]":
    """Start a server that says on standard error when it is ready; it ends with the stack."""
    log = stack.enter_context(_folder()) + "/log"
    stream = stack.enter_context(Path(log).open("w", encoding="utf-8"))  # noqa: SIM115
    process = subprocess.Popen(command, stdout=stream, stderr=stream, text=True)
    stack.callback(process.wait)
    stack.callback(lambda: _end_all([*below(process.pid), process.pid]))
    deadline_s = time.monotonic() + READY_S
    while ready not in Path(log).read_text("utf-8", "replace"):
        if process.poll() is not None or time.monotonic() > deadline_s:
            raise MissingExtra(f"{command[-1]} did not start: {Path(log).read_text('utf-8', 'replace')[-2000:]}")
        time.sleep(0.1)
    return process


def below(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(child) for child in task.read_text().split()]
        except OSError:
            continue
        for child in children:
            found += [child, *below(child)]
    return found


def command_line(pid: int) -> str:
    """Return the command line of a process; empty when it has ended."""
    try:
        return re.sub(r"\0+", " ", Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace")).strip()
    except OSError:
        return ""


def manifest(output: Path) -> list[dict[str, Any]]:
    """Return the entries of an output's manifest."""
    return [json.loads(path.read_text("utf-8")) for path in sorted(output.glob("_manifest/*.json"))]
