"""`thresher bench batch`: whole archives on local processes, Spark and Ray, next to warcio with trafilatura.

Every run extracts the same WARC files with the command that users run; in some a worker is killed with SIGKILL once the
first segment is committed. CPU is that of the command and all its children; the processes of a cluster are not its
children, so there is none for Spark and Ray.
"""

import ctypes
import hashlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from thresher.export.warc import WarcStream
from thresher.lab.engines import Engine, below, command_line, manifest, own_ray, own_spark
from thresher.lab.pages import LabelledPage
from thresher.model import Page

CHILD_SUBREAPER = 36  # what prctl calls it on Linux
AT = datetime(2026, 11, 1, tzinfo=UTC)
PEER_PROGRAM = """
import sys
from trafilatura import extract
from warcio.archiveiterator import ArchiveIterator
count = 0
for path in sys.argv[1:]:
    with open(path, "rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                extract(record.content_stream().read())
                count += 1
print(count)
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """One run."""

    name: str
    records: int
    seconds: float
    cpu_s: float | None
    output: str = ""  # its hash


def write_archives(pages: Sequence[LabelledPage], folder: Path, records: int, files: int) -> list[Path]:
    """Write so many records into so many WARC files, pages again and again under other URLs; return the files."""
    endless = enumerate(cycle(pages))
    paths = []
    for number in range(files):
        path = folder / f"part-{number:03}.warc.gz"
        with path.open("wb") as stream:
            writer = WarcStream(stream, path.name)
            writer.begin()
            for index, page in islice(endless, records // files):
                url = f"https://site{index % 50}.example/page/{index}"
                body = page.html.encode("utf-8", "replace") + f"<!-- {index} -->".encode()  # no revisits
                writer.add(Page(url, 200, body, AT, {"content-type": "text/html; charset=utf-8"}))
        paths.append(path)
    return paths


def measure(paths: Sequence[Path], names: Sequence[str], tell: Callable[[str], None]) -> Iterator[Measured]:
    """Run the batch on each engine named: local-1, local-2, spark, ray, with "+kill" one worker is killed."""
    _adopt()
    for name in names:
        kind, _, kill = name.partition("+")
        with _engine(kind) as engine:
            tell(f"{name} …")
            yield _run(engine, paths, name, kill=bool(kill))


def _engine(kind: str) -> AbstractContextManager[Engine]:
    if kind == "spark":
        return own_spark()
    if kind == "ray":
        return own_ray()
    jobs = kind.removeprefix("local-")
    return nullcontext(Engine(kind, ("--jobs", jobs), worker="multiprocessing.forkserver"))


def _run(engine: Engine, paths: Sequence[Path], name: str, *, kill: bool) -> Measured:
    with TemporaryDirectory(prefix="thresher-batch-") as folder:
        output = Path(folder) / "out"
        command = [sys.executable, "-m", "thresher", "batch", "extract", *map(str, paths), "-o", str(output)]
        command = ["env", *engine.variables, *command, "--progress", "none", *engine.options]
        before, began = _children_s(), time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if kill:
            _kill_one(engine, process, output)
        _, told = process.communicate()
        seconds = time.monotonic() - began
        if process.returncode:
            raise AssertionError(f"{name} ended with {process.returncode}: {told[-2000:]}")
        cpu_s = None if engine.roots else _all_children_s() - before
        entries = manifest(output)
        names = sorted(f"{file['sha256']} {file['name']}" for entry in entries for file in entry["files"])
        records = sum(int(entry["facts"]["records"]) for entry in entries)
        return Measured(name, records, seconds, cpu_s, hashlib.sha256("\n".join(names).encode()).hexdigest())


def _kill_one(engine: Engine, process: "subprocess.Popen[str]", output: Path) -> None:
    """Kill a worker when the first segment is there."""
    while not manifest(output):
        assert process.poll() is None, "the batch ended before a worker was killed"
        time.sleep(0.02)
    roots = engine.roots or (process.pid,)
    workers = [pid for root in roots for pid in below(root) if engine.worker in command_line(pid)]
    os.kill(workers[-1], signal.SIGKILL)


def measure_peer(paths: Sequence[Path]) -> Measured:
    """Extract the same records with warcio and trafilatura, with its defaults, in one process."""
    before, began = _children_s(), time.monotonic()
    command = [sys.executable, "-W", "ignore", "-c", PEER_PROGRAM, *map(str, paths)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return Measured("warcio + trafilatura", int(done.stdout), time.monotonic() - began, _children_s() - before)


def _adopt() -> None:
    """Become the parent of processes whose own has ended, as those of a pool do: else their CPU is never counted."""
    ctypes.CDLL(None).prctl(CHILD_SUBREAPER, 1, 0, 0, 0)


def _all_children_s() -> float:
    """Wait for all processes below this one, then return the CPU that they have used."""
    with suppress(ChildProcessError):
        while True:
            os.wait()
    return _children_s()


def _children_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def table(runs: Sequence[Measured], peers: Sequence[tuple[Measured, Measured]]) -> str:
    """Return a table of the runs, and ours against the peer on the same file."""
    lines = ["| run | records | seconds | records/s | CPU ms/record | output |", "|---|---|---|---|---|---|"]
    for run in runs:
        cpu = f"{1000 * run.cpu_s / run.records:.1f}" if run.cpu_s else ""
        rate = run.records / run.seconds
        lines.append(f"| {run.name} | {run.records:,} | {run.seconds:.1f} | {rate:.1f} | {cpu} | {run.output[:12]} |")
    for ours, theirs in peers:
        assert ours.cpu_s
        assert theirs.cpu_s
        our_rate, their_rate = ours.records / ours.cpu_s, theirs.records / theirs.cpu_s
        lines.append(
            f"\nOn the same {ours.records:,} records, per second of one core: Thresher {our_rate:.1f}, "
            f"{theirs.name} {their_rate:.1f} records; {our_rate / their_rate:.2f} times."
        )
    return "\n".join(lines)
