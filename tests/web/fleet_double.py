"""A platform in memory: members do at once what they are told, but nobody ever hears of their workers."""

from collections.abc import Collection

from thresher.errors import UsageError
from thresher.fleet.contract import Member, Phase


class Mute:
    """Its members run and end, and no worker of theirs has a heartbeat."""

    def __init__(self) -> None:
        self.phases: dict[str, Phase] = {}
        self.asked: list[tuple[str, ...]] = []

    def members(self) -> list[Member]:
        return [
            Member(name, "here", phase, f"here/{name}", code=self._code(phase)) for name, phase in self.phases.items()
        ]

    def add(self, count: int) -> None:
        free = (f"worker-{number}" for number in range(1, 1000) if f"worker-{number}" not in self.phases)
        self.phases |= {next(free): Phase.RUNNING for _ in range(count)}
        self.asked.append(("add", str(count)))

    def start(self, names: Collection[str]) -> None:
        self._set("start", names, Phase.RUNNING)

    def drain(self, names: Collection[str], *, at_once: bool = False) -> None:
        self._set("stop" if at_once else "drain", names, Phase.ENDED)

    def remove(self, names: Collection[str]) -> None:
        self.asked.append(("remove", *names))
        for name in names:
            self.phases.pop(name, None)

    def renew(self, image: str | None) -> bool:
        return False

    def logs(self, name: str, lines: int) -> list[str]:
        if name not in self.phases:
            raise UsageError(f"there is no member {name!r}; `thresher fleet status` lists them")
        return ["it works"]

    def close(self) -> None:
        pass

    def _set(self, action: str, names: Collection[str], phase: Phase) -> None:
        self.asked.append((action, *names))
        self.phases |= dict.fromkeys(names, phase)

    def _code(self, phase: Phase) -> int | None:
        return 0 if phase is Phase.ENDED else None
