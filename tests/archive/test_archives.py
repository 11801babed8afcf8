"""Archives are read by programs that know nothing of us, and hold each document once however their writers die."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import duckdb
import pandas
import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.archive.places import DAY, KEYS, Dying, Killed, documents, files_below, page, s3_server
from tests.commands import run
from thresher.archive.compaction import compact
from thresher.archive.destination import ArchiveDestination
from thresher.archive.documents import Archive
from thresher.archive.places import Place, place_of
from thresher.archive.segments import check, committed
from thresher.errors import BackendError, Damaged, UsageError
from thresher.model import Page
from thresher.store.contract import Change

BATCH = 4
FORMATS = ("parquet", "jsonl")


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    with s3_server() as endpoint, pytest.MonkeyPatch.context() as patch:
        for name, value in KEYS.items():
            patch.setenv(name, value)
        yield endpoint


@pytest.fixture(params=["disk", "s3"])
def place_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "disk":
        return str(tmp_path / "archive")
    return f"s3://corpus/{tmp_path.name}?endpoint_url={request.getfixturevalue('s3')}"


def asked(query: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(query).fetchall()


def titles(place: Place, format_: str) -> list[str]:
    """Return the titles of all rows as pandas reads them from the committed files."""
    found: list[str] = []
    for file in committed(place):
        with place.open(file.name) as stream:
            read = pandas.read_parquet if format_ == "parquet" else pandas.read_json
            how = {} if format_ == "parquet" else {"lines": True, "compression": "gzip"}
            found += read(stream, **how)["title"].tolist()
    return sorted(found)


def go_on(place: Place, format_: str, until: int) -> None:
    """Append documents from where the cursor stands, as whoever was started again would."""
    archive = Archive(place, format_)
    for first in range(int(archive.cursor or 0), until, BATCH):
        archive.append(documents(first, BATCH), str(first + BATCH))


@pytest.mark.parametrize("format_", FORMATS)
def test_what_is_appended_is_read_back_and_the_cursor_with_it(place_url: str, format_: str) -> None:
    place = place_of(place_url)
    go_on(place, format_, 4)
    go_on(place, format_, 8)
    assert Archive(place, format_).cursor == "8"
    assert titles(place, format_) == sorted(f"number {n}" for n in range(8))
    assert list(check(place)) == []
    assert all(name.startswith(("documents/", "_manifest/")) for name in place.names())


def test_duckdb_and_pandas_read_parquet_with_its_days_and_sites(tmp_path: Path) -> None:
    go_on(place_of(str(tmp_path)), "parquet", 8)
    glob = f"read_parquet('{tmp_path}/documents/*/*/*.parquet', hive_partitioning=true)"
    rows = asked(f"SELECT title, day::text, site, len(posts), epoch(last_seen) FROM {glob} ORDER BY title LIMIT 2")
    assert rows == [
        ("number 0", "2026-11-19", "forum.example:8080", 3, DAY.timestamp()),
        ("number 1", "2026-11-20", "site1.example", 0, DAY.timestamp() + 86_400),
    ]
    frame = pandas.read_parquet(tmp_path)
    assert sorted(frame["title"]) == sorted(f"number {n}" for n in range(8))
    assert set(frame["site"]) == {"forum.example:8080", "site0.example", "site1.example", "site2.example"}


def test_duckdb_reads_json_lines(tmp_path: Path) -> None:
    go_on(place_of(str(tmp_path)), "jsonl", 8)
    glob = f"read_json('{tmp_path}/documents/*/*.jsonl.gz', hive_partitioning=true)"
    (row,) = asked(f"SELECT count(*), count(DISTINCT key), min(day)::text, sum(len(posts)) FROM {glob}")
    assert row == (8, 8, "2026-11-19", 6)


@pytest.mark.parametrize(("format_", "after"), [("jsonl", False), ("jsonl", True), ("parquet", True)])
def test_a_writer_that_dies_at_any_step_leaves_nothing_torn_lost_or_doubled(
    tmp_path: Path, format_: str, after: bool
) -> None:
    for step in count(1):
        folder = tmp_path / str(step)
        place = place_of(str(folder))
        try:
            go_on(Dying(place, step, after=after), format_, 8)
            died = False
        except Killed:
            died = True
            for name in files_below(folder):  # a reader that looks now finds whole files alone
                assert next(iter(asked(f"SELECT count(*) FROM '{folder / name}'")))[0] > 0
            go_on(place, format_, 8)
        assert titles(place, format_) == sorted(f"number {n}" for n in range(8))
        assert files_below(folder) == [file.name for file in committed(place)]
        if not died:
            assert step > 10
            return


def test_a_writer_killed_by_the_system_leaves_nothing_torn_lost_or_doubled(place_url: str) -> None:
    script = (
        "import sys\nfrom tests.archive.test_archives import go_on, place_of\n"
        "class Told:\n"
        "    def __init__(self, place): self._place = place\n"
        "    def __getattr__(self, name): print(name, flush=True); return getattr(self._place, name)\n"
        "go_on(Told(place_of(sys.argv[1])), 'parquet', 40)\n"
    )
    for lines in (17, 41):  # steps that are waited for, then it is killed in the middle of the next one
        child = subprocess.Popen([sys.executable, "-c", script, place_url], stdout=subprocess.PIPE, text=True)
        assert child.stdout
        for _ in range(lines):
            assert child.stdout.readline()
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        child.stdout.close()
    place = place_of(place_url)
    go_on(place, "parquet", 40)
    assert titles(place, "parquet") == sorted(f"number {n}" for n in range(40))
    assert list(check(place)) == []


@pytest.mark.parametrize("format_", FORMATS)
def test_compaction_makes_fewer_files_of_the_same_rows(place_url: str, format_: str) -> None:
    place = place_of(place_url)
    go_on(place, format_, 16)
    before = committed(place)
    merged = list(compact(place))
    files = committed(place)
    assert len(files) < len(before)
    assert sum(file.rows for file in files) == 16
    assert sum(each.files - 1 for each in merged) == len(before) - len(files)
    assert titles(place, format_) == sorted(f"number {n}" for n in range(16))
    assert list(check(place)) == []
    assert list(compact(place)) == []
    go_on(place, format_, 20)
    assert titles(place, format_) == sorted(f"number {n}" for n in range(20))


def test_compaction_that_dies_is_finished_by_the_next_one(tmp_path: Path) -> None:
    for step in count(1):
        folder = tmp_path / str(step)
        place = place_of(str(folder))
        go_on(place, "parquet", 8)
        try:
            list(compact(Dying(place, step, after=True)))
            return
        except Killed:
            list(compact(place))
        assert titles(place, "parquet") == sorted(f"number {n}" for n in range(8))
        assert files_below(folder) == [file.name for file in committed(place)]


def test_files_up_to_the_size_wanted_are_merged_and_no_further(tmp_path: Path) -> None:
    place = place_of(str(tmp_path))
    go_on(place, "jsonl", 16)
    largest = max(file.bytes for file in committed(place))
    list(compact(place, target_bytes=2 * largest + 100))
    assert all(file.bytes <= 2 * largest + 100 for file in committed(place))
    assert 2 < len(committed(place)) < 8


def records(place: Place, name: str) -> list[Any]:
    with place.open(name) as stream:
        return [(r.rec_type, r.rec_headers, r.content_stream().read()) for r in ArchiveIterator(stream)]


def index_lines(place: Place) -> list[tuple[str, dict[str, Any]]]:
    lines = []
    for name in (name for name in place.names("indexes") if name.endswith(".cdxj")):
        read = place.read(name).decode().splitlines()
        assert read == sorted(read)
        lines += [(line.split(" ")[0], json.loads(line.split(" ", 2)[2])) for line in read]
    return lines


def written_pages(place: Place) -> Archive:
    archive = Archive(place, "warc")
    same = "<html>the same</html>"
    archive.append_pages([page(1), page(2, same), page(3, same), Page("https://a.example/x", 304, b"", DAY)], "4")
    archive.append_pages([page(4), page(5, same)], "6")
    return archive


def test_warc_has_responses_requests_and_revisits(place_url: str) -> None:
    place = place_of(place_url)
    written_pages(place)
    found = records(place, "archive/thresher-000000001.warc.gz")
    assert [kind for kind, _, _ in found] == ["warcinfo", *("response", "request") * 2, *("revisit", "request") * 2]
    _, headers, body = found[1]
    assert body == page(1).body
    assert headers.protocol == "WARC/1.1"
    assert headers.get_header("WARC-Target-URI") == page(1).url
    assert found[2][1].get_header("WARC-Concurrent-To") == headers.get_header("WARC-Record-ID")
    assert found[5][1].get_header("WARC-Refers-To-Target-URI") == page(2).url
    assert found[7][1].get_header("WARC-Profile").endswith("server-not-modified")
    again = Archive(place, "warc")  # which bodies there are is known after a restart too
    again.append_pages([page(7, "<html>the same</html>")], "7")
    assert [kind for kind, _, _ in records(place, "archive/thresher-000000003.warc.gz")][1] == "revisit"


def test_the_index_leads_to_each_record_also_after_compaction(place_url: str) -> None:
    place = place_of(place_url)
    written_pages(place)
    for _ in range(2):
        lines = index_lines(place)
        assert len(lines) == 6
        for key, told in lines:
            with place.open(f"archive/{told['filename']}") as stream:
                stream.seek(int(told["offset"]))
                record = next(iter(ArchiveIterator(stream)))
            assert record.rec_headers.get_header("WARC-Target-URI") == told["url"]
            assert key.startswith("example,a)/")
        list(compact(place))
    assert place.names("archive") == ["archive/compaction-000000001.warc.gz"]
    assert list(check(place)) == []


def test_the_indexer_of_pywb_finds_what_our_index_says(tmp_path: Path) -> None:
    written_pages(place_of(str(tmp_path)))
    files = sorted(map(str, (tmp_path / "archive").iterdir()))
    theirs = subprocess.run([sys.executable, "-m", "cdxj_indexer.main", *files], capture_output=True, text=True)
    assert theirs.returncode == 0, theirs.stderr
    found = [(line.split(" ")[0], json.loads(line.split(" ", 2)[2])) for line in theirs.stdout.splitlines()]
    ours = index_lines(place_of(str(tmp_path)))

    def told(lines: Iterable[tuple[str, dict[str, str]]], *names: str) -> list[tuple[str, ...]]:
        return sorted((key, *(facts[name].removeprefix("sha1:") for name in names)) for key, facts in lines)

    assert told(found, "url", "offset", "length", "filename") == told(ours, "url", "offset", "length", "filename")
    with_digest = [line for line in found if "digest" in line[1]]  # theirs gives none for a 304, which has no body
    bodies = [line for line in ours if line[1]["status"] != "304"]
    assert told(with_digest, "url", "digest") == told(bodies, "url", "digest")


@pytest.mark.long
def test_spark_reads_parquet_and_json_lines_with_their_days_and_sites(tmp_path: Path) -> None:
    session = pytest.importorskip("pyspark.sql").SparkSession
    go_on(place_of(str(tmp_path / "parquet")), "parquet", 8)
    go_on(place_of(str(tmp_path / "jsonl")), "jsonl", 8)
    builder = session.builder.master("local[1]").config("spark.ui.enabled", "false")
    for name in ("spark.driver.bindAddress", "spark.driver.host"):
        builder = builder.config(name, "127.0.0.1")
    spark = builder.getOrCreate()
    try:
        for frame in (
            spark.read.parquet(str(tmp_path / "parquet/documents")),
            spark.read.json(str(tmp_path / "jsonl/documents")),
        ):
            rows = {row["title"]: row for row in frame.select("title", "day", "posts").collect()}
            assert rows.keys() == {f"number {n}" for n in range(8)}
            assert (str(rows["number 0"]["day"]), len(rows["number 0"]["posts"])) == ("2026-11-19", 3)
    finally:
        spark.stop()


def test_an_archive_of_one_kind_takes_no_other(tmp_path: Path) -> None:
    place = place_of(str(tmp_path))
    with pytest.raises(UsageError, match="holds pages"):
        Archive(place, "warc").append(documents(0, 1), "1")
    with pytest.raises(UsageError, match="holds documents"):
        Archive(place, "jsonl").append_pages([page(1)], "1")
    with pytest.raises(UsageError, match="one of"):
        Archive(place, "xls")
    with pytest.raises(UsageError, match="name of a writer"):
        Archive(place, "jsonl", "a/b")


def test_bad_places_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="ftp:// is not supported"):
        place_of("ftp://a.example/x")
    (tmp_path / "file").write_text("")
    with pytest.raises(BackendError, match="file"):
        go_on(place_of(str(tmp_path / "file")), "jsonl", 4)


def test_damage_is_told(tmp_path: Path) -> None:
    place = place_of(str(tmp_path))
    go_on(place, "jsonl", 12)
    first, second, *_ = committed(place)
    (tmp_path / first.name).write_bytes(b"other")
    (tmp_path / second.name).unlink()
    (tmp_path / "documents" / "stranger").write_text("")
    told = " ".join(check(place))
    for words in (f"{first.name} is not what was written", f"{second.name} is missing", "stranger is no file"):
        assert words in told
    (manifest,) = (tmp_path / "_manifest").glob("*1.json")
    manifest.write_text("{")
    with pytest.raises(Damaged, match="cannot be read"):
        committed(place)


def test_writers_of_different_names_append_side_by_side(tmp_path: Path) -> None:
    place = place_of(str(tmp_path))
    one, other = (Archive(place, "jsonl", name) for name in ("one", "other"))
    one.append(documents(0, 2), "a")
    other.append(documents(2, 2), "b")
    one.append(documents(4, 2), "c")
    assert (Archive(place, "jsonl", "one").cursor, Archive(place, "jsonl", "other").cursor) == ("c", "b")
    assert len(titles(place, "jsonl")) == 6


def test_a_folder_of_files_is_a_collection_of_pywb(tmp_path: Path) -> None:
    """Optional: pywb brings libraries that cannot stand beside ours, so it needs an environment of its own."""
    indexer = os.environ.get("THRESHER_TEST_CDX_INDEXER")
    if not indexer:
        pytest.skip("THRESHER_TEST_CDX_INDEXER names no cdx-indexer of pywb")
    place = place_of(str(tmp_path))
    written_pages(place)
    theirs = subprocess.run(
        [indexer, "-j", "-s", str(tmp_path / "archive")], capture_output=True, text=True, check=True
    )
    told = [line.split(" ", 2) for line in theirs.stdout.splitlines() if line.startswith("example,")]
    ours = index_lines(place)
    assert sorted(key for key, _, _ in told) == sorted(key for key, _ in ours)
    places = {(fields["filename"], fields["offset"], fields["length"]) for _, fields in ours}
    assert {(f["filename"], f["offset"], f["length"]) for f in (json.loads(t) for _, _, t in told)} == places


def test_an_archive_takes_each_change_of_a_store_once(tmp_path: Path) -> None:
    changes = [Change(number, stored.key, stored) for number, stored in enumerate(documents(0, 6), start=1)]
    gone = Change(7, "key9", None)
    destination = ArchiveDestination(str(tmp_path / "docs"), "mine")
    destination.deliver(changes[:4], lambda url: None)
    again = ArchiveDestination(str(tmp_path / "docs"), "mine")
    again.deliver(changes[:4], lambda url: None)
    again.deliver([*changes[2:], gone], lambda url: None)
    again.deliver([gone], lambda url: None)
    assert titles(place_of(str(tmp_path / "docs")), "parquet") == sorted(f"number {n}" for n in range(6))
    pages = ArchiveDestination(f"file://{tmp_path}/pages?format=warc", "my-sink 降准")
    pages.deliver(changes[:3], {f"https://harbour.example/{n}": page(n) for n in (0, 2)}.get)
    pages.deliver(changes[:3], lambda url: None)
    assert [told["url"] for _, told in index_lines(place_of(str(tmp_path / "pages")))] == [page(0).url, page(2).url]
    with pytest.raises(UsageError, match="one of parquet"):
        ArchiveDestination("s3://bucket/x?format=xls")


def test_an_archive_is_looked_after_by_commands(tmp_path: Path) -> None:
    go_on(place_of(str(tmp_path / "a")), "jsonl", 12)
    shown = run("archive", "show", str(tmp_path / "a"))
    assert "jsonl.gz: 6 files, 12 rows" in shown.stdout
    assert "2 days, 2026-11-19 to 2026-11-20" in shown.stdout
    assert "6 files before, 2 now" in run("archive", "compact", str(tmp_path / "a")).stderr
    assert run("archive", "check", str(tmp_path / "a")).returncode == 0
    (tmp_path / "a" / committed(place_of(str(tmp_path / "a")))[0].name).write_bytes(b"")
    assert run("archive", "check", str(tmp_path / "a")).returncode == 1
    assert "is no archive" in run("archive", "show", str(tmp_path)).stderr
