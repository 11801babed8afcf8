"""`thresher show`, `export` and `search --full`: what was collected comes out whole."""

import csv
import hashlib
import io
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from tests.commands import run as thresher
from tests.export.documents import ARTICLE, POSTS, THREAD
from thresher import wiring
from thresher.cli.search import show_on_terminal
from thresher.config import Settings
from thresher.model import Block, Fate, Hit, Link, Page, Span
from thresher.store.contract import Record

AT = datetime(2026, 3, 4, tzinfo=UTC)
ARTICLE_URL, THREAD_URL = str(ARTICLE.url), str(THREAD.url)
SECOND_PAGE, MOVED = f"{THREAD_URL}?page=2", "https://harbour.example/old"
MORE = tuple(replace(post, id=f"more{post.position}", position=post.position + 3) for post in POSTS)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An article, a thread of two pages, and a page that redirects to the article."""
    folder = tmp_path_factory.mktemp("data")
    corpus = wiring.open_corpus(Settings(data=str(folder)))
    corpus.store.start_run([ARTICLE_URL], {}, AT)
    saved = [
        Record(fate(ARTICLE_URL), document=ARTICLE),
        Record(fate(THREAD_URL), document=replace(THREAD, posts=POSTS), thread=THREAD_URL),
        Record(fate(SECOND_PAGE), document=replace(THREAD, posts=MORE), thread=THREAD_URL, part=2),
        Record(fate(MOVED), Page(MOVED, 301, b"", AT), outlinks=(Link(ARTICLE_URL, why="redirect"),)),
    ]
    for record in saved:
        corpus.store.save(record)
    corpus.index.add([ARTICLE, replace(THREAD, posts=POSTS + MORE)], AT, run=1)
    corpus.close()
    return folder


def fate(url: str) -> Fate:
    return Fate(url, 1, "stored", "article", AT, status=200)


def test_show_prints_an_article_as_markdown(data: Path, tmp_path: Path) -> None:
    ended = thresher("--data", str(data), "show", ARTICLE_URL, cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (0, ARTICLE.markdown())


@pytest.mark.parametrize("url", [THREAD_URL, SECOND_PAGE])
def test_show_prints_a_thread_whole_under_the_url_of_any_page(url: str, data: Path, tmp_path: Path) -> None:
    ended = thresher("--data", str(data), "show", url, "-f", "json", cwd=tmp_path)
    shown = json.loads(ended.stdout)
    assert shown["url"] == THREAD_URL
    assert [post["position"] for post in shown["posts"]] == [1, 2, 3, 4, 5, 6]
    assert shown["text"] == "\n".join(post.text for post in POSTS + MORE if post.text)


@pytest.mark.parametrize("url", [MOVED, "http://harbour.example/ferry", "harbour.example/ferry"])
def test_show_finds_a_document_by_other_forms_of_its_url(url: str, data: Path, tmp_path: Path) -> None:
    assert thresher("--data", str(data), "show", url, cwd=tmp_path).stdout == ARTICLE.markdown()


@pytest.mark.parametrize("format_", ["md", "txt", "json", "jsonl", "csv", "html", "xml"])
def test_show_knows_every_format(format_: str, data: Path, tmp_path: Path) -> None:
    ended = thresher("--data", str(data), "show", THREAD_URL, "-f", format_, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.endswith("\n")
    assert not ended.stdout.endswith("\n\n")
    assert "post 3 says" in ended.stdout


def test_show_of_what_is_not_stored_says_where_to_look(data: Path, tmp_path: Path) -> None:
    ended = thresher("--data", str(data), "show", "https://a.example/no", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (4, "")
    assert "no document is stored under https://a.example/no" in ended.stderr
    assert "thresher why https://a.example/no" in ended.stderr


def test_export_writes_everything_to_a_file_and_tells_count_and_hash(data: Path, tmp_path: Path) -> None:
    ended = thresher("--data", str(data), "export", "-o", "all.jsonl", cwd=tmp_path)
    written = (tmp_path / "all.jsonl").read_bytes()
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == ""
    assert f"2 documents, sha256 {hashlib.sha256(written).hexdigest()}" in ended.stderr
    rows = {row["url"]: row for row in map(json.loads, written.splitlines())}
    assert rows[ARTICLE_URL]["text"] == ARTICLE.text
    assert len(rows[THREAD_URL]["posts"]) == 6
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.jsonl", "all.jsonl.card.md"]


def test_export_of_a_query_goes_to_standard_output(data: Path, tmp_path: Path) -> None:
    ended = thresher("--data", str(data), "export", "rope", "--kind", "thread", cwd=tmp_path)
    assert [json.loads(line)["url"] for line in ended.stdout.splitlines()] == [THREAD_URL]
    assert f"1 document, sha256 {hashlib.sha256(ended.stdout.encode()).hexdigest()}" in ended.stderr


def test_export_of_nothing_ends_with_4_when_asked_to(data: Path, tmp_path: Path) -> None:
    assert thresher("--data", str(data), "export", "nosuchword", cwd=tmp_path).returncode == 0
    assert thresher("--data", str(data), "export", "nosuchword", "--fail-empty", cwd=tmp_path).returncode == 4


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("-o", "all.xls"), "the format is not clear"),
        (("-f", "md"), "give -o FOLDER"),
        (("-o", "no/such/all.csv"), "cannot write no/such/all.csv"),
        (('"open',), "query"),
    ],
)
def test_export_refuses_what_cannot_work(args: tuple[str, ...], words: str, data: Path, tmp_path: Path) -> None:
    ended = thresher("--data", str(data), "export", *args, cwd=tmp_path)
    assert ended.returncode == 2
    assert words in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_search_carries_the_text_with_full(data: Path, tmp_path: Path) -> None:
    ended = thresher("--data", str(data), "search", "rope", "-f", "jsonl", "--full", cwd=tmp_path)
    (hit,) = map(json.loads, ended.stdout.splitlines())
    assert hit["text"].startswith('post 1 says "so"')
    assert len(hit["posts"]) == 6
    assert hit["score"] > 0
    ended = thresher("--data", str(data), "search", "ferry", "-f", "csv", "--full", cwd=tmp_path)
    (row,) = csv.DictReader(io.StringIO(ended.stdout))
    assert row["text"] == "'" + ARTICLE.text
    assert row["title"] == "'" + ARTICLE.title
    raw = thresher("--data", str(data), "search", "ferry", "-f", "csv", "--raw-csv", cwd=tmp_path)
    (row,) = csv.DictReader(io.StringIO(raw.stdout))
    assert row["title"] == ARTICLE.title


def test_full_text_is_not_for_the_plain_list(data: Path, tmp_path: Path) -> None:
    ended = thresher("--data", str(data), "search", "rope", "--full", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "thresher show" in ended.stderr


def printed(hit: Hit, width: int, *, colour: bool = True) -> list[str]:
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=True, color_system="standard", no_color=not colour)
    show_on_terminal([hit], console)
    return stream.getvalue().splitlines()


def hit_of(title: str, snippet: str, *marks: tuple[int, int]) -> Hit:
    return Hit("k", "https://a.example/a-long-path/" + "x" * 40, title, snippet, marks, 1.0, "a.example", "article")


def test_a_terminal_shows_bold_titles_and_wraps_the_passage_below_an_indent() -> None:
    title, where, *passage, blank = printed(hit_of("The ferry", "It is late\nagain and again.", (6, 10)), 16)
    assert title == "\x1b[1mThe ferry\x1b[0m"
    assert where == "  \x1b[2mhttps://a.example/a-long-path/" + "x" * 40 + "\x1b[0m"
    assert passage == ["  It is \x1b[1;33mlate\x1b[0m ", "  again and ", "  again."]
    assert blank == ""


def test_chinese_is_wrapped_by_the_room_it_takes() -> None:
    _, _, *passage, _ = printed(hit_of("降准", "央行宣布下调准备金率", (0, 2)), 12)
    assert passage == ["  \x1b[1;33m央行\x1b[0m宣布下", "  调准备金率"]


def test_without_colour_there_is_bold_type_alone() -> None:
    _, _, passage, _ = printed(hit_of("The ferry", "It is late", (6, 10)), 40, colour=False)
    assert passage == "  It is \x1b[1mlate\x1b[0m"


def test_a_terminal_is_sent_no_control_characters_of_a_page() -> None:
    assert "\x1b]0;" not in "".join(printed(hit_of("\x1b]0;owned\x07", "\x1b[2J", (0, 2)), 40))


def test_copies_are_told_by_search_and_why_and_all_of_them_exported(tmp_path: Path) -> None:
    first, second, third = (f"https://harbour.example/tide{query}" for query in ("", "?theme=dark", "?theme=light"))
    text = "The tide turned at noon, and the ferry that had waited outside the harbour since dawn came in. " * 2
    folder = tmp_path / "data"
    corpus = wiring.open_corpus(Settings(data=str(folder)))
    corpus.store.start_run([first], {}, AT)
    for minutes, url in enumerate((first, second, third)):
        article = replace(ARTICLE, url=url, blocks=(Block((Span(text),)),))
        at = AT + timedelta(minutes=minutes)
        corpus.store.save(Record(replace(fate(url), at=at), document=article))
        corpus.index.add([article], at, run=1)
    corpus.close()

    def told(*words: str) -> str:
        return thresher("--data", str(folder), *words, cwd=tmp_path).stdout

    assert f"{first}  +2 copies\n" in told("search", "tide")
    (hit,) = json.loads(told("search", "tide", "-f", "json"))["hits"]
    assert (hit["url"], hit["copies"]) == (first, 2)
    assert f"a copy of {first}, which was published first" in told("why", second)
    assert f"copied by {third}" in told("why", first)
    assert json.loads(told("why", third, "-f", "json"))["copy_of"] == first
    assert len(told("export", "tide").splitlines()) == 3


def test_search_counts_pages_on_and_explains(data: Path, tmp_path: Path) -> None:
    command = ("--data", str(data), "search", "-f", "json", "--limit", "1", "--sort", "seen")
    first = json.loads(thresher(*command, "--facets", "--clauses", "is:article | is:thread", cwd=tmp_path).stdout)
    assert first["total"] == 2
    assert first["facets"]["counts"]["kind"] == [{"value": "article", "count": 1}, {"value": "thread", "count": 1}]
    assert [clause["count"] for clause in first["clauses"]] == [1, 1]
    second = json.loads(thresher(*command, "--after", first["next"], "is:article | is:thread", cwd=tmp_path).stdout)
    assert second["next"] is None
    assert {page["hits"][0]["url"] for page in (first, second)} == {ARTICLE_URL, THREAD_URL}


def test_a_query_that_cannot_be_read_is_refused_with_a_mark_under_the_place(data: Path, tmp_path: Path) -> None:
    ended = thresher("--data", str(data), "search", "ferry titel:x", cwd=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-2:] == ["  ferry titel:x", "        ^"]
