"""A crawl beside a network that it must not reach: two network namespaces, a wire between them, a lying resolver.

Nothing leaves the two namespaces: they have a wire to each other and none to anywhere else. The addresses on the wire
are of 127.0.0.0/8, which no router takes; in these namespaces the system is told to send them over a wire all the same.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.crawl.fleet import until
from tests.crawl.harness import ENVIRON
from thresher import wiring
from thresher.config import Settings
from thresher.lab.servers import dying_with_us

PORT = 8080
OURS, THEIRS = "127.99.0.1", "127.99.0.2"
LOOPBACK = "127.0.0.1"
LIE = "news.example"  # a public name that the resolver says is in the intranet
PAGE = "<html><title>A page of ours</title><body>{}</body></html>"


@dataclass(frozen=True)
class Wire:
    """Two namespaces: the worker's, and the intranet's."""

    worker: str
    intranet: str

    def command(self, where: str, *words: str) -> list[str]:
        """Return a command that runs in a namespace."""
        return ["ip", "netns", "exec", where, *words]


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@pytest.fixture
def wire() -> Iterator[Wire]:
    found = Wire(*(f"thresher-{side}-{os.getpid()}" for side in ("worker", "intranet")))
    hosts = Path("/etc/netns") / found.worker / "hosts"
    ends = [f"th{os.getpid() % 100_000}{side}" for side in "ab"]
    try:
        for name in (found.worker, found.intranet):
            ip("netns", "add", name)
        ip("link", "add", ends[0], "netns", found.worker, "type", "veth", "peer", ends[1], "netns", found.intranet)
        for name, end, address in zip((found.worker, found.intranet), ends, (OURS, THEIRS), strict=True):
            ip("netns", "exec", name, "sysctl", "-qw", "net.ipv4.conf.all.route_localnet=1")
            ip("-n", name, "link", "set", "lo", "up")
            ip("-n", name, "address", "delete", f"{LOOPBACK}/8", "dev", "lo")  # or all of it stays in the namespace
            ip("-n", name, "address", "add", f"{LOOPBACK}/32", "dev", "lo")
            ip("-n", name, "link", "set", end, "up")
            ip("-n", name, "address", "add", f"{address}/24", "dev", end)
        hosts.parent.mkdir(parents=True)
        hosts.write_text(f"{LOOPBACK} localhost ours.example\n{THEIRS} {LIE} other.example\n")
    except (OSError, subprocess.CalledProcessError):
        removed(found, hosts.parent)
        pytest.skip("network namespaces cannot be made here; that takes root and the program ip")
    yield found
    removed(found, hosts.parent)


def removed(wire: Wire, folder: Path) -> None:
    """Take the namespaces away, as far as they were made."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in (wire.worker, wire.intranet):
        with suppress(OSError, subprocess.CalledProcessError):
            ip("netns", "delete", name)


@contextmanager
def served(wire: Wire, where: str, address: str, folder: Path) -> Iterator[Path]:
    """Serve a folder in a namespace; give the file that tells who asked."""
    log = folder.with_suffix(".log")
    words = (sys.executable, "-u", "-m", "http.server", f"{PORT}", "--bind", address, "--directory", str(folder))
    with log.open("wb") as out:
        command = [*dying_with_us(), *wire.command(where, *words)]
        process = subprocess.Popen(command, stdout=out, stderr=out)
    try:
        until(lambda: b"Serving HTTP" in log.read_bytes())
        yield log
    finally:
        process.kill()
        process.wait()


@pytest.mark.long
def test_a_worker_whose_resolver_lies_does_not_reach_the_network_beside_it(wire: Wire, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
    doors = [f"http://{name}:{PORT}/secret" for name in (LIE, "other.example", THEIRS, "[::ffff:7f63:2]", "0x7f630002")]
    (ours / "index.html").write_text(PAGE.format("".join(f'<a href="{door}">A door</a>' for door in doors)))
    (theirs / "secret").write_text(PAGE.format("secret"))
    ask = f"import urllib.request; print(urllib.request.urlopen('http://{LIE}:{PORT}/secret').status)"
    places = [f"http://ours.example:{PORT}/", f"http://{LIE}:{PORT}/"]
    crawl = ("--data", str(tmp_path / "data"), "crawl", *places, "--delay", "0", "--progress", "none", "--any-host")
    with served(wire, wire.worker, LOOPBACK, ours) as asked, served(wire, wire.intranet, THEIRS, theirs) as reached:
        plain = subprocess.run(
            wire.command(wire.worker, sys.executable, "-c", ask), check=True, capture_output=True, text=True
        )
        assert plain.stdout == "200\n"  # there is a way, for whoever does not look
        before = reached.read_text()
        ended = subprocess.run(
            wire.command(wire.worker, sys.executable, "-m", "thresher", *crawl),
            env=os.environ | ENVIRON,
            capture_output=True,
            text=True,
            timeout=280,
        )
        assert ended.returncode in (0, 3), ended.stderr
        assert '"GET / HTTP' in asked.read_text()
        assert reached.read_text() == before
    corpus = wiring.open_corpus(Settings(data=str(tmp_path / "data")), create=False)
    fates = {visit.fate.url: visit.fate.reason for visit in corpus.store.visits(1)}
    corpus.close()
    assert {reason for url, reason in fates.items() if "ours.example" not in url} == {"address-refused"}
    assert places[1] in fates
