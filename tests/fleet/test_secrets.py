"""The users of Redis that deploy/make-secrets writes, on a real server: what was accepted outlives a power cut."""

import re
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.contracts.frontier_words import links
from tests.crawl.fleet import until
from tests.servers import HOST, redis_server
from thresher.errors import BackendError
from thresher.frontier.contract import Rules
from thresher.frontier.redis import RedisFrontier
from thresher.frontier.server import Server as Connection

ROOT = Path(__file__).parents[2]


def test_links_outlive_a_redis_that_dies_under_the_users_of_the_composition(tmp_path: Path) -> None:
    """Redis reads its append-only file with the rights of the default user, who may have none to log in."""
    subprocess.run([ROOT / "deploy" / "make-secrets", tmp_path], check=True, capture_output=True)
    # Written at once: an ordinary file may be a second behind while the disk is busy.
    with redis_server("--aclfile", f"{tmp_path}/redis-users", "--appendfsync", "always") as server:
        own = Connection(re.sub(r"@[^/]+/", f"@{HOST}:{server.port}/", (tmp_path / "frontier").read_text()))
        frontier = RedisFrontier(own, "job", Rules(delay_s=0.0))
        frontier.offer(links(50))
        assert len(frontier.lease("w1", 1)) == 1
        before = frontier.census()
        server.kill()
        server.start()
        until(lambda: answers(own))
        assert frontier.census() == before
        assert (before.pending, before.leased) == (49, 1)
        own.close()
        nobody = Connection(server.url)
        for command in (("PING",), ("GET", "thresher:job"), ("FLUSHALL",)):
            with pytest.raises(BackendError, match=r"(?i)authentication required"):
                nobody.call(*command)
        nobody.close()


def answers(connection: Connection) -> bool:
    """Say whether the server has read its file by now."""
    with suppress(BackendError):
        connection.call("PING")
        return True
    return False
