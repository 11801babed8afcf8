"""First run, login and logout."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.catalog.accounts import Role
from thresher.errors import NotPermitted
from thresher.web.access import address_of, end_session, may_set_up, start_session
from thresher.web.frame import wording_of
from thresher.web.problems import Refused
from thresher.web.site import site_of
from thresher.web.views import View, page, redirect

WELCOME, SAMPLE = "/welcome", "sample"
MAX_NEXT = 2_000  # characters of an address to go on to


async def setup(request: Request) -> View | Response:
    """Make the first account, and log in with it."""
    site, token = site_of(request), request.query_params.get("token", "")
    if await site.gate.has_users():
        return redirect(request, "login")
    form = await request.form() if request.method == "POST" else {}
    token = str(form.get("token") or token)
    data = {"allowed": may_set_up(request, token), "token": token, "name": "", "error": ""}
    if request.method == "GET":
        return View("setup.html", "First run", data)
    if not data["allowed"]:
        raise NotPermitted("the first account takes the one-time token that `thresher serve` printed on its console")
    name, password = str(form.get("name", "")), str(form.get("password", ""))
    await site.gate.create(name, password, Role.ADMIN, first=True)
    await site.gate.note(name, "setup", address=address_of(request))
    return await _logged_in(request, name, password, WELCOME)


async def welcome(request: Request) -> View:
    """Offer what to begin with."""
    process = site_of(request).processes.get(SAMPLE)
    data = {"sample": bool(process and process.state != "ended"), "_cli": "thresher demo"}
    return View("welcome.html", wording_of(request).gettext("Welcome"), data)


async def welcome_sample(request: Request) -> Response:
    """Serve the sample site on this machine, and crawl it into this corpus."""
    site = site_of(request)
    site.processes.start(SAMPLE, ["demo", "--data", site.settings.data, "--port", "0"])
    notice = wording_of(request).gettext("The sample is being collected; its documents can be found as they land.")
    return redirect(request, "crawls", notice=notice)


async def login(request: Request) -> View | Response:
    """Log in."""
    site = site_of(request)
    if not await site.gate.has_users():
        return redirect(request, "setup")
    data = {"name": "", "error": "", "next": request.query_params.get("next", "")}
    if request.method == "GET":
        return View("login.html", "Log in", data)
    form = await request.form()
    name, password, onward = (str(form.get(field, "")) for field in ("name", "password", "next"))
    try:
        return await _logged_in(request, name, password, onward)
    except Refused as error:
        data = {"name": name, "error": str(error), "next": onward}
        return View("login.html", "Log in", data, status=error.status, headers=error.headers)


async def logout(request: Request) -> Response:
    """End the session."""
    if request.state.user:
        await site_of(request).gate.logout(request.state.user.session)
    response = redirect(request, "login")
    end_session(request, response)
    return response


async def _logged_in(request: Request, name: str, password: str, onward: str) -> Response:
    site = site_of(request)
    agent = request.headers.get("user-agent", "")
    secret = await site.gate.login(name, password, address=address_of(request), agent=agent)
    response = redirect(request, "today")
    if is_inside(onward):
        response.headers["location"] = site.paths.at(onward)
    start_session(request, response, secret)
    return response


def is_inside(path: str) -> bool:
    """Say whether a path leads to a page of this application, and nowhere else."""
    return path.startswith("/") and path[1:2] not in ("/", "\\") and path.isprintable() and len(path) < MAX_NEXT


ROUTES: list[Route] = [
    *page("/setup", setup, name="setup", role=None, methods=("GET", "POST")),
    *page("/welcome", welcome, name="welcome"),
    *page("/welcome/sample", welcome_sample, name="welcome_sample", role="admin", methods=("POST",)),
    *page("/login", login, name="login", role=None, methods=("GET", "POST")),
    *page("/logout", logout, name="logout", role=None, methods=("POST",)),
]
