"""The file that says where workers run."""

from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.fleet.plan import DockerPlan, Engine, KubernetesPlan, Plan, read_plan

WHOLE = """
backend = "docker"
[docker]
image = "thresher:0.1.0"
secrets = "/etc/thresher/secrets"
cpus = 2
[docker.environment]
THRESHER_FRONTIER_FILE = "/run/secrets/frontier"
THRESHER_CONCURRENCY = 32
[docker.engines.here]
[docker.engines.north]
url = "ssh://crawler@north.example"
max_workers = 8
[docker.engines.south]
url = "tcp://south.example:2376"
tls = "/etc/thresher/south"
[kubernetes]
namespace = "crawl"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text)
    return path


def test_without_a_file_the_fleet_is_of_this_machine(tmp_path: Path) -> None:
    assert read_plan(None, tmp_path / "fleet.toml") == Plan("local")


def test_a_plan_names_engines_image_and_environment(tmp_path: Path) -> None:
    engines = (
        Engine("here"),
        Engine("north", "ssh://crawler@north.example", max_workers=8),
        Engine("south", "tcp://south.example:2376", "/etc/thresher/south"),
    )
    words = {"THRESHER_FRONTIER_FILE": "/run/secrets/frontier", "THRESHER_CONCURRENCY": "32"}
    docker = DockerPlan("thresher:0.1.0", engines, environment=words, secrets="/etc/thresher/secrets", cpus=2)
    expected = Plan("docker", docker, KubernetesPlan(namespace="crawl"))
    assert read_plan(written(tmp_path, WHOLE)) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('backend = "swarm"', "backend is 'swarm'"),
        ('backend = "docker"', r"a table \[docker\] is missing"),
        ("workers = 4", "unknown 'workers' in the file"),
        ("docker = 4", r"\[docker\] is not a table"),
        ("[docker]\nmemory = '1g'", "has no image"),
        ("[docker]\nimage = 'a'\nmemory = 4", "memory of .* is 4"),
        ("[docker]\nimage = 'a'\npids = true", "pids of .* is True"),
        ("[docker]\nimage = 'a'\n[docker.engines.x]\nurl = 'ftp://a'", "begins with unix://"),
        ("[docker]\nimage = 'a'\n[docker.engines.x]\nurl = 'tcp://a.example:2375'", "without TLS is root"),
        ("[docker]\nimage = 'a'\n[docker.engines.x]\nuser = 'b'", "unknown 'user'"),
        ("[docker]\nimage = 'a'\nenvironment.A = [1]", "neither a text nor a number"),
        ("backend = ", "not valid TOML"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused_with_the_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=f"plan.toml.*{message}"):
        read_plan(written(tmp_path, text))


def test_a_plan_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        read_plan(tmp_path / "none.toml")
