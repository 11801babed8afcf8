"""`thresher mcp`: a server of the Model Context Protocol, over standard input and output or HTTP."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from thresher.cli import exits
from thresher.cli.options import places_in, server_options, settings
from thresher.cli.serve import LOCAL_HOSTS, listen
from thresher.cli.terminal import TIMED, log_to_stderr, say
from thresher.errors import MissingExtra, UsageError
from thresher.web.serving import run

PORT = 8001


@click.command("mcp")
@click.option("--http", is_flag=True, help="Serve many agents at http://HOST:PORT/mcp, each with its own token.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Of --http: address to listen at.")
@click.option("--port", type=click.IntRange(0, 65_535), default=PORT, show_default=True, help="Of --http: port.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="Of --http: host name it is known by.")
@click.option("--write", is_flag=True, help="Without --http: also probe addresses and follow sources.")
@click.option("--server", metavar="URL", help="Use the API of this server in place of this machine's corpus.")
@click.option("--token-file", type=click.Path(path_type=Path), help="File with the token to send.")
@server_options
@click.pass_context
def command(ctx: click.Context, /, http: bool, write: bool, **flags: Any) -> int:
    """Let agents search, read, extract, probe and follow, by the Model Context Protocol.

    Without --http it speaks over standard input and output with the one agent that started it, which may read and,
    with --write, also probe and follow. A token allows what it allows in the API, and no more. Needs the extra "mcp".
    """
    log_to_stderr(TIMED)
    try:
        from thresher import mcp
    except ImportError as error:
        raise MissingExtra("`thresher mcp` needs an extra: pip install 'thresher[mcp]'") from error
    token = _token(flags["token_file"])
    if http and (token or write):
        raise UsageError("--http: every agent sends a token of its own; leave out --token-file and --write")
    if flags["server"] and not http and not token:
        raise UsageError("--server needs --token-file; `thresher user token NAME` makes a token there")
    if flags["server"]:
        opened = partial(mcp.remote_api, flags["server"], token)
    else:
        opened = partial(mcp.local_api, settings(ctx, **places_in(flags)), may_write=write, token=token)
    if not http:
        mcp.over_stdio(opened)
        return exits.DONE
    listening = listen(flags["host"], flags["port"])
    say(f"agents are served at http://{flags['host']}:{listening.getsockname()[1]}/mcp")
    run(mcp.over_http(opened, (*LOCAL_HOSTS, *flags["hosts"])), listening)
    return exits.INTERRUPTED


def _token(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--token-file: {path} cannot be read: {error}") from error
