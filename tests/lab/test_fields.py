"""Fields are graded against labels, by dataset and language, in halves that share no site."""

import json
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.lab.pages import record, write_records
from thresher.cli.main import cli
from thresher.errors import UsageError
from thresher.lab.author_sets import author_set, normalised
from thresher.lab.fields import MACRO, Graded, macro, run, shares
from thresher.lab.fields_finders import FINDERS
from thresher.lab.fields_gold import Answer, GoldFields, day_of, grade, half_of, load_gold, sample
from thresher.lab.fields_without import SOURCES, without

HTML = "<html><head><title>The ferry runs</title><meta name=author content='Ann Miller'></head><h1>The ferry runs</h1>"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    gold = {"html": HTML, "title": "The Ferry runs", "date": "2016-06-08 10:00:00+02:00", "authors": ["Bo Li"]}
    news = [record(n, site=f"{n}.example", **gold) for n in range(4)]
    blogs = [record(n, id=f"b{n}", dataset="blogs", lang="de", html=HTML, title="Another") for n in range(2)]
    write_records(tmp_path / "news.jsonl.gz", [*news, record(9)])
    write_records(tmp_path / "blogs.jsonl.gz", blogs)
    return tmp_path


def test_only_pages_with_a_labelled_field_are_read(corpus: Path) -> None:
    pages = list(load_gold([corpus]))
    assert len(pages) == 6
    assert pages[-1].gold == Answer("The Ferry runs", date(2016, 6, 8), ("Bo Li",))
    assert {page.dataset for page in load_gold([corpus], ["blogs"])} == {"blogs"}
    assert len(sample(pages, 1)) == 2


def test_the_halves_share_no_site_and_miss_none(corpus: Path) -> None:
    halves = {half: {page.site for page in load_gold([corpus], (), half)} for half in ("dev", "test")}
    assert halves["dev"].isdisjoint(halves["test"])
    assert halves["dev"] | halves["test"] == {page.site for page in load_gold([corpus])}
    assert {half_of(site) for site in halves["dev"]} == {"dev"}


def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no"):
        list(load_gold([tmp_path]))


def test_texts_are_compared_without_case_space_quotes_and_dashes() -> None:
    assert normalised(" The “Ferry”—runs\xa0again’s ") == normalised('the "ferry"-RUNS again\'s')
    assert normalised("ferry!") != normalised("ferry")


@pytest.mark.parametrize(
    "told",
    [
        ["Ann Miller and Bob O'Neil"],
        ["By Ann Miller, Bob O’Neil"],
        ["Dr. Ann Miller, PhD", "BOB O'NEIL, Harbour Expert"],
        ["Ann Miller |", "Bob O'Neil, M.D., Head of Ferries"],
    ],
)
def test_authors_are_the_people_named_however_they_are_listed(told: list[str]) -> None:
    assert author_set(told) == {"ann miller", "bob o'neil"}


def test_other_people_and_parts_of_names_are_other_authors() -> None:
    assert author_set(["Ann Miller"]) != author_set(["Ann"])
    assert author_set(["Ann Miller", "Bob"]) != author_set(["Ann Miller"])
    assert author_set([" ", ""]) == frozenset()


@pytest.mark.parametrize(
    ("text", "day"),
    [("2016-6-8 10:00", date(2016, 6, 8)), ("2016-06-08T23:00+08:00", date(2016, 6, 8)), ("2016-6", None), ("x", None)],
)
def test_the_day_is_the_one_that_is_written(text: str, day: date | None) -> None:
    assert day_of(text) == day


def test_an_answer_is_right_wrong_or_missing_where_there_is_gold() -> None:
    gold = Answer("Ferry", date(2016, 6, 8), ("Ann Miller", "Bo Li"))
    assert grade(Answer("ferry", None, ("Bo Li", "ann miller")), gold) == {
        "title": "right",
        "date": "missing",
        "authors": "right",
        "authors as written": "right",
    }
    assert grade(Answer("ferry", date(2016, 6, 9), ("Bo Li",)), gold)["authors"] == "wrong"
    together = grade(Answer(authors=("Ann Miller and Bo Li",)), gold)
    assert (together["authors"], together["authors as written"]) == ("right", "wrong")
    assert grade(gold, Answer()) == {}


def test_shares_are_averaged_over_datasets(corpus: Path) -> None:
    graded = run(load_gold([corpus]), ["thresher"])
    rows = {(row.group, row.field): row for row in shares(graded, lambda each: each.dataset)}
    assert rows["news", "title"].right == 1
    assert (rows["news", "authors"].wrong, rows["news", "date"].missing) == (1, 1)
    assert ("blogs", "date") not in rows
    (title,) = (row for row in macro(list(rows.values())) if row.field == "title")
    assert (title.group, title.right, title.pages) == (MACRO, 0.5, 6)


def test_what_raises_counts_as_an_empty_answer(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(html: str, url: str | None, language: str) -> Answer:
        raise ValueError("no such page")

    monkeypatch.setattr("thresher.lab.fields.FINDERS", {"broken": fail})
    graded: list[Graded] = run(load_gold([corpus], ["blogs"]), ["broken"])
    assert [(each.error, each.grades) for each in graded] == [("ValueError: no such page", {"title": "missing"})] * 2


def test_the_command_prints_tables_and_writes_answers(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    result = CliRunner().invoke(cli, ["bench", "fields", str(corpus), "--json", str(file)])
    assert result.exit_code == 0
    for line in ("## title by dataset", "| news (4) | 1.000 | 0.000 | 0.000 |", "| macro (6) | 0.500 |", "× lxml"):
        assert line in result.stdout
    assert len(json.loads(file.read_text())["pages"]) == 6


def test_the_command_refuses_a_dataset_without_pages(corpus: Path) -> None:
    result = CliRunner().invoke(cli, ["bench", "fields", str(corpus), "--dataset", "nope"])
    assert isinstance(result.exception, UsageError)


@pytest.mark.parametrize(
    ("finder", "module"), [("trafilatura", "trafilatura"), ("newspaper4k", "newspaper"), ("htmldate", "htmldate")]
)
def test_the_peers_answer(finder: str, module: str) -> None:
    pytest.importorskip(module)
    html = HTML.replace("<h1>", "<meta property='article:published_time' content='2016-06-08T10:00:00Z'><h1>")
    answer = FINDERS[finder](html + "<p>The ferry to the islands runs again.</p>" * 9, "http://e.com/a", "en")
    assert answer.day == date(2016, 6, 8)
    assert finder == "htmldate" or (answer.title, answer.authors) == ("The ferry runs", ("Ann Miller",))


def test_evidence_is_taken_out_of_pages() -> None:
    html = (
        "<meta charset=utf-8><meta name=author content=x><script type='application/ld+json'>{}</script>"
        "<p class='byline' id=a itemprop=author>By <a rel=author href='/a'>Ann</a> <time datetime=2016>then</time></p>"
    )
    page = GoldFields("1", "d", "e.com", "en", html, None, Answer())
    assert next(without([page], [])) == page
    assert next(without([page], SOURCES)).html == "<meta charset=utf-8><p>By <a>Ann</a> <span>then</span></p>"
    assert "class" in next(without([page], ["meta", "json-ld"])).html


def test_the_command_takes_evidence_out(corpus: Path) -> None:
    answer = CliRunner().invoke(cli, ["bench", "fields", str(corpus), "--without", "meta"])
    assert answer.exit_code == 0
    assert "| macro (4) | 0.000 | 0.000 | 1.000 |" in answer.output  # authors, whom only <meta> named
