"""Server: a connection to Redis or Valkey whose errors are ours and say whether to try again.

The URL may name any node of a Redis Cluster: when that node says that a key is with another one, the client becomes one
that knows them all. Every command has one key, and all keys of a script are of one job, hence of one node.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, cast

from thresher.errors import BackendError, JobLost, MissingExtra, RolledBack, Unreachable
from thresher.urls.secrets import masked

TIMEOUT_S = 30.0  # a server that saves or loads a large set of data answers late
OLDEST = (6, 2)  # LPOP with a number, HRANDFIELD
# Errors that pass by themselves, or when the server's keeper acts: the crawl can wait for that.
_FOR_NOW = ("BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MISCONF", "NOREPLICAS", "OOM", "READONLY", "TRYAGAIN")
_LOST, _ROLLED_BACK = "LOST", "ROLLEDBACK"  # of lua/context.lua
_LOST_MESSAGE = (
    "has lost the links of this run: it came back without them, or was emptied; what is stored stays. "
    "Start the crawl again with `thresher crawl`, and let the server keep what it is told (appendonly yes)"
)


class Server:
    """One client, for any thread; its connections come back by themselves after the server was away."""

    def __init__(self, url: str) -> None:
        """Prepare the connection; nothing is sent. Raise BackendError when the URL makes no sense."""
        try:
            import redis
            from redis.backoff import NoBackoff
            from redis.retry import Retry
        except ImportError as error:
            message = f"a frontier in Redis needs a library ({error}): pip install 'thresher[redis]'"
            raise MissingExtra(message) from error
        self._redis = redis
        self._url, self._place = url, masked(url)
        # One retry: a connection that lay idle may have been closed by the server.
        self._terms = {"socket_timeout": TIMEOUT_S, "socket_connect_timeout": 5.0, "retry": Retry(NoBackoff(), 1)}
        try:
            self._client: Any = redis.Redis.from_url(url, **self._terms)
        except ValueError as error:
            raise BackendError(f"frontier: {self._place} is not a Redis URL; use redis://HOST:PORT/NUMBER") from error
        self._scripts: dict[str, Callable[..., Any]] = {}
        self._is_cluster, self._joining = False, Lock()
        self.is_clustered = False  # the server is one of a cluster; known once it was checked

    def check(self) -> None:
        """Raise BackendError when the server cannot be used."""
        with self._foreign_errors():
            told = self._of_one_node("INFO", "server")
        version, self.is_clustered = str(told.get("redis_version", "0")), told.get("redis_mode") == "cluster"
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
            raise BackendError(f"the Redis at {self._place} is {version}; the frontier needs 6.2 or newer")

    def call(self, *command: Any) -> Any:
        """Send one command and return the answer; raise BackendError."""
        return self._in_the_cluster(lambda: self._client.execute_command(*command))

    def run(self, script: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Run a Lua script and return its answer; one that the server has forgotten is sent again."""
        return self._in_the_cluster(lambda: self._script(script)(keys=keys, args=arguments))

    def _script(self, script: str) -> Callable[..., Any]:
        known = self._scripts.get(script)
        if known is None:
            known = self._scripts[script] = cast(Callable[..., Any], self._client.register_script(script))
        return known

    def _in_the_cluster(self, work: Callable[[], Any]) -> Any:
        """Return what the work returns; begin anew as a client of a cluster when the server is one node of it."""
        with self._foreign_errors():
            before = self._client
            try:
                return work()
            except self._redis.exceptions.MovedError:
                self._join_cluster(before)
                return work()

    def _join_cluster(self, before: Any) -> None:
        with self._joining:
            if self._client is before:  # another thread may have been faster
                client = self._redis.RedisCluster.from_url(self._url, **self._terms)
                self._scripts, self._client, self._is_cluster = {}, client, True
                before.close()

    def _of_one_node(self, *command: Any) -> Any:
        """Send a command that has no key to any node."""
        options = {"target_nodes": self._client.get_default_node()} if self._is_cluster else {}
        return self._client.execute_command(*command, **options)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    @contextmanager
    def _foreign_errors(self) -> Iterator[None]:
        redis = self._redis
        try:
            yield
        except redis.AuthenticationError as error:
            raise BackendError(f"the Redis at {self._place} refuses the login: {error}; check the URL") from error
        except (redis.ConnectionError, redis.TimeoutError, redis.exceptions.RedisClusterException) as error:
            raise Unreachable(f"the Redis at {self._place} does not answer ({error}); is it running?") from error
        except redis.RedisError as error:
            message = _cause(str(error))
            passing = (
                redis.ReadOnlyError,
                redis.OutOfMemoryError,
                redis.exceptions.MasterDownError,
                redis.exceptions.ClusterError,
            )
            if isinstance(error, passing) or message.startswith(_FOR_NOW):
                raise Unreachable(f"the Redis at {self._place} cannot serve for now: {message}") from error
            if message.startswith(_LOST):
                raise JobLost(f"the Redis at {self._place} {_LOST_MESSAGE}") from error
            if message.startswith(_ROLLED_BACK):
                raise RolledBack(f"the Redis at {self._place} has lost its last seconds") from error
            raise BackendError(f"the Redis at {self._place} rejected the command: {message}") from error


def _cause(message: str) -> str:
    """Return what a command in a script said: Redis 6.2 puts the script's place before it, 7.0 after it."""
    return re.sub(r"^(?:ERR )?Error running script .*@user_script: ?[0-9]+: -?", "", message, flags=re.DOTALL)
