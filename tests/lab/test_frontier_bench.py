"""`thresher bench frontier`, with few links."""

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.needs import need
from thresher.cli.main import cli
from thresher.errors import MissingExtra
from thresher.lab import frontier_bench
from thresher.lab.servers import own_redis

need("scrapy_redis")


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")
def test_frontier_prints_memory_rates_and_growth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier_bench, "TIMED_LEASES", 5)
    monkeypatch.setattr("thresher.cli.bench_frontier.PROBES", 500)
    monkeypatch.setattr("thresher.cli.bench_frontier.ROUND", 1000)
    few = ["--links", "20000", "--peer-links", "1000", "--rounds", "1", "--long", "3000", "--short", "1000"]
    result = CliRunner().invoke(cli, ["--data", str(tmp_path), "bench", "frontier", *few], catch_exceptions=False)
    exact = re.search(r"\| exact \(default\) \| 20,000 \| ([\d.]+) \| (\d+) \| 0 \|", result.stdout)
    assert exact
    assert float(exact[1]) < 12
    assert int(exact[2]) < 170
    for row in ("| Bloom filter set to 1e-05 | 20,000 |", "| scrapy-redis | 1,000 |", "| 3,000 |"):
        assert row in result.stdout


def test_a_server_that_is_not_installed_is_named() -> None:
    with pytest.raises(MissingExtra, match="no-such-server"), own_redis("no-such-server"):
        pass


def test_links_are_all_different() -> None:
    source = frontier_bench.links()
    assert len({next(source).url for _ in range(5000)}) == 5000
