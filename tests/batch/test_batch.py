"""Batches: every record of every archive becomes a row once, whatever is broken, killed or run twice."""

import gzip
import hashlib
import signal
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest

from tests.archive.places import KEYS, s3_server
from tests.batch.archives import AT, arc, html, page, warc
from tests.commands import Command, run
from thresher.archive.places import place_of
from thresher.archive.segments import check, committed
from thresher.batch import extraction
from thresher.batch.engines import run_locally
from thresher.batch.extraction import Report, Wishes
from thresher.batch.inputs import Segment, segments_of
from thresher.crawling.pool import Pool
from thresher.errors import UsageError


def rows(output: Path | str) -> list[dict[str, Any]]:
    place = place_of(str(output))
    found: list[dict[str, Any]] = []
    for file in committed(place):
        with place.open(file.name) as stream:
            found += parquet.ParquetFile(stream).read().to_pylist()
    return found


def batch(output: Path | str, *inputs: Path | str, jobs: int = 1) -> list[Report]:
    segments = segments_of([str(each) for each in inputs])
    return list(run_locally(segments, str(output), Wishes(), jobs=jobs, tell=lambda records, offset: None))


def hash_of(output: Path | str) -> str:
    """Return what two outputs share that hold the same."""
    names = sorted(f"{file.sha256} {file.name}" for file in committed(place_of(str(output))))
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


def test_each_page_of_an_archive_becomes_a_row_and_the_rest_is_counted(tmp_path: Path) -> None:
    others = [page(8, status=404), page(9, b"GIF89a", kind="image/gif"), page(10, b" "), page(11, b"\0\1\2" * 999)]
    source = warc(tmp_path / "in" / "a.warc.gz", page(1), *others, page(2))
    (report,) = batch(tmp_path / "out", source)
    assert (report.records, report.documents, report.broken) == (6, 2, 0)
    assert report.skipped == {"empty": 1, "http-404": 1, "not-html": 2}
    one, two = rows(tmp_path / "out")
    assert (one["title"], two["title"]) == ("The ferry number 1 is late", "The ferry number 2 is late")
    assert one["text"].endswith("Number 1.")
    assert (one["url"], one["fetched_at"], one["source"]) == (page(1).url, AT, str(source))
    assert one["record"].startswith("<urn:uuid:")
    assert list(check(place_of(str(tmp_path / "out")))) == []


def test_broken_records_are_passed_over_and_named(tmp_path: Path) -> None:
    source = warc(tmp_path / "a.warc.gz", *map(page, range(1, 6)))
    data = bytearray(source.read_bytes())
    members = [place for place in range(len(data)) if data[place : place + 3] == b"\x1f\x8b\x08"]
    third = members[5]  # warcinfo, then a response and a request for each page
    data[third + 20 : third + 60] = b"x" * 40
    source.write_bytes(bytes(data))
    (report,) = batch(tmp_path / "out", source)
    assert (report.documents, report.broken) == (4, 1)
    assert "a.warc.gz, at or behind byte" in report.told[0]
    assert [row["url"] for row in rows(tmp_path / "out")] == [page(n).url for n in (1, 2, 4, 5)]


def test_a_file_that_is_cut_off_gives_what_is_whole(tmp_path: Path) -> None:
    source = warc(tmp_path / "a.warc", *map(page, range(1, 4)))
    plain = gzip.decompress(source.read_bytes())
    source.write_bytes(plain[: plain.rindex(b"Number 3")])
    (report,) = batch(tmp_path / "out", source)
    assert (report.documents, report.broken) == (2, 1)


def test_arc_files_and_folders_of_pages_are_read_too(tmp_path: Path) -> None:
    arc(tmp_path / "old.arc.gz", page(1), page(2))
    for number in (3, 4):
        place = tmp_path / "pages" / "deep" / f"{number}.html"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(html(number))
    reports = batch(tmp_path / "out", tmp_path)
    assert [report.documents for report in reports] == [2, 2]
    found = {row["title"]: row for row in rows(tmp_path / "out")}
    assert len(found) == 4
    assert found["The ferry number 1 is late"]["fetched_at"].isoformat() == "2008-01-02T03:04:05+00:00"
    saved = found["The ferry number 3 is late"]
    assert (saved["url"], saved["fetched_at"]) == (None, None)
    assert saved["source"] == str(tmp_path / "pages" / "deep" / "3.html")


def test_what_is_done_is_not_done_again_and_new_input_is(tmp_path: Path) -> None:
    warc(tmp_path / "in" / "a.warc.gz", page(1))
    assert [report.again for report in batch(tmp_path / "out", tmp_path / "in")] == [False]
    warc(tmp_path / "in" / "b.warc.gz", page(2))
    assert [report.again for report in batch(tmp_path / "out", tmp_path / "in", tmp_path / "in" / "b.warc.gz")] == [
        True,
        False,
    ]
    assert len(rows(tmp_path / "out")) == 2


def test_the_output_is_the_same_whoever_made_it(tmp_path: Path) -> None:
    for name in ("a", "b"):
        warc(tmp_path / "in" / f"{name}.warc.gz", *map(page, range(12)))
    batch(tmp_path / "one", tmp_path / "in")
    batch(tmp_path / "two", tmp_path / "in", jobs=2)
    assert hash_of(tmp_path / "one") == hash_of(tmp_path / "two")


def test_a_batch_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    for number in range(6):
        warc(tmp_path / "in" / f"{number}.warc.gz", *map(page, range(4)))
    arguments = ("batch", "extract", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--jobs", "1")
    first = Command(*arguments)
    while not list((tmp_path / "out").glob("_manifest/*.json")):
        assert first.poll() is None
    first.send_signal(signal.SIGKILL)
    first.wait()
    second = run(*arguments)
    assert second.returncode == 0
    assert "24 documents of 24 records in 6 segments" in second.stderr
    assert "done before" in second.stderr
    assert len(rows(tmp_path / "out")) == 24
    assert list(check(place_of(str(tmp_path / "out")))) == []


def test_a_page_that_takes_its_process_down_costs_itself_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = warc(tmp_path / "a.warc.gz", *map(page, range(3)))
    monkeypatch.setattr(extraction, "Pool", lambda job, *args, **how: Pool(deadly, *args, **how))
    (report,) = batch(tmp_path / "out", source)
    assert (report.documents, report.skipped) == (2, {"extract-crash": 1})


def deadly(encoded: bytes) -> bytes:
    """Die of one page."""
    if b"ferry number 1 is" in encoded:
        signal.raise_signal(signal.SIGKILL)
    return extraction.answer(encoded)


@pytest.mark.long
def test_archives_are_read_from_s3_and_written_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    with s3_server() as endpoint:
        place_of(f"s3://corpus/in?endpoint_url={endpoint}").put(
            warc(tmp_path / "a.warc.gz", page(1)), "crawl/a.warc.gz"
        )
        output = f"s3://corpus/out?endpoint_url={endpoint}"
        (one,) = batch(output, f"s3://corpus/in?endpoint_url={endpoint}")
        (same,) = batch(output, f"s3://corpus/in/crawl/a.warc.gz?endpoint_url={endpoint}")
        assert [row["source"] for row in rows(output)] == ["s3://corpus/in/crawl/a.warc.gz"] * 2
    assert (one.documents, same.documents) == (1, 1)


def test_wrong_input_is_told(tmp_path: Path) -> None:
    for given, words in ((tmp_path / "none.warc.gz", "does not exist"), (tmp_path, "no WARC or ARC file")):
        with pytest.raises(UsageError, match=words):
            segments_of([str(given)])
    told = run("batch", "extract", str(tmp_path), "-o", str(tmp_path / "out"))
    assert told.returncode == 2
    assert "no WARC or ARC file" in told.stderr


def test_an_input_that_goes_away_fails_alone(tmp_path: Path) -> None:
    warc(tmp_path / "b.warc.gz", page(1))
    segments = [Segment(str(tmp_path), ("gone.warc.gz",), 9), *segments_of([str(tmp_path / "b.warc.gz")])]
    reports = list(run_locally(segments, str(tmp_path / "out"), Wishes(), jobs=1, tell=lambda records, offset: None))
    assert [bool(report.error) for report in reports] == [True, False]
