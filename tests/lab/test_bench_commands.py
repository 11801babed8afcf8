"""`thresher bench extract`, `sweep` and `rules` on a small corpus."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from tests.lab.pages import record, write_records
from thresher.cli.main import cli
from thresher.errors import UsageError


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    write_records(folder / "news.jsonl.gz", [record(n, site=f"{n}.example") for n in range(4)])
    write_records(folder / "blogs.jsonl.gz", [record(n, id=f"b{n}", dataset="blogs", lang="de") for n in range(11)])
    return folder


def bench(tmp_path: Path, *args: str | Path) -> str:
    result = CliRunner().invoke(cli, ["--data", str(tmp_path / "data"), "bench", *map(str, args)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def test_extract_prints_tables_and_writes_files(corpus: Path, tmp_path: Path) -> None:
    files = ("--csv", tmp_path / "t.csv", "--json", tmp_path / "t.json")
    out = bench(tmp_path, "extract", corpus, "--algorithms", "cevc,body-text", "--metrics", "shingles,bag", *files)
    assert "| cevc | 15 | 0 |" in out
    for heading in ("## shingles by corpus", "## bag by language", "## ms per page by site"):
        assert heading in out
    assert "| a.example (11) |" in out
    assert "| 0.example (1) |" not in out
    assert "site,0.example,cevc,1,0," in (tmp_path / "t.csv").read_text()
    document = json.loads((tmp_path / "t.json").read_text())
    assert len(document["pages"]) == 30
    assert [extractor["is_peer"] for extractor in document["extractors"]] == [False, True]
    assert (tmp_path / "data" / "lab" / "lab.db").exists()


def test_pages_are_chosen_by_dataset_and_limit(corpus: Path, tmp_path: Path) -> None:
    options = ("--algorithms", "body-text", "--metrics", "shingles", "--cache", tmp_path / "elsewhere")
    assert "| body-text | 4 | 0 |" in bench(tmp_path, "extract", corpus, "--dataset", "news", *options)
    assert "| body-text | 6 | 0 |" in bench(tmp_path, "extract", corpus, "--limit", "3", *options)
    assert (tmp_path / "elsewhere" / "lab.db").exists()


def test_wrong_arguments_are_refused(corpus: Path, tmp_path: Path) -> None:
    for wrong in (["--algorithms", "nope"], ["--metrics", "nope"], ["--dataset", "nope"]):
        with pytest.raises(UsageError, match="nope"):
            bench(tmp_path, "extract", corpus, "--metrics", "shingles", *wrong)


def test_sweep_prints_a_line_for_each_value_and_draws_them(corpus: Path, tmp_path: Path) -> None:
    sweep = ("sweep", corpus, "--algorithm", "cepr", "--parameter", "threshold=0.5:1.5:0.5", "--metrics", "shingles")
    out = bench(tmp_path, *sweep, "--plot", tmp_path / "p.svg")
    lines = [line.split("|")[1].strip() for line in out.splitlines()[4:] if line]
    assert lines == ["0.5", "1.0", "1.5"]
    drawing = ElementTree.parse(tmp_path / "p.svg")
    assert len(list(drawing.iter("{http://www.w3.org/2000/svg}polyline"))) == 3
    with pytest.raises(UsageError, match="no figure 'nope'"):
        bench(tmp_path, *sweep, "--figure", "nope")


def test_sweep_refuses_a_parameter_that_the_algorithm_does_not_have(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no parameter 'beta'"):
        bench(tmp_path, "sweep", corpus, "--algorithm", "cevc", "--parameter", "beta=1,2", "--metrics", "shingles")


def test_rules_want_an_algorithm_that_is_trained(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cevc is not trained"):
        bench(tmp_path, "rules", corpus, "--algorithm", "cevc")


def test_the_group_lists_its_measurements_without_loading_them(tmp_path: Path) -> None:
    out = bench(tmp_path, "--help")
    assert all(name in out for name in ("crawl", "extract", "sweep", "rules", "size"))
