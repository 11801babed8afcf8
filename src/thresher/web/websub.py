"""Where WebSub hubs reach us: they ask whether a subscription was meant, and tell when a feed has something new."""

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from thresher import services
from thresher.watching.websub import Notice
from thresher.web.corpora import OpenCorpus
from thresher.web.site import site_of


async def confirm(request: Request) -> Response:
    """Answer the challenge of a hub for what we asked it for, 404 for anything else."""
    told = dict(request.query_params)
    path = request.path_params["path"]
    settings = site_of(request).settings

    def confirmed(opened: OpenCorpus) -> str | None:
        return services.hubs(opened.parts, settings).confirm(path, told, datetime.now(UTC))

    answer = await site_of(request).corpora.write(confirmed)
    return PlainTextResponse("no such subscription", 404) if answer is None else PlainTextResponse(answer)


async def notice(request: Request) -> Response:
    """Take what a hub sends; it learns nothing about its signature. 410 tells it that nobody wants to hear of it."""
    sent = Notice(request.path_params["path"], await request.body(), request.headers.get("x-hub-signature", ""))
    settings = site_of(request).settings

    def noticed(opened: OpenCorpus) -> bool:
        return services.hubs(opened.parts, settings).notice(sent, datetime.now(UTC))

    is_wanted = await site_of(request).corpora.write(noticed)
    return Response(status_code=202 if is_wanted else 410)


ROUTES = [
    Route(f"{services.HUB_PATH}{{path}}", confirm, methods=["GET"], name="websub"),
    Route(f"{services.HUB_PATH}{{path}}", notice, methods=["POST"], name="websub_notice"),
]
