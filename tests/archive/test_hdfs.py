"""Archives on HDFS: a DataNode or the writer is killed in the middle, and nothing is torn, lost or doubled."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.archive.hdfs import Hdfs, hdfs
from tests.archive.places import documents, page
from tests.archive.test_archives import go_on, titles
from thresher.archive.compaction import compact
from thresher.archive.destination import ArchiveDestination
from thresher.archive.documents import Archive
from thresher.archive.places import place_of
from thresher.archive.segments import check, committed
from thresher.store.contract import Change

pytestmark = pytest.mark.long
NUMBERS = sorted(f"number {n}" for n in range(24))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Hdfs]:
    with hdfs(tmp_path) as running:
        yield running


def test_a_writer_killed_on_hdfs_leaves_nothing_torn_lost_or_doubled(server: Hdfs) -> None:
    script = (
        "import sys\nfrom tests.archive.test_archives import go_on, place_of\n"
        "class Told:\n"
        "    def __init__(self, place): self._place = place\n"
        "    def __getattr__(self, name): print(name, flush=True); return getattr(self._place, name)\n"
        "go_on(Told(place_of(sys.argv[1])), 'parquet', 24)\n"
    )
    url = f"{server.url}/corpus"
    for lines in (9, 17, 31):
        child = subprocess.Popen([sys.executable, "-c", script, url], stdout=subprocess.PIPE, text=True)
        assert child.stdout
        for _ in range(lines):
            assert child.stdout.readline()
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        child.stdout.close()
    place = place_of(url)
    go_on(place, "parquet", 24)
    assert titles(place, "parquet") == NUMBERS
    list(compact(place))
    assert titles(place, "parquet") == NUMBERS
    assert list(check(place)) == []


def test_a_sink_goes_on_when_one_of_two_datanodes_is_killed(server: Hdfs) -> None:
    destination = ArchiveDestination(f"{server.url}/sink?format=jsonl", "mine")
    pages = Archive(place_of(f"{server.url}/pages"), "warc")
    for first in range(0, 24, 4):
        changes = [Change(first + n, each.key, each) for n, each in enumerate(documents(first, 4), start=1)]
        destination.deliver(changes, lambda url: None)
        pages.append_pages([page(number) for number in range(first, first + 4)], str(first))
        if first == 8:
            server.kill_datanode(0)
    place = place_of(f"{server.url}/sink")
    assert titles(place, "jsonl") == NUMBERS
    assert list(check(place)) == []
    assert sum(file.rows for file in committed(place_of(f"{server.url}/pages")) if "archive/" in file.name) == 24


def test_webhdfs_reads_what_was_written(server: Hdfs) -> None:
    go_on(place_of(f"{server.url}/corpus"), "jsonl", 4)
    place = place_of(f"{server.web}/corpus")
    assert titles(place, "jsonl") == NUMBERS[:0] + sorted(f"number {n}" for n in range(4))
    go_on(place, "jsonl", 8)
    assert list(check(place)) == []
