"""Measure a whole crawl beside plain Scrapy spiders, on one site that is served from this machine."""

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from thresher import wiring
from thresher.config import Settings
from thresher.errors import ThresherError
from thresher.lab import plain_spiders
from thresher.lab.gauge import Reading, cpu_of, gauge
from thresher.lab.plain_spiders import Order
from thresher.sample import SampleWeb, ServerProcess, serve, serve_folder
from thresher.sample.folder import FolderSite

OURS = "thresher"
CONTENDERS = {
    "download": "Scrapy: download only",
    "links": "Scrapy: follow links",
    "trafilatura": "Scrapy: follow links, trafilatura",
    OURS: "thresher crawl",
}
CONCURRENCY = 16
RUN_TIMEOUT_S = 900.0
_NO_POSTS = r"/members/|/profile\.php|/space-uid-|[?&]sort="  # pages of the sample forum
_NOISE = ("utm_source", "utm_medium", "utm_campaign", "spm", "sid")
_SOME_FAILED = 3  # exit code of a crawl that gave up on some links


@dataclass(frozen=True, slots=True)
class Ground:
    """A site that is being served, and what of it every contender crawls."""

    server: ServerProcess
    starts: tuple[str, ...]
    excluded: tuple[str, ...] = ()  # regular expressions of URLs that nobody asks for
    noise: tuple[str, ...] = ()  # parameters that mean nothing
    max_depth: int | None = None
    pages: tuple[str, ...] = ()  # what there is to fetch, found by a spider that follows links


@dataclass(frozen=True, slots=True)
class Race:
    """One contender's run over the ground."""

    contender: str
    pages: int  # answers of status 200, robots.txt aside, as the server counts them
    strays: int  # pages of the ground that were not fetched, and pages fetched that are not of the ground
    documents: int
    wall_s: float
    cpu_s: float
    server_cpu_s: float
    peak_bytes: int

    @property
    def pages_per_s(self) -> float:
        """Pages by wall time, the start of the processes included."""
        return self.pages / self.wall_s


@contextmanager
def sample_ground(pages: int) -> Iterator[Ground]:
    """Serve the sample web: its pages, without what would measure something else.

    Left out for everybody: the endless calendar, the broken and slow pages (retries wait), what robots.txt closes
    (plain spiders do not ask), feeds and sitemaps (plain spiders do not read them), the forum's members and the other
    orders of its lists (Thresher does not follow them). Tracking and session parameters are dropped by everybody (plain
    spiders would take each for another page).
    """
    with serve(SampleWeb(pages=pages, crawl_delay_s=None)) as running:
        expected = running.web.expected_urls()
        begins = (*expected.trap_prefixes, *expected.disallowed_prefixes)
        whole = (*sorted(expected.feeds | expected.sitemaps), *expected.hazards.values())
        patterns = [f"^{re.escape(url)}" for url in begins] + [f"^{re.escape(url)}$" for url in whole]
        yield Ground(running.server, running.starts, ("|".join((*patterns, _NO_POSTS)),), _NOISE)


@contextmanager
def folder_ground(folder: Path) -> Iterator[Ground]:
    """Serve a folder of HTML files and an index of them; links on the pages are read and not followed.

    Most of them lead to what is not in the folder; a page that is in it is in the index.
    """
    with serve_folder(folder) as server:
        indexes = FolderSite(folder).indexes
        yield Ground(server, tuple(server.origins[0] + path for path in indexes), max_depth=1)


def scouted(ground: Ground, timeout_s: float = RUN_TIMEOUT_S) -> Ground:
    """Return the ground with its pages listed by a spider that follows links; it also warms the server up."""
    with tempfile.TemporaryDirectory(prefix="thresher-") as folder:
        command = _spider_command("links", ground, Path(folder), CONCURRENCY)
        gauge(command, folder=Path(folder), timeout_s=timeout_s)
    pages = _fetched(ground)
    if not pages:
        raise ThresherError(f"no page could be fetched from {ground.starts[0]}")
    return replace(ground, pages=tuple(sorted(set(pages))))


def race(ground: Ground, contender: str, *, concurrency: int = CONCURRENCY, timeout_s: float = RUN_TIMEOUT_S) -> Race:
    """Let one contender crawl the scouted ground from nothing; raise ThresherError when it fails."""
    ground.server.forget()
    server_cpu_s = cpu_of(ground.server.pid)
    with tempfile.TemporaryDirectory(prefix="thresher-") as name:
        folder = Path(name)
        if contender == OURS:
            command = _our_command(ground, folder, concurrency)
            reading = gauge(command, folder=folder, timeout_s=timeout_s, good_codes=(0, _SOME_FAILED))
            documents = _stored(folder)
        else:
            command = _spider_command(contender, ground, folder, concurrency)
            reading = gauge(command, folder=folder, timeout_s=timeout_s)
            documents = int(reading.output.split()[-1])
    return _result(ground, contender, reading, documents, cpu_of(ground.server.pid) - server_cpu_s)


def rounds(ground: Ground, repeat: int, heard: Callable[[Race], None], *, concurrency: int = CONCURRENCY) -> list[Race]:
    """Let every contender run `repeat` times, in turn, so that a busy moment of the machine hits them alike."""
    races = []
    for _ in range(repeat):
        for contender in CONTENDERS:
            races.append(race(ground, contender, concurrency=concurrency))
            heard(races[-1])
    return races


def _result(ground: Ground, contender: str, reading: Reading, documents: int, server_cpu_s: float) -> Race:
    pages = _fetched(ground)
    return Race(
        contender=contender,
        pages=len(pages),
        strays=len(set(pages) ^ set(ground.pages)),
        documents=documents,
        wall_s=reading.wall_s,
        cpu_s=reading.cpu_s,
        server_cpu_s=server_cpu_s,
        peak_bytes=reading.peak_bytes,
    )


def _fetched(ground: Ground) -> list[str]:
    return [each.url for each in ground.server.log() if each.status == 200 and not each.url.endswith("/robots.txt")]


def _our_command(ground: Ground, data: Path, concurrency: int) -> list[str]:
    flags = ["--delay", "0", "--concurrency", str(concurrency), "--allow-address", "127.0.0.1", "--progress", "none"]
    flags += [word for pattern in ground.excluded for word in ("--exclude", pattern)]
    flags += ["--max-depth", str(ground.max_depth)] if ground.max_depth is not None else []
    return [sys.executable, "-m", "thresher", "--data", str(data), "crawl", *ground.starts, *flags]


def _spider_command(kind: str, ground: Ground, folder: Path, concurrency: int) -> list[str]:
    starts = ground.pages if kind == "download" else ground.starts
    order = Order(
        kind,
        starts=starts,
        origins=ground.server.origins,
        excluded=ground.excluded,
        noise=ground.noise,
        max_depth=ground.max_depth,
        concurrency=concurrency,
    )
    file = folder / "order.json"  # a list of URLs may be too long for a command line
    file.write_text(json.dumps(asdict(order)), "utf-8")
    return [sys.executable, "-m", plain_spiders.__name__, str(file)]


def _stored(data: Path) -> int:
    corpus = wiring.open_corpus(Settings(data=str(data)), create=False)
    try:
        return corpus.index.count()
    finally:
        corpus.close()
