"""`thresher bench fleet`: a small crawl by one worker, and the containers that workers may run in."""

import os
from pathlib import Path

import pytest

from tests.servers import Server
from thresher.lab.containers import Containers
from thresher.lab.fleet_bench import prepared_track

PAGES = 16


@pytest.mark.slow
def test_a_fleet_crawls_every_page_and_tells_what_that_took(redis_process: Server, postgres_process: Server) -> None:
    with prepared_track(PAGES, latency_s=0.0, concurrency=2) as track:
        found = track.fleet(1)
    assert found.pages == PAGES + len(track.sites.indexes)
    assert found.workers == 1
    assert found.cpu_s > 0
    assert found.arrived_to_parsed_s > 0
    assert 0 < found.scheduling < 1


def test_containers_of_a_measurement_have_no_right_that_they_do_not_need(tmp_path: Path) -> None:
    line = Containers("thresher:1", "unix:///engine").command("one", tmp_path, ["-m", "module", "/data/order.json"])
    assert line[:4] == ["docker", "-H", "unix:///engine", "run"]
    assert line[-4:] == ["thresher:1", "-m", "module", "/data/order.json"]
    words = " ".join(line)
    for right in ("--read-only", "--cap-drop ALL", "no-new-privileges:true", f"--user {os.geteuid()}:{os.getegid()}"):
        assert right in words
    assert f"-v {tmp_path}:/data" in words
    assert "--privileged" not in words
