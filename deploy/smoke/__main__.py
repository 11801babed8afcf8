"""Crawl a sample web with containers of a real Docker engine, and hurt them: nothing may be lost or doubled.

    python deploy/smoke --engine unix:///var/run/docker.sock --base debian:bookworm-slim [--image NAME:TAG]
    python deploy/smoke --compose "docker compose" …

Run it with Thresher's own Python (.venv/bin/python), as somebody who may use the engine. It builds the image (or takes
the one that is named) and looks whether it is small and harmless. Then it starts Redis, PostgreSQL and OpenSearch as
processes of this machine, serves the sample web beside them, and lets `thresher fleet` run three workers in containers
on the host's network. One worker is killed hard, one is drained, Redis is killed and comes back. The corpus must be
that of a calm crawl by one local process.

With --compose the same is done to the composition that users start, deploy/compose.yaml (see composition.py; as root).
With --steps 1,10,2 nobody is hurt; the fleet is scaled to these numbers during the crawl, and each step is timed. With
--local the workers are processes of this machine, and no engine is needed.
"""

import argparse
import os
import signal
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import composition
from image import build, inspect
from trial import CRAWLING, calm_crawl, check, check_unfinished, command, more_requests, say, until

from thresher import wiring
from thresher.config import Settings
from thresher.crawling.workers import heard, worker_facts
from thresher.fleet.docker import Docker
from thresher.fleet.fleet import Fleet
from thresher.fleet.plan import DockerPlan, Engine
from thresher.fleet.processes import Processes
from thresher.frontier.contract import Rules
from thresher.lab.servers import new_database, own_postgresql, own_redis, own_search_server
from thresher.sample import SampleWeb, serve


def main():
    arguments = parsed()
    image = "" if arguments.local else build(arguments)
    if image:
        inspect(arguments, image)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if arguments.compose:
            composition.run(arguments, image, folder)
            return
        site = stack.enter_context(serve(SampleWeb(pages=arguments.pages, crawl_delay_s=None, slow_s=0.2)))
        redis = stack.enter_context(own_redis())
        database = stack.enter_context(own_postgresql())
        search = stack.enter_context(own_search_server("opensearch"))
        say("sample web, Redis, PostgreSQL and OpenSearch run")
        expected = None if arguments.unfinished else calm_crawl(folder, site)
        places = {
            "data": str(folder / "smoke"),
            "frontier": redis.url,
            "store": new_database(database, "smoke"),
            "index": f"{search.url}/smoke",
        }
        command(places, "crawl", *site.starts, "--enqueue")
        site.server.forget()
        crawl(arguments, image, places, redis, site)
        if expected is None:
            check_unfinished(places)
        else:
            check(places, expected, site)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="unix:///var/run/docker.sock")
    parser.add_argument("--docker", default="docker", help="the docker program that builds")
    parser.add_argument("--compose", default="", metavar="PROGRAM", help="try deploy/compose.yaml with this program")
    parser.add_argument("--base", default="debian:bookworm-slim")
    parser.add_argument("--image")
    parser.add_argument("--pages", type=int, default=150)
    parser.add_argument("--steps", default="")
    parser.add_argument("--unfinished", action="store_true", help="with --steps: leave the crawl after the last step")
    parser.add_argument("--local", action="store_true")
    parser.add_argument("--log", metavar="FILE", help="where to write what the containers of a composition wrote")
    return parser.parse_args()


def backend_of(arguments, image, places):
    words = CRAWLING | {f"THRESHER_{name.upper()}": value for name, value in places.items()}
    if arguments.local:
        return Processes(Path(places["data"]) / "fleet", os.environ | words)
    del words["THRESHER_DATA"]
    plan = DockerPlan(image, (Engine("here", arguments.engine),), f"smoke-{os.getpid()}", words, network="host")
    return Docker(plan)


def crawl(arguments, image, places, redis, site):
    backend, corpus = backend_of(arguments, image, places), wiring.open_corpus(Settings(**places))
    fleet = Fleet(backend, lambda: [worker_facts(job, beat) for job, _, beat in heard(corpus)], note=say)
    frontier = corpus.frontier("run-1", Rules())
    try:
        if arguments.steps:
            step(fleet, corpus, site, [int(count) for count in arguments.steps.split(",")])
        else:
            hurt(backend, fleet, redis, site)
        if arguments.unfinished:
            fleet.scale(0)
            say(f"the fleet has left: {frontier.census()}")
            return
        until(lambda: corpus.store.runs(limit=1)[0].state == "finished", "the end of the run")
        census = frontier.census()
        say(f"the run is finished: {census}")
        fleet.scale(0)
        assert census.pending + census.delayed + census.leased == 0
    finally:
        backend.remove([member.name for member in backend.members()])
        backend.close()
        corpus.close()


def step(fleet, corpus, site, counts):
    overseer = corpus.overseer("run-1", Rules())
    for count in counts:
        started = time.monotonic()
        fleet.scale(count)
        seconds, working = time.monotonic() - started, {status.said["worker"] for status in fleet.members()}
        lost = sum(standing.lost for standing in overseer.peek(100_000))
        assert set(corpus.frontier("run-1", Rules()).workers()) <= working, "somebody who left holds links"
        assert lost == 0, f"{lost} leases were lost"
        waiting = overseer.census().pending
        say(f"scaled to {count} in {seconds:.1f} s; {waiting} links wait, no lease was lost")
        more_requests(site, 20)


def hurt(backend, fleet, redis, site):
    fleet.grow(3)
    more_requests(site, 30)
    victim = max(fleet.members(), key=lambda status: status.said.get("in_flight") or 0)
    pid = backend._engines["here"].containers.get(victim.name).attrs["State"]["Pid"]
    os.kill(pid, signal.SIGKILL)
    say(f"{victim.name} is killed hard, with {victim.said['in_flight']} links in hand")

    def is_back():
        (found,) = (status for status in fleet.members() if status.name == victim.name)
        return found.member.restarts > 0 and found.said.get("worker") not in (None, victim.said["worker"])

    until(is_back, "a restart")
    say(f"{victim.name} was started again, and is heard of")
    more_requests(site, 10)
    fleet.drain([next(status.name for status in fleet.members() if status.name != victim.name)])
    more_requests(site, 10)
    redis.kill()
    time.sleep(3)
    redis.start()
    say("Redis was killed and is back after 3 s")


if __name__ == "__main__":
    main()
