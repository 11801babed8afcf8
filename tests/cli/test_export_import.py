"""`thresher export` and `import`: what goes out comes in again; an interrupted one goes on."""

import hashlib
import json
import signal
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas
import pytest
from warcio.archiveiterator import ArchiveIterator

import thresher
from tests.batch.archives import arc, page, warc
from tests.commands import Command
from tests.commands import run as command
from tests.export.documents import ARTICLE, POSTS, THREAD
from thresher import wiring
from thresher.archive.places import place_of
from thresher.archive.segments import check, committed
from thresher.config import Settings
from thresher.export.partial import EVERY
from thresher.model import Document, Fate
from thresher.store.contract import Record

AT = datetime(2026, 3, 4, tzinfo=UTC)
MANY = 2 * EVERY + 50
KILLED = "tests.cli.killed_export"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many articles, each from its page, and a thread."""
    folder = tmp_path_factory.mktemp("data")
    corpus = wiring.open_corpus(Settings(data=str(folder)))
    corpus.store.start_run(["https://harbour.example/"], {}, AT)
    for number in range(MANY):
        corpus.store.save(record(number))
    url = str(THREAD.url)
    fate = Fate(url, 1, "stored", "thread", AT + timedelta(days=1), status=200)
    corpus.store.save(Record(fate, page(1), replace(THREAD, posts=POSTS), thread=url))
    corpus.index.add(list(corpus.store.documents()), AT, run=1)
    corpus.close()
    return folder


def record(number: int) -> Record:
    url = f"https://harbour.example/{number}"
    at = AT + timedelta(seconds=number)
    document = replace(ARTICLE, url=url, title=f"number {number}", published=at)
    return Record(Fate(url, 1, "stored", "article", at, status=200), replace(page(number), url=url), document)


def documents(folder: Path) -> dict[str | None, Document]:
    with thresher.open(folder) as corpus:
        return {document.url: document for document in corpus}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_card_beside_the_file_says_what_is_in_it(data: Path, tmp_path: Path) -> None:
    ended = command("--data", str(data), "export", "rope", "-o", "rope.jsonl", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    card = (tmp_path / "rope.jsonl.card.md").read_text("utf-8")
    facts = {name: json.loads(value) for name, _, value in (line.partition(": ") for line in card.splitlines()[1:13])}
    assert facts["sha256"] == hashlib.sha256((tmp_path / "rope.jsonl").read_bytes()).hexdigest()
    assert (facts["documents"], facts["query"], facts["kinds"]) == (1, "rope", {"thread": 1})
    for words in ("- forum.example:8080: 1", "## Licence", "Thresher"):
        assert words in card
    ended = command("--data", str(data), "export", "rope", "-o", "bare.csv", "--no-card", cwd=tmp_path)
    assert not (tmp_path / "bare.csv.card.md").exists()


@pytest.mark.parametrize("name", ["all.jsonl", "all.csv"])
def test_an_export_that_was_killed_goes_on(name: str, data: Path, tmp_path: Path) -> None:
    arguments = ("--data", str(data), "export", "-o", name)
    whole = command(*arguments[:-1], f"whole-{name}", cwd=tmp_path)
    assert whole.returncode == 0, whole.stderr
    note = tmp_path / f".{name}.partial.json"
    assert Command(*arguments, module=KILLED, cwd=tmp_path).wait() == -signal.SIGKILL
    assert note.exists()
    assert not (tmp_path / name).exists()
    second = command(*arguments, "--resume", cwd=tmp_path)
    assert second.returncode == 0, second.stderr
    assert "going on after" in second.stderr
    assert (tmp_path / name).read_bytes() == (tmp_path / f"whole-{name}").read_bytes()
    assert not note.exists()
    assert whole.stderr.split("sha256 ")[1][:64] in second.stderr


def test_an_export_of_pages_that_was_killed_goes_on(data: Path, tmp_path: Path) -> None:
    arguments = ("--data", str(data), "export", "-o", "pages.warc.gz")
    assert Command(*arguments, module=KILLED, cwd=tmp_path).wait() == -signal.SIGKILL
    second = command(*arguments, "--resume", cwd=tmp_path)
    assert "going on after" in second.stderr
    with (tmp_path / "pages.warc.gz").open("rb") as stream:
        found = [(each.rec_type, each.rec_headers.get_header("WARC-Target-URI")) for each in ArchiveIterator(stream)]
    kinds = [kind for kind, _ in found]
    assert (kinds.count("response"), kinds.count("revisit")) == (MANY, 1)
    assert len(set(found)) == len(found)


def test_an_export_of_something_else_is_not_gone_on_with(data: Path, tmp_path: Path) -> None:
    (tmp_path / ".x.jsonl.partial").write_text("{}\n" * 10)
    note = {"what": "other as jsonl, False", "documents": 10, "last": "https://a.example/", "bytes": 30}
    (tmp_path / ".x.jsonl.partial.json").write_text(json.dumps(note))
    ended = command("--data", str(data), "export", "rope", "-o", "x.jsonl", "--resume", cwd=tmp_path)
    assert "1 document," in ended.stderr
    assert len(lines(tmp_path / "x.jsonl")) == 1
    note = {**note, "what": "rope as jsonl, False, 0.0"}  # the same export of a corpus that has changed
    (tmp_path / ".x.jsonl.partial").write_text("{}\n" * 10)
    (tmp_path / ".x.jsonl.partial.json").write_text(json.dumps(note))
    ended = command("--data", str(data), "export", "rope", "-o", "x.jsonl", "--resume", cwd=tmp_path)
    assert "starts over" in ended.stderr
    assert [line["url"] for line in lines(tmp_path / "x.jsonl")] == [THREAD.url]


def test_warc_has_the_pages(data: Path, tmp_path: Path) -> None:
    ended = command("--data", str(data), "export", "-o", "pages.warc.gz", cwd=tmp_path)
    assert f"{MANY + 1} pages" in ended.stderr
    with (tmp_path / "pages.warc.gz").open("rb") as stream:
        kinds = [found.rec_type for found in ArchiveIterator(stream)]
    assert (kinds.count("response"), kinds.count("revisit")) == (MANY, 1)  # two pages are the same
    ended = command("--data", str(data), "export", "rope", "-f", "warc", "-o", "one.warc.gz", cwd=tmp_path)
    assert "1 page," in ended.stderr


def test_an_archive_gets_what_is_new(data: Path, tmp_path: Path) -> None:
    place = tmp_path / "archive"
    told = [command("--data", str(data), "export", "--archive", "-o", str(place)) for _ in range(2)]
    assert f"{MANY + 1} documents appended" in told[0].stderr
    assert "nothing is new" in told[1].stderr
    assert list(check(place_of(str(place)))) == []
    assert len(pandas.read_parquet(place)) == MANY + 1
    pages = command("--data", str(data), "export", "--archive", "-f", "warc", "-o", str(tmp_path / "pages"))
    assert pages.returncode == 0, pages.stderr
    assert (
        sum(file.rows for file in committed(place_of(str(tmp_path / "pages"))) if "archive/" in file.name) == MANY + 1
    )


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--archive",), "-o PLACE"),
        (("rope", "--archive", "-o", "x"), "without a query"),
        (("-o", "s3://b/x", "-f", "md"), "an archive is one of"),
        (("-o", "x.warc", "--resume"), "format is not clear"),
        (("-f", "warc"), "give -o FILE"),
        (("-f", "md", "--resume"), "goes with -o PLACE"),
        (("-o", "ftp://a/b"), "not supported"),
    ],
)
def test_wrong_wishes_are_told(args: tuple[str, ...], words: str, data: Path, tmp_path: Path) -> None:
    ended = command("--data", str(data), "export", *args, cwd=tmp_path)
    assert ended.returncode == 2, ended.stderr
    assert words in ended.stderr


def test_what_was_exported_is_imported_and_found(data: Path, tmp_path: Path) -> None:
    command("--data", str(data), "export", "-o", "all.jsonl", cwd=tmp_path)
    with (tmp_path / "all.jsonl").open("a") as stream:
        stream.write('no json\n{"title": "no kind"}\n[]\n')
    ended = command("--data", "new", "import", "all.jsonl", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert f"{MANY + 1} documents of {MANY + 4} records" in ended.stderr
    for words in (f"line {MANY + 2} is no JSON", "not-a-document", f"line {MANY + 4} is no document"):
        assert words in ended.stderr
    before, after = documents(data), documents(tmp_path / "new")
    assert before.keys() == after.keys()
    assert all(after[url].to_dict() | {"links": []} == before[url].to_dict() | {"links": []} for url in before)
    found = command("--data", "new", "search", "rope", "--count", cwd=tmp_path)
    assert found.stdout.strip().startswith("1")
    again = command("--data", "new", "import", "all.jsonl", cwd=tmp_path)
    assert f"0 documents of 0 records, {MANY + 4} before" in again.stderr


def test_an_import_that_was_killed_goes_on(data: Path, tmp_path: Path) -> None:
    command("--data", str(data), "export", "-o", "all.jsonl", cwd=tmp_path)
    first = Command("--data", "new", "import", "all.jsonl", cwd=tmp_path)
    while not imported(tmp_path / "new"):
        assert first.poll() is None, first.said()
    first.send_signal(signal.SIGKILL)
    first.wait()
    before = imported(tmp_path / "new")
    ended = command("--data", "new", "import", "all.jsonl", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert f"{MANY + 1 - before} documents of {MANY + 1 - before} records, {before} before" in ended.stderr
    assert len(documents(tmp_path / "new")) == MANY + 1


def imported(folder: Path) -> int:
    """Count the documents of a corpus that may not be there yet."""
    try:
        with thresher.open(folder) as corpus:
            return corpus.count()
    except thresher.ThresherError:
        return 0


def test_pages_of_archives_are_extracted_as_those_of_a_crawl(tmp_path: Path) -> None:
    warc(tmp_path / "a.warc.gz", page(1), page(2), page(3, status=404), page(4, b"\0\1" * 999))
    arc(tmp_path / "b.arc.gz", page(5))
    ended = command("--data", "new", "import", "a.warc.gz", "b.arc.gz", "--jobs", "1", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    found = documents(tmp_path / "new")
    assert found.keys() == {f"https://site{number % 3}.example/{number}" for number in (1, 2, 5)}
    assert all("late" in document.title for document in found.values())
    with thresher.open(tmp_path / "new") as corpus:
        assert corpus.count("ferry") == 3
    why = command("--data", "new", "why", "https://site1.example/1", cwd=tmp_path)
    assert "stored" in why.stdout + why.stderr


def test_what_cannot_be_imported_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("")
    for name, words in (("x.txt", "give JSON lines"), ("none.jsonl", "does not exist")):
        ended = command("--data", "new", "import", name, cwd=tmp_path)
        assert ended.returncode == 2
        assert words in ended.stderr
    assert not (tmp_path / "new").exists()


def test_a_corpus_is_a_table_without_sql(data: Path) -> None:
    with thresher.open(data) as corpus:
        assert sum(1 for _ in corpus) == MANY + 1
        table = corpus.to_arrow("rope")
        frame = corpus.to_pandas()
    assert table.num_rows == 1
    assert [post["author"] for post in table["posts"][0].as_py()] == [post.author for post in POSTS]
    assert len(frame) == MANY + 1
    assert frame["published"].max() == AT + timedelta(seconds=MANY - 1)
