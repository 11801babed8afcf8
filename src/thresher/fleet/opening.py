"""From a plan to the backend that it names: processes of this machine, Docker engines or Kubernetes."""

from collections.abc import Mapping
from pathlib import Path

from thresher.fleet.contract import Backend
from thresher.fleet.docker import Docker
from thresher.fleet.kubernetes import Kubernetes
from thresher.fleet.plan import DOCKER, KUBERNETES, read_plan
from thresher.fleet.processes import Processes

FOLDER = "fleet"  # in the data folder


def open_backend(data: Path, environment: Mapping[str, str], plan_file: Path | None = None) -> Backend:
    """Return the backend of a plan, of `fleet.toml` or this machine without one; raise UsageError or MissingExtra.

    `environment` is that of workers on this machine.
    """
    plan = read_plan(plan_file)
    if plan.backend == DOCKER and plan.docker:
        return Docker(plan.docker)
    if plan.backend == KUBERNETES:
        return Kubernetes(plan.kubernetes)
    return Processes(data / FOLDER, environment)
