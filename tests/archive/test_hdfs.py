"""Archives on HDFS: a DataNode or the writer is killed in the middle, and nothing is torn, lost or doubled."""

import gzip
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.archive.hdfs import Hdfs, hdfs
from tests.archive.places import documents, page
from tests.archive.test_archives import go_on, titles
from tests.commands import run
from tests.crawl.harness import Crawl
from thresher.archive.compaction import compact
from thresher.archive.destination import ArchiveDestination
from thresher.archive.documents import Archive
from thresher.archive.places import Place, place_of
from thresher.archive.records import read_records
from thresher.archive.segments import check, committed
from thresher.sample import SampleWeb, serve
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


def test_a_crawl_goes_on_and_loses_nothing_when_one_of_two_datanodes_is_killed(
    server: Hdfs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    formats = ("jsonl", "parquet", "warc")
    sinks = ",".join(f"{name}={server.url}/{name}?format={name}" for name in formats)
    with serve(SampleWeb(pages=80, crawl_delay_s=None)) as site:
        calm = Crawl(tmp_path / "calm", site)
        assert calm.run().code == 0
        monkeypatch.setenv("THRESHER_SINKS", sinks)
        flags = ("--delay", "0.3", "--concurrency", "8", "--progress", "none")
        disturbed = Crawl(tmp_path / "disturbed", site, flags)
        process = disturbed.start()
        places = {name: place_of(f"{server.url}/{name}") for name in formats}
        while process.poll() is None and not all(map(committed, places.values())):
            time.sleep(0.1)
        fetched = len(site.server.log())
        assert process.poll() is None, process.said()
        server.kill_datanode(0)
        _, told = process.communicate(timeout=600)
        assert process.returncode == 0, told
        print(f"{fetched} requests before the DataNode was killed, {len(site.server.log()) - fetched} after; {told}")
        assert len(site.server.log()) > fetched + 10
    assert "Traceback" not in told
    assert disturbed.corpus() == calm.corpus()
    while run("--data", str(disturbed.data), "sinks", "run", "--once").returncode:
        time.sleep(1)  # a sink waits before it tries again
    corpus = disturbed.open()
    try:
        stored = {each.key: each.document.title for each in corpus.store.stored(posts=False)}
        found = [corpus.store.page(each.document.url or "") for each in corpus.store.stored(posts=False)]
    finally:
        corpus.close()
    rows = _latest(places["jsonl"])  # what joined another document, stays
    assert {key: rows.get(key) for key in stored} == stored
    assert {*stored.values()} <= {*titles(places["parquet"], "parquet")}
    assert {page.body for page in found if page} <= _archived(places["warc"])
    for place in places.values():
        assert list(check(place)) == []


def _latest(place: Place) -> dict[str, str]:
    """Return the titles of documents by key, as the rows that were written last have them."""
    found: dict[str, tuple[str, str]] = {}
    for file in committed(place):
        for line in gzip.decompress(place.read(file.name)).decode().splitlines():
            row = json.loads(line)
            found[row["key"]] = max(found.get(row["key"], ("", "")), (row["last_seen"], row["title"]))
    return {key: title for key, (_, title) in found.items()}


def _archived(place: Place) -> set[bytes]:
    """Return the bodies of pages in WARC files, each of which is there once."""
    found = set()
    for file in committed(place):
        if file.name.endswith(".warc.gz"):
            with place.open(file.name) as stream:
                found |= {record.page.body for record in read_records(stream, file.name) if record.page}
    return found
