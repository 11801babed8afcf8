"""`thresher serve`: the web application and the HTTP API, with workers and a watch beside them."""

import secrets
import socket
import webbrowser
from collections.abc import Awaitable, Callable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from thresher import logs, services
from thresher.cli import exits
from thresher.cli.options import places_in, server_options, settings
from thresher.cli.terminal import TIMED, keep_log, log_to_stderr, say
from thresher.config import Settings
from thresher.crawling.identity import worker_name
from thresher.errors import UsageError
from thresher.web.app import create_app
from thresher.web.serving import run
from thresher.web.site import REQUESTS_PER_MIN, Site, WebOptions

PORT = 8000
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
ENOUGH_CONNECTIONS = 2_048  # waiting to be accepted


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; 0.0.0.0: all.")
@click.option("--port", type=click.IntRange(0, 65_535), default=PORT, show_default=True, help="Port; 0: any free one.")
@click.option("--workers", type=click.IntRange(0, 64), default=0, show_default=True, help="Workers to run beside it.")
@click.option("--watch", is_flag=True, help="Follow the sources, as `thresher watch` does.")
@click.option("--open", "open_", is_flag=True, help="Open a browser.")
@click.option("--base-path", default="", metavar="/PATH", help="Path under which a reverse proxy serves it.")
@click.option("--trust-proxy", is_flag=True, help="Believe X-Forwarded-For, -Proto and -Host; only behind a proxy.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="Host name it is known by (repeatable).")
@click.option(
    "--requests-per-min",
    type=click.IntRange(min=0),
    default=REQUESTS_PER_MIN,
    show_default=True,
    help="Of the API, for each address and each token; 0: no limit.",
)
@server_options
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> int:
    """Serve the web application and the HTTP API until Ctrl-C.

    The first visitor from this machine makes the first account; anybody else needs the one-time token that is printed
    while there is no account. Alerts are checked, too. Workers and the watch are processes that are started again when
    they end; Ctrl-C lets them finish what is in flight. A second Ctrl-C stops at once.
    """
    log_to_stderr(TIMED)
    chosen = settings(ctx, **places_in(flags))
    keep_log(chosen, "serve", worker_name())
    return serve(chosen, flags)


def serve(chosen: Settings, flags: dict[str, Any]) -> int:
    """Serve until somebody stops it; return the exit code."""
    logs.write_to(Path(chosen.data), "serve", worker_name())
    listening = listen(flags["host"], flags["port"])
    options = _options(flags, chosen.public_url)
    address = _address(flags["host"], listening.getsockname()[1]) + options.base_path
    started = _announcing(address, flags)
    alerts, hubs = services.AlertService(chosen), services.HubService(chosen)
    alerts.start()
    hubs.start()
    try:
        _run(chosen, options, listening, started)
    finally:
        alerts.stop()
        hubs.stop()
    return exits.INTERRUPTED


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raise UsageError where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named: asyncio then sets TCP_NODELAY
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host.strip("[]"), port))
        listening.listen(ENOUGH_CONNECTIONS)
    except OSError as error:
        listening.close()
        raise UsageError(f"cannot listen at {host}:{port}: {error.strerror}; choose another with --port") from error
    listening.set_inheritable(False)
    return listening


def _options(flags: dict[str, Any], public_url: str) -> WebOptions:
    base = "/" + flags["base_path"].strip("/") if flags["base_path"].strip("/") else ""
    if any(mark in base for mark in "?#%\\ \"'<>"):
        raise UsageError(f"--base-path: {base!r} is not a plain path, such as /news")
    hosts = tuple(dict.fromkeys((*flags["hosts"], *LOCAL_HOSTS, _named(flags["host"]), *_host_of(public_url))))
    return WebOptions(
        base_path=base,
        trust_proxy=flags["trust_proxy"],
        allowed_hosts=hosts if flags["hosts"] or _is_loopback(flags["host"]) else (),
        setup_token=secrets.token_urlsafe(16),
        requests_per_min=flags["requests_per_min"],
    )


def _announcing(address: str, flags: dict[str, Any]) -> Callable[[Site], Awaitable[None]]:
    """Return what is done once the application runs: start the processes, and say where it is."""

    async def started(site: Site) -> None:
        has_users = await site.gate.has_users()
        for _ in range(flags["workers"]):
            site.processes.start(site.processes.free_name("worker"), ["worker", "run"], keep=True)
        if flags["watch"]:
            site.processes.start("watch", ["watch", "--progress", "lines"], keep=True)
        say(f"Thresher is at {address}/")
        if not has_users:
            say(f"there is no account yet; a visitor from another machine needs this token: {site.options.setup_token}")
        if flags["open_"]:
            webbrowser.open(f"{address}/" if has_users else f"{address}/setup")

    return started


def _run(
    chosen: Settings, options: WebOptions, listening: socket.socket, started: Callable[[Site], Awaitable[None]]
) -> None:
    with suppress(KeyboardInterrupt):  # the server raises the signal that it ended with once more
        run(create_app(chosen, options=options, on_start=started), listening)


def _address(host: str, port: int) -> str:
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else _named(host)
    return f"http://{shown}:{port}"


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _host_of(url: str) -> tuple[str, ...]:
    return (urlsplit(url).hostname or "",) if url else ()


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
