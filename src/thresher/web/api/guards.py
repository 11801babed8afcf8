"""Who may call what of the API: dependencies that its functions name."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Security
from fastapi.security import HTTPBearer
from starlette.requests import Request

from thresher.catalog.accounts import Role
from thresher.web.access import address_of, check_meant, identify, require
from thresher.web.accounts import Visitor
from thresher.web.problems import Refused
from thresher.web.site import Site, site_of

BEARER = HTTPBearer(auto_error=False, description="A token: `thresher user token NAME`, or Settings.")


def _needs(role: Role) -> Callable[[Request], Awaitable[Visitor]]:
    async def visitor_of(request: Request) -> Visitor:
        return require(await _known(request), role)

    return visitor_of


async def _worker(request: Request) -> Visitor:
    visitor = await _known(request)
    if visitor is None or not visitor.may_work:
        require(visitor, Role.ADMIN)
        raise Refused(403, "this takes a token with the scope worker, or an admin")
    return visitor


async def _known(request: Request) -> Visitor | None:
    site = site_of(request)
    site.callers.spend(address_of(request))
    visitor = await identify(request)
    if visitor and visitor.token:
        site.callers.spend(f"{visitor.name}/{visitor.token}")
    await check_meant(request)
    return visitor


async def _dear(request: Request) -> None:
    """Count what is dear for who asks, not for an address: strangers could use that up for all behind one proxy."""
    if visitor := await identify(request):
        site_of(request).dear_callers.spend(visitor.name)


_SCHEME = Security(BEARER)
Reader = Annotated[Visitor, Depends(_needs(Role.VIEWER))]
Analyst = Annotated[Visitor, Depends(_needs(Role.ANALYST))]
Admin = Annotated[Visitor, Depends(_needs(Role.ADMIN))]
WorkerOrAdmin = Annotated[Visitor, Depends(_worker)]
Here = Annotated[Site, Depends(site_of)]
SCHEME = [_SCHEME]
DEAR = [Depends(_dear)]  # what fetches from elsewhere, or computes for seconds
