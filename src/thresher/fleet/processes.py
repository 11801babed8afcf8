"""Members as processes of this machine, kept running by a supervisor that outlives the command which started it.

    thresher fleet … ──writes──▶ NAME.wanted ──reads──▶ supervisor ──starts, signals──▶ thresher worker run
                     ◀──reads─── NAME.state  ◀─writes──     │ (one a folder: it holds a lock)      │
                     ◀──reads─── NAME.log    ◀──────────────┴───────────standard error─────────────┘

All of it is in the folder `fleet` of the data folder, so every shell sees the same. A state that was written is
believed only while the process that it names lives. When the supervisor is killed its workers drain (see starter.py).
"""

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from thresher.crawling.identity import is_dead, name_of
from thresher.errors import BackendError, UsageError
from thresher.fleet.contract import GRACE_S, Member, Phase
from thresher.fleet.starter import child_command
from thresher.text import printable
from thresher.urls.secrets import masked_text

STEM = "worker"
MAX_MEMBERS = 256
LOOK_EVERY_S = 0.2
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
STEADY_S = 60.0  # a member that ran so long is started again after the shortest pause
LOCK_TRIES = 10
BETWEEN_SIGNALS_S = 0.5  # two that come together are heard as one
MAX_LOG_BYTES = 4_000_000  # of one member; the log of before is kept beside it
ANSWER_S = 60.0  # for a supervisor to take an order, on a busy machine
WORK = ("worker", "run", "--progress", "none")
UP, DRAIN, STOP, GONE = "up", "drain", "stop", "gone"  # what may be wanted of a member


class Processes:
    """A fleet of this machine (see contract.py)."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        """Prepare; `environment` is that of the supervisor and its workers, where none runs yet."""
        self._folder = folder
        self._environment = dict(environment)

    def members(self) -> list[Member]:
        names = sorted((path.stem for path in self._folder.glob("*.wanted")), key=_number)
        return [self._member(name) for name in names]

    def add(self, count: int) -> None:
        known = {member.name for member in self.members()}
        if len(known) + count > MAX_MEMBERS:
            raise UsageError(f"a machine runs at most {MAX_MEMBERS} workers; {len(known)} are there")
        free = (f"{STEM}-{number}" for number in range(1, 2 * MAX_MEMBERS) if f"{STEM}-{number}" not in known)
        self._want([next(free) for _ in range(count)], UP)

    def start(self, names: Collection[str]) -> None:
        self._want(self._known(names), UP)

    def drain(self, names: Collection[str], *, at_once: bool = False) -> None:
        known = self._known(names)
        if self.is_supervised():
            self._want(known, STOP if at_once else DRAIN)

    def remove(self, names: Collection[str]) -> None:
        there = [name for name in names if self._file(name, "wanted").exists()]
        if self.is_supervised():
            self._want(there, GONE)
        for name in there:
            forget(self._folder, name)

    def renew(self, image: str | None) -> bool:
        if image:
            raise UsageError("workers of this machine run the installed version; upgrade it, then restart them")
        return False

    def logs(self, name: str, lines: int) -> list[str]:
        self._known([name])
        try:
            text = self._file(name, "log").read_text("utf-8", "replace")
        except OSError:
            return []
        return [printable(masked_text(line)) for line in text.splitlines()[-lines:]]

    def close(self) -> None:
        pass

    def _known(self, names: Collection[str]) -> list[str]:
        known = {member.name for member in self.members()}
        for name in names:
            if name not in known:
                raise UsageError(f"there is no member {name!r}; `thresher fleet status` lists them")
        return list(names)

    def _member(self, name: str) -> Member:
        try:
            state = json.loads(self._file(name, "state").read_text("utf-8"))
        except (OSError, ValueError):  # it was just asked for, or has just been taken away
            return Member(name, socket.gethostname(), Phase.STARTING, heard_as="")
        phase, heard_as, reason = Phase(state["phase"]), str(state["heard_as"]), ""
        gone = is_dead(heard_as) if phase is Phase.RUNNING else phase is not Phase.ENDED
        if gone and not self.is_supervised():  # a supervisor writes down in a moment what became of its processes
            phase, reason = Phase.ENDED, "its supervisor has ended"
        started = datetime.fromtimestamp(state["started_at"], UTC) if state["started_at"] else None
        return Member(
            name,
            socket.gethostname(),
            phase,
            heard_as,
            started_at=started,
            restarts=state["restarts"],
            code=state["code"],
            reason=reason,
        )

    def _want(self, names: Sequence[str], word: str) -> None:
        """Write down what is wanted of members, and return when the supervisor has read it."""
        if not names:
            return
        _make(self._folder)
        order = f"{word} {time.time_ns()}"  # like no other, so that one given twice is heard twice
        for name in names:
            _write(self._file(name, "wanted"), order)
        deadline = time.monotonic() + ANSWER_S
        while not all(self._is_taken(name, order) for name in names):
            if time.monotonic() > deadline:
                raise BackendError(f"the supervisor of this fleet does not answer; see {self._folder / 'log'}")
            if not self.is_supervised():
                self._start_supervisor()
            time.sleep(LOOK_EVERY_S / 4)

    def _is_taken(self, name: str, order: str) -> bool:
        try:
            return bool(json.loads(self._file(name, "state").read_text("utf-8"))["order"] == order)
        except (OSError, ValueError):
            return order.startswith(GONE) and not self._file(name, "wanted").exists()

    def is_supervised(self) -> bool:
        """Say whether a supervisor looks after the folder."""
        try:
            with (self._folder / "lock").open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def _start_supervisor(self) -> None:
        with (self._folder / "log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "thresher", "fleet", "supervise", str(self._folder.resolve())],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment,
                start_new_session=True,  # it outlives this command, and hears none of its signals
            )
        while process.poll() is None and not self.is_supervised():
            time.sleep(LOOK_EVERY_S / 4)

    def _file(self, name: str, kind: str) -> Path:
        return self._folder / f"{name}.{kind}"


@dataclass
class _Kept:
    """A member as its supervisor has it."""

    name: str
    order: str = ""  # what is wanted of it, as it was written
    process: "subprocess.Popen[bytes] | None" = None
    heard_as: str = ""
    phase: Phase = Phase.STARTING
    started_at: float = 0.0  # of the clock on the wall
    began: float = 0.0  # of the clock that is passed in
    pause_s: float = 0.0
    starts: int = 0
    code: int | None = None
    signals: list[float] = field(default_factory=list)  # when it was asked to end
    told: dict[str, Any] = field(default_factory=dict)  # what was written last

    @property
    def wanted(self) -> str:
        """The word of the order."""
        return self.order.partition(" ")[0]


class Supervisor:
    """Keeps the members of a folder running, as they are wanted there."""

    def __init__(
        self,
        folder: Path,
        command: Callable[[int, Sequence[str]], list[str]] = child_command,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder, self._command, self._clock = folder, command, clock
        self._kept: dict[str, _Kept] = {}
        self._ending = False

    def run(self) -> None:
        """Look after the members until none is left or a signal comes; return at once where another one does."""
        with _lock(self._folder) as is_mine:
            if not is_mine:
                return
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, self._end)
            while self.look():
                time.sleep(LOOK_EVERY_S)

    def look(self) -> bool:
        """Do what is to be done now; False when no member is left, or, when ending, no process."""
        wanted = self._wanted()
        for name in wanted:
            self._kept.setdefault(name, _Kept(name))
        for kept in list(self._kept.values()):
            self._tend(kept, DRAIN if self._ending else wanted.get(kept.name, GONE))  # no file: it was taken away
        return any(kept.process for kept in self._kept.values()) if self._ending else bool(self._kept)

    def _tend(self, kept: _Kept, order: str) -> None:
        is_new, kept.order = order != kept.order, order
        self._bury(kept)
        if kept.process:
            self._ask_to_end(kept)
        elif kept.wanted == GONE:
            del self._kept[kept.name]
            forget(self._folder, kept.name)
            return
        elif kept.wanted != UP:
            kept.phase = Phase.ENDED
        elif is_new or self._is_due(kept):
            self._start(kept)
        self._tell(kept)

    def _is_due(self, kept: _Kept) -> bool:
        """Say whether a member that does not run is to be started."""
        if kept.phase is Phase.PAUSING:
            return self._clock() - kept.began >= kept.pause_s
        return kept.phase is Phase.STARTING

    def _bury(self, kept: _Kept) -> None:
        """Take note of a process that has ended."""
        if kept.process is None or kept.process.poll() is None:
            return
        kept.code, kept.process = kept.process.returncode, None
        steady = self._clock() - kept.began >= STEADY_S
        if kept.code == 0 or kept.wanted != UP:
            kept.phase = Phase.ENDED if not kept.signals or kept.wanted != UP else Phase.STARTING
        else:
            kept.phase = Phase.PAUSING
            kept.pause_s = FIRST_PAUSE_S if steady or not kept.pause_s else min(2 * kept.pause_s, LONGEST_PAUSE_S)
            kept.began = self._clock()

    def _ask_to_end(self, kept: _Kept) -> None:
        """Send the signals that are due: one to drain, a second to stop at once, and the last when time is up."""
        process, now = kept.process, self._clock()
        if process is None or (kept.wanted == UP and not kept.signals):
            return
        if kept.wanted == GONE or (kept.signals and now - kept.signals[0] >= GRACE_S):
            process.kill()
        elif not kept.signals or (
            kept.wanted == STOP and len(kept.signals) == 1 and now - kept.signals[-1] >= BETWEEN_SIGNALS_S
        ):
            process.terminate()
            kept.signals.append(now)

    def _start(self, kept: _Kept) -> None:
        path = self._folder / f"{kept.name}.log"
        with suppress(OSError):
            if path.stat().st_size > MAX_LOG_BYTES:
                path.replace(path.with_suffix(".log.1"))
        kept.began, kept.started_at, kept.signals = self._clock(), time.time(), []
        with path.open("ab") as log:
            kept.process = subprocess.Popen(
                self._command(os.getpid(), WORK),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        kept.starts += 1
        kept.phase, kept.heard_as = Phase.RUNNING, name_of(kept.process.pid)

    def _tell(self, kept: _Kept) -> None:
        told = {
            "order": kept.order,
            "phase": kept.phase,
            "heard_as": kept.heard_as,
            "started_at": kept.started_at,
            "restarts": max(kept.starts - 1, 0),
            "code": kept.code,
        }
        if told != kept.told:
            _write(self._folder / f"{kept.name}.state", json.dumps(told))
            kept.told = told

    def _wanted(self) -> dict[str, str]:
        found = {}
        for path in sorted(self._folder.glob("*.wanted"), key=lambda path: _number(path.stem)):
            with suppress(OSError):
                found[path.stem] = path.read_text("utf-8")
        return found

    def _end(self, number: int, frame: object) -> None:
        self._ending = True


def forget(folder: Path, name: str) -> None:
    """Remove what is written of a member."""
    for kind in ("wanted", "state", "log", "log.1"):
        (folder / f"{name}.{kind}").unlink(missing_ok=True)


@contextmanager
def _lock(folder: Path) -> Iterator[bool]:
    """Hold the lock of a folder's supervisor; give False where another one holds it."""
    _make(folder)
    lock: IO[bytes]
    with (folder / "lock").open("ab") as lock:
        for _ in range(LOCK_TRIES):
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            time.sleep(LOOK_EVERY_S / 4)  # who asks whether there is a supervisor holds the lock for a moment
        else:
            yield False
            return
        yield True


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BackendError(f"cannot create {folder}: {error.strerror}") from error


def _write(path: Path, text: str) -> None:
    """Write a file so that whoever reads it finds all of it or what was there before."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    new.write_text(text, "utf-8")
    new.replace(path)


def _number(name: str) -> tuple[str, int]:
    stem, _, number = name.rpartition("-")
    return (stem, int(number)) if number.isdigit() else (name, 0)
