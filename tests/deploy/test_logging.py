"""The files of deploy/logging: they agree with what is logged, and real collectors carry it into a real server."""

import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from tests.crawl.harness import Crawl
from tests.servers import HOST, opensearch_server
from thresher import logs, wiring
from thresher.config import Settings
from thresher.sample import SampleWeb, serve

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "logging"
NOT_OURS = {"host.name"}  # a field of the template that the collectors fill in


def test_the_index_template_has_a_field_for_all_that_is_logged() -> None:
    logged = {*logs.ECS.values(), *logs.FACTS.values(), "ecs.version", "service.name", "event.dataset"}
    logged |= {"error.type", "error.message", "log.logger"}
    assert _fields(_template()["template"]["mappings"]["properties"]) - NOT_OURS == logged


def test_the_dashboard_is_what_its_script_writes_and_asks_for_known_fields() -> None:
    script = run_path(str(ROOT / "scripts" / "dashboards"))
    assert (FOLDER / "dashboards.ndjson").read_text("utf-8") == script["lines"]()
    saved = {(each["type"], each["id"]): each for each in script["objects"]()}
    known = _fields(_template()["template"]["mappings"]["properties"])
    for each in saved.values():
        assert all((to["type"], to["id"]) in saved for to in each["references"])
    for panel in _panels(saved.values()):
        assert {agg["params"].get("field", "@timestamp") for agg in panel["aggs"]} <= known


def test_the_policies_name_the_indexes_that_the_collectors_write() -> None:
    pattern = "thresher-logs-"
    assert _template()["index_patterns"] == ["thresher-logs*"]
    ism = json.loads((FOLDER / "ism-policy.json").read_text("utf-8"))["policy"]
    assert ism["ism_template"][0]["index_patterns"] == [pattern + "*"]
    assert {state["name"] for state in ism["states"]} >= {to["state_name"] for to in ism["states"][0]["transitions"]}
    assert "delete" in json.loads((FOLDER / "ilm-policy.json").read_text("utf-8"))["policy"]["phases"]
    for name in ("filebeat.yml", "logstash.conf", "rsyslog.conf"):
        assert pattern in (FOLDER / name).read_text("utf-8")


@pytest.mark.long
def test_rsyslog_ships_the_log_of_a_crawl_and_the_dashboard_counts_what_the_store_counts(tmp_path: Path) -> None:
    program = shutil.which("rsyslogd", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None or not Path("/usr/lib/x86_64-linux-gnu/rsyslog/omelasticsearch.so").exists():
        pytest.skip("rsyslog with rsyslog-elasticsearch is not installed; it is optional")
    with serve(SampleWeb(pages=10, crawl_delay_s=None)) as site, opensearch_server() as server:
        base = f"http://{HOST}:{server.port}"
        _ask(f"{base}/_index_template/thresher-logs", "PUT", _template())
        data = tmp_path / "data"
        crawl = Crawl(data, site)
        ended = crawl.run()
        assert ended.code == 0, ended
        lines = len((data / logs.FOLDER / logs.NAME).read_text("utf-8").splitlines())
        with _rsyslog(program, tmp_path, data, server.port):
            _wait_for(lambda: _count(base) >= lines)
        assert _count(base) == lines
        script = run_path(str(ROOT / "scripts" / "dashboards"))
        panels = {panel["title"]: panel for panel in _panels(script["objects"]())}
        with closing(wiring.open_corpus(Settings(data=str(data)))) as corpus:
            fates = [visit.fate for visit in corpus.store.visits(1)]
        failures, hosts = (_shares(base, panels[title]) for title in ("Failures by reason", "Hosts"))
    assert failures == Counter(fate.reason for fate in fates if fate.state == "buried")
    assert failures
    assert sum(hosts.values()) == lines
    assert set(hosts) == {HOST}


def _template() -> Any:
    return json.loads((FOLDER / "index-template.json").read_text("utf-8"))


def _fields(properties: Mapping[str, Any], before: str = "") -> set[str]:
    found: set[str] = set()
    for name, told in properties.items():
        inner = told.get("properties")
        found |= _fields(inner, f"{before}{name}.") if inner else {before + name}
    return found


def _panels(saved: Any) -> list[Any]:
    found = []
    for each in saved:
        if each["type"] == "visualization":
            source = json.loads(each["attributes"]["kibanaSavedObjectMeta"]["searchSourceJSON"])
            found.append(json.loads(each["attributes"]["visState"]) | {"query": source["query"]["query"]})
    return found


def _shares(base: str, panel: Mapping[str, Any]) -> Counter[str]:
    """Ask what a table of the dashboard asks: how many lines there are of each value."""
    (parted,) = [agg["params"] for agg in panel["aggs"] if agg["type"] == "terms"]
    asked = {
        "size": 0,
        "query": {"query_string": {"query": panel["query"] or "*"}},
        "aggs": {"shares": {"terms": {"field": parted["field"], "size": parted["size"]}}},
    }
    found = _ask(f"{base}/thresher-logs-*/_search", "POST", asked)["aggregations"]["shares"]["buckets"]
    return Counter({bucket["key"]: bucket["doc_count"] for bucket in found})


def _count(base: str) -> int:
    """Return how many lines are found; an index that is just being made has none."""
    try:
        return int(_ask(f"{base}/thresher-logs-*/_count?ignore_unavailable=true", "GET")["count"])
    except urllib.error.HTTPError as error:
        if error.code == HTTPStatus.SERVICE_UNAVAILABLE:
            return 0
        raise


def _ask(url: str, method: str, body: Any = None) -> Any:
    told = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, told, {"content-type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


@contextmanager
def _rsyslog(program: str, folder: Path, data: Path, port: int) -> Iterator[None]:
    """Run an rsyslogd with the configuration that is shipped."""
    text = (FOLDER / "rsyslog.conf").read_text("utf-8")
    (folder / "state").mkdir()
    given = {"@DATA@": str(data), "@STATE@": str(folder / "state"), "@HOST@": HOST, "@PORT@": str(port)}
    for name, value in given.items():
        text = text.replace(name, value)
    (folder / "rsyslog.conf").write_text(text, "utf-8")
    process = subprocess.Popen([program, "-n", "-f", str(folder / "rsyslog.conf"), "-i", str(folder / "pid")])
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def _wait_for(true: Any, timeout_s: float = 120) -> None:
    deadline = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.2)
