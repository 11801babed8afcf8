"""Metrics of crawls and workers, and the alerts and panels of deploy/monitoring that ask for them."""

import json
import os
import re
import shutil
import signal
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.commands import Command
from tests.crawl.fleet import Fleet, until
from tests.servers import HOST, promtool
from thresher import logs
from thresher.cli.telemetry import begin
from thresher.config import Settings
from thresher.errors import UsageError
from thresher.lab.servers import dying_with_us, free_port
from thresher.sample import SampleWeb, serve

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "monitoring"
GIVEN = {"process_resident_memory_bytes"}  # by the library


def scraped(port: int) -> str:
    with urllib.request.urlopen(f"http://{HOST}:{port}/metrics", timeout=60) as answer:
        return str(answer.read(), "utf-8")


def test_what_becomes_of_pages_is_counted_where_the_settings_say(tmp_path: Path) -> None:
    port = free_port()
    begin(Settings(data=str(tmp_path), metrics=f"{HOST}:{port}"), "worker")
    facts = {"url": "https://a.example/1", "run": 1}
    sizes = {"bytes": 4_321, "extract_s": 0.02}
    logs.note(
        "info",
        "stored: Ferry",
        state="success",
        reason="article",
        status=200,
        lag_s=90.0,
        index_lags_s=[95.0],
        is_document=True,
        **facts,
        **sizes,
    )
    logs.note("error", "buried: gone", state="failure", reason="http-404", status=404, **facts)
    logs.note("info", "can be found now: 2 documents", index_lags_s=[400.0, 20.0])
    logs.note("info", "no page")
    told = scraped(port)
    assert 'thresher_pages_total{outcome="success",reason="article",status="200"} 1.0' in told
    assert 'thresher_pages_total{outcome="failure",reason="http-404",status="404"} 1.0' in told
    assert 'thresher_lag_seconds_bucket{le="60.0"} 0.0' in told
    assert 'thresher_index_lag_seconds_bucket{le="60.0"} 1.0' in told
    assert 'thresher_index_lag_seconds_bucket{le="300.0"} 2.0' in told
    assert "thresher_index_lag_seconds_count 3.0" in told
    assert "thresher_received_bytes_total 4321.0" in told
    assert 'thresher_extraction_seconds_bucket{le="0.01"} 0.0' in told
    assert 'thresher_extraction_seconds_bucket{le="0.025"} 1.0' in told
    assert 'thresher_lag_seconds_bucket{le="300.0"} 1.0' in told
    assert re.search(r"^thresher_last_stored_timestamp_seconds [1-9]", told, re.MULTILINE)
    assert "a.example" not in told


def test_a_port_that_is_taken_is_passed_over_and_the_next_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    for role in ("crawl", "watch"):
        begin(Settings(data=str(tmp_path), metrics=f"{HOST}:{port}"), role)
    (said,) = re.findall(r"metrics are at \S+:(\d+)", capsys.readouterr().err)
    assert 'role="crawl"' in scraped(port)
    assert 'role="watch"' in scraped(int(said))


@pytest.mark.parametrize("wrong", ["9464", "host", "host:0x1", "host:99999", "http://host:1/"])
def test_a_place_for_metrics_is_a_host_and_a_port(wrong: str) -> None:
    with pytest.raises(UsageError, match="HOST:PORT"):
        Settings(metrics=wrong)


def test_alerts_and_panels_ask_for_metrics_that_there_are() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "src" / "thresher").rglob("*.py"))
    made = set(re.findall(r'"(thresher_[a-z_]+)"', code)) | GIVEN
    panels = json.loads((FOLDER / "grafana.json").read_text("utf-8"))["panels"]
    asked = " ".join(target["expr"] for panel in panels for target in panel["targets"])
    asked += (FOLDER / "alerts.yml").read_text("utf-8")
    names = {name.removesuffix("_bucket") for name in re.findall(r"\b(?:thresher|process)_[a-z_]+", asked)}
    assert len(names) > 8
    assert names <= made


def test_the_alerts_fire_when_they_should_and_not_otherwise() -> None:
    program = promtool()
    for words in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]):
        ended = subprocess.run([program, *words], cwd=FOLDER, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.long
def test_prometheus_scrapes_every_role_and_alertmanager_hears_of_a_worker_that_dies(
    redis_url: str, postgresql_url: str, tmp_path: Path
) -> None:
    programs = [shutil.which(name) for name in ("prometheus", "prometheus-alertmanager")]
    if None in programs:
        pytest.skip("prometheus and prometheus-alertmanager are not installed; they are optional")
    fleet = Fleet(tmp_path / "data", redis_url, postgresql_url)
    roles = ("crawl", "worker", "watch")
    ports = {role: free_port() for role in (*roles, "serve", "prometheus", "alertmanager")}
    with ExitStack() as stack:
        site = stack.enter_context(serve(SampleWeb(pages=2_000, crawl_delay_s=None)))
        fleet.run("sources", "add", site.starts[0], "--name", "sample")
        started = {
            "serve": fleet.start("serve", "--port", f"{ports['serve']}"),
            "crawl": reported(fleet, ports["crawl"], "crawl", *site.starts, "--delay", "0.2", "--progress", "none"),
            "watch": reported(fleet, ports["watch"], "watch"),
        }
        for command in started.values():
            stack.callback(killed, command)
        until(lambda: "run-1" in {job for _, job, _ in fleet.workers()})
        started["worker"] = reported(fleet, ports["worker"], "worker", "run", "--job", "1")
        stack.callback(killed, started["worker"])
        stack.enter_context(alertmanager(str(programs[1]), tmp_path, ports["alertmanager"]))
        stack.enter_context(prometheus(str(programs[0]), tmp_path, ports))
        base = f"http://{HOST}:{ports['prometheus']}/api/v1"
        until(lambda: instant(base, "sum(up)") == len(roles) + 1)
        until(lambda: {*by(base, "thresher_build_info", "role")} == {*roles, "serve"})
        until(lambda: instant(base, "sum(rate(thresher_pages_total[10s]))") > 0)
        until(lambda: by(base, "thresher_workers", "state").get("running", 0) >= len(roles))
        alerts = f"http://{HOST}:{ports['alertmanager']}/api/v2/alerts"
        assert "ThresherWorkerLost" not in firing(alerts)
        os.kill(started["worker"].pid, signal.SIGKILL)
        until(lambda: "ThresherWorkerLost" in firing(alerts))
        until(lambda: "ThresherAway" in firing(alerts))
        assert by(base, "up", "instance")[f"{HOST}:{ports['worker']}"] == 0


@pytest.fixture
def redis_url(redis_process: Any) -> str:
    """The URL of an empty Redis."""
    subprocess.run(["redis-cli", "-u", redis_process.url, "flushall"], check=True, stdout=subprocess.DEVNULL)
    return str(redis_process.url)


def reported(fleet: Fleet, port: int, *words: str) -> Command:
    """Start a command that answers Prometheus at a port."""
    return fleet.start(*words, environ={"THRESHER_METRICS": f"{HOST}:{port}"})


def killed(command: Command) -> None:
    """End a command that may have ended."""
    if command.poll() is None:
        command.kill()
        command.wait()


@contextmanager
def prometheus(program: str, folder: Path, ports: Mapping[str, int]) -> Iterator[None]:
    """Run Prometheus with what is shipped, at a hundredth of its times and with our places."""
    told = yaml.safe_load((FOLDER / "prometheus.yml").read_text("utf-8"))
    told["global"] = {"scrape_interval": "500ms", "evaluation_interval": "500ms"}
    (serving, working) = told["scrape_configs"]
    del serving["authorization"]
    serving["static_configs"] = [{"targets": [f"{HOST}:{ports['serve']}"]}]
    working["static_configs"] = [{"targets": [f"{HOST}:{ports[role]}" for role in ("crawl", "worker", "watch")]}]
    told["alerting"]["alertmanagers"] = [{"static_configs": [{"targets": [f"{HOST}:{ports['alertmanager']}"]}]}]
    rules = re.sub(r"for: [0-9]+m", "for: 1s", (FOLDER / "alerts.yml").read_text("utf-8"))
    (folder / "alerts.yml").write_text(rules, "utf-8")
    (folder / "prometheus.yml").write_text(yaml.safe_dump(told), "utf-8")
    words = [
        "--config.file=prometheus.yml",
        "--storage.tsdb.path=series",
        f"--web.listen-address={HOST}:{ports['prometheus']}",
    ]
    with run_beside([program, *words], folder, "prometheus", f"http://{HOST}:{ports['prometheus']}/-/ready"):
        yield


@contextmanager
def alertmanager(program: str, folder: Path, port: int) -> Iterator[None]:
    """Run an Alertmanager that tells nobody."""
    told = {"route": {"receiver": "nobody", "group_wait": "0s"}, "receivers": [{"name": "nobody"}]}
    (folder / "alertmanager.yml").write_text(yaml.safe_dump(told), "utf-8")
    words = ["--config.file=alertmanager.yml", "--storage.path=alerts", "--cluster.listen-address="]
    command = [program, *words, f"--web.listen-address={HOST}:{port}"]
    with run_beside(command, folder, "alertmanager", f"http://{HOST}:{port}/-/ready"):
        yield


@contextmanager
def run_beside(command: list[str], folder: Path, name: str, ready: str) -> Iterator[None]:
    """Run a program until the end of the block, which begins when it is ready."""
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen([*dying_with_us(), *command], cwd=folder, stdout=log, stderr=log)
    try:
        until(lambda: process.poll() is not None or answers(ready))
        assert process.poll() is None, (folder / f"{name}.log").read_text()
        yield
    finally:
        process.kill()
        process.wait()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def query(base: str, words: str) -> list[dict[str, Any]]:
    """Return what Prometheus finds now."""
    asked = urllib.parse.urlencode({"query": words})
    with urllib.request.urlopen(f"{base}/query?{asked}", timeout=60) as answer:
        found: list[dict[str, Any]] = json.load(answer)["data"]["result"]
        return found


def instant(base: str, words: str) -> float:
    found = query(base, words)
    return float(found[0]["value"][1]) if found else 0.0


def by(base: str, words: str, label: str) -> dict[str, float]:
    return {each["metric"][label]: float(each["value"][1]) for each in query(base, words)}


def firing(alerts: str) -> set[str]:
    """Name the alerts that the Alertmanager has heard of and that are not over."""
    with urllib.request.urlopen(f"{alerts}?active=true", timeout=60) as answer:
        return {each["labels"]["alertname"] for each in json.load(answer)}
