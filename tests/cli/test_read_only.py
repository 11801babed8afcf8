"""A corpus that one may only read can be searched."""

import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.contracts.index_words import document
from thresher import wiring
from thresher.cli import crawl, reindex, search
from thresher.cli.main import run
from thresher.config import Settings
from thresher.crawling.corpus import Corpus

NOBODY = 65534
LOADED = (crawl, reindex, search)  # before the process becomes somebody who may not be able to read the program
Say = Callable[..., tuple[int, str]]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that any user can reach."""
    path = Path(tempfile.mkdtemp(prefix="thresher-test-"))
    path.chmod(0o755)
    yield path
    path.chmod(0o755)
    shutil.rmtree(path)


def filled(folder: Path) -> Corpus:
    corpus = wiring.open_corpus(Settings(data=str(folder)))
    corpus.index.add([document(text="A ship in the harbour.", title="The ship")], datetime.now(UTC), run=1)
    return corpus


@pytest.fixture
def as_reader(tmp_path: Path) -> Say:
    """Run a command as somebody who is not root; return its exit code and all that it says."""

    def typed(*words: str) -> tuple[int, str]:
        said = tmp_path / "said"
        child = os.fork()
        if not child:
            with said.open("w") as stream:
                for number in (1, 2):
                    os.dup2(stream.fileno(), number)
                sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
                os._exit(_as_nobody(words))
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status), said.read_text()

    return typed


def _as_nobody(words: tuple[str, ...]) -> int:
    """Run a command in a process that has nothing else to do; nobody else's code must run in it afterwards."""
    code = 99
    try:
        if os.geteuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        os.chdir("/")
        code = run(list(words))
    except BaseException:  # noqa: BLE001 - the test asserts on what it was
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    return code


def close_to_all(folder: Path) -> None:
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)


def test_a_closed_corpus_is_searched_in_a_folder_that_is_read_only(folder: Path, as_reader: Say) -> None:
    filled(folder).close()
    close_to_all(folder)
    before = sorted(folder.iterdir())
    code, said = as_reader("--data", str(folder), "search", "harbour")
    assert (code, "The ship" in said) == (0, True), said
    assert sorted(folder.iterdir()) == before


def test_a_file_that_is_read_only_is_searched_in_a_folder_that_is_not(folder: Path, as_reader: Say) -> None:
    filled(folder).close()
    (folder / "corpus.db").chmod(0o444)
    folder.chmod(0o777)
    code, said = as_reader("--data", str(folder), "search", "harbour")
    assert (code, "The ship" in said) == (0, True), said


def test_a_reader_beside_a_writer_sees_what_was_written_last(folder: Path, as_reader: Say) -> None:
    corpus = filled(folder)
    try:
        assert (folder / "corpus.db-wal").stat().st_size
        close_to_all(folder)
        code, said = as_reader("--data", str(folder), "search", "harbour")
        assert (code, "The ship" in said) == (0, True), said
    finally:
        folder.chmod(0o755)
        corpus.close()


def test_what_a_crash_left_is_not_passed_over(folder: Path, as_reader: Say) -> None:
    corpus = filled(folder)
    copy = folder / "copy"
    copy.mkdir()
    for name in ("corpus.db", "corpus.db-wal"):
        shutil.copy(folder / name, copy / name)
    corpus.close()
    close_to_all(copy)
    code, said = as_reader("--data", str(copy), "search", "harbour")
    copy.chmod(0o755)
    assert code == 1
    assert "run `thresher doctor` once" in said


def test_who_may_only_read_is_told_so_when_writing(folder: Path, as_reader: Say) -> None:
    filled(folder).close()
    close_to_all(folder)
    code, said = as_reader("--data", str(folder), "reindex")
    assert code == 0, said  # there is nothing to write
    code, said = as_reader("--data", str(folder), "crawl", "http://127.0.0.1:9/", "--allow-address", "127.0.0.1")
    assert code == 1
    assert "read-only" in said
    assert "Traceback" not in said
