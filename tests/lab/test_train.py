"""Training: labels by alignment, models as files, the command."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.extraction.algorithms.news_page import ARTICLE, PAGE
from tests.lab.pages import labelled, write_records
from tests.needs import need
from thresher.cli.main import cli
from thresher.errors import UsageError
from thresher.extraction.algorithms import ALGORITHMS
from thresher.extraction.learned.forest import load
from thresher.html import parse
from thresher.lab.train.labels import label_lines
from thresher.lab.train.trainers import LINE_TRAINERS
from thresher.lab.training import TRAINERS

need("lightgbm", "sklearn", "rapidfuzz")

GOLD = "\n".join(ARTICLE)
PAGES = [labelled(number, site=f"{number}.example", html=PAGE, text=GOLD) for number in range(3)]


def test_a_line_belongs_to_the_gold_when_half_of_its_tokens_do() -> None:
    lines = ["Menu", "One two three four.", "", "five six other words", "five other words more", "ONE", "seven"]
    assert label_lines(lines, "One two three four\nfive six seven") == [False, True, False, True, False, False, True]


def test_alignment_keeps_the_order_so_that_an_earlier_copy_is_no_match() -> None:
    assert label_lines(["b c", "a", "b c"], "a b c") == [False, True, True]


def test_chinese_is_aligned_by_character() -> None:
    assert label_lines(["首页", "新闻正文在此"], "新闻正文") == [False, True]


@pytest.mark.parametrize("name", TRAINERS)
def test_a_trained_model_is_a_file_that_its_algorithm_reads(name: str, tmp_path: Path) -> None:
    file = tmp_path / "model.json"
    file.write_bytes(TRAINERS[name].train(PAGES))
    content = ALGORITHMS[name](parse(PAGE), model=str(file))
    text = "\n".join(block.text for block in content.blocks)
    assert all(paragraph in text for paragraph in ARTICLE)


@pytest.mark.parametrize("name", LINE_TRAINERS)
def test_a_model_says_what_it_was_trained_on(name: str) -> None:
    assert json.loads(TRAINERS[name].train(PAGES))["trained_on"]["pages"] == {"news": 3}


def test_the_learned_model_says_what_it_was_trained_on() -> None:
    model = load(TRAINERS["thresher"].train(PAGES))
    assert model.about["pages"] == {"news": 3}
    assert model.about["samples"] == 12


@pytest.mark.parametrize("name", TRAINERS)
def test_the_same_pages_in_any_order_give_the_same_model(name: str) -> None:
    other = labelled(9, site="o.example", html=PAGE.replace("</p>", " More.</p>"), text=GOLD)
    assert TRAINERS[name].train([*PAGES, other]) == TRAINERS[name].train([other, *PAGES])


@pytest.mark.parametrize("name", TRAINERS)
def test_pages_without_a_line_of_gold_are_nothing_to_learn_from(name: str) -> None:
    with pytest.raises(UsageError, match="nothing to learn"):
        TRAINERS[name].train([labelled(1, text="quite other words")])


def test_pages_of_one_site_are_too_few_for_two_stages() -> None:
    with pytest.raises(UsageError, match="pages of several sites"):
        TRAINERS["thresher"].train([labelled(number, html=PAGE, text=GOLD) for number in range(3)])


def test_a_model_tells_its_rules() -> None:
    trainer = TRAINERS["far-sw"]
    described = trainer.describe(trainer.train(PAGES))
    assert "D.High" in described["rules"]
    assert int(described["lines a page"]) > 50


def train(*args: str | Path) -> str:
    result = CliRunner().invoke(cli, ["train", *map(str, args)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    records = [{"id": str(n), "dataset": "news", "site": f"{n}.example", "html": PAGE, "text": GOLD} for n in range(2)]
    write_records(tmp_path / "corpus" / "news.jsonl.gz", records)
    return tmp_path / "corpus"


def test_train_writes_a_model_and_says_how_to_use_it(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    output = train("--algorithm", "far-sw", corpus, "-o", file, "--lines", "source")
    assert json.loads(file.read_text())["layout"] == "source"
    assert f"--model {file}" in output


def test_an_algorithm_that_is_not_trained_is_refused(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cevc is not trained; .*dgwc-svm"):
        train("--algorithm", "cevc", corpus, "-o", tmp_path / "m")


def test_a_model_that_cannot_be_written_is_an_error(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write"):
        train("--algorithm", "far-sw", corpus, "-o", tmp_path / "no" / "m")
