"""The page that times are measured on grows evenly, and so does what is found on it."""

from pathlib import Path

import pytest

from tests.lab.test_bench_commands import bench
from thresher.errors import UsageError
from thresher.extraction.algorithms import ALGORITHMS
from thresher.html import parse
from thresher.lab.growth import PARSING, grow, growth_table, page_of


@pytest.mark.parametrize("size", [1_000, 50_000, 300_000])
def test_the_page_is_as_long_as_asked_and_not_much_longer(size: int) -> None:
    assert size <= len(page_of(size)) <= size + 30_000


@pytest.mark.parametrize("name", ALGORITHMS)
def test_ten_times_the_page_gives_about_ten_times_the_text(name: str) -> None:
    found = []
    for size in (40_000, 400_000):
        content = ALGORITHMS[name](parse(page_of(size)))
        texts = [block.text for block in content.blocks] + [post.text for post in content.posts]
        found.append(sum(map(len, texts)))
    assert 6 * found[0] <= found[1] <= 14 * found[0]
    assert found[0] > 1_000


def test_the_table_shows_each_size_and_the_growth() -> None:
    lines = growth_table([(PARSING, 1000, 2.0), ("cevc", 1000, 1.5), (PARSING, 10_000, 30.0), ("cevc", 10_000, 15.0)])
    assert lines.splitlines()[0] == "| CPU ms | 1 kB | 10 kB | × for 10 × the page |"
    assert lines.splitlines()[2:] == ["| (parsing) | 2.0 | 30 | 15 |", "| cevc | 1.5 | 15 | 10 |"]


def test_an_unknown_algorithm_is_refused() -> None:
    with pytest.raises(UsageError, match="nope"):
        list(grow(["nope"], [1000], 1))


def test_the_command_prints_a_line_for_each_algorithm(tmp_path: Path) -> None:
    out = bench(tmp_path, "size", "--algorithms", "cevc, cetd", "--size", "20000", "--size", "2000", "--repeats", "1")
    assert [line.split("|")[1].strip() for line in out.splitlines()[2:5]] == [PARSING, "cevc", "cetd"]
