"""What came of a crawl's races: a Markdown table with ratios, and plain data."""

import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib import metadata
from statistics import median
from typing import Any

import thresher
from thresher.lab.crawl_bench import CONTENDERS, Race
from thresher.lab.tables import table

YARDSTICK = "trafilatura"
HEADER = (
    "",
    "pages",
    "documents",
    "seconds",
    "pages/s",
    f"× {YARDSTICK}",
    "CPU ms/page",
    "server's",
    "peak MB",
)
LIBRARIES = ("scrapy", "twisted", "lxml", "sqlalchemy", "trafilatura")


def markdown(races: Sequence[Race]) -> str:
    """Return a table with a line for each contender: medians over its races, ratios against the yardstick."""
    lines = []
    for contender, label in CONTENDERS.items():
        own = [each for each in races if each.contender == contender]
        if own:
            lines.append([label, *_figures(own), f"{median(each.peak_bytes for each in own) / 1e6:.0f}"])
            lines[-1].insert(5, f"{speed_ratio(races, contender):.2f}")
    return table(HEADER, lines)


def speed_ratio(races: Sequence[Race], contender: str) -> float:
    """Return how many times as many pages a second a contender makes as the yardstick: the median over the rounds."""
    speeds = {name: [each.pages_per_s for each in races if each.contender == name] for name in (contender, YARDSTICK)}
    return median(own / other for own, other in zip(speeds[contender], speeds[YARDSTICK], strict=True))


def cores() -> int:
    """Return how many cores there are for all of it: server, crawler and extractors."""
    return len(os.sched_getaffinity(0))


def load() -> float:
    """Return how many processes of the machine wanted a core over the last minute."""
    return os.getloadavg()[0]


def versions() -> dict[str, str]:
    """Return the versions of what was measured, and of what it was measured with."""
    found = {name: metadata.version(name) for name in LIBRARIES}
    return {"thresher": thresher.__version__, "python": platform.python_version(), **found}


def as_data(races: Sequence[Race], **facts: Any) -> dict[str, Any]:
    """Return the races, their ratios and the facts as JSON data."""
    ratios = {name: speed_ratio(races, name) for name in CONTENDERS if any(each.contender == name for each in races)}
    return {
        **facts,
        "cores": cores(),
        "versions": versions(),
        "ratios": ratios,
        "races": [asdict(each) for each in races],
    }


def _figures(own: Sequence[Race]) -> list[str]:
    return [
        _spread([each.pages for each in own]),
        _spread([each.documents for each in own]),
        f"{median(each.wall_s for each in own):.1f}",
        f"{median(each.pages_per_s for each in own):.1f}",
        f"{median(1000 * each.cpu_s / each.pages for each in own):.1f}",
        f"{median(1000 * each.server_cpu_s / each.pages for each in own):.1f}",
    ]


def _spread(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"
