"""`thresher worker`: work on runs that others opened, see who works, and let workers go."""

import socket
from typing import Any

import click

from thresher.cli import columns, exits
from thresher.cli.options import server_options, settings, work_options
from thresher.cli.terminal import say
from thresher.config import Settings
from thresher.crawling.heartbeat import DRAIN, FRESH_S, STOP, is_fresh
from thresher.crawling.workers import heard, worker_facts
from thresher.errors import Unreachable, UsageError
from thresher.frontier.overseer import Beat, Overseer
from thresher.queues import Queue, open_queue


@click.group("worker")
def command() -> None:
    """Run workers, list them and stop them.

    Workers on several machines share a frontier (--frontier redis://…) and a store (--store postgresql://…); workers on
    one machine can also share a data folder.
    """


@command.command("run")
@click.option("--job", metavar="RUN", help="Number of the run to work on, or watch; exit when it is over.")
@click.option("--until-done", is_flag=True, help="Exit when no run is open, instead of waiting for the next one.")
@work_options
@click.pass_context
def run(ctx: click.Context, /, **flags: Any) -> int:
    """Work on the newest open run, then wait for the next one.

    While `thresher watch` runs somewhere and no crawl is open, the worker follows sources, too. With --job it works
    on that run only. On SIGTERM, Ctrl-C or `thresher worker drain`, the worker finishes the requests in flight for at
    most 12 seconds, returns its other links to the queue, and exits with code 0.
    """
    from thresher.cli.worker_run import serve  # what crawls is loaded here alone: a health check runs every minute

    return serve(ctx, flags)


@command.command("list")
@click.option("-f", "--format", "format_", type=click.Choice(columns.FORMATS), default="txt", show_default=True)
@server_options
@click.pass_context
def list_(ctx: click.Context, /, format_: str, data: str | None, **servers: str | None) -> int:
    """List workers and what they do.

    A worker heard from within 15 seconds is running, waiting or draining; the others are lost or ended.
    """
    queue = open_queue(settings(ctx, data=data, **servers))
    try:
        rows = [worker_facts(job, beat) for job, _, beat in heard(queue)]
    finally:
        queue.close()
    columns.show(rows, format_, empty="no worker; `thresher worker run` starts one")
    return exits.DONE


@command.command("check")
@server_options
@click.pass_context
def check(ctx: click.Context, /, data: str | None, **servers: str | None) -> int:
    """Check that a worker is alive on this machine. The exit code is 0 if one was heard from just now, otherwise 1.

    Meant for health checks of containers. While the frontier or the store is unreachable, workers wait and cannot be
    heard; the exit code is then 0.
    """
    chosen = settings(ctx, data=data, **servers)
    try:
        if any(is_fresh(beat) for beat in _own_beats(chosen)):
            return exits.DONE
        _ask_the_store(chosen)
    except Unreachable as error:
        say(f"not known: {error}")
        return exits.DONE
    say(f"no worker of {socket.gethostname()} was heard of in the last {FRESH_S:.0f} seconds")
    return exits.FAILED


def _own_beats(chosen: Settings) -> list[Beat]:
    own = f"{socket.gethostname()}/"
    queue = open_queue(chosen)
    try:
        return [beat for _, _, beat in heard(queue) if beat.worker.startswith(own)]
    finally:
        queue.close()


def _ask_the_store(chosen: Settings) -> None:
    """Raise Unreachable while the store is away, for which a worker waits before it gives its first sign of life."""
    from thresher import wiring

    wiring.open_corpus(chosen, create=False).close()


@command.command("drain")
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--all", "everybody", is_flag=True, help="All running workers.")
@server_options
@click.pass_context
def drain(ctx: click.Context, /, names: tuple[str, ...], everybody: bool, data: str | None, **servers: Any) -> int:
    """Tell workers to finish the requests in flight and exit.

    Names can be shortened.
    """
    return _tell(open_queue(settings(ctx, data=data, **servers)), names, everybody, DRAIN)


@command.command("stop")
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--all", "everybody", is_flag=True, help="All running workers.")
@server_options
@click.pass_context
def stop(ctx: click.Context, /, names: tuple[str, ...], everybody: bool, data: str | None, **servers: Any) -> int:
    """Tell workers to return their links to the queue and exit at once.

    Names can be shortened.
    """
    return _tell(open_queue(settings(ctx, data=data, **servers)), names, everybody, STOP)


def _tell(queue: Queue, names: tuple[str, ...], everybody: bool, order: str) -> int:
    if bool(names) == everybody:
        raise UsageError("name the workers, or give --all")
    try:
        known = [(overseer, beat) for _, overseer, beat in heard(queue)]
        fresh = [(overseer, beat) for overseer, beat in known if is_fresh(beat)]
        chosen = fresh if everybody else [_named(name, known) for name in names]
        if not chosen:
            say(f"no worker is running, so there is none to {order}")
        for overseer, beat in chosen:
            is_heard = overseer.tell(beat.worker, order)
            said = f"told {beat.worker} to {order}" if is_heard else f"{beat.worker} has just left its job; try again"
            say(said)
    finally:
        queue.close()
    return exits.DONE


def _named(name: str, heard: list[tuple[Overseer, Beat]]) -> tuple[Overseer, Beat]:
    exact = [each for each in heard if each[1].worker == name]
    found = exact or [each for each in heard if each[1].worker.startswith(name)]
    if len(found) > 1:
        raise UsageError(
            f"{name!r} could be any of {', '.join(beat.worker for _, beat in found)}; give more of the name"
        )
    if not found:
        raise UsageError(f"there is no worker {name!r}; `thresher worker list` lists them")
    if not is_fresh(found[0][1]):
        silent_s = found[0][1].age_s
        raise UsageError(f"{name} has been silent for {silent_s:.0f} s (more than {FRESH_S:.0f}) and cannot be reached")
    return found[0]
