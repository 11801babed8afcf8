"""Backups of the embedded corpus, taken while something writes to it, and brought back."""

import sqlite3
import threading
from pathlib import Path

import pytest

from tests.contracts.store_words import NOW
from tests.store.test_postgresql import near_copy
from thresher import wiring
from thresher.cli.main import run
from thresher.config import Settings


def fill(data: Path, numbers: range) -> None:
    corpus = wiring.open_corpus(Settings(data=str(data)))
    for number in numbers:
        article = near_copy(number)
        assert article.document
        with corpus.together():
            corpus.store.save(article)
            corpus.index.add([article.document], NOW)
    corpus.close()


def documents(data: Path) -> tuple[int, int]:
    corpus = wiring.open_corpus(Settings(data=str(data)), create=False)
    try:
        return len(list(corpus.store.documents())), corpus.index.count()
    finally:
        corpus.close()


def test_a_backup_taken_while_a_crawl_writes_is_of_one_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    fill(Path("data"), range(20))
    writer = threading.Thread(target=fill, args=(Path("data"), range(20, 60)))
    writer.start()
    assert run(["backup", "kept.db", "--data", "data"]) == 0
    writer.join()
    assert capsys.readouterr().out == "kept.db\n"
    assert run(["restore", "kept.db", "--data", "back"]) == 0
    stored, found = documents(Path("back"))
    assert stored == found
    assert 20 <= stored <= 60
    assert sorted(path.name for path in Path().iterdir()) == ["back", "data", "kept.db"]


def test_nothing_is_overwritten_unless_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    fill(Path("data"), range(3))
    fill(Path("other"), range(5))
    assert run(["backup", "kept.db", "--data", "data"]) == 0
    assert run(["backup", "kept.db", "--data", "other"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert run(["restore", "kept.db", "--data", "other"]) == 2
    assert documents(Path("other")) == (5, 5)
    assert run(["restore", "kept.db", "--data", "other", "--force"]) == 0
    assert documents(Path("other")) == (3, 3)
    assert run(["restore", "other/corpus.db.before", "--data", "third"]) == 0
    assert documents(Path("third")) == (5, 5)


def test_what_is_no_backup_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.db").write_text("no database at all, but long enough to be looked at " * 50)
    sqlite3.connect("empty.db").execute("CREATE TABLE t (x)").connection.close()
    assert run(["restore", "text.db"]) == 1
    assert "no SQLite database" in capsys.readouterr().err
    assert run(["restore", "empty.db"]) == 2
    assert "empty.db is no backup of a corpus" in capsys.readouterr().err
    assert run(["backup", "--data", "nowhere"]) == 2
    assert run(["backup", "--store", "x"]) == 2
    assert not Path("thresher-data").exists()
