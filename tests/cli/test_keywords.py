"""`thresher keywords` as a person types it."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from thresher import wiring
from thresher.cli import exits
from thresher.cli.main import run
from thresher.config import Settings
from thresher.model import Block, Document, Fate, Kind, Link, Page, Source, SourceKind, Span
from thresher.store.contract import Record

NOW = datetime.now(UTC)
ENGINES = {
    "a": {"url": "https://a.test/?q={keyword}"},
    "b": {"url": "https://b.test/?q={keyword}&p={page}", "pages": 2},
}
Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Run a command on the corpus; return its exit code, and what it wrote to standard output and standard error."""
    monkeypatch.setenv("THRESHER_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("THRESHER_ENGINES", json.dumps(ENGINES))
    monkeypatch.chdir(tmp_path)

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["keywords", *words])
        written = capsys.readouterr()
        return code, written.out, written.err

    return typed


def store(tmp_path: Path, texts: Sequence[tuple[str, int]], results: Sequence[tuple[str, Sequence[str]]] = ()) -> None:
    """Store a document for each text, so many days old, and result pages with what they led to."""
    corpus = wiring.open_corpus(Settings(data=str(tmp_path / "data")))
    corpus.store.start_run(["https://a.test/"], {}, NOW)
    documents = []
    for number, (text, days) in enumerate(texts):
        published = NOW - timedelta(days=days)
        blocks = (Block((Span(f"{text} {number}"),)),)
        url = f"https://site{number}.test/"
        documents.append(Document(url, Kind.ARTICLE, 1.0, "T", blocks, published=published, language="en"))
    for document in documents:
        assert document.url
        fate = Fate(document.url, 1, "stored", "stored", NOW, status=200)
        corpus.store.save(Record(fate, Page(document.url, 200, b"", NOW), document))
    for page, found in results:
        links = tuple(Link(url, 1, "result", page) for url in found)
        fate = Fate(page, 1, "skipped", "search", NOW, status=200)
        corpus.store.save(Record(fate, Page(page, 200, b"x", NOW), None, links))
    corpus.index.add(documents, NOW, run=1)
    corpus.close()


def words(say: Say) -> list[str]:
    return say("export")[1].splitlines()


def test_keywords_are_added_once_listed_and_removed(say: Say) -> None:
    assert say("list")[2] == "there are no hot keywords; `thresher keywords add WORD` adds one\n"
    assert say("add", "ferry", " sea  storm ", "ferry")[2] == "added 2 keywords\n"
    assert say("add", "ferry", "flood")[2] == "added 1 keyword; 1 other known already\n"
    assert words(say) == ["ferry", "flood", "sea storm"]
    code, out, _ = say("list", "-f", "json")
    assert code == exits.DONE
    assert next((row["keyword"], row["origin"], row["weight"]) for row in json.loads(out)) == ("ferry", "edited", None)
    assert say("rm", "sea storm")[2] == "removed 1 keyword\n"
    assert words(say) == ["ferry", "flood"]


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("rm", "nothing"), "'nothing' is not a hot keyword"),
        (("add", " "), "give one or more keywords"),
        (("add", "@hot"), "does not begin with @"),
        (("add", "x" * 65), "1 to 64 characters"),
        (("import", "missing.txt"), "cannot read missing.txt"),
        (("import", "empty.txt"), "has no keywords"),
        (("import", "latin.txt"), "not UTF-8"),
    ],
)
def test_what_is_no_keyword_is_refused(say: Say, tmp_path: Path, args: tuple[str, ...], word: str) -> None:
    (tmp_path / "empty.txt").write_text("\n# nothing\n")
    (tmp_path / "latin.txt").write_bytes("Fähre".encode("latin-1"))
    code, _, said = say(*args)
    assert code == exits.USAGE
    assert word in said


def test_keywords_are_imported_from_text_and_csv(say: Say, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("\ufeffferry\n# a comment\n\n渡轮\n", "utf-8")
    (tmp_path / "named.csv").write_text('id,Keyword\n1,"storm, sea"\n2,flood\n')
    (tmp_path / "plain.csv").write_text("strike,5\nharbour,4\n")
    for name, number in (("list.txt", 2), ("named.csv", 2), ("plain.csv", 2)):
        assert say("import", name)[2] == f"added {number} keywords\n"
    assert words(say) == ["ferry", "flood", "harbour", "storm, sea", "strike", "渡轮"]


def test_what_is_exported_can_be_imported(say: Say, tmp_path: Path) -> None:
    say("add", "ferry", "=cmd", "storm, sea")
    code, out, _ = say("export", "-f", "csv", "-o", "out.csv")
    assert (code, out) == (exits.DONE, "")
    assert next(row["keyword"] for row in csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text()))) == "'=cmd"
    say("rm", "ferry", "=cmd", "storm, sea")
    say("import", "out.csv")
    assert words(say) == ["=cmd", "ferry", "storm, sea"]


RISING = [("strike harbour", 1)] * 4 + [("harbour market", 12)] * 8


def test_rising_words_replace_those_that_rose_and_leave_the_others(say: Say, tmp_path: Path) -> None:
    store(tmp_path, RISING)
    say("add", "market")
    code, out, said = say("refresh")
    assert code == exits.DONE
    assert out.splitlines()[1].split()[0] == "strike"
    assert "4 recent documents, 8 before" in said
    assert words(say) == ["strike", "market"]
    assert "added 0 rising keywords, removed 1\n" in say("refresh", "--days", "14")[2]
    assert words(say) == ["market"]


def test_a_dry_run_changes_nothing(say: Say, tmp_path: Path) -> None:
    store(tmp_path, RISING)
    assert "strike" in say("refresh", "--dry-run")[1]
    assert words(say) == []


def test_nothing_rises_in_a_corpus_without_recent_documents(say: Say, tmp_path: Path) -> None:
    store(tmp_path, RISING[4:])
    code, out, said = say("refresh")
    assert (code, out) == (exits.DONE, "")
    assert "no word rises" in said


def test_searches_that_follow_the_list_change_with_it(say: Say, tmp_path: Path) -> None:
    catalog = wiring.open_catalog(Settings(data=str(tmp_path / "data")))
    catalog.add(Source(name="hot", kind=SourceKind.SEARCH, keywords=("@hot",), engine="a"))
    say("add", "ferry", "storm")
    assert [endpoint.url for endpoint in catalog.endpoints("hot")] == [
        "https://a.test/?q=ferry",
        "https://a.test/?q=storm",
    ]
    say("rm", "storm")
    assert [endpoint.url for endpoint in catalog.endpoints("hot")] == ["https://a.test/?q=ferry"]
    catalog.close()


def test_results_are_shown_once_with_their_rank_at_each_engine(say: Say, tmp_path: Path) -> None:
    one, two, three = (f"https://site{number}.test/" for number in (0, 1, 2))
    pages = [("https://a.test/?q=ferry", [one, two]), ("https://b.test/?q=ferry&p=1", [two])]
    store(tmp_path, [("a", 1), ("b", 1)], [*pages, ("https://b.test/?q=ferry&p=2", [three, one])])
    code, out, _ = say("results", "ferry", "-f", "json")
    assert code == exits.DONE
    assert [(row["url"], row["engines"], row["title"]) for row in json.loads(out)] == [
        (two, "a 2, b 1", "T"),
        (one, "a 1, b 3", "T"),
        (three, "b 2", None),
    ]
    assert say("results", "nothing")[0] == exits.EMPTY


def test_keywords_are_followed_as_a_source(say: Say, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say("add", "flood")
    assert run(["sources", "add", "--search", "ferry", "--search", "@hot", "--engine", "a", "--every", "2h"]) == 0
    assert "search-ferry-hot follows 2 result pages" in capsys.readouterr().err
    catalog = wiring.open_catalog(Settings(data=str(tmp_path / "data")))
    (source,) = catalog.sources()
    urls = [endpoint.url for endpoint in catalog.endpoints(source.name)]
    catalog.close()
    assert (source.kind, source.keywords, source.engine, source.frequency) == ("search", ("ferry", "@hot"), "a", "2h")
    assert urls == ["https://a.test/?q=ferry", "https://a.test/?q=flood"]


def test_a_search_is_edited_and_asks_for_its_new_keywords_alone(
    say: Say, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sources", "add", "--search", "ferry", "--search", "storm", "--engine", "a", "--name", "sea"]) == 0
    assert run(["sources", "edit", "sea", "--search", "storm", "--search", "flood"]) == 0
    assert "keywords: ferry, storm → storm, flood" in capsys.readouterr().out
    catalog = wiring.open_catalog(Settings(data=str(tmp_path / "data")))
    assert {endpoint.url for endpoint in catalog.endpoints("sea")} == {
        "https://a.test/?q=storm",
        "https://a.test/?q=flood",
    }
    catalog.close()
    assert run(["sources", "edit", "sea", "--engine", "nobody"]) == exits.USAGE
    assert run(["sources", "add", "https://a.test/", "--no-probe", "--name", "site"]) == 0
    assert run(["sources", "edit", "site", "--search", "ferry"]) == exits.USAGE
    assert "only searches have keywords" in capsys.readouterr().err


def test_a_file_of_definitions_may_hold_searches(say: Say, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text('[[source]]\nname = "hot"\nkind = "search"\nkeywords = "hot"\nengine = "a"\n')
    say("add", "flood")
    assert run(["sources", "apply", "s.toml"]) == exits.DONE
    catalog = wiring.open_catalog(Settings(data=str(tmp_path / "data")))
    assert [endpoint.url for endpoint in catalog.endpoints("hot")] == ["https://a.test/?q=flood"]
    catalog.close()


@pytest.mark.parametrize(
    ("args", "word"),
    [
        ((), "give a URL to follow, or --search"),
        (("https://a.test/", "--search", "x"), "give a URL to follow, or --search"),
        (("https://a.test/", "--engine", "a"), "give --search, too"),
        (("--search", "x", "--engine", "none"), "no engine 'none'"),
    ],
)
def test_searches_that_cannot_be_followed_are_refused(
    say: Say, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], word: str
) -> None:
    assert run(["sources", "add", *args]) == exits.USAGE
    assert word in capsys.readouterr().err
