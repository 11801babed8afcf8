"""Workers of a measurement in containers of a Docker engine, through the program `docker`."""

import os
import subprocess
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

PYTHON = "/opt/thresher/bin/python"  # of the image
DATA = "/data"


@dataclass(frozen=True, slots=True)
class Containers:
    """An engine of this machine, and the image of the workers."""

    image: str
    engine: str
    program: str = "docker"

    def command(self, name: str, folder: Path, words: Sequence[str]) -> list[str]:
        """Return what runs Python with these words in a container on the host's network, as whoever calls.

        The folder is its /data; else it has the rights that `thresher fleet` gives to a container.
        """
        user = f"{os.geteuid()}:{os.getegid()}"
        rights = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges:true"]
        place = ["--network", "host", "--user", user, "-v", f"{folder}:{DATA}", "-w", DATA, "--entrypoint", PYTHON]
        return [*self._docker(), "run", "--rm", "--init", "--name", name, *rights, *place, self.image, *words]

    def pids(self, names: Sequence[str]) -> set[int]:
        """Return the processes, as this machine counts them, that lead the sessions of containers which run."""
        line = [*self._docker(), "inspect", "-f", "{{.State.Pid}}", *names]
        told = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return {int(pid) for pid in told.stdout.split()} - {0}

    def remove(self, names: Collection[str]) -> None:
        """End containers, and take away what is left of them."""
        if names:
            subprocess.run([*self._docker(), "rm", "-f", *names], capture_output=True)

    def _docker(self) -> list[str]:
        return [self.program, "-H", self.engine]
