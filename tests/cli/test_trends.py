"""What rises in a corpus: `thresher stats trends` and `thresher.open(…).trends()`."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest

import thresher
from thresher import wiring
from thresher.api import trends
from thresher.cli import exits
from thresher.cli.main import run
from thresher.config import Settings
from thresher.errors import UsageError
from thresher.model import Block, Document, Fate, Kind, Post, Span
from thresher.store.contract import Record

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)
LAST = NOW.date()
OLD = ["market prices of fish", "the council and the budget"] * 10
Say = Callable[..., tuple[int, str, str]]


def article(url: str, text: str, days: int | None, *, language: str = "en", author: str = "") -> Document:
    return Document(
        url,
        Kind.ARTICLE,
        1.0,
        blocks=(Block((Span(text),)),),
        authors=(author,) if author else (),
        published=None if days is None else NOW - timedelta(days=days),
        language=language,
        site=url.split("/")[2],
    )


def save(folder: Path, documents: Sequence[Document], *, seen: datetime = NOW, source: str = "") -> None:
    parts = wiring.open_corpus(Settings(data=str(folder)))
    for number, document in enumerate(documents):
        assert document.url
        at = seen + timedelta(milliseconds=number)
        if source:
            parts.store.note_source(source, [document.url], at)
        parts.store.save(Record(Fate(document.url, 1, "stored", "article", at, status=200), document=document))
        stored = parts.store.document(document.url)
        assert stored
        parts.index.add([stored], at, run=1)
    parts.close()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A corpus of four usual weeks and a week with a strike in Port Royal."""
    folder = tmp_path / "data"
    save(folder, [article(f"https://a.test/{n}", text, 8 + n) for n, text in enumerate(OLD)])
    strike = [
        article(f"https://{name}.test/strike", f"Day {name}: a strike in Port Royal", day, author="Ann Lee")
        for day, name in enumerate("bcdef")
    ]
    save(folder, strike, source="gazette")
    return folder


def rising(folder: Path, query: str = "", **wishes: object) -> list[str]:
    with thresher.open(folder) as corpus:
        return [each.word for each in corpus.trends(query, last=LAST, **wishes).rising]  # type: ignore[arg-type]


def test_words_and_names_rise_and_authors_on_wish(data: Path) -> None:
    assert set(rising(data)) == {"strike", "Port Royal", "day"}
    assert rising(data, kinds=["author"]) == ["Ann Lee"]
    assert rising(data, top=1, kinds=["name"]) == ["Port Royal"]
    assert rising(data, period="day") == []
    assert "strike" in rising(data, period=(5, 6))


def test_only_what_has_come_since_is_read_and_counts_add_up(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with thresher.open(data) as corpus:
        before = corpus.trends(last=LAST)
    assert before.documents == (0, 7, 7, 6, 5)
    read: list[str | None] = []
    real = trends.Reader.terms

    def terms(reader: trends.Reader, document: Document) -> set[str]:
        read.append(document.url)
        return real(reader, document)

    monkeypatch.setattr(trends.Reader, "terms", terms)
    save(data, [article("https://g.test/strike", "another strike", 0)], seen=NOW + timedelta(minutes=1))
    with thresher.open(data) as corpus:
        after = corpus.trends(last=LAST)
        assert corpus.trends(last=LAST) == after
    assert read == ["https://g.test/strike"]
    strike = next(each for each in after.rising if each.word == "strike")
    assert (strike.recent, strike.earlier, after.documents[-1]) == (6, 0, 6)


def test_copies_and_documents_without_a_date_are_left_out(tmp_path: Path) -> None:
    long = "The strike in the harbour goes on for another week, say the unions, and nobody knows when it will end. " * 3
    copies = [article(f"https://{name}.test/copy", long, 1) for name in "abc"]
    undated = [article("https://d.test/undated", "nobody knows when", None)]
    future = [article("https://e.test/future", "a date to come", -30)]
    save(tmp_path, [*copies, *undated, *future])
    with thresher.open(tmp_path) as corpus:
        assert corpus.trends(last=LAST).documents == (0, 0, 0, 0, 2)


def test_a_thread_counts_with_what_its_first_posts_say(data: Path) -> None:
    posts = tuple(Post("a", NOW, f"a strike again {number}", number) for number in (1, 2))
    thread = Document("https://t.test/1", Kind.THREAD, 1.0, title="?", posts=posts, language="en", published=NOW)
    save(data, [thread], seen=NOW + timedelta(minutes=1))
    with thresher.open(data) as corpus:
        found = {each.word: each.recent for each in corpus.trends(last=LAST).rising}
    assert found["strike"] == 6


def test_a_query_a_source_and_a_language_narrow_what_is_counted(data: Path) -> None:
    assert rising(data, language="de") == []
    assert "strike" in rising(data, language="en")
    assert rising(data, "source:nobody") == []
    save(data, [article(f"https://a.test/x{n}", "fish", 10 + n) for n in range(6)], source="gazette")
    assert "strike" in rising(data, "source:gazette", kinds=["word"])
    assert "strike" in rising(data, "strike OR fish", sample=15)


def test_counting_that_takes_too_long_goes_on_the_next_time(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trends, "CHUNK", 10)
    with thresher.open(data) as corpus:
        first = corpus.trends(last=LAST, seconds=0)
        second = corpus.trends(last=LAST, seconds=0)
        third = corpus.trends(last=LAST, seconds=0)
        assert [each.complete for each in (first, second, third)] == [False, False, True]
        assert [sum(each.documents) for each in (first, second, third)] == [10, 20, 25]
        assert "strike" in [each.word for each in third.rising]


def test_two_that_count_at_a_time_count_nothing_twice(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = wiring.open_corpus(Settings(data=str(data)))
    real, others = parts.store.swap_state, [1]

    def late(*given: object) -> bool:
        if others.pop() if others else 0:
            with thresher.open(data) as corpus:
                corpus.trends(last=LAST)
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(parts.store, "swap_state", late)
    assert trends.bring_up_to_date(parts.store)
    found = trends.kept_trends(parts.store, trends.Span(LAST, 7, 4), top=9, language=None)
    parts.close()
    assert sum(found.documents) == 25


def test_days_that_are_long_past_are_forgotten(data: Path) -> None:
    rising(data)
    years = timedelta(days=800)
    save(data, [article("https://z.test/later", "much later", -799)], seen=NOW + years)
    assert rising(data) == []
    with thresher.open(data) as corpus:
        assert corpus.trends(last=LAST + years).documents == (0, 0, 0, 0, 1)


def test_what_makes_no_period_is_told(data: Path) -> None:
    for wrong in ("year", (0, 4), (7, 0)):
        with pytest.raises(UsageError, match="period"):
            rising(data, period=wrong)


def test_the_last_period_ends_with_its_day() -> None:
    span = trends.Span(date(2026, 3, 31), 7, 2)
    assert [str(day) for day in span.starts] == ["2026-03-11", "2026-03-18", "2026-03-25"]
    assert [span.place(date(2026, 3, day)) for day in (10, 11, 24, 25, 31)] == [None, 0, 1, 2, 2]
    assert span.place(date(2026, 4, 1)) is None


@pytest.fixture
def say(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Run `thresher stats`; return its exit code, and what it wrote to standard output and standard error."""
    monkeypatch.setenv("THRESHER_DATA", str(data))
    monkeypatch.chdir(tmp_path)

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["stats", *words])
        written = capsys.readouterr()
        return code, written.out, written.err

    return typed


def test_the_command_prints_a_table_data_and_a_chart(say: Say, tmp_path: Path) -> None:
    until = ("--until", "2026-03-31")
    code, out, err = say("trends", *until, "--svg", "trends.svg")
    assert (code, err) == (exits.DONE, "")
    assert out.startswith("2026-03-25 to 2026-03-31: 5 documents, 20 before\n")
    assert ElementTree.parse(tmp_path / "trends.svg").getroot().tag.endswith("svg")
    (found,) = json.loads(say("trends", *until, "--lang", "en", "--what", "name", "-f", "json")[1])
    assert found["periods"][-1] == {"from": "2026-03-25", "documents": 5}
    assert found["rows"][0]["word"] == "Port Royal"
    assert found["rows"][0]["series"] == [0, 0, 0, 0, 5]
    _, out, err = say("trends", *until, "--source", "gazette", "-f", "csv")
    assert (out, "nothing rises" in err) == ("", True)
    _, out, _ = say("trends", *until, "strike OR fish OR council", "-f", "csv", "--what", "word")
    assert next(row for row in csv.DictReader(io.StringIO(out)) if row["word"] == "strike")["series"] == "0 0 0 0 5"


def test_what_the_command_cannot_do_is_told(say: Say) -> None:
    assert say("trends", "--since", "7d")[0] == exits.USAGE
    assert say("trends", "--until", "soon")[0] == exits.USAGE
    assert say("trends", "--until", "2020-01-01", "--fail-empty")[0] == exits.EMPTY
