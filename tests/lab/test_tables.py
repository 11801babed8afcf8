"""Results are summed up by group and laid out as Markdown and CSV."""

import csv
import io

import pytest

from thresher.lab.evaluate import Result
from thresher.lab.metrics.overlap import Overlap
from thresher.lab.summary import MACRO, Row, summarise
from thresher.lab.tables import matrix, overview, table, times, to_csv


def result(extractor: str, dataset: str, overlap: Overlap, cpu_s: float = 0.002, **fields: object) -> Result:
    values: dict[str, object] = {"page": "p", "site": "a.example", "language": "en", "engine": "", "error": ""}
    values |= {"overlaps": {"shingles": overlap}, "counts": {}}
    return Result(extractor=extractor, dataset=dataset, cpu_s=cpu_s, **(values | fields))  # type: ignore[arg-type]


RESULTS = [
    result("ours", "news", Overlap(1, 1, 1), counts={"blocks": 4.0}),
    result("ours", "news", Overlap(0, 0, 1), error="extract-timeout", counts={"blocks": 0.0}),
    result("ours", "blogs", Overlap(1, 2, 1), language="zh"),
    result("peer", "news", Overlap(1, 2, 2), 0.001),
    result("peer", "news", Overlap(1, 2, 2), 0.001),
    result("peer", "blogs", Overlap(1, 1, 1), 0.004),
]


def by_corpus() -> dict[tuple[str, str], Row]:
    return {(row.group, row.extractor): row for row in summarise(RESULTS, "corpus", {"peer"})}


def test_pages_errors_and_means_are_counted_by_group() -> None:
    row = by_corpus()["news", "ours"]
    assert (row.pages, row.errors, row.ms_per_page, row.counts) == (2, 1, 2.0, {"blocks": 2.0})
    assert row.values["shingles"] == {"precision": 0.5, "recall": 0.5, "f1": 0.5}


def test_time_is_compared_with_the_fastest_peer_of_the_group() -> None:
    rows = by_corpus()
    assert rows["news", "ours"].times_fastest == pytest.approx(2.0)
    assert rows["blogs", "ours"].times_fastest == pytest.approx(0.5)
    assert rows["news", "peer"].times_fastest == pytest.approx(1.0)
    assert all(row.times_fastest is None for row in summarise(RESULTS, "corpus", set()))


def test_the_macro_row_is_the_plain_mean_of_the_groups() -> None:
    row = by_corpus()[MACRO, "ours"]
    assert row.values["shingles"]["f1"] == pytest.approx((0.5 + 2 / 3) / 2)
    assert (row.pages, row.errors) == (3, 1)
    assert not any(row.group == MACRO for row in summarise(RESULTS, "all", set()))


def test_those_who_never_find_a_post_are_not_scored_on_posts() -> None:
    found = {"posts": Overlap(0, 1, 2)}
    results = [
        result("text", "forum", Overlap(1, 1, 1), overlaps={"posts": Overlap(0, 0, 2)}),
        result("posts", "forum", Overlap(1, 1, 1), overlaps=found),
        result("posts", "other", Overlap(1, 1, 1), overlaps={"posts": Overlap(0, 0, 2)}),
    ]
    rows = {(row.group, row.extractor): row.values for row in summarise(results, "corpus", set())}
    assert rows["forum", "text"] == {}
    assert rows["other", "posts"]["posts"]["f1"] == 0


def test_pages_without_an_engine_are_in_no_table_of_engines() -> None:
    assert summarise(RESULTS, "engine", set()) == []


def test_the_overview_has_every_value() -> None:
    lines = overview(summarise(RESULTS, "all", {"peer"})).splitlines()
    assert lines[0] == "|  | pages | errors | shingles P | shingles R | shingles F1 | ms/page | × fastest peer |"
    assert lines[2] == "| ours | 3 | 1 | 0.500 | 0.667 | 0.571 | 2.0 | 1.0 |"


def test_the_overview_shows_a_figure_of_the_algorithm_where_asked() -> None:
    lines = overview(summarise(RESULTS, "all", {"peer"}), "blocks").splitlines()
    assert "| shingles F1 | blocks | ms/page |" in lines[0]
    assert "| 0.571 | 1.3 | 2.0 |" in lines[2]


def test_a_matrix_has_groups_as_lines_and_marks_the_best() -> None:
    rows = summarise(RESULTS, "corpus", {"peer"})
    lines = matrix(rows, "shingles").splitlines()
    assert lines[0] == "|  | ours | peer |"
    assert lines[2:] == [
        "| blogs (1) | 0.667 | **1.000** |",
        "| news (2) | 0.500 | 0.500 |",
        "| **macro** | 0.583 | **0.750** |",
    ]
    assert "blogs" not in matrix(rows, "shingles", min_pages=2)
    assert times(rows).splitlines()[3] == "| news (2) | 2.0 (2.0) | 1.0 (1.0) |"


def test_csv_has_a_line_for_each_metric_of_each_row() -> None:
    lines = list(csv.DictReader(io.StringIO(to_csv(summarise(RESULTS, "language", {"peer"})))))
    chinese = next(line for line in lines if line["group"] == "zh")
    assert (chinese["metric"], chinese["precision"], chinese["extractor"]) == ("shingles", "0.5000", "ours")
    assert {line["by"] for line in lines} == {"language"}


def test_a_bar_in_a_cell_does_not_break_the_table() -> None:
    assert table(["a"], [["x|y"]]).splitlines()[2] == "| x/y |"
