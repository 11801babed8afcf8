"""What a process that works for long tells those who watch over it: its log, its metrics, its traces."""

from thresher import tracing
from thresher.cli.terminal import keep_log, say
from thresher.config import Settings
from thresher.crawling.identity import worker_name
from thresher.metrics import offer_metrics


def begin(chosen: Settings, role: str) -> None:
    """Keep the log of this process, send traces and answer Prometheus where the settings say so.

    A port that is taken is told.
    """
    keep_log(chosen, role, worker_name())
    if chosen.traces:
        tracing.begin(role, worker_name(), url=chosen.traces, share=chosen.traces_share)
    if chosen.metrics_place is None:
        return
    host, port = chosen.metrics_place
    try:
        found = offer_metrics(role, host, port)
    except OSError as error:
        say(f"cannot answer Prometheus at {chosen.metrics}: {error.strerror}; going on without")
        return
    if found != port:
        say(f"metrics are at {host}:{found}; port {port} is taken")
