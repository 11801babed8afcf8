"""Fleets of several sizes in containers, each crawling the same eight sites from nothing: the task of DGWC's Fig. 6.

As `thresher bench fleet` does with processes: nginx serves eight sites at loopback addresses, half of them Chinese, and
answers after a latency; the containers are on the host's network and share one Redis and one PostgreSQL. The clock
starts with the first request, when all workers are up, and stops when the last link is settled.
"""

import os
import time
from contextlib import ExitStack
from pathlib import Path

from trial import say, until

from thresher import wiring
from thresher.config import Settings
from thresher.crawling.workers import heard, worker_facts
from thresher.fleet.docker import Docker
from thresher.fleet.fleet import Fleet
from thresher.fleet.plan import DockerPlan, Engine
from thresher.frontier.contract import Rules
from thresher.lab.fleet import open_job
from thresher.lab.gauge import busy_s
from thresher.lab.servers import new_database, own_postgresql, own_redis
from thresher.lab.sites import SITES, serve_sites

LATENCY_S, CONCURRENCY = 0.3, 8


def run(arguments, image, folder):
    """Crawl by fleets of all sizes, and print the table."""
    with ExitStack() as stack:
        sites = stack.enter_context(serve_sites(SITES, -(-arguments.pages // SITES), latency_s=LATENCY_S))
        redis = stack.enter_context(own_redis("redis-server", "--hz", "1"))
        database = stack.enter_context(own_postgresql())
        say(f"{len(sites.files)} pages of {SITES} sites; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        rows = []
        for number, size in enumerate(int(size) for size in arguments.sizes.split(",")):
            settings = Settings(
                data=str(folder / f"pass-{number}"),
                frontier=f"{redis.url.rpartition('/')[0]}/{number}",
                store=new_database(database, f"pass_{number}"),
                delay_s=0.0,
                concurrency=CONCURRENCY,
                host_concurrency=1000,
                extractors=1,
                allowed_addresses=sites.addresses,
            )
            rows.append(one_pass(arguments, image, settings, sites, size))
            say(f"{size} workers: {rows[-1][1]} pages in {rows[-1][2]:.1f} s")
    print("| workers | pages | seconds | pages/s | × | efficiency | CPU ms/page | cores in use |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    alone = rows[0][1] / rows[0][2] / rows[0][0]
    for size, pages, seconds, cpu_s, busy in rows:
        gain = pages / seconds / alone
        cells = [f"{size}", f"{pages:,}", f"{seconds:.1f}", f"{pages / seconds:.1f}", f"{gain:.2f}"]
        print("| " + " | ".join([*cells, f"{gain / size:.2f}", f"{1000 * cpu_s / pages:.1f}", f"{busy:.0%}"]) + " |")


def one_pass(arguments, image, settings, sites, size):
    Path(settings.data).mkdir()
    names = ("frontier", "store", "delay_s", "concurrency", "host_concurrency", "extractors")
    words = {f"THRESHER_{name.upper()}": str(getattr(settings, name)) for name in names}
    words["THRESHER_ALLOWED_ADDRESSES"] = ",".join(sites.addresses)
    engine = Engine("here", arguments.engine)
    backend = Docker(DockerPlan(image, (engine,), f"sizes-{os.getpid()}", words, network="host"))
    job = open_job(settings, sites.indexes, {}, max_depth=1)
    corpus = wiring.open_corpus(settings)
    fleet = Fleet(backend, lambda: [worker_facts(run, beat) for run, _, beat in heard(corpus)])
    overseer = corpus.overseer(f"run-{job.run}", Rules())
    try:
        overseer.pause()
        fleet.scale(size)
        time.sleep(2)  # until extraction processes are up
        sites.forget()
        cpu_s, busy, began_s = cpu_of(backend), busy_s(), time.monotonic()
        overseer.resume()
        links = len(sites.files) + len(sites.indexes)
        until(lambda: settled(overseer) >= links, f"{links} links")
        ended_at, asked = time.time(), sites.log()
        pages = sum(each.status == 200 for each in asked)
        cores = (busy_s() - busy) / (time.monotonic() - began_s)
        return size, pages, ended_at - asked[0].began_at, cpu_of(backend) - cpu_s, cores
    finally:
        backend.remove([member.name for member in backend.members()])
        backend.close()
        corpus.close()


def settled(overseer):
    census = overseer.census()
    return census.done + census.dead


def cpu_of(backend):
    """Return the CPU seconds of all containers so far."""
    found = [container.stats(stream=False) for _, container in backend._containers()]
    return sum(each["cpu_stats"]["cpu_usage"]["total_usage"] for each in found) / 1e9
