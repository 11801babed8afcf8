"""`thresher stats` as a person types it, on a corpus small enough to count by hand."""

import csv
import io
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from thresher import wiring
from thresher.cli import exits
from thresher.cli.main import run
from thresher.config import Settings
from thresher.model import Block, Document, Fate, Kind, Page, Post, Span
from thresher.store.contract import Record

AT = datetime(2026, 11, 16, 12, tzinfo=UTC)
Say = Callable[..., tuple[int, str, str]]


def document(url: str, text: str, language: str, day: int | None, *posts: str) -> Document:
    return Document(
        url,
        Kind.THREAD if posts else Kind.ARTICLE,
        1.0,
        title="=1+1",
        blocks=(Block((Span(text),)),),
        language=language,
        site=url.split("/")[2],
        published=datetime(2026, 11, day, tzinfo=UTC) if day else None,
        posts=tuple(Post("a", None, said, number) for number, said in enumerate(posts, start=1)),
    )


DOCUMENTS = [
    document("https://a.test/1", "The harbour and the ferry.", "en", 2),
    document("https://a.test/2", "The ferry was late.", "en", 9),
    document("https://b.test/1", "我们在港口等渡轮。港口很大。", "zh", 9),
    document("https://b.test/2", "left out: posts are", "en", None, "ferry ferry", "=cmd late"),
]


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Run a command on the corpus; return its exit code, and what it wrote to standard output and standard error."""
    monkeypatch.setenv("THRESHER_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    corpus = wiring.open_corpus(Settings(data=str(tmp_path / "data")))
    corpus.store.start_run(["https://a.test/"], {}, AT)
    for each in DOCUMENTS:
        assert each.url
        fate = Fate(each.url, 1, "stored", "stored", AT, status=200)
        corpus.store.save(Record(fate, Page(each.url, 200, b"", AT), each))
    corpus.index.add(DOCUMENTS, AT, run=1)
    corpus.close()

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["stats", *words])
        written = capsys.readouterr()
        return code, written.out, written.err

    return typed


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_zipf_ranks_the_words_of_a_language_as_counted_by_hand(say: Say) -> None:
    code, out, err = say("zipf", "--lang", "en", "-f", "csv")
    # ferry: 1 + 1 + 2 in posts; the: 2 + 1; late: 1 + 1; and, cmd, harbour, was: 1 each: 13 words
    assert code == exits.DONE
    found = [(row["rank"], row["word"], row["frequency"]) for row in rows(out)]
    assert found[:4] == [("1", "ferry", "4"), ("2", "the", "3"), ("3", "late", "2"), ("4", "and", "1")]
    assert float(rows(out)[1]["rank_x_probability"]) == pytest.approx(2 * 3 / 13)
    assert "3 documents, 13 words, 7 unique; the 2 most frequent make up half of the text" in err


def test_zipf_without_stop_words(say: Say) -> None:
    _, out, _ = say("zipf", "--lang", "en", "--drop-stop-words", "-f", "csv")
    assert [row["word"] for row in rows(out)] == ["ferry", "late", "cmd", "harbour"]


def test_terms_leave_stop_words_out_and_count_documents(say: Say) -> None:
    _, out, _ = say("terms", "--by", "language", "-f", "json")
    english, chinese = json.loads(out)
    assert (english["group"], english["documents"]) == ("en", 3)
    ferry = {"group": "en", "word": "ferry", "frequency": 4, "documents": 3, "share": 1.0}
    assert english["rows"][0] == ferry
    assert chinese["rows"][0]["word"] == "港口"
    assert chinese["rows"][0]["frequency"] == 2
    assert not {"我们", "在", "很"} & {row["word"] for row in chinese["rows"]}


def test_volume_counts_documents_by_period_and_site(say: Say) -> None:
    _, out, err = say("volume", "--per", "week", "--by", "site", "-f", "csv")
    assert out.splitlines() == [
        *("week,site,documents", "2026-W45,a.test,1", "2026-W46,a.test,1", "2026-W46,b.test,1"),
    ]
    assert "1 document without a date" in err


def test_volume_counts_hours_and_languages(say: Say) -> None:
    _, out, _ = say("volume", "--per", "hour", "--by", "language", "-f", "csv")
    assert out.splitlines()[1:] == ["2026-11-02T00:00,en,1", "2026-11-09T00:00,en,1", "2026-11-09T00:00,zh,1"]
    assert "2026,article,3" in say("volume", "--per", "year", "--by", "kind", "-f", "csv")[1]


def test_a_query_narrows_what_is_counted(say: Say) -> None:
    _, out, _ = say("volume", "harbour", "--per", "month")
    assert out.split() == ["month", "documents", "2026-11", "1"]


def test_charts_are_drawn_to_files(say: Say, tmp_path: Path) -> None:
    assert say("zipf", "--by", "site", "--svg", "zipf.svg")[0] == exits.DONE
    assert say("volume", "--svg", "volume.svg")[0] == exits.DONE
    for name in ("zipf.svg", "volume.svg"):
        assert ElementTree.parse(tmp_path / name).getroot().tag.endswith("svg")


def test_nothing_found_is_told(say: Say) -> None:
    assert say("terms", "nosuchword") == (exits.DONE, "", "no documents match\n")
    assert say("zipf", "nosuchword", "--fail-empty")[0] == exits.EMPTY
    assert say("volume", "nosuchword", "-f", "csv", "--svg", "v.svg") == (exits.DONE, "", "no documents match\n")


def test_chinese_without_its_library_is_one_line_that_names_the_extra(
    say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rjieba", None)
    code, out, err = say("terms")
    assert (code, out) == (exits.FAILED, "")
    assert "pip install 'thresher[chinese]'" in err
    assert say("terms", "!lang:zh")[0] == exits.DONE


def test_an_excluded_word_is_explained_as_in_search(say: Say) -> None:
    code, _, err = say("terms", "-ferry")
    assert code == exits.USAGE
    assert "!ferry" in err
