"""A worker that takes the time of its calls to the frontier: `python -m thresher.lab.fleet_worker ORDER`.

It does what `thresher worker run` does. ORDER is a file that holds settings and a run's number as JSON; the figures
are written to FIGURES in the current folder.
"""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from thresher import wiring
from thresher.config import Settings
from thresher.crawling.landing import Landing
from thresher.crawling.run import work
from thresher.errors import UsageError
from thresher.frontier.contract import Census, Frontier

FIGURES = "figures.json"


class Timed:
    """Anything, with the time that its methods take; each is called from one thread at a time."""

    def __init__(self, inner: object, spent: dict[str, float]) -> None:
        self._inner, self._spent = inner, spent

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)
        return self._timed(method) if callable(method) else method

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            began_s, cpu_s = time.perf_counter(), time.thread_time()
            try:
                return method(*args, **kwargs)
            finally:
                self._spent["wall_s"] += time.perf_counter() - began_s
                self._spent["cpu_s"] += time.thread_time() - cpu_s
                self._spent["calls"] += 1

        return call


class _Clock:
    """The clock of "a distributed crawler" papers: from when a response has arrived to when it is parsed, summed."""

    def __init__(self) -> None:
        self.arrived_to_parsed_s = 0.0

    def landed(self, landing: Landing) -> None:
        self.arrived_to_parsed_s += landing.extract_s or 0.0

    def counted(self, census: Census) -> None:
        return

    def draining(self) -> None:
        return


def main(order: dict[str, Any]) -> None:
    """Work on the run until it is over, and write the figures."""
    settings = Settings(**order["settings"] | {"allowed_addresses": tuple(order["settings"]["allowed_addresses"])})
    spent = {"wall_s": 0.0, "cpu_s": 0.0, "calls": 0.0}
    clock = _Clock()
    opened = wiring.open_corpus(settings)
    corpus = replace(opened, frontier=lambda job, rules: cast(Frontier, Timed(opened.frontier(job, rules), spent)))
    run = corpus.store.run(order["run"])
    if run is None:
        raise UsageError(f"there is no run {order['run']}")
    try:
        work(corpus, run, wiring.means(settings), clock)
    finally:
        corpus.close()
        figures = spent | {"arrived_to_parsed_s": clock.arrived_to_parsed_s}
        Path(FIGURES).write_text(json.dumps(figures))


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text("utf-8")))
