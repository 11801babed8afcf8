"""`thresher bench crawl`: everybody crawls the same pages, and the table says how fast."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from thresher.cli.main import cli
from thresher.errors import MissingExtra, ThresherError
from thresher.lab import crawl_bench, plain_spiders
from thresher.lab.crawl_bench import CONTENDERS, OURS, Race, race, sample_ground, scouted
from thresher.lab.crawl_table import as_data, markdown, speed_ratio

needs_trafilatura = pytest.mark.skipif(find_spec("trafilatura") is None, reason="needs the extra 'bench'")
STORY = (
    "<html><head><title>{0} came in early</title></head><body><article><h1>{0} came in early</h1>{1}</article></html>"
)
WORDS = "<p>The grain was cut before the rain, and the mill ran for three days without a pause.</p>" * 8


def made(contender: str, wall_s: float, **figures: int) -> Race:
    counts = {"pages": 100, "strays": 0, "documents": 90, "peak_bytes": 50_000_000, **figures}
    return Race(contender, wall_s=wall_s, cpu_s=0.5, server_cpu_s=0.1, **counts)


@needs_trafilatura
def test_a_folder_is_crawled_by_all_and_the_figures_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in ("barley", "rye", "wheat"):
        links = '<a href="/elsewhere.html">x</a><a href="https://example.com/">y</a>'
        (folder / f"{name}.html").write_text(STORY.format(name.title(), WORDS) + links)
    report = tmp_path / "bench.json"
    result = CliRunner().invoke(cli, ["bench", "crawl", "--folder", str(folder), "--json", str(report)])
    assert result.exception is None
    assert all(f"| {label} | 4 |" in result.stdout for label in CONTENDERS.values())
    data = json.loads(report.read_text())
    assert {each["contender"]: each["strays"] for each in data["races"]} == dict.fromkeys(CONTENDERS, 0)
    documents = {each["contender"]: each["documents"] for each in data["races"]}
    assert documents[OURS] == 3
    assert documents["trafilatura"] >= 3
    assert documents["download"] == documents["links"] == 0
    assert all(each["cpu_s"] > 0.1 and each["peak_bytes"] > 10_000_000 for each in data["races"])
    assert data["ratios"]["trafilatura"] == 1
    assert data["versions"].keys() >= {"thresher", "scrapy", "trafilatura", "python"}


@pytest.mark.long
@pytest.mark.slow
def test_all_pages_of_the_sample_site_and_nothing_else_are_on_the_ground() -> None:
    with sample_ground(40) as served:
        ground = scouted(served)
        expected = ground.server.origins[0] + "/robots.txt"
        ours = race(ground, OURS)
    assert ours.pages + ours.strays == len(ground.pages) > 80  # what it left is of kinds that lead to no document
    assert ours.strays < 20
    assert 40 <= ours.documents < ours.pages
    assert expected not in ground.pages
    assert not any("/events/" in url or "utm_" in url for url in ground.pages)


def test_a_contender_that_fails_ends_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    with sample_ground(10) as ground:
        monkeypatch.setattr(crawl_bench, "_our_command", lambda *_: ["false"])
        with pytest.raises(ThresherError, match="false ended with 1"):
            race(ground, OURS)


def test_the_table_gives_medians_and_the_ratio_of_each_round() -> None:
    times = {"trafilatura": (10.0, 40.0, 20.0), OURS: (2.0, 10.0, 5.0)}
    races = [made(name, each) for name, walls in times.items() for each in walls]
    assert speed_ratio(races, OURS) == 4.0
    ours = next(line for line in markdown(races).splitlines() if line.startswith(f"| {CONTENDERS[OURS]} |"))
    assert ours == "| thresher crawl | 100 | 90 | 5.0 | 20.0 | 4.00 | 5.0 | 1.0 | 50 |"


def test_counts_that_differ_between_rounds_are_shown_as_a_range() -> None:
    races = [made("trafilatura", 1.0, pages=100), made("trafilatura", 1.0, pages=103)]
    assert "| 100–103 |" in markdown(races)


def test_the_data_holds_every_race() -> None:
    data = as_data([made("trafilatura", 1.0), made("trafilatura", 2.0)], concurrency=16)
    assert [each["wall_s"] for each in data["races"]] == [1.0, 2.0]
    assert data["concurrency"] == 16


def test_without_trafilatura_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_spiders, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"thresher\[bench\]"):
        plain_spiders.check_extra()
