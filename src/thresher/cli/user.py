"""`thresher user`: accounts of the web application, and tokens for programs."""

import asyncio
import getpass
import sys
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import click

from thresher.catalog.accounts import Accounts, Role, Scope
from thresher.cli import columns, exits
from thresher.cli.options import catalog_options, settings
from thresher.cli.terminal import say, show_data
from thresher.errors import UsageError
from thresher.web.accounts import Gate, check_name, check_password
from thresher.web.corpora import Corpora

T = TypeVar("T")
CONSOLE = "console"  # who it was, in the audit log


@click.group("user")
def command() -> None:
    """Add and remove users of the web application, and make tokens for programs.

    Roles: a viewer reads; an analyst also changes sources, crawls and searches; an admin also changes users, workers
    and settings.
    """


_ROLE = click.Choice([str(role) for role in Role])


@command.command("add")
@click.argument("name")
@click.option("--role", type=_ROLE, default="viewer", show_default=True, help="What the user may do.")
@catalog_options
@click.pass_context
def add(ctx: click.Context, /, name: str, role: str, **places: Any) -> int:
    """Add a user; the password is asked for, or read from standard input."""
    check_name(name)
    password = _password(name)
    _with_gate(ctx, places, lambda gate: gate.create(name, password, Role(role)), "user.add", name)
    say(f"{name} can log in as {role}")
    return exits.DONE


@command.command("passwd")
@click.argument("name")
@catalog_options
@click.pass_context
def passwd(ctx: click.Context, /, name: str, **places: Any) -> int:
    """Change a password; all sessions of the user end."""
    password = _password(name)
    _with_gate(ctx, places, lambda gate: gate.set_password(name, password), "user.password", name)
    say(f"the password of {name} is changed, and all sessions are ended")
    return exits.DONE


@command.command("role")
@click.argument("name")
@click.argument("role", type=_ROLE)
@catalog_options
@click.pass_context
def role_(ctx: click.Context, /, name: str, role: str, **places: Any) -> int:
    """Change what a user may do."""
    _with_gate(ctx, places, lambda gate: gate.set_role(name, Role(role)), "user.role", name)
    say(f"{name} is {role} now")
    return exits.DONE


@command.command("remove")
@click.argument("name")
@catalog_options
@click.pass_context
def remove(ctx: click.Context, /, name: str, **places: Any) -> int:
    """Remove a user with all sessions and tokens."""
    _with_gate(ctx, places, lambda gate: gate.remove(name), "user.remove", name)
    say(f"{name} is removed")
    return exits.DONE


@command.command("list")
@click.option("-f", "--format", "format_", type=click.Choice(columns.FORMATS), default="txt", show_default=True)
@catalog_options
@click.pass_context
def list_(ctx: click.Context, /, format_: str, **places: Any) -> int:
    """List users and how many tokens they have."""
    users, tokens = _read(ctx, places, lambda accounts: (accounts.users(), accounts.tokens()))
    rows = [
        {
            "name": user.name,
            "role": str(user.role),
            "since": user.created_at.isoformat(timespec="seconds"),
            "tokens": sum(token.user == user.name for token in tokens),
        }
        for user in users
    ]
    columns.show(rows, format_, empty="no user; `thresher user add NAME --role admin` adds one")
    return exits.DONE


@command.command("token")
@click.argument("user")
@click.argument("name")
@click.option(
    "--scope",
    type=click.Choice([str(scope) for scope in Scope]),
    default="read",
    show_default=True,
    help="What it is for.",
)
@click.option("--days", type=click.IntRange(1, 36_500), help="Days until it ends (default: never).")
@click.option("--revoke", is_flag=True, help="End the token instead.")
@catalog_options
@click.pass_context
def token(ctx: click.Context, /, **flags: Any) -> int:
    """Make a token for a program, and print it. It acts for the user, is stored hashed, and cannot be shown again."""
    user, name = flags.pop("user"), flags.pop("name")
    scope, days, revoke = Scope(flags.pop("scope")), flags.pop("days"), flags.pop("revoke")
    if revoke:
        if not _read(ctx, flags, lambda accounts: accounts.remove_token(user, name)):
            raise UsageError(f"{user} has no token {name}")
        say(f"the token {name} of {user} is ended")
        return exits.DONE
    target = f"{user}/{name} ({scope})"
    show_data(_with_gate(ctx, flags, lambda gate: gate.make_token(user, name, scope, days=days), "token.make", target))
    return exits.DONE


def _with_gate(
    ctx: click.Context, places: dict[str, Any], work: Callable[[Gate], Awaitable[T]], action: str, target: str
) -> T:
    """Do something with the accounts, and note it in the audit log."""
    corpora = Corpora(settings(ctx, **places))

    async def done() -> T:
        gate = Gate(corpora)
        result = await work(gate)
        await gate.note(CONSOLE, action, target)
        return result

    try:
        return asyncio.run(done())
    finally:
        corpora.close()


def _read(ctx: click.Context, places: dict[str, Any], work: Callable[[Accounts], T]) -> T:
    corpora = Corpora(settings(ctx, **places))
    try:
        return asyncio.run(corpora.accounts(work))
    finally:
        corpora.close()


def _password(name: str) -> str:
    if not sys.stdin.isatty():
        return check_password(sys.stdin.readline().rstrip("\r\n"), name)
    password = check_password(getpass.getpass("Password: "), name)
    if getpass.getpass("Once more: ") != password:
        raise UsageError("the two are not the same")
    return password
