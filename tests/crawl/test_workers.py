"""Workers that share Redis and PostgreSQL: joining, draining, beginning anew, and outages of both servers."""

import signal
from dataclasses import replace

import pytest

from tests.crawl.fleet import Fleet, Found, told, until
from tests.servers import Server
from thresher.sample import RunningSample

pytestmark = pytest.mark.slow


def test_workers_go_through_outages_of_both_servers_and_bring_the_corpus_of_a_calm_crawl(
    fleet: Fleet, small_site: RunningSample, calm: list[Found], redis_process: Server, postgres_process: Server
) -> None:
    def requests() -> int:
        return len(small_site.server.log())

    small_site.server.forget()
    opened = fleet.run("crawl", *small_site.starts, "--enqueue")
    assert "run 1 is open, 3 links in the queue" in opened.stderr
    joining = ("worker", "run", "--until-done", "--progress", "none")
    elsewhere = replace(fleet, data=fleet.data / "another machine")
    workers = [fleet.start(*joining), elsewhere.start(*joining, "--max-pages", "60")]
    until(lambda: requests() > 40)
    redis_process.kill()
    until(lambda: any("the Redis at" in worker.said() for worker in workers))
    redis_process.start()
    before = requests()
    until(lambda: requests() > before + 40)
    postgres_process.stop()
    until(lambda: any("the store does not answer for now" in worker.said() for worker in workers))
    postgres_process.start()
    ends = [told(worker) for worker in workers]
    assert [code for code, _ in ends] == [0, 0]
    for _, said in ends:
        assert "Traceback" not in said
        assert said.count("waiting for it") == said.count("it answers again") <= 2
    everything = "".join(said for _, said in ends)
    assert "the Redis at" in everything
    assert "the store does not answer for now" in everything
    assert fleet.documents() == calm
    ended = fleet.report()
    assert ended.run.state == "finished"
    assert (ended.census.pending, ended.census.delayed, ended.census.leased) == (0, 0, 0)
    kept = sum(number for (state, _), number in ended.tally.items() if state in ("stored", "skipped"))
    assert ended.census.done == kept


def test_a_worker_waits_for_a_run_joins_it_begins_anew_and_drains_when_it_is_told(
    fleet: Fleet, small_site: RunningSample
) -> None:
    worker = fleet.start("worker", "run", "--progress", "none", "--max-pages", "12")
    try:
        until(lambda: [place for _, *place in fleet.workers()] == [["waiting", "waiting"]])
        assert fleet.run("crawl", small_site.starts[0], "--limit", "20", "--enqueue").returncode == 0
        until(lambda: fleet.report().run.state == "finished")
        assert fleet.report().fetched == 20
        until(lambda: [place for _, *place in fleet.workers()] == [["waiting", "waiting"]])
        ((name, *_),) = fleet.workers()
        drained = fleet.run("worker", "drain", name[:-2])
        assert f"told {name} to drain" in drained.stderr
        code, said = told(worker)
    finally:
        worker.kill()
    assert code == 0
    assert said.count("working on run 1") == 2
    assert said.count("waiting for a run") == 2
    assert fleet.workers() == []


@pytest.mark.long
def test_a_worker_that_is_terminated_gives_back_its_links_and_another_finishes(
    fleet: Fleet, small_site: RunningSample, calm: list[Found]
) -> None:
    small_site.server.forget()
    fleet.run("crawl", *small_site.starts, "--enqueue")
    first = fleet.start("worker", "run", "--progress", "none")
    until(lambda: len(small_site.server.log()) > 30)
    first.send_signal(signal.SIGTERM)
    code, said = told(first)
    assert (code, "Traceback" in said) == (0, False)
    left = fleet.report()
    assert left.census.leased == 0
    assert left.census.pending > 0
    assert left.run.state == "running"
    assert fleet.run("worker", "run", "--job", "1", "--progress", "none").returncode == 0
    assert fleet.report().run.state == "finished"
    assert fleet.documents() == calm
