"""Every error that crosses a border of the package.

ThresherError            something a person can act on; the message says what, which, and what to do
├── UsageError           a wrong argument, setting or query
│   ├── NothingCollected there is no corpus yet where one is asked for
│   └── QueryError       a query that cannot be read, and where in it
├── ExtractionError      a page that cannot be turned into a Document
│   ├── PageTooLarge     more bytes than the limit
│   └── NotHtml          binary content where a page was expected
├── BackendError         a store, index or frontier said no
│   ├── Unreachable      the server does not answer; trying again may help
│   ├── JobLost          the frontier has forgotten the links of a run
│   ├── RolledBack       the frontier has forgotten the last steps that it took
│   ├── Damaged          something that was stored and cannot be read any more
│   └── MissingExtra     a library that an optional extra brings
└── NotPermitted         refused for safety: an address, a scheme, a path
"""


class ThresherError(Exception):
    """Something went wrong that a person can act on; `retry` says whether trying again may help."""

    retry = False


class UsageError(ThresherError):
    """A wrong argument, setting or query."""


class NothingCollected(UsageError):
    """There is no corpus yet where one is asked for."""


class QueryError(UsageError):
    """A query that cannot be read; `place` says at which of its characters, counted from 0."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


class ExtractionError(ThresherError):
    """A page that cannot be turned into a Document."""


class PageTooLarge(ExtractionError):
    """A page with more bytes than the limit."""


class NotHtml(ExtractionError):
    """Binary content where a page was expected."""


class BackendError(ThresherError):
    """A store, index or frontier said no."""


class Unreachable(BackendError):
    """A server that does not answer."""

    retry = True


class JobLost(BackendError):
    """A frontier that no longer holds the job which it held."""


class RolledBack(BackendError):
    """A frontier that has forgotten the last steps that it took: `recover`, then make the call again."""


class Damaged(BackendError):
    """Something that was stored cannot be read any more: a disk or a program has changed it."""


class MissingExtra(BackendError):
    """A library that an optional extra brings is not installed."""


class NotPermitted(ThresherError):
    """Refused for safety."""
