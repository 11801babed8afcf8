"""A fleet of containers: without an engine, and (long) on a real one with the image that THRESHER_IMAGE names."""

import os
import subprocess
import sys
from pathlib import Path

import docker
import pytest

from thresher.errors import Unreachable
from thresher.fleet.docker import Docker
from thresher.fleet.plan import DockerPlan, Engine

ROOT = Path(__file__).parents[2]
ENGINE = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")


def test_an_engine_that_is_not_there_is_unreachable_and_named(tmp_path: Path) -> None:
    plan = DockerPlan("thresher:1", (Engine("north", f"unix://{tmp_path}/none.sock"),))
    with pytest.raises(Unreachable, match=r"the engine 'north' at unix://.* does not answer"):
        Docker(plan)


def image_on(engine: str) -> str:
    """Return the image to try; skip where there is no engine or it has none such. It is optional, in CI too."""
    image = os.environ.get("THRESHER_IMAGE", "thresher:0.1.0")
    try:
        client = docker.DockerClient(engine)
        client.images.get(image)
    except docker.errors.DockerException as error:
        pytest.skip(f"no Docker engine with {image}: {error}")
    client.close()
    return image


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("words", [(), ("--steps", "1,4,2")], ids=["hurt", "scaled"])
def test_containers_that_are_hurt_or_scaled_lose_and_double_nothing(words: tuple[str, ...]) -> None:
    line = [sys.executable, str(ROOT / "deploy" / "smoke"), "--engine", ENGINE, "--image", image_on(ENGINE)]
    done = subprocess.run([*line, "--pages", "60", *words], capture_output=True, text=True, timeout=850)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing is lost, nothing is doubled" in done.stdout
