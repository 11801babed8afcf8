"""Every writer writes whole documents, in constant memory, and leaves no half file."""

import csv
import hashlib
import io
import json
import subprocess
import sys
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import duckdb
import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.export.documents import ARTICLE, AT, POSTS, THREAD
from thresher.errors import MissingExtra, UsageError
from thresher.export import csv_rows, parquet
from thresher.export.csv_rows import FIELDS, cell
from thresher.export.formats import FORMATS, kept_for, writer_of
from thresher.export.markdown_folder import SUMS, front_matter, name_of
from thresher.export.partial import Partial
from thresher.export.warc import WarcFile
from thresher.model import Document, Page, Post

WHOLE_THREAD = replace(THREAD, posts=POSTS)
BOTH = ((ARTICLE, ()), (THREAD, POSTS))


def exported(format_: str, path: Path, *, raw_csv: bool = False) -> str:
    """Export the article and the thread; return the sha-256 of the receipt."""
    with writer_of(format_, path, raw_csv=raw_csv) as writer:
        for document, posts in BOTH:
            writer.add(document, lambda posts=posts: posts)  # type: ignore[misc]
    assert writer.receipt.documents == 2
    return writer.receipt.sha256


def test_a_json_line_is_what_to_dict_gives(tmp_path: Path) -> None:
    sha256 = exported("jsonl", tmp_path / "out.jsonl")
    data = (tmp_path / "out.jsonl").read_bytes()
    assert [json.loads(line) for line in data.splitlines()] == [ARTICLE.to_dict(), WHOLE_THREAD.to_dict()]
    assert list(json.loads(data.splitlines()[1])) == list(WHOLE_THREAD.to_dict())
    assert hashlib.sha256(data).hexdigest() == sha256


def test_csv_cells_say_what_the_documents_say_and_none_is_a_formula(tmp_path: Path) -> None:
    exported("csv", tmp_path / "out.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text("utf-8"), newline="")))
    assert tuple(rows[0]) == FIELDS
    assert rows[0]["title"] == "'" + ARTICLE.title
    assert rows[0]["authors"] == "'+Ada; Bo"
    assert rows[0]["text"] == "'" + ARTICLE.text
    assert rows[0]["published"] == AT.isoformat()
    assert rows[1]["text"] == WHOLE_THREAD.text == 'post 1 says "so",\nand again\npost 3 says "so",\nand again'
    assert rows[1]["published"] == ""


def test_raw_csv_is_left_as_it_is(tmp_path: Path) -> None:
    exported("csv", tmp_path / "out.csv", raw_csv=True)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text("utf-8"), newline="")))
    assert (rows[0]["title"], rows[0]["text"]) == (ARTICLE.title, ARTICLE.text)


@pytest.mark.parametrize("value", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "－1"])
def test_a_cell_that_a_spreadsheet_might_run_begins_with_an_apostrophe(value: str) -> None:
    assert cell(value) == f"'{value}"
    assert cell(value, raw=True) == value


@pytest.mark.parametrize(("value", "text"), [("a=b", "a=b"), (-1.5, "-1.5"), (None, ""), ("", "")])
def test_other_cells_stay_as_they_are(value: object, text: str) -> None:
    assert cell(value) == text


def test_a_post_that_begins_with_a_sign_is_no_formula_at_the_start_of_the_text() -> None:
    posts = [Post(None, None, "=1", 1), Post(None, None, "=2", 2)]
    assert "".join(csv_rows.pieces_of(THREAD, lambda: posts)).endswith(',"\'=1\n=2"\r\n')


def test_the_markdown_folder_has_front_matter_and_a_list_that_sha256sum_checks(tmp_path: Path) -> None:
    sha256 = exported("md", tmp_path / "out")
    sums = (tmp_path / "out" / SUMS).read_bytes()
    assert hashlib.sha256(sums).hexdigest() == sha256
    check = subprocess.run(["sha256sum", "--check", "--quiet", SUMS], cwd=tmp_path / "out", check=False)
    assert check.returncode == 0
    thread = (tmp_path / "out" / name_of(THREAD)).read_text("utf-8")
    assert thread == front_matter(THREAD) + WHOLE_THREAD.markdown()
    head = front_matter(ARTICLE).splitlines()
    assert head[0] == head[-2] == "---"
    assert json.loads(head[2].removeprefix("title: ")) == ARTICLE.title
    assert json.loads(head[5].removeprefix("authors: ")) == ["+Ada", "Bo"]


def test_front_matter_escapes_what_yaml_does_not_allow() -> None:
    assert 'title: "a\\u0085b\\u2028c"' in front_matter(replace(ARTICLE, title="a\x85b\u2028c"))


@pytest.mark.parametrize(
    ("title", "site", "start"),
    [
        ("The Ferry: late, again!", "a.example", "a.example/the-ferry-late-again-"),
        ("央行宣布 降准", "新闻.cn", "新闻.cn/央行宣布-降准-"),
        ("../../etc/passwd", "..", "unknown/etc-passwd-"),
        ("字" * 300, None, "unknown/" + "字" * 40 + "-"),
        ("", "h:80", "h-80/"),
    ],
)
def test_file_names_are_safe_and_tell_the_title(title: str, site: str | None, start: str) -> None:
    name = name_of(replace(ARTICLE, title=title, site=site))
    assert name.startswith(start)
    assert len(name.removeprefix(start).removesuffix(".md")) == 12


@pytest.mark.parametrize("format_", FORMATS)
def test_an_export_that_breaks_leaves_nothing_and_the_old_file_as_it_was(format_: str, tmp_path: Path) -> None:
    target = tmp_path / "out"
    if format_ != "md":
        target.write_text("old")

    def broken() -> Iterator[Post]:
        yield POSTS[0]
        raise KeyboardInterrupt

    def export() -> None:
        with writer_of(format_, target) as writer:
            writer.add(ARTICLE, lambda: ())
            assert not target.exists() or target.read_text() == "old"
            writer.add(THREAD, broken)

    with pytest.raises(KeyboardInterrupt):
        export()
    left = [(path.name, path.read_text()) for path in tmp_path.iterdir()]
    assert left == ([] if format_ == "md" else [("out", "old")])


def contents(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else (each for each in path.rglob("*") if each.is_file())
    return {each.name: each.read_bytes() for each in files}


@pytest.mark.parametrize("format_", FORMATS)
def test_an_export_that_was_broken_off_goes_on_and_ends_as_if_it_had_not_been(
    format_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "GROUP_ROWS", 40)
    documents = [replace(ARTICLE, url=f"https://a.example/{number}", title=f"T{number}") for number in range(250)]

    def export(name: str, *, resume: bool = False, until: int = 250) -> str:
        kept = kept_for(tmp_path / name, "everything", resume=resume)
        assert kept
        with writer_of(format_, tmp_path / name, kept=kept) as writer:
            for document in documents[kept.begin.documents : until]:
                writer.add(document, lambda: ())
            if until < len(documents):
                raise KeyboardInterrupt
        assert writer.receipt.documents == len(documents)
        return writer.receipt.sha256

    whole = export("whole")
    with pytest.raises(KeyboardInterrupt):
        export("broken", until=170)
    assert not (tmp_path / "broken").exists()
    left = kept_for(tmp_path / "broken", "everything", resume=True)
    assert left
    assert left.begin.documents == (160 if format_ == "parquet" else 100)
    assert export("broken", resume=True) == whole
    assert list(contents(tmp_path / "broken").values()) == list(contents(tmp_path / "whole").values())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken", "whole"]


def test_bodies_of_before_are_revisits_in_a_warc_that_is_gone_on_with(tmp_path: Path) -> None:
    pages = [Page(f"https://a.example/{number}", 200, b"body", AT) for number in range(150)]
    kept = Partial(tmp_path / "x.warc.gz", "all")
    with suppress(KeyboardInterrupt), WarcFile(tmp_path / "x.warc.gz", kept) as writer:
        for page in pages[:130]:
            writer.add(page)
        raise KeyboardInterrupt
    kept = Partial(tmp_path / "x.warc.gz", "all", resume=True)
    with WarcFile(tmp_path / "x.warc.gz", kept) as writer:
        for page in pages[kept.begin.documents :]:
            writer.add(page)
    with (tmp_path / "x.warc.gz").open("rb") as stream:
        kinds = Counter(record.rec_type for record in ArchiveIterator(stream))
    assert kinds == {"warcinfo": 1, "response": 1, "revisit": 149, "request": 150}
    assert writer.receipt.documents == 150


def test_a_folder_that_holds_something_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"), writer_of("md", tmp_path):
        pass


@pytest.mark.parametrize("format_", FORMATS)
def test_a_place_that_cannot_be_written_is_named(format_: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write"), writer_of(format_, tmp_path / "file" / "out"):
        pass


def test_markdown_needs_a_folder() -> None:
    with pytest.raises(UsageError, match="-o FOLDER"):
        writer_of("md", None)


class _Watched(Post):
    """A post that can be seen to be forgotten."""


@pytest.mark.parametrize("format_", FORMATS)
def test_a_long_thread_is_never_in_memory(format_: str, tmp_path: Path) -> None:
    given: list[weakref.ref[Post]] = []
    most = 0

    def many() -> Iterator[Post]:
        nonlocal most
        for number in range(1, 300):
            post = _Watched("a", AT, f"text {number}", number)
            given.append(weakref.ref(post))
            yield post
            del post
            most = max(most, sum(each() is not None for each in given))

    with writer_of(format_, tmp_path / "out") as writer:
        writer.add(THREAD, many)
    assert 0 < most <= 3


def test_documents_with_a_device_as_their_file_go_to_the_device() -> None:
    with writer_of("jsonl", Path("/dev/null")) as writer:
        writer.add(Document(None, ARTICLE.kind, 1.0), lambda: ())
    assert Path("/dev/null").is_char_device()


def asked(query: str) -> list[tuple[object, ...]]:
    """Return what DuckDB answers."""
    with duckdb.connect() as connection:
        return connection.execute(query).fetchall()


def test_parquet_is_read_by_another_program(tmp_path: Path) -> None:
    sha256 = exported("parquet", tmp_path / "out.parquet")
    assert hashlib.sha256((tmp_path / "out.parquet").read_bytes()).hexdigest() == sha256
    rows = asked(f"""
        SELECT url, title, text, authors, epoch(published), len(posts), posts[2].author, posts[3].text, site
        FROM '{tmp_path / "out.parquet"}' ORDER BY url DESC
    """)
    assert rows == [
        (ARTICLE.url, ARTICLE.title, ARTICLE.text, ["+Ada", "Bo"], AT.timestamp(), 0, None, None, ARTICLE.site),
        (THREAD.url, THREAD.title, WHOLE_THREAD.text, [], None, 3, "@writer2", POSTS[2].text, THREAD.site),
    ]


def test_parquet_takes_any_text_and_time_and_many_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP_BYTES", 10)
    path = tmp_path / "many.parquet"
    odd = replace(ARTICLE, title="a\ud800b\0", published=datetime.max.replace(tzinfo=timezone(-timedelta(hours=5))))
    with writer_of("parquet", path) as writer:
        for document in (ARTICLE, odd, ARTICLE):
            writer.add(document, tuple)
    assert writer.receipt.documents == 3
    found = asked(f"SELECT title, year(published) FROM '{path}'")
    assert found[1] == ("a\ufffdb\ufffd", 9999)


def test_parquet_says_what_it_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give -o FILE"):
        writer_of("parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"thresher\[parquet\]"):
        writer_of("parquet", tmp_path / "x.parquet")
