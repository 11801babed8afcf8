"""What every request can reach: settings, the corpus, accounts, templates, routes and processes."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from starlette.requests import HTTPConnection
from starlette.routing import Route

from thresher.config import Settings
from thresher.metrics import Metrics
from thresher.web.accounts import Gate
from thresher.web.corpora import Corpora
from thresher.web.errands import Errands
from thresher.web.kept import Kept
from thresher.web.paths import Paths
from thresher.web.processes import Processes
from thresher.web.rates import Rates
from thresher.web.reading import Readings
from thresher.web.templates import Templates
from thresher.web.workforce import Workforce

REQUESTS_PER_MIN = 1_200


@dataclass(frozen=True, slots=True)
class WebOptions:
    """How the application is served; the defaults are those of a machine's own user."""

    base_path: str = ""  # "/news" when the application is at https://host/news/
    trust_proxy: bool = False  # X-Forwarded-For, -Proto and -Host are believed
    allowed_hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")  # empty: any
    setup_token: str = ""  # what who is not on this machine needs to make the first account; empty: refused
    reader_threads: int = 4
    password_cost: int = 3  # passes of argon2
    requests_per_min: int = REQUESTS_PER_MIN  # of the API, by address and by token; 0: no limit


@dataclass(slots=True)
class Site:
    """The running application; handlers find it with `site_of(request)`."""

    settings: Settings
    options: WebOptions
    corpora: Corpora
    gate: Gate
    templates: Templates
    paths: Paths
    processes: Processes
    workforce: Workforce
    kept: Kept  # what takes longer than a page may: stories, words, trends
    counted: Kept  # large runs, which do not wait until all stories are found
    errands: Errands
    readings: Readings
    callers: Rates  # of the API, by address and by token
    dear_callers: Rates  # of what fetches or computes for seconds
    exports: asyncio.Semaphore  # those that may run at the same time
    metrics: Metrics
    routes: Sequence[Route] = field(default_factory=list)


def site_of(connection: HTTPConnection) -> Site:
    """Return the application that a request belongs to."""
    return cast(Site, connection.state.site)
