"""A Redis that comes back empty: workers say so and end, the run is not called finished, and another one makes good."""

from dataclasses import replace

import pytest

from tests.crawl.fleet import Fleet, Found, told, until
from tests.servers import redis_server
from thresher.cli import exits
from thresher.sample import RunningSample

LOST = "has lost the links of this run"


@pytest.mark.slow
def test_a_run_whose_links_are_lost_is_not_called_finished(
    fleet: Fleet, small_site: RunningSample, calm: list[Found]
) -> None:
    small_site.server.forget()
    with redis_server("--appendonly", "no") as redis:
        forgetful = replace(fleet, frontier=redis.url)
        forgetful.tell("crawl", *small_site.starts, "--enqueue", "--delay", "0.05")
        workers = [forgetful.start("worker", "run", "--progress", "none", *more) for more in ((), ("--job", "1"))]
        until(lambda: len(small_site.server.log()) > 20)
        redis.kill()
        redis.start()
        for code, said in [told(worker) for worker in workers]:
            assert code == exits.FAILED
            assert "Traceback" not in said
            assert said.count(LOST) == 1
            assert "is over" not in said
        again = forgetful.run("worker", "run", "--job", "1")
        assert (again.returncode, "has no links of run 1" in again.stderr) == (exits.USAGE, True)
        assert forgetful.run_state() == "interrupted"
        assert forgetful.run("crawl", *small_site.starts, "-q").returncode == exits.DONE
        assert forgetful.documents() == calm
