"""Pieces of pages for what goes on: rendered alone, and told again and again."""

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request

from thresher.web.site import site_of
from thresher.web.views import View, values_of


def render_block(request: Request, view: View, block: str) -> str:
    """Return one block of a template as HTML."""
    return site_of(request).templates.render(view.template, values_of(request, view), block=block)


async def ticks(every_s: float) -> AsyncIterator[None]:
    """Yield at once, and then every so often."""
    while True:
        yield
        await asyncio.sleep(every_s)
