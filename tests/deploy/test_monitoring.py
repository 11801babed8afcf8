"""Metrics of crawls and workers, and the alerts and panels of deploy/monitoring that ask for them."""

import json
import re
import shutil
import subprocess
import urllib.request
from pathlib import Path

import pytest

from tests.servers import HOST
from thresher import logs
from thresher.cli.telemetry import begin
from thresher.config import Settings
from thresher.errors import UsageError
from thresher.lab.servers import free_port

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
    logs.note(
        "info", "stored: Ferry", state="success", reason="article", status=200, lag_s=90.0, is_document=True, **facts
    )
    logs.note("error", "buried: gone", state="failure", reason="http-404", status=404, **facts)
    logs.note("info", "no page")
    told = scraped(port)
    assert 'thresher_pages_total{outcome="success",reason="article",status="200"} 1.0' in told
    assert 'thresher_pages_total{outcome="failure",reason="http-404",status="404"} 1.0' in told
    assert 'thresher_lag_seconds_bucket{le="60.0"} 0.0' in told
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
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool (Debian: prometheus) is not installed; it is optional")
    for words in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]):
        ended = subprocess.run([promtool, *words], cwd=FOLDER, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stdout + ended.stderr
