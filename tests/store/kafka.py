"""A Kafka broker for tests, alone and on loopback, from the jars that scripts/servers --kafka installs."""

import base64
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from thresher.lab.servers import HOST, dying_with_us, free_port

JARS = Path.home() / ".cache/thresher-servers/kafka/jars"
MEMORY = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]


class Kafka:
    """A broker that can be killed and started again; `address` is where it is."""

    def __init__(self, folder: Path) -> None:
        self._folder, port, controller = folder, free_port(), free_port()
        self.address = f"{HOST}:{port}"
        values = {
            "process.roles": "broker,controller",
            "node.id": 1,
            "controller.quorum.voters": f"1@{HOST}:{controller}",
            "controller.listener.names": "CONTROLLER",
            "listeners": f"PLAINTEXT://{HOST}:{port},CONTROLLER://{HOST}:{controller}",
            "advertised.listeners": f"PLAINTEXT://{HOST}:{port}",
            "log.dirs": folder / "log",
            "offsets.topic.replication.factor": 1,
            "num.partitions": 1,
            "group.initial.rebalance.delay.ms": 0,
        }
        self._settings = folder / "server.properties"
        self._settings.write_text("".join(f"{name}={value}\n" for name, value in values.items()))

    def format(self) -> None:
        """Make its folder ready, once."""
        name = base64.urlsafe_b64encode(uuid4().bytes).decode().rstrip("=").replace("-", "_")
        command = self._java("kafka.tools.StorageTool", "format", "-t", name, "-c", str(self._settings))
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def start(self) -> None:
        """Start it; whoever connects waits for it."""
        with (self._folder / "kafka.log").open("ab") as log:
            command = [*dying_with_us(), *self._java("kafka.Kafka", str(self._settings))]
            self._process = subprocess.Popen(command, stdout=log, stderr=log)

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self._process.kill()
        self._process.wait()

    def _java(self, main: str, *arguments: str) -> list[str]:
        return ["java", *MEMORY, "-cp", f"{self._folder}:{JARS}/*", main, *arguments]


@contextmanager
def kafka(folder: Path) -> Iterator[Kafka]:
    """Run Kafka in a folder; skip the test where its jars are not installed: they are optional."""
    if not JARS.exists():
        pytest.skip("Kafka is not installed; scripts/servers --kafka installs it")
    broker = Kafka(folder)
    broker.format()
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()
