"""The measurement of search, on a small scale."""

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.lab.live_search import Terms, measure_live
from thresher.lab.search_bench import disagreements, measure
from thresher.lab.search_corpus import documents, read_prose


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A folder of labelled pages with enough sentences."""
    english = " ".join(f"The {word} ferry number {number} was late." for number in range(60) for word in ("old", "new"))
    chinese = "".join(
        f"央行今日宣布下调存款准备金率{'一二三四五六七八九十'[number % 10] * 2}。" for number in range(120)
    )
    with gzip.open(tmp_path / "pages.jsonl.gz", "wt", encoding="utf-8") as file:
        for language, text in (("en", english), ("zh", chinese)):
            row = {"id": language, "dataset": "d", "site": "s", "lang": language, "html": "<p>x</p>", "text": text}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return tmp_path


def test_documents_are_the_same_every_time_and_in_two_languages(pages: Path) -> None:
    prose = read_prose(pages)
    first, second = (list(islice(documents(prose, 50), 50)) for _ in range(2))
    assert first == second
    assert {given.document.language for given in first} == {"zh", "en"}


def test_a_folder_without_chinese_is_refused(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "pages.jsonl.gz", "wt") as file:
        row = {"id": "a", "dataset": "d", "site": "s", "lang": "en", "html": "<p>x</p>", "text": "It rained. " * 200}
        file.write(json.dumps(row) + "\n")
    with pytest.raises(UsageError, match="sentences in zh"):
        read_prose(tmp_path)


def test_the_embedded_index_finds_every_piece_and_agrees_with_itself(pages: Path) -> None:
    prose = read_prose(pages)
    results = list(measure("fts5", prose, [120, 60], 3, 20, lambda _: None))
    assert [result.documents for result in results] == [60, 120]
    for result in results:
        assert result.recalled == {"Chinese substrings": (20, 20), "words": (20, 20)}
        assert {"word", "phrase", "faceted", "deep page"} <= set(result.times_ms) == set(result.cpu_ms)
    assert disagreements(["fts5", "fts5"], prose, 60, 20) == []


def test_searches_go_on_while_documents_are_stored_and_the_index_is_rebuilt(pages: Path) -> None:
    terms = Terms(documents=120, written=60, per_s=200.0, idle_s=0.1)
    live = measure_live("fts5", read_prose(pages), terms)
    assert [phase.errors for phase in live.phases] == [[], [], []]
    assert all(phase.times_ms for phase in live.phases)
    assert live.missing == 0
