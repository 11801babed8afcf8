"""The files of deploy/logging: they agree with what is logged, and real collectors carry it into a real server."""

import getpass
import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from tests.crawl.harness import Crawl
from tests.servers import HOST, opensearch_server
from thresher import logs, wiring
from thresher.config import Settings
from thresher.lab.servers import dying_with_us, free_port, search_server_folder
from thresher.sample import SampleWeb, serve

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "logging"
SBIN = "/usr/sbin"  # where Debian keeps servers off the path of ordinary users
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
    phases = json.loads((FOLDER / "ilm-policy.json").read_text("utf-8"))["policy"]["phases"]
    assert phases["delete"]["min_age"] == ism["states"][0]["transitions"][0]["conditions"]["min_index_age"] == "30d"
    # The collectors begin an index each day; a rollover, which asks for an alias that they do not write to, would
    # stop the policy with an error before anything is ever deleted.
    assert not any("rollover" in phase.get("actions", {}) for phase in phases.values())
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


@pytest.mark.long
def test_filebeat_ships_the_log_of_a_crawl_and_its_fields_arrive_as_the_template_says(tmp_path: Path) -> None:
    beat = search_server_folder("filebeat") / "filebeat"
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:{SBIN}")
    if not beat.exists() or nginx is None:
        pytest.skip("filebeat and nginx are not installed (scripts/servers --monitoring); they are optional")
    with serve(SampleWeb(pages=10, crawl_delay_s=None)) as site, opensearch_server() as server:
        base = f"http://{HOST}:{server.port}"
        _ask(f"{base}/_index_template/thresher-logs", "PUT", _template())
        data = tmp_path / "data"
        assert Crawl(data, site).run().code == 0
        written = [json.loads(line) for line in (data / logs.FOLDER / logs.NAME).read_text("utf-8").splitlines()]
        with _as_elasticsearch(nginx, tmp_path, server.port) as port, _filebeat(beat, tmp_path, data, port):
            _wait_for(lambda: _count(base) >= len(written))
        assert _count(base) == len(written)
        found = _ask(f"{base}/thresher-logs-*/_search", "POST", {"size": len(written)})["hits"]["hits"]
        known = _fields(_template()["template"]["mappings"]["properties"]) - NOT_OURS
        arrived = _sorted(_known(hit["_source"], known) for hit in found)
        assert arrived == _sorted(_known(line, known) for line in written)
        kept = _fields(next(iter(_ask(f"{base}/thresher-logs-*/_mapping", "GET").values()))["mappings"]["properties"])
        assert kept == known | NOT_OURS  # and nothing that Filebeat adds besides
        for field in ("event.reason", "url.domain", "http.response.status_code", "thresher.run"):
            assert _each(base, field) == Counter(_at(line, field) for line in written if _at(line, field) is not None)


def _known(told: Mapping[str, Any], known: set[str]) -> dict[str, Any]:
    """Return the fields of a line by their dotted names, as far as the template knows them; times as their instant."""
    found = {name: value for name in known if (value := _at(told, name)) is not None}
    return found | {"@timestamp": datetime.fromisoformat(found["@timestamp"])}


def _at(told: Any, path: str) -> Any:
    if path in told:
        return told[path]
    for part in path.split("."):
        told = told.get(part) if isinstance(told, Mapping) else None
    return told


def _sorted(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(lines, key=lambda line: (line["@timestamp"], str(sorted(line.items(), key=str))))


def _each(base: str, field: str) -> Counter[Any]:
    """Ask how many lines there are of each value of a field."""
    asked = {"size": 0, "aggs": {"each": {"terms": {"field": field, "size": 1_000}}}}
    found = _ask(f"{base}/thresher-logs-*/_search", "POST", asked)["aggregations"]["each"]["buckets"]
    return Counter({bucket["key"]: bucket["doc_count"] for bucket in found})


@contextmanager
def _as_elasticsearch(nginx: str, folder: Path, port: int) -> Iterator[int]:
    """Stand before an OpenSearch and say what Filebeat wants to hear of an Elasticsearch; give the port."""
    own = free_port()
    hello = json.dumps({"name": "n", "cluster_name": "c", "version": {"number": "8.1.3", "build_flavor": "default"}})
    known = json.dumps({"license": {"status": "active", "type": "basic", "mode": "basic", "uid": "u"}})
    mark = "add_header X-Elastic-Product Elasticsearch always; default_type application/json;"
    (folder / "nginx.conf").write_text(
        f"""daemon off; user {getpass.getuser()}; pid {folder}/nginx.pid; error_log {folder}/nginx.log; events {{}}
        http {{ access_log off; client_max_body_size 100m; client_body_temp_path {folder}/body;
          proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u;
          scgi_temp_path {folder}/s;
          server {{ listen {HOST}:{own}; {mark}
            location = / {{ return 200 '{hello}'; }}
            location = /_license {{ return 200 '{known}'; }}
            location / {{ proxy_pass http://{HOST}:{port}; }} }} }}""",
        "utf-8",
    )
    process = subprocess.Popen([*dying_with_us(), nginx, "-c", str(folder / "nginx.conf"), "-p", str(folder)])
    try:
        _wait_for(lambda: _answers(own))
        yield own
    finally:
        process.terminate()
        process.wait(60)


def _answers(port: int) -> bool:
    try:
        return bool(_ask(f"http://{HOST}:{port}/", "GET"))
    except OSError:
        return False


@contextmanager
def _filebeat(program: Path, folder: Path, data: Path, port: int) -> Iterator[None]:
    """Run Filebeat with the configuration that is shipped, and the output that it offers in place of Logstash."""
    text = (FOLDER / "filebeat.yml").read_text("utf-8")
    before, _, offered = text.partition("output.logstash:")
    output = re.sub(r"(?m)^# ?", "", offered[offered.index("# output.elasticsearch:") :])
    (folder / "filebeat.yml").write_text(before + output, "utf-8")
    (folder / "filebeat.yml").chmod(0o600)
    words = ["-c", f"{folder}/filebeat.yml", "--path.home", f"{folder}", "--path.data", f"{folder}/beat", "-e"]
    given = {"THRESHER_DATA": str(data), "ELASTICSEARCH": f"http://{HOST}:{port}"}
    with (folder / "filebeat.log").open("wb") as log:
        command = [*dying_with_us(), str(program), *words]
        process = subprocess.Popen(command, env=os.environ | given, stdout=log, stderr=log)
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


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
