"""Static files: under an address that changes with their content, so that browsers keep them for good."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from thresher.web.site import site_of
from thresher.web.templates import STATIC

FOR_GOOD = "public, max-age=31536000, immutable"
TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain",
}


async def _file(request: Request) -> Response:
    version, name = request.path_params["version"], request.path_params["name"]
    path = (STATIC / name).resolve()
    if not path.is_relative_to(STATIC.resolve()) or not path.is_file() or path.suffix not in TYPES:
        raise HTTPException(404, "there is no such file")
    current = version == site_of(request).templates.version
    headers = {"cache-control": FOR_GOOD if current else "no-cache"}
    return FileResponse(path, media_type=TYPES[path.suffix], headers=headers)


ROUTES = [Route("/static/{version}/{name:path}", _file, name="static")]
