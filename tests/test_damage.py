"""What a failing disk changes costs what it hit: the rest is found, read and told, and nothing ends in a traceback."""

import logging
import random
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.commands import run
from thresher import wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.errors import Damaged, ThresherError
from thresher.index.query import parse
from thresher.model import Block, Document, Fate, Kind, Page, Span
from thresher.store.contract import Record

AT = datetime(2026, 11, 1, tzinfo=UTC)
PAGES = 12


def url_of(number: int) -> str:
    return f"http://a.test/{number}"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a corpus of twelve documents."""
    corpus = wiring.open_corpus(Settings(data=str(tmp_path)))
    run = corpus.store.start_run([url_of(0)], {}, AT)
    for number in range(PAGES):
        text = f"the ferry of the {number}th day left the harbour early, for the wind had turned " * 5
        blocks = (Block((Span(text),)),)
        document = Document(url_of(number), Kind.ARTICLE, 1.0, title=f"Ferry {number}", blocks=blocks)
        page = Page(url_of(number), 200, text.encode(), AT)
        corpus.store.save(Record(Fate(url_of(number), run.id, "stored", "stored", AT), page, document))
        corpus.index.add([document], AT)
    corpus.close()
    return tmp_path


def change(data: Path, statement: str) -> None:
    connection = sqlite3.connect(data / "corpus.db")
    connection.execute(statement)
    connection.commit()
    connection.close()


def found(corpus: Corpus) -> set[str]:
    return {hit.url for hit in corpus.index.search(parse("ferry", AT), limit=50).hits}


def test_a_search_passes_over_a_damaged_entry(data: Path, caplog: pytest.LogCaptureFixture) -> None:
    change(data, "UPDATE entry_texts SET text = x'789c00' WHERE id = 3")
    corpus = wiring.open_corpus(Settings(data=str(data)))
    with caplog.at_level(logging.WARNING):
        assert len(found(corpus)) == PAGES - 1
    assert "index rebuild" in caplog.text
    assert len(corpus.index.damaged()) == 1
    corpus.close()


def test_text_with_a_broken_byte_loses_a_letter_alone(data: Path) -> None:
    change(data, "UPDATE entries SET title = CAST(x'46657272ff79' AS TEXT), authors = '[broken' WHERE id = 3")
    corpus = wiring.open_corpus(Settings(data=str(data)))
    assert len(found(corpus)) == PAGES
    corpus.close()


def test_a_rebuilt_index_finds_everything_again(data: Path) -> None:
    change(data, "UPDATE entry_texts SET text = x'00' WHERE id < 5")
    assert run("--data", str(data), "index", "rebuild").returncode == 0
    corpus = wiring.open_corpus(Settings(data=str(data)))
    assert len(found(corpus)) == PAGES
    assert corpus.index.damaged() == []
    corpus.close()


def test_a_damaged_document_is_passed_over_and_told_when_asked_for(data: Path) -> None:
    change(data, f"UPDATE documents SET content = x'28b52ffd' WHERE url = '{url_of(4)}'")
    corpus = wiring.open_corpus(Settings(data=str(data)))
    assert {document.url for document in corpus.store.documents()} == {url_of(n) for n in range(PAGES) if n != 4}
    with pytest.raises(Damaged, match=r"a\.test/4 is damaged"):
        corpus.store.document(url_of(4))
    assert [line.split(" is damaged")[0] for line in corpus.store.damaged()] == [f"the stored document {url_of(4)}"]
    corpus.close()


def test_the_doctor_lists_what_is_damaged(data: Path) -> None:
    assert "12 documents, nothing is damaged" in run("--data", str(data), "doctor", "--deep").stdout
    change(data, f"UPDATE bodies SET content = x'00' WHERE hash = (SELECT body FROM pages WHERE url = '{url_of(2)}')")
    ended = run("--data", str(data), "doctor", "--deep")
    assert ended.returncode == 1
    assert f"damaged: the stored page {url_of(2)}" in ended.stdout
    change(data, "DELETE FROM pages")
    change(data, "UPDATE entry_texts SET text = x'00' WHERE id = 1")
    ended = run("--data", str(data), "doctor", "--deep")
    assert "damaged: the index entry of" in ended.stdout
    assert "index rebuild" in ended.stdout


def test_no_flipped_byte_ends_in_anything_but_an_error_of_ours(data: Path) -> None:
    rng = random.Random(3)
    file = data / "corpus.db"
    whole = file.read_bytes()
    for _ in range(120):
        broken = bytearray(whole)
        broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
        for leftover in data.glob("corpus.db-*"):
            leftover.unlink()
        file.write_bytes(broken)
        try:
            corpus = wiring.open_corpus(Settings(data=str(data)))
        except ThresherError:
            continue
        try:
            found(corpus)
            list(corpus.store.documents())
            list(corpus.store.damaged())
            corpus.index.damaged()
            corpus.faults()
        except ThresherError:
            pass
        finally:
            corpus.close()
