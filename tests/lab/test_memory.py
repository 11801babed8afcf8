"""The laboratory measures site memory on sites with enough pages, each page with what the others showed."""

from pathlib import Path

from click.testing import CliRunner

from tests.lab.pages import SENTENCE, html_of, labelled, record, write_records
from thresher.cli.main import cli
from thresher.errors import UsageError
from thresher.lab.memory import f1_of, measure_site, sites_of
from thresher.lab.pages import LabelledPage

REFRAIN = "The captain told the harbour office that he would sail again the next morning if the wind allowed it."


def site_page(number: int) -> LabelledPage:
    own = [f"{SENTENCE} And {line} ships came in on day {number}, when it rained." for line in range(4)]
    return labelled(number, html=html_of(*own, REFRAIN), text="\n".join(own))


def test_a_refrain_on_every_page_is_left_out_with_memory() -> None:
    results = measure_site([site_page(number) for number in range(5)])
    assert f1_of([result.together for result in results]) == 1.0
    assert f1_of([result.alone for result in results]) < 1.0


def test_two_pages_know_too_little() -> None:
    for result in measure_site([site_page(number) for number in range(2)]):
        assert result.alone == result.together


def test_a_page_that_cannot_be_read_counts_as_empty() -> None:
    pages = [labelled(9, html="%PDF-1.4\0\0\0"), *(site_page(number) for number in range(3))]
    assert measure_site(pages)[0].together.found == 0


def test_the_headline_can_be_left_out() -> None:
    page = labelled(1, html=html_of(SENTENCE, title="A title"), text=f"A title\n{SENTENCE}")
    with_it, without = (measure_site([page], no_headline=flag)[0].alone for flag in (False, True))
    assert without.gold < with_it.gold


def test_sites_are_told_apart_by_dataset_and_need_enough_pages() -> None:
    pages = [labelled(1), labelled(2), labelled(3, dataset="blogs"), labelled(4, site=""), labelled(5, site="")]
    assert [[page.id for page in group] for group in sites_of(pages, 2)] == [["news/1", "news/2"]]


def test_the_command_prints_a_line_for_each_site_and_the_sums(tmp_path: Path) -> None:
    pages = [site_page(number) for number in range(4)]
    write_records(tmp_path / "news.jsonl.gz", [record(0, id=page.id, html=page.html, text=page.text) for page in pages])
    result = CliRunner().invoke(cli, ["bench", "memory", str(tmp_path), "--min-pages", "4"])
    for name in ("news a.example", "**news**", "**all**"):
        assert f"| {name} | 4 |" in result.stdout
    refused = CliRunner().invoke(cli, ["bench", "memory", str(tmp_path), "--min-pages", "5"])
    assert isinstance(refused.exception, UsageError)
