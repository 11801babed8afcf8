"""The user of Redis that deploy/redis/worker.rules describes."""

from pathlib import Path

from thresher.frontier.server import Server

RULES = (Path(__file__).parents[2] / "deploy" / "redis" / "worker.rules").read_text("utf-8").split()
NAME, PASSWORD = "worker", "a-password-of-tests"


def least_user(url: str) -> str:
    """Make that user on a server; return the URL with its login."""
    server = Server(url)
    server.call("ACL", "SETUSER", NAME, "reset", "on", f">{PASSWORD}", *RULES)
    server.close()
    return url.replace("redis://", f"redis://{NAME}:{PASSWORD}@")
