"""Members as the pods of a Deployment in Kubernetes, which the Helm chart makes.

The Deployment owns its pods: to add is to raise its replicas, to drain a pod is to mark it as the cheapest to delete
and to lower them. Kubernetes then sends the pod SIGTERM, with which its worker drains, and takes it away when it has
ended. So a drained pod is gone, and is not started again.
"""

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from thresher.errors import BackendError, MissingExtra, Unreachable, UsageError
from thresher.fleet.contract import Member, Phase
from thresher.fleet.plan import KubernetesPlan
from thresher.text import printable
from thresher.urls.secrets import masked_text

TIMEOUT_S = 30
COST = "controller.kubernetes.io/pod-deletion-cost"
CHEAPEST = "-1000"
RESTARTED = "thresher/restarted-at"  # annotation of the pods, by which a rollout without another image begins
CONFLICT, MISSING = 409, 404
TRIES = 5  # when somebody else, an autoscaler for instance, changes the Deployment at the same time


class Kubernetes:
    """A fleet of pods (see contract.py)."""

    def __init__(self, plan: KubernetesPlan) -> None:
        """Read the kubeconfig, or in a pod its service account; raise BackendError where there is neither."""
        try:
            import kubernetes
            from urllib3.exceptions import HTTPError
        except ImportError as error:
            raise MissingExtra(f"Kubernetes needs a library ({error}): pip install 'thresher[kubernetes]'") from error
        self._plan, self._errors, self._http_error = plan, kubernetes.client.exceptions, HTTPError
        client = self._configured(kubernetes.config) or kubernetes.client.ApiClient()
        self._apps: Any = kubernetes.client.AppsV1Api(client)
        self._core: Any = kubernetes.client.CoreV1Api(client)
        self._client: Any = client

    def members(self) -> list[Member]:
        return sorted(
            (_member(pod) for pod in self._pods()), key=lambda member: (member.started_at is None, member.name)
        )

    def add(self, count: int) -> None:
        self._scale(lambda replicas: replicas + count)

    def start(self, names: Collection[str]) -> None:
        if names:
            raise UsageError("a pod that has ended is not started again; `thresher fleet add` adds one")

    def drain(self, names: Collection[str], *, at_once: bool = False) -> None:
        self._known(names)
        for name in names:
            with self._foreign_errors():
                marked = {"metadata": {"annotations": {COST: CHEAPEST}}}
                self._core.patch_namespaced_pod(name, self._plan.namespace, marked, **self._terms())
        self._scale(lambda replicas: max(replicas - len(names), 0))

    def remove(self, names: Collection[str]) -> None:
        there = {pod.metadata.name: pod for pod in self._pods()}
        for name in names:
            if name in there:
                with self._foreign_errors(missing_is_fine=True):
                    self._core.delete_namespaced_pod(
                        name, self._plan.namespace, grace_period_seconds=0, **self._terms()
                    )

    def renew(self, image: str | None) -> bool:
        container = {"name": self._plan.container, "image": image} if image else None
        spec: dict[str, Any] = {"containers": [container]} if container else {}
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        template = {"metadata": {"annotations": {RESTARTED: now}}, "spec": spec}
        # One more pod is there before one of the old ones ends.
        rolling = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
        with self._foreign_errors():
            self._apps.patch_namespaced_deployment(
                self._plan.deployment,
                self._plan.namespace,
                {"spec": {"template": template, "strategy": rolling}},
                **self._terms(),
            )
        return True

    def logs(self, name: str, lines: int) -> list[str]:
        self._known([name])
        with self._foreign_errors():
            answer = self._core.read_namespaced_pod_log(
                name,
                self._plan.namespace,
                container=self._plan.container,
                tail_lines=lines,
                _preload_content=False,
                **self._terms(),
            )
        return [printable(masked_text(line)) for line in answer.data.decode("utf-8", "replace").splitlines()]

    def close(self) -> None:
        self._client.close()

    def _known(self, names: Collection[str]) -> None:
        there = {pod.metadata.name for pod in self._pods()} if names else set()
        for name in names:
            if name not in there:
                raise UsageError(f"there is no pod {name!r} in the Deployment {self._plan.deployment}")

    def _configured(self, config: Any) -> Any:
        plan = self._plan
        try:
            if plan.kubeconfig or plan.context:
                return config.new_client_from_config(plan.kubeconfig or None, plan.context or None)
            try:
                return config.new_client_from_config()
            except config.ConfigException:
                config.load_incluster_config()
                return None
        except (config.ConfigException, OSError) as error:
            raise BackendError(f"there is no way to a cluster: {error}; set kubeconfig and context") from error

    def _pods(self) -> list[Any]:
        with self._foreign_errors():
            found = self._apps.read_namespaced_deployment(self._plan.deployment, self._plan.namespace, **self._terms())
            labels = found.spec.selector.match_labels or {}
            selector = ",".join(f"{name}={value}" for name, value in labels.items())
            pods = self._core.list_namespaced_pod(self._plan.namespace, label_selector=selector, **self._terms())
        return list(pods.items)

    def _scale(self, change: Any) -> None:
        """Change the number of replicas; whoever changes it at the same time is not overwritten."""
        for _ in range(TRIES):
            with self._foreign_errors():
                found = self._apps.read_namespaced_deployment_scale(
                    self._plan.deployment, self._plan.namespace, **self._terms()
                )
            found.spec.replicas = change(found.spec.replicas or 0)
            try:
                with self._foreign_errors():
                    self._apps.replace_namespaced_deployment_scale(
                        self._plan.deployment, self._plan.namespace, found, **self._terms()
                    )
                return
            except _Conflict:
                continue
        raise BackendError(
            f"something else keeps changing the Deployment {self._plan.deployment}; is there an autoscaler?"
        )

    def _terms(self) -> dict[str, Any]:
        return {"_request_timeout": TIMEOUT_S}

    @contextmanager
    def _foreign_errors(self, *, missing_is_fine: bool = False) -> Iterator[None]:
        try:
            yield
        except self._errors.ApiException as error:
            if error.status == MISSING and missing_is_fine:
                return
            if error.status == CONFLICT:
                raise _Conflict(_cause(error)) from error
            raise BackendError(f"Kubernetes refuses: {_cause(error)}") from error
        except (self._http_error, OSError) as error:
            raise Unreachable(f"the API server of Kubernetes does not answer ({error}); is it running?") from error


class _Conflict(BackendError):
    """Somebody else has changed it meanwhile."""


def _cause(error: Any) -> str:
    try:
        return str(json.loads(error.body)["message"])
    except (KeyError, TypeError, ValueError):
        return f"{error.status} {error.reason}"


def _member(pod: Any) -> Member:
    status = pod.status
    container = (status.container_statuses or [None])[0]
    phase, reason = _phase(pod, container)
    ended = container and (container.state.terminated or (container.last_state and container.last_state.terminated))
    return Member(
        name=pod.metadata.name,
        place=pod.spec.node_name or "",
        phase=phase,
        heard_as=pod.metadata.name,
        image=pod.spec.containers[0].image,
        started_at=status.start_time,
        restarts=container.restart_count if container else 0,
        code=ended.exit_code if ended else None,
        reason=reason,
    )


def _phase(pod: Any, container: Any) -> tuple[Phase, str]:
    if pod.status.phase in ("Succeeded", "Failed"):
        return Phase.ENDED, pod.status.reason or ""
    waiting = container.state.waiting if container and container.state else None
    if waiting:
        reason = waiting.reason or ""
        return (Phase.PAUSING if "BackOff" in reason else Phase.STARTING), reason
    return (Phase.RUNNING if pod.status.phase == "Running" else Phase.STARTING), ""
