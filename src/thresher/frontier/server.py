"""Server: a connection to Redis or Valkey whose errors are ours and say whether to try again."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from thresher.errors import BackendError, JobLost, MissingExtra, Unreachable

TIMEOUT_S = 30.0  # a server that saves or loads a large set of data answers late
OLDEST = (6, 2)  # LPOP with a number, HRANDFIELD
# Errors that pass by themselves, or when the server's keeper acts: the crawl can wait for that.
_FOR_NOW = ("BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MISCONF", "NOREPLICAS", "OOM", "READONLY", "TRYAGAIN")
_LOST = "LOST"  # of lua/context.lua
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
        self._place = _without_password(url)
        try:
            # One retry: a connection that lay idle may have been closed by the server.
            self._client = redis.Redis.from_url(
                url, socket_timeout=TIMEOUT_S, socket_connect_timeout=5.0, retry=Retry(NoBackoff(), 1)
            )
        except ValueError as error:
            raise BackendError(f"frontier: {self._place} is no Redis URL; use redis://HOST:PORT/NUMBER") from error
        self._scripts: dict[str, Callable[..., Any]] = {}

    def check(self) -> None:
        """Raise BackendError when the server cannot be used."""
        version = str(self.call("INFO", "server").get("redis_version", "0"))
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
            raise BackendError(f"the Redis at {self._place} is {version}; the frontier needs 6.2 or newer")

    def call(self, *command: Any) -> Any:
        """Send one command and return the answer; raise BackendError."""
        with self._foreign_errors():
            return self._client.execute_command(*command)  # type: ignore[no-untyped-call]

    def run(self, script: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Run a Lua script and return its answer; one that the server has forgotten is sent again."""
        with self._foreign_errors():
            known = self._scripts.get(script)
            if known is None:
                known = self._scripts[script] = cast(Callable[..., Any], self._client.register_script(script))
            return known(keys=keys, args=arguments)

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
        except (redis.ConnectionError, redis.TimeoutError) as error:
            raise Unreachable(f"the Redis at {self._place} does not answer ({error}); is it running?") from error
        except redis.RedisError as error:
            message = _cause(str(error))
            passing = (redis.ReadOnlyError, redis.OutOfMemoryError, redis.exceptions.MasterDownError)
            if isinstance(error, passing) or message.startswith(_FOR_NOW):
                raise Unreachable(f"the Redis at {self._place} cannot serve for now: {message}") from error
            if message.startswith(_LOST):
                raise JobLost(f"the Redis at {self._place} {_LOST_MESSAGE}") from error
            raise BackendError(f"the Redis at {self._place} said no: {message}") from error


def _cause(message: str) -> str:
    """Return what a command in a script said: Redis 6.2 puts the script's place before it, 7.0 after it."""
    return re.sub(r"^(?:ERR )?Error running script .*@user_script: ?[0-9]+: -?", "", message, flags=re.DOTALL)


def _without_password(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"
