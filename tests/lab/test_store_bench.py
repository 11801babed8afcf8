"""`thresher bench store` on a few pages: SQLite beside the yardstick."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.batch.archives import html
from tests.lab.pages import labelled, record, write_records
from thresher.cli.main import cli
from thresher.errors import UsageError
from thresher.lab.store_bench import Measured, more_of, records_of, table_of


def test_sqlite_stands_beside_the_yardstick(tmp_path: Path) -> None:
    pages = [record(number, html=html(number).decode()) for number in range(8)]
    write_records(tmp_path / "news.jsonl.gz", pages)
    line = ["bench", "store", str(tmp_path), "--documents", "9", "--changed", "--store", "sqlite"]
    ended = CliRunner().invoke(cli, line, catch_exceptions=False, standalone_mode=False)
    raw, told, measured = ended.stdout.strip().split("\n\n")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in measured.splitlines()]
    assert [row[0] for row in rows[2:]] == ["plain pipeline", "sqlite"]
    assert rows[2][2::2] == ["1.00"] * 3
    assert all(float(cell.replace(",", "")) > 0 for row in rows[2:] for cell in (row[1], row[3]))
    assert told == "9 documents, 8 of them as they are"
    assert raw.splitlines()[2].startswith("| all | 8 |")


def test_documents_that_come_again_are_others() -> None:
    real = records_of([labelled(number, html=html(number).decode()) for number in range(2)])
    found = list(more_of(real, 5))
    assert found[:2] == real
    texts = [each.document.text for each in found if each.document]
    assert len({each.fate.url for each in found}) == len(set(texts)) == 5
    assert [len(text) for text in texts[2:4]] == [len(text) for text in texts[:2]]
    assert len({each.page.body.count(b"<p>") for each in found if each.page}) == 1


def test_ratios_are_those_to_the_first_line() -> None:
    rows = table_of([Measured("a", 100.0, 1000.0, 50.0), Measured("b", 25.0, 2000.0, 10.0)])
    assert "| b | 25 | 0.25 | 2,000 | 2.00 | 10 | 0.20 |" in rows


def test_a_corpus_without_documents_is_refused(tmp_path: Path) -> None:
    write_records(tmp_path / "news.jsonl.gz", [record(1, html="<p>short</p>")])
    with pytest.raises(UsageError, match="gives a document"):
        CliRunner().invoke(cli, ["bench", "store", str(tmp_path)], catch_exceptions=False, standalone_mode=False)
