"""Settings: users, sessions, tokens, what was done by whom, how the machine is set up, and a backup to take away."""

import dataclasses
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from thresher import config, sqlite
from thresher.catalog.accounts import Accounts, Role, Scope
from thresher.config import SQLITE, Settings
from thresher.errors import UsageError
from thresher.web.access import address_of, noted
from thresher.web.frame import wording_of
from thresher.web.problems import Refused
from thresher.web.site import site_of
from thresher.web.views import View, page, redirect

EVENTS = 200  # of the audit log that are shown
ADMINS_ALONE = (Scope.ADMIN, Scope.WORKER)
BROWSERS = ("Edg", "OPR", "Firefox", "HeadlessChrome", "Chrome", "Safari", "curl")  # one names those behind it as well
SHORT = {"Edg": "Edge", "OPR": "Opera", "HeadlessChrome": "Chrome"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iOS",
    "iPad": "iOS",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "Linux": "Linux",
}
GROUPS = {  # settings by what they are about; the others are "more"
    "politeness": ("contact", "delay_s", "concurrency", "host_concurrency", "crawl_delay_cap_s", "timeout_s"),
    "retention": ("host_bytes", "run_bytes", "disk_reserve_bytes", "host_pages", "site_hosts", "barren_pages"),
    "watching": ("shortest_interval_s", "longest_interval_s", "recheck_h", "comment_feeds"),
    "places": ("data", "store", "catalog", "index", "frontier"),
}


async def settings(request: Request) -> View:
    """Show one's own account: sessions and tokens."""
    site, me = site_of(request), request.state.user
    sessions = await site.corpora.accounts(lambda book: book.sessions(me.name))
    tokens = await site.corpora.accounts(lambda book: book.tokens(me.name))
    now = datetime.now(UTC)
    data = {
        "tab": "account",
        **_about(request),
        "name": me.name,
        "role": str(me.role),
        "sessions": [_session(each, me.session) for each in sessions if each.expires_at > now],
        "tokens": [_token(each) for each in tokens],
        "_scope_choices": _choices(request, [s for s in Scope if me.role is Role.ADMIN or s not in ADMINS_ALONE]),
        "_secret": "",
        "_cli": f"thresher user token {me.name} NAME",
    }
    return View("settings_account.html", wording_of(request).gettext("Settings"), data, rows=data["tokens"])


async def account(request: Request) -> View | Response:
    """Change one's own password, end a session, make or remove a token."""
    site, me, form, _ = site_of(request), request.state.user, await request.form(), wording_of(request)
    values = {name: str(value) for name, value in form.items()}
    action = values.get("action", "")
    if action == "password":
        await _change_password(request, values)
        return redirect(request, "settings", notice=_.gettext("The password is changed; other sessions have ended."))
    if action == "end":
        mine = await site.corpora.accounts(lambda book: book.sessions(me.name))
        if any(each.id == values.get("session") for each in mine):
            await site.gate.logout(values["session"])
        return redirect(request, "settings", notice=_.gettext("The session has ended."))
    if action == "revoke":
        await site.corpora.accounts(lambda book: book.remove_token(me.name, values.get("token", "")))
        await noted(request, "token.remove", values.get("token", ""))
        return redirect(request, "settings", notice=_.gettext("The token is no longer valid."))
    if action != "token":
        raise UsageError(f"{action!r} is not one of password, end, token, revoke")
    days = values.get("days", "")
    scope = Scope(values.get("scope", "read")) if values.get("scope", "read") in list(Scope) else Scope.READ
    secret = await site.gate.make_token(
        me.name, values.get("token", ""), scope, days=int(days) if days.isdecimal() and days != "0" else None
    )
    await noted(request, "token.add", f"{values.get('token', '')} ({scope})")
    view = await settings(request)
    view.data["_secret"] = secret  # shown once, on this page alone
    return view


async def users(request: Request) -> View | Response:
    """List, add, change and remove users."""
    site, _ = site_of(request), wording_of(request)
    if request.method == "POST":
        values = {name: str(value) for name, value in (await request.form()).items()}
        notice = await _change_user(request, values)
        return redirect(request, "settings_users", notice=notice)
    rows = await site.corpora.accounts(_user_rows)
    data = {
        "tab": "users",
        **_about(request),
        "rows": rows,
        "_roles": [str(role) for role in Role],
        "_role_choices": _choices(request, Role),
        "_cli": "thresher user add NAME",
    }
    return View("settings_users.html", _.gettext("Users"), data, rows=rows)


async def audit(request: Request) -> View:
    """Show who did what."""
    found = await site_of(request).corpora.accounts(lambda book: book.events(limit=EVENTS))
    rows = [{"at": e.at, "user": e.user, "action": e.action, "target": e.target, "address": e.address} for e in found]
    data = {"tab": "audit", **_about(request), "rows": rows, "_cli": ""}
    return View("settings_audit.html", wording_of(request).gettext("Audit log"), data, rows=rows)


async def machine(request: Request) -> View:
    """Show every setting with its value, its meaning and where it comes from."""
    site = site_of(request)
    rows = setting_rows(site.settings)
    data = {
        "tab": "machine",
        **_about(request),
        "groups": {group: [row for row in rows if row["group"] == group] for group in (*GROUPS, "more")},
        "_names": {
            "politeness": "Politeness",
            "retention": "Limits and retention",
            "watching": "Watching",
            "places": "Places",
            "more": "More",
        },
        "backup": site.settings.store_url.startswith(SQLITE),
        "_cli": "thresher config show --origin",
    }
    return View("settings_machine.html", wording_of(request).gettext("This machine"), data, rows=rows)


def setting_rows(chosen: Settings) -> list[dict[str, Any]]:
    """Return every setting with its group, masked value, default and meaning."""
    group_of = {name: group for group, names in GROUPS.items() for name in names}
    origins = config.load({}).origin
    return [
        {
            "setting": item.name,
            "group": group_of.get(item.name, "more"),
            "value": config.shown(item.name, getattr(chosen, item.name)),
            "origin": _origin(origins[item.name], is_default=getattr(chosen, item.name) == item.default),
            "meaning": item.metadata["help"],
        }
        for item in dataclasses.fields(Settings)
    ]


async def backup(request: Request) -> Response:
    """Hand out a copy of the embedded corpus, of one moment, while work goes on."""
    site = site_of(request)
    url = site.settings.store_url
    if not url.startswith(SQLITE):
        raise UsageError("the store is a server: back it up with its own tools, or copy it with `thresher migrate`")
    folder = tempfile.TemporaryDirectory(prefix="thresher-")
    target = Path(folder.name) / f"thresher-{datetime.now(UTC):%Y%m%d-%H%M%S}.db"
    try:
        await run_in_threadpool(sqlite.copy, Path(url.removeprefix(SQLITE)), target)
    except BaseException:
        folder.cleanup()
        raise
    await noted(request, "backup", target.name)
    done = BackgroundTask(folder.cleanup)
    return FileResponse(target, filename=target.name, headers={"cache-control": "no-store"}, background=done)


async def _change_password(request: Request, values: dict[str, str]) -> None:
    site, me = site_of(request), request.state.user
    if not await site.gate.check(me.name, values.get("old", ""), address=address_of(request)):
        raise Refused(403, "the present password is another one")
    await site.gate.set_password(me.name, values.get("new", ""), keep=me.session)
    await noted(request, "user.password", me.name)


async def _change_user(request: Request, values: dict[str, str]) -> str:
    """Do what the form of users says; return what to tell."""
    site, _ = site_of(request), wording_of(request)
    name, action = values.get("name", "").strip(), values.get("action", "")
    role = Role(values["role"]) if values.get("role") in list(Role) else Role.VIEWER
    if action == "add":
        await site.gate.create(name, values.get("password", ""), role)
        notice = _.gettext("%(name)s can log in now.", name=name)
    elif action == "role":
        await site.gate.set_role(name, role)
        notice = _.gettext("%(name)s is changed.", name=name)
    elif action == "remove":
        await site.gate.remove(name)
        notice = _.gettext("%(name)s is removed.", name=name)
    else:
        raise UsageError(f"{action!r} is not one of add, role, remove")
    await noted(request, f"user.{action}", f"{name} ({role})")
    return notice


def _user_rows(book: Accounts) -> list[dict[str, Any]]:
    return [
        {
            "name": user.name,
            "role": str(user.role),
            "created": user.created_at,
            "sessions": len(book.sessions(user.name)),
            "tokens": len(book.tokens(user.name)),
        }
        for user in book.users()
    ]


def _choices(request: Request, values: Iterable[StrEnum]) -> list[tuple[str, str]]:
    texts = wording_of(request)
    return [(str(value), texts.gettext(str(value))) for value in values]


def _about(request: Request) -> dict[str, Any]:
    """Return what the tabs need: where alerts are set up."""
    paths = site_of(request).paths
    return {"address_of_alerts": paths.of("alerts") if paths.has("alerts") else ""}


def _session(session: Any, mine: str) -> dict[str, Any]:
    names = ("id", "created_at", "seen_at", "expires_at", "address", "agent")
    facts = {name: getattr(session, name) for name in names}
    return facts | {"browser": browser_of(session.agent or ""), "current": session.id == mine}


def browser_of(agent: str) -> str:
    """Return what a User-Agent says in a few words: the browser, its version and the system; else as it is."""
    name = next((each for each in BROWSERS if f"{each}/" in agent), "")
    system = next((shown for word, shown in SYSTEMS.items() if word in agent), "")
    if not name:
        return agent[:80]
    version = agent.partition("Version/" if name == "Safari" else f"{name}/")[2].partition(".")[0]
    words = f"{SHORT.get(name, name)} {version}"
    return f"{words}, {system}" if system else words


def _token(token: Any) -> dict[str, Any]:
    names = ("name", "created_at", "used_at", "expires_at")
    return {name: getattr(token, name) for name in names} | {"scope": str(token.scope)}


def _origin(origin: str, *, is_default: bool) -> str:
    """Return where a value comes from, without the path of a file; what differs without an origin is a flag's."""
    if origin == "default":
        return "default" if is_default else "flag"
    return origin if origin == "environment" else Path(origin).name


ROUTES: list[Route] = [
    *page("/settings", settings, name="settings"),
    *page("/settings/account", account, name="settings_account", methods=("POST",)),
    *page("/settings/users", users, name="settings_users", role="admin", methods=("GET", "POST")),
    *page("/settings/audit", audit, name="settings_audit", role="admin"),
    *page("/settings/machine", machine, name="settings_machine", role="analyst"),
    *page("/settings/backup", backup, name="settings_backup", role="admin", methods=("POST",)),
]
