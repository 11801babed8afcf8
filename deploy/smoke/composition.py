"""deploy/compose.yaml on a real engine: three workers, of which one is killed and one is drained; Redis dies, too.

    ground ── a container that has a network of its own with nothing but loopback on it
      ├─ redis, postgresql, opensearch, serve, watch, worker × 3, as compose.yaml has them
      └─ this process: it enters that network, and serves the sample web there

So nothing that is crawled, and nothing that crawls, can reach anything else. loopback.yaml says what differs from the
composition that users start. The images of the servers are built here, for none can be pulled where this is tried.
"""

import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from image import answer, docker
from trial import CRAWLING, ROOT, calm_crawl, check, more_requests, say, until

from thresher import wiring
from thresher.config import Settings
from thresher.crawling.workers import heard, worker_facts
from thresher.frontier.contract import Rules
from thresher.sample import SampleWeb, serve

HERE = Path(__file__).parent
PROJECT = f"smoke{os.getpid()}"
NET_NAMESPACE = 0x40000000  # CLONE_NEWNET
SERVERS = ("redis", "postgresql", "opensearch")


class Composition:
    """`docker compose` of one project, and the servers' images."""

    def __init__(self, arguments, image, folder):
        self.arguments, self.folder = arguments, folder
        subprocess.run([ROOT / "deploy" / "make-secrets", folder / "secrets"], check=True, capture_output=True)
        crawling = folder / "crawling.env"
        crawling.write_text("".join(f"{name}={value}\n" for name, value in CRAWLING.items()))
        self.environment = os.environ | {
            "DOCKER_HOST": arguments.engine,
            "THRESHER_IMAGE": image,
            "SMOKE_FOLDER": str(folder),
            "SMOKE_BASE": arguments.base,
            **{f"{name.upper()}_IMAGE": f"thresher-smoke-{name}" for name in SERVERS},
        }

    def build_servers(self):
        """Build images of the servers from the same base; OpenSearch's jars are those that scripts/servers fetched."""
        context = self.folder / "context"
        shutil.copytree(Path.home() / ".cache" / "thresher-servers" / "opensearch", context / "opensearch")
        shutil.copy(HERE / "postgresql", context / "start-postgresql")
        for name in SERVERS:
            words = ["build", "-q", "--network", "host", "--build-arg", f"BASE={self.arguments.base}"]
            words += ["-f", str(HERE / "servers.Dockerfile"), "--target", name, "-t", f"thresher-smoke-{name}"]
            docker(self.arguments, *words, str(context), env=os.environ | {"DOCKER_BUILDKIT": "0"}, capture_output=True)

    def __call__(self, *words):
        files = [word for name in ("deploy/compose.yaml", "deploy/smoke/loopback.yaml") for word in ("-f", name)]
        line = [*self.arguments.compose.split(), "-p", PROJECT, *files, *words]
        done = subprocess.run(line, cwd=ROOT, env=self.environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"smoke: {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def states(self, service):
        """Return what the engine tells of a service's containers."""
        ids = self("ps", "-a", "-q", service).split()
        return json.loads(answer(self.arguments, "inspect", *ids)) if ids else []

    def place(self, name):
        """Return a URL of the secrets, with loopback for the server's name."""
        text = (self.folder / "secrets" / name).read_text()
        return re.sub(rf"(//|@)({'|'.join(SERVERS)}):", r"\g<1>127.0.0.1:", text)

    def stop(self):
        say("taking it down")
        self("down", "-v", "--timeout", "30")


def run(arguments, image, folder):
    """Start it, hurt it, and compare."""
    composition = Composition(arguments, image, folder)
    composition.build_servers()
    say("images of Redis, PostgreSQL and OpenSearch are built")
    try:
        composition("up", "-d", "ground")
        enter_network(composition.states("ground")[0]["State"]["Pid"])
        with serve(SampleWeb(pages=arguments.pages, crawl_delay_s=None, slow_s=0.2)) as site:
            expected = calm_crawl(folder, site)
            site.server.forget()
            places = {"data": str(folder / "data")}
            places |= {name: composition.place(name) for name in ("frontier", "store", "index")}
            crawl(composition, places, site)
            check(places, expected, site)
    finally:
        (folder / "log").write_text(composition("logs", "--no-color"))
        if arguments.log:
            shutil.copy(folder / "log", arguments.log)
        composition.stop()


def enter_network(pid):
    """Let this process, and those that it starts, have the network of another one."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open(f"/proc/{pid}/ns/net") as network:
        if libc.setns(network.fileno(), NET_NAMESPACE):
            sys.exit(f"smoke: cannot enter the network of process {pid}: {os.strerror(ctypes.get_errno())}")


def crawl(composition, places, site):
    composition("up", "-d", "--no-build", "--scale", "worker=3")
    say("compose up: Redis, PostgreSQL, OpenSearch, serve, watch and three workers")
    composition("exec", "-T", "serve", "thresher", "crawl", *site.starts, "--enqueue")
    corpus = wiring.open_corpus(Settings(**places))
    try:
        run = corpus.store.runs(limit=1)[0]  # the watch may have one, too
        hurt(composition, site)
        until(lambda: health(composition, "serve") == "healthy", "serve's health check")
        say(f"serve is healthy, watch {health(composition, 'watch')}")
        until(lambda: corpus.store.run(run.id).state == "finished", "the end of the run")
        census = corpus.frontier(run.job, Rules()).census()
        say(f"the run is finished: {census}")
        assert census.pending + census.delayed + census.leased == 0
        said = [worker_facts(job, beat) for job, _, beat in heard(corpus)]
        say(f"{sum(each['state'] in ('running', 'waiting') for each in said)} workers are heard of at the end")
    finally:
        corpus.close()


def health(composition, service):
    return composition.states(service)[0]["State"]["Health"]["Status"]


def hurt(composition, site):
    more_requests(site, 40)
    killed, drained, _ = composition.states("worker")
    os.kill(killed["State"]["Pid"], signal.SIGKILL)
    say(f"{killed['Name']} is killed hard")
    until(lambda: restarts(composition, killed) > 0, "a restart of the worker")
    more_requests(site, 10)
    answer(composition.arguments, "stop", "-t", "30", drained["Id"])
    code = json.loads(answer(composition.arguments, "inspect", drained["Id"]))[0]["State"]["ExitCode"]
    say(f"{drained['Name']} is drained, and ended with code {code}")
    assert code == 0
    more_requests(site, 10)
    (redis,) = composition.states("redis")
    os.kill(redis["State"]["Pid"], signal.SIGKILL)
    until(lambda: restarts(composition, redis) > 0, "a restart of Redis")
    say("Redis was killed hard, and the engine has started it again")
    more_requests(site, 10)


def restarts(composition, container):
    found = json.loads(answer(composition.arguments, "inspect", container["Id"]))[0]
    return found["RestartCount"] if found["State"]["Running"] else 0
