"""HDFS for tests: a NameNode and two DataNodes on loopback, from the jars that scripts/servers --hdfs installs."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from thresher.lab.servers import HOST, dying_with_us, free_port

JARS = Path.home() / ".cache/thresher-servers/hdfs/jars"
MEMORY = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
OPENED = [f"--add-opens=java.base/java.{name}=ALL-UNNAMED" for name in ("lang", "util", "nio", "net")]
SERVER = "org.apache.hadoop.hdfs.server"
WEB = ("hdfs", "datanode", "secondary", "static")


class Hdfs:
    """A running HDFS; `url` is its root."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._ports = folder, [free_port() for _ in range(2)]
        self.url = f"hdfs://{HOST}:{self._ports[0]}"
        self.web = f"webhdfs://{HOST}:{self._ports[1]}"
        self._configure()
        self._processes: list[subprocess.Popen[bytes]] = []

    def _configure(self) -> None:
        values = {
            "dfs.namenode.name.dir": str(self._folder / "name"),
            "dfs.namenode.rpc-address": f"{HOST}:{self._ports[0]}",
            "dfs.namenode.http-address": f"{HOST}:{self._ports[1]}",
            "dfs.namenode.datanode.registration.ip-hostname-check": "false",
            "dfs.datanode.hostname": HOST,
            "dfs.replication": "2",
            "dfs.namenode.safemode.extension": "0",
            "dfs.permissions.enabled": "false",
            "dfs.heartbeat.interval": "1",
            # By itself a NameNode sends writers to a dead node for ten minutes.
            "dfs.namenode.avoid.write.stale.datanode": "true",
            "dfs.namenode.stale.datanode.interval": "3000",
            "dfs.namenode.write.stale.datanode.ratio": "1.0",
            "dfs.namenode.heartbeat.recheck-interval": "2000",
            "dfs.client.block.write.replace-datanode-on-failure.policy": "NEVER",
        }
        for name, pairs in (("core-site", {"fs.defaultFS": self.url}), ("hdfs-site", values)):
            inside = "".join(f"<property><name>{k}</name><value>{v}</value></property>" for k, v in pairs.items())
            (self._folder / f"{name}.xml").write_text(f"<configuration>{inside}</configuration>")
        for web in WEB:
            place = self._folder / "webapps" / web / "WEB-INF"
            place.mkdir(parents=True)
            (place / "web.xml").write_text("<web-app/>")

    def start(self) -> None:
        """Format it, start all nodes and wait until both DataNodes are known."""
        subprocess.run(self._java(f"{SERVER}.namenode.NameNode", "-format", "-nonInteractive"), check=True, stderr=-3)
        self._run("namenode", self._java(f"{SERVER}.namenode.NameNode"))
        for number in range(2):
            ports = [
                f"-Ddfs.datanode.{name}={HOST}:{free_port()}" for name in ("address", "http.address", "ipc.address")
            ]
            data = f"-Ddfs.datanode.data.dir={self._folder / f'data{number}'}"
            self._run(f"datanode{number}", self._java(f"{SERVER}.datanode.DataNode", data, *ports))
        log = self._folder / "namenode.log"
        while log.read_text("utf-8", "replace").count("registerDatanode: from") < 2:
            assert self._processes[0].poll() is None, log.read_text("utf-8", "replace")[-2000:]

    def kill_datanode(self, number: int) -> None:
        """Kill a DataNode with SIGKILL."""
        self._processes[1 + number].send_signal(signal.SIGKILL)
        self._processes[1 + number].wait()

    def stop(self) -> None:
        """Kill all nodes."""
        for process in self._processes:
            process.kill()
            process.wait()

    def _run(self, name: str, command: list[str]) -> None:
        with (self._folder / f"{name}.log").open("wb") as log:
            self._processes.append(subprocess.Popen([*dying_with_us(), *command], stdout=log, stderr=log))

    def _java(self, main: str, *arguments: str) -> list[str]:
        logging = ["-Dlog4j.rootLogger=INFO,console", "-Dlog4j.configuration=log4j.properties"]
        (self._folder / "log4j.properties").write_text(
            "log4j.rootLogger=INFO,console\nlog4j.appender.console=org.apache.log4j.ConsoleAppender\n"
            "log4j.appender.console.layout=org.apache.log4j.PatternLayout\n"
            "log4j.appender.console.layout.ConversionPattern=%p %m%n\n"
        )
        return ["java", *MEMORY, *OPENED, *logging, "-cp", f"{self._folder}:{JARS}/*", main, *arguments]


@contextmanager
def hdfs(folder: Path) -> Iterator[Hdfs]:
    """Run HDFS in a folder; skip the test where its jars are not installed: they are optional."""
    if not JARS.exists():
        pytest.skip("HDFS is not installed; scripts/servers --hdfs installs it")
    pytest.importorskip("hdfs_native", reason="pip install 'thresher[hdfs]'")
    server = Hdfs(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
