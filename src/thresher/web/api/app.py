"""The API as an application of its own, with its description and its errors."""

import json
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import ThresherError
from thresher.version import __version__
from thresher.web.api import alerts, documents, exports, people, runs, sources, workers
from thresher.web.api.guards import SCHEME
from thresher.web.api.shapes import Problem
from thresher.web.problems import problem
from thresher.web.views import on_error

ABOUT = """Search, read and steer a corpus of Thresher.

Send a token as `Authorization: Bearer …`; `thresher user token NAME` makes one. Errors are problem details (RFC 9457).
Lists give `total` and `next`; pass `next` as `after` to go on.
"""
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": words,
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status, words in {
        "4XX": "The request was refused, and why.",
        "5XX": "Something is not available, and what.",
    }.items()
}
FILE = Path(__file__).with_name("openapi.json")
MAX_FAULTS = 20  # that are told of one request


def create_api() -> FastAPI:
    """Return the API; it is mounted at /api/v1."""
    api = FastAPI(
        title="Thresher",
        version=__version__,
        description=ABOUT,
        docs_url=None,  # its pages load scripts from elsewhere
        redoc_url=None,
        openapi_url=None,
        dependencies=SCHEME,
        responses=PROBLEMS,
        separate_input_output_schemas=False,
        redirect_slashes=False,
    )
    for module in (documents, exports, alerts, sources, runs, workers, people):
        api.include_router(module.ROUTER)
    api.add_api_route("/openapi.json", _description, include_in_schema=False)
    api.add_exception_handler(ThresherError, on_error)
    api.add_exception_handler(HTTPException, on_error)
    api.add_exception_handler(RequestValidationError, _misunderstood)
    api.add_exception_handler(Exception, on_error)
    api.openapi = lambda: description(api)  # type: ignore[method-assign]
    return api


def description(api: FastAPI | None = None) -> dict[str, Any]:
    """Return the OpenAPI description, as it is shipped."""
    app = api or create_api()
    told = FastAPI.openapi(app)
    told["servers"] = [{"url": "/api/v1"}]
    told["components"]["schemas"]["Problem"] = Problem.model_json_schema()
    return told


def shipped() -> dict[str, Any]:
    """Return the description in the file that the package brings."""
    told: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return told


def write_description() -> None:
    """Write the description to the file that the package brings."""
    FILE.write_bytes(_json(description()) + b"\n")


async def _description(request: Request) -> Response:
    """Answer the description of this API."""
    app: FastAPI = request.app
    from_base = f"{request.scope.get('root_path', '')}"
    return Response(_json(app.openapi() | {"servers": [{"url": from_base}]}), media_type="application/json")


async def _misunderstood(request: Request, error: Exception) -> Response:
    faults = error.errors() if isinstance(error, RequestValidationError) else []
    told = [{"where": "/".join(map(str, fault["loc"])), "what": fault["msg"]} for fault in faults[:MAX_FAULTS]]
    words = "; ".join(f"{each['where']}: {each['what']}" for each in told) or "the request cannot be read"
    return problem(422, words, more={"errors": told})


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()
