"""`thresher fleet`: start, stop, scale and watch workers: processes of this machine, containers or pods."""

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from thresher.cli import columns, exits
from thresher.cli.options import places_in, server_options, settings
from thresher.cli.terminal import say, show
from thresher.config import Settings, environment_of
from thresher.crawling.workers import Jobs, heard, work_of, worker_facts
from thresher.errors import BackendError, NothingCollected, UsageError
from thresher.fleet.autoscale import CALM_S, REST_S, Autoscale, Bounds
from thresher.fleet.contract import Backend
from thresher.fleet.fleet import Fleet, facts_of
from thresher.fleet.opening import open_backend
from thresher.fleet.plan import FILE_NAME
from thresher.fleet.processes import Supervisor
from thresher.frontier.contract import Rules
from thresher.queues import Queue, open_queue

MAX_COUNT = 1_000
SECONDS = click.FloatRange(0.1, 86_400)
COUNT = click.IntRange(0, MAX_COUNT)
LOOK_EVERY_S = 5.0
F = TypeVar("F", bound=Callable[..., Any])


@click.group("fleet")
def command() -> None:
    """Start, stop, scale and watch workers.

    Without a file they are processes of this machine, which are kept running. A file fleet.toml (or --plan FILE) puts
    them into containers of Docker engines, or into Kubernetes; docs/fleet.md describes it. What is shown is what was
    observed, by the platform and by the workers' heartbeats.
    """


def fleet_options(function: F) -> F:
    """Add --plan and where the workers' links and documents are."""
    path = click.Path(path_type=Path)
    plan = click.option("--plan", "plan_file", type=path, help=f"Where workers run (default {FILE_NAME}).")
    return plan(server_options(function))


def names_argument(function: F) -> F:
    """Add NAME… and --all."""
    everybody = click.option("--all", "everybody", is_flag=True, help="All members.")
    return click.argument("names", nargs=-1, metavar="NAME...")(everybody(function))


@command.command("up")
@click.option("-n", "--workers", "count", type=COUNT, default=1, show_default=True, help="How many members to have.")
@fleet_options
@click.pass_context
def up(ctx: click.Context, /, count: int, **flags: Any) -> int:
    """Start the fleet.

    Members that have ended are started, and more are added up to the wanted number. None is removed.
    """
    with _fleet(ctx, flags) as fleet:
        fleet.scale(max(count, len(fleet.members())))
    return exits.DONE


@command.command("down")
@fleet_options
@click.pass_context
def down(ctx: click.Context, /, **flags: Any) -> int:
    """Drain all members and remove them."""
    with _fleet(ctx, flags) as fleet:
        fleet.scale(0)
    return exits.DONE


@command.command("add")
@click.argument("count", type=click.IntRange(1, MAX_COUNT), default=1)
@fleet_options
@click.pass_context
def add(ctx: click.Context, /, count: int, **flags: Any) -> int:
    """Add members."""
    with _fleet(ctx, flags) as fleet:
        fleet.grow(count)
    return exits.DONE


@command.command("remove")
@names_argument
@fleet_options
@click.pass_context
def remove(ctx: click.Context, /, names: tuple[str, ...], everybody: bool, **flags: Any) -> int:
    """Drain members, wait until they have ended, and remove them."""
    with _fleet(ctx, flags) as fleet:
        fleet.shrink(_chosen(fleet, names, everybody))
    return exits.DONE


@command.command("start")
@names_argument
@fleet_options
@click.pass_context
def start(ctx: click.Context, /, names: tuple[str, ...], everybody: bool, **flags: Any) -> int:
    """Start members that have ended."""
    with _fleet(ctx, flags) as fleet:
        fleet.start(_chosen(fleet, names, everybody, ("stopped", "failed")))
    return exits.DONE


@command.command("drain")
@names_argument
@fleet_options
@click.pass_context
def drain(ctx: click.Context, /, names: tuple[str, ...], everybody: bool, **flags: Any) -> int:
    """Let members finish their requests and end. `start` starts them again (but not a pod, which is gone)."""
    with _fleet(ctx, flags) as fleet:
        fleet.drain(_chosen(fleet, names, everybody))
    return exits.DONE


@command.command("stop")
@names_argument
@fleet_options
@click.pass_context
def stop(ctx: click.Context, /, names: tuple[str, ...], everybody: bool, **flags: Any) -> int:
    """Let members return their links and end at once. `start` starts them again (but not a pod, which is gone)."""
    with _fleet(ctx, flags) as fleet:
        fleet.drain(_chosen(fleet, names, everybody), at_once=True)
    return exits.DONE


@command.command("restart")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--image", metavar="NAME:TAG", help="Of the new members; default: the same image.")
@fleet_options
@click.pass_context
def restart(ctx: click.Context, /, names: tuple[str, ...], image: str | None, **flags: Any) -> int:
    """Replace members one by one, all if none is named. Each new one is at work before the old one drains."""
    with _fleet(ctx, flags) as fleet:
        fleet.restart(names, image)
    return exits.DONE


@command.command("scale")
@click.argument("count", type=COUNT, required=False)
@click.option("--autoscale", metavar="LEAST-MOST", help="Follow the work until Ctrl-C, within these limits.")
@click.option(
    "--every", "every_s", type=SECONDS, default=LOOK_EVERY_S, show_default=True, help="Seconds between looks."
)
@click.option("--rest", "rest_s", type=SECONDS, default=REST_S, show_default=True, help="Seconds between changes.")
@click.option("--calm", "calm_s", type=SECONDS, default=CALM_S, show_default=True, help="Less work for so long.")
@fleet_options
@click.pass_context
def scale(ctx: click.Context, /, count: int | None, autoscale: str | None, every_s: float, **flags: Any) -> int:
    """Change the number of members to COUNT. Those of least use are drained and removed.

    With --autoscale 1-10, the fleet follows the number of hosts that have a link due; the length of the queue does not
    matter, for a host is asked no faster by more workers.
    """
    if (count is None) == (autoscale is None):
        raise UsageError("say how many: `thresher fleet scale 4`, or --autoscale 1-10")
    rest_s, calm_s = flags.pop("rest_s"), flags.pop("calm_s")
    chosen = settings(ctx, **places_in(flags))
    with _fleet(ctx, flags) as fleet:
        if count is not None:
            fleet.scale(count)
            return exits.DONE
        least, most = _limits(autoscale or "")
        bounds = Bounds(least, most, per_worker=chosen.concurrency, rest_s=rest_s, calm_s=calm_s)
        return _follow(fleet, Autoscale(bounds), chosen, every_s)


@command.command("status")
@click.option("-f", "--format", "format_", type=click.Choice(columns.FORMATS), default="txt", show_default=True)
@fleet_options
@click.pass_context
def status(ctx: click.Context, /, format_: str, **flags: Any) -> int:
    """Show the members. What their platform sees is joined with their heartbeats.

    Workers that somebody started by hand are listed below, without a member's name.
    """
    with _fleet(ctx, flags) as fleet:
        rows = [facts_of(each) for each in fleet.status()]
    columns.show(rows, format_, empty="no member; `thresher fleet up -n 2` starts two")
    return exits.DONE


@command.command("logs")
@click.argument("name", metavar="NAME")
@click.option("-n", "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Lines to show.")
@fleet_options
@click.pass_context
def logs(ctx: click.Context, /, name: str, limit: int, **flags: Any) -> int:
    """Print what a member wrote to its terminal. `thresher logs` shows what became of each page."""
    backend = _backend(ctx, settings(ctx, **places_in(flags)), flags["plan_file"])
    try:
        for line in backend.logs(name, limit):
            show(line)
    finally:
        backend.close()
    return exits.DONE


@command.command("supervise", hidden=True)
@click.argument("folder", type=click.Path(path_type=Path))
def supervise(folder: Path) -> int:
    """Keep the members of a folder running; `thresher fleet` starts it."""
    Supervisor(folder).run()
    return exits.DONE


@contextmanager
def _fleet(ctx: click.Context, flags: dict[str, Any]) -> Iterator[Fleet]:
    chosen = settings(ctx, **places_in(flags))
    backend = _backend(ctx, chosen, flags["plan_file"])
    ears = _Ears(chosen)
    try:
        yield Fleet(backend, ears.hear, note=say)
    finally:
        ears.close()
        backend.close()


def _backend(ctx: click.Context, chosen: Settings, plan_file: Path | None) -> Backend:
    return open_backend(Path(chosen.data), environment_of(chosen), plan_file)


class _Ears:
    """Hears the heartbeats of all workers; while the frontier is away, nothing, and says so once."""

    def __init__(self, chosen: Settings) -> None:
        self._chosen = chosen
        self._queue: Queue | None = None
        self._complained = False

    def hear(self) -> list[dict[str, Any]]:
        """Return what workers said last."""
        try:
            self._queue = self._queue or open_queue(self._chosen)
            found = [worker_facts(job, beat) for job, _, beat in heard(self._queue)]
        except NothingCollected:  # no worker has begun yet
            return []
        except BackendError as error:
            if not self._complained:
                say(f"no heartbeat can be heard: {error}")
            self._complained = True
            return []
        self._complained = False
        return found

    def close(self) -> None:
        """Close the frontier."""
        if self._queue:
            self._queue.close()


def _chosen(fleet: Fleet, names: Sequence[str], everybody: bool, states: Sequence[str] = ()) -> list[str]:
    if bool(names) == everybody:
        raise UsageError("name the members, or give --all")
    if names:
        return list(dict.fromkeys(names))
    return [each.name for each in fleet.members() if not states or each.state in states]


def _limits(text: str) -> tuple[int, int]:
    least, _, most = text.partition("-")
    with suppress(ValueError):
        if 0 <= int(least) <= int(most) <= MAX_COUNT and int(most) > 0:
            return int(least), int(most)
    raise UsageError(f"--autoscale: {text!r} is not of the form LEAST-MOST, such as 1-10")


def _follow(fleet: Fleet, autoscale: Autoscale, chosen: Settings, every_s: float) -> int:
    """Scale the fleet by the work that there is, until Ctrl-C; members stay as they are then."""
    from thresher import wiring

    corpus = wiring.open_corpus(chosen)
    say("following the work until Ctrl-C; the members stay")
    with suppress(KeyboardInterrupt):
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        while True:
            _adjust(fleet, autoscale, corpus, wiring.rules(chosen))
            time.sleep(every_s)
    corpus.close()
    return exits.INTERRUPTED


def _adjust(fleet: Fleet, autoscale: Autoscale, jobs: Jobs, rules: Rules) -> None:
    """Change the size of the fleet if need be; while a server is away, leave it as it is."""
    try:
        due, held = work_of(jobs, rules)
        current = len(fleet.members())
        wanted = autoscale.decide(time.monotonic(), current, due + held)
        if wanted != current:
            say(f"{due} hosts due, {held} links in hand: {current} → {wanted} members")
            fleet.scale(wanted)
    except BackendError as error:
        say(f"the fleet stays as it is: {error}")
