"""The application: pages, the HTTP API and static files behind one defence, over one corpus."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import chain

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from thresher.config import Settings
from thresher.errors import ThresherError
from thresher.metrics import Metrics
from thresher.web import assets, feeds, monitoring, websub
from thresher.web.accounts import Gate
from thresher.web.api import exports
from thresher.web.api.app import create_api
from thresher.web.corpora import Corpora
from thresher.web.defence import HEADERS, Defence
from thresher.web.errands import Errands
from thresher.web.kept import Kept
from thresher.web.pages import MODULES
from thresher.web.paths import Paths
from thresher.web.processes import Processes
from thresher.web.rates import Rates
from thresher.web.reading import Readings
from thresher.web.site import Site, WebOptions
from thresher.web.templates import Templates
from thresher.web.views import on_error
from thresher.web.workforce import Workforce

Start = Callable[[Site], Awaitable[None]]


def create_app(settings: Settings, *, options: WebOptions | None = None, on_start: Start | None = None) -> Starlette:
    """Return the web application over the corpus that the settings name; it is made where there is none.

    `on_start` is called in the running event loop before the first request, to start processes for instance.
    """
    chosen = options or WebOptions()
    pages = list(chain.from_iterable(module.ROUTES for module in MODULES))
    routes: list[Route] = [*monitoring.ROUTES, *assets.ROUTES, *feeds.ROUTES, *websub.ROUTES, *pages]
    corpora = Corpora(settings, threads=chosen.reader_threads)
    site = Site(
        settings=settings,
        options=chosen,
        corpora=corpora,
        gate=Gate(corpora, passes=chosen.password_cost),
        templates=Templates(),
        paths=Paths(routes, chosen.base_path),
        processes=Processes(settings),
        workforce=Workforce(settings, corpora),
        kept=Kept(settings),
        counted=Kept(settings),
        errands=Errands(settings),
        readings=Readings(settings),
        callers=Rates(chosen.requests_per_min, chosen.requests_per_min // 4),
        dear_callers=Rates(chosen.requests_per_min // 20, chosen.requests_per_min // 40),
        exports=asyncio.Semaphore(exports.AT_ONCE),
        metrics=Metrics("serve"),
    )
    every: list[BaseRoute] = [Mount("/api/v1", create_api(), name="api"), *routes]
    app = Starlette(
        routes=every,
        middleware=[Middleware(Defence, site=site)],
        exception_handlers={ThresherError: on_error, HTTPException: on_error, Exception: _on_failure},
        lifespan=lambda _: _lifespan(site, on_start),
    )
    app.state.site = site
    return app


@asynccontextmanager
async def _lifespan(site: Site, on_start: Start | None) -> AsyncIterator[None]:
    try:
        if on_start:
            await on_start(site)
        yield
    finally:
        site.errands.close()
        await asyncio.to_thread(site.workforce.close)
        await site.processes.close()
        await site.kept.close()
        await site.counted.close()
        await asyncio.to_thread(site.readings.close)
        await asyncio.to_thread(site.corpora.close)


async def _on_failure(request: Request, error: Exception) -> Response:
    """Answer what nobody foresaw; this handler stands before the defence, which adds the headers to all others."""
    response = await on_error(request, error)
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
