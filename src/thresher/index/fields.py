"""The fields of the query language: what may stand after the colon, and the node that it becomes."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from difflib import get_close_matches

from thresher import urls
from thresher.errors import UsageError
from thresher.index import dates, tokens
from thresher.index.nodes import Dated, Labelled, Long, Node, Site, Sources, Url, Words

KINDS = ("article", "thread", "post", "board", "listing", "other", "duplicate", "original")
PRESENCES = ("date", "author")
SAVED = "saved"  # stands for the query of that name; index/query.py reads it
BY_SOURCE = ("channel", "tag")  # what the catalog says of sources; index/labels.py turns them into these

# Other names of fields, that people know from elsewhere.
MEANT = {
    **dict.fromkeys(("kind", "type"), "is"),
    **dict.fromkeys(("host", "domain"), "site"),
    **dict.fromkeys(("before", "after", "since", "until", "published", "when"), "date"),
    **dict.fromkeys(("by", "from", "name", "user"), "author"),
    **dict.fromkeys(("text", "content", "intext"), "body"),
    **dict.fromkeys(("intitle", "headline", "subject"), "title"),
    **dict.fromkeys(("label", "category"), "tag"),
    "inurl": "url",
    **dict.fromkeys(("length", "size", "words"), "len"),
}
_NUMBER = re.compile(r"[0-9]{1,18}")
_LENGTH = re.compile(r"(>=|<=|>|<|=)?([0-9]{1,18})|([0-9]{1,18})?\.\.([0-9]{1,18})?")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8})*")
_WEB = re.compile(r"https?://", re.IGNORECASE)


def node_of(field: str, value: str, now: datetime) -> Node:
    """Return what `field:value` asks for; raise UsageError that says what the field takes."""
    return FIELDS[field](field, value, now)


def words(text: str, field: str | None = None) -> Words | None:
    """Return the words in a text, `*` at the end meaning that the last one may go on; None when it holds none."""
    prefix = text.endswith("*")
    return Words(text.rstrip("*"), field, prefix) if tokens.phrase(text).tokens else None


def address(text: str) -> Url | None:
    """Return the query that a pasted URL is; None when it is no URL."""
    if not _WEB.match(text):
        return None
    return Url(urls.canonical(text), whole=True)


def _words(field: str, value: str, now: datetime) -> Node:
    found = words(value, field)
    if found is None:
        raise UsageError(f"{field}: takes words, and {value!r} has none")
    return found


def _site(field: str, value: str, now: datetime) -> Node:
    bare = value.lower().removeprefix("*").removeprefix(".")
    try:
        return Site(urls.host_of(urls.canonical(bare if _WEB.match(bare) else f"http://{bare}")))
    except UsageError as error:
        raise UsageError(f"site: takes a host like example.com, not {value!r}") from error


def _url(field: str, value: str, now: datetime) -> Node:
    return address(value) or Url(value, whole=False)


def _source(field: str, value: str, now: datetime) -> Node:
    return Sources((value,))


def _saved(field: str, value: str, now: datetime) -> Node:
    raise UsageError("saved: cannot be answered here: saved searches are kept beside a corpus")


def _label(field: str, value: str, now: datetime) -> Node:
    return Labelled(field, value)


def _language(field: str, value: str, now: datetime) -> Node:
    code = value.lower().replace("_", "-")
    if not _LANGUAGE.fullmatch(code):
        raise UsageError(f"lang: takes a language code like zh, en or pt-br, not {value!r}")
    return Labelled(field, code)


def _one_of(choices: tuple[str, ...]) -> Callable[[str, str, datetime], Node]:
    def choose(field: str, value: str, now: datetime) -> Node:
        if value.lower() not in choices:
            close = get_close_matches(value.lower(), choices, n=1)
            meant = f"; did you mean {field}:{close[0]}?" if close else ""
            raise UsageError(f"{field}: takes one of {', '.join(choices)}, not {value!r}{meant}")
        return Labelled(field, value.lower())

    return choose


def _period(field: str, value: str, now: datetime) -> Node:
    found = dates.period(value, now)
    if found is None:
        raise UsageError(
            f"{field}: takes a date like 7d, today, 2026-11, 2026-11-01 or 2026-11-01..2026-11-15, not {value!r}"
        )
    since, until = found
    if since and until and until <= since:
        raise UsageError(f"{field}: {value!r} ends before it begins; put the earlier date first")
    return Dated(field, since, until)


def _run(field: str, value: str, now: datetime) -> Node:
    if not _NUMBER.fullmatch(value):
        raise UsageError(f"run: takes the number of a run, not {value!r}")
    return Labelled(field, str(int(value)))


def _length(field: str, value: str, now: datetime) -> Node:
    match = _LENGTH.fullmatch(value)
    if not match or value == "..":
        raise UsageError(f"len: takes a number of characters like >800, <=2000 or 800..2000, not {value!r}")
    sign, number, least, most = match.groups()
    if least and most and int(most) < int(least):
        raise UsageError(f"len: {value!r} ends before it begins; put the smaller number first")
    if number is None:
        return Long(int(least) if least else None, int(most) if most else None)
    count = int(number)
    bounds: Mapping[str | None, tuple[int | None, int | None]] = {
        ">": (count + 1, None),
        ">=": (count, None),
        "<": (None, count - 1),
        "<=": (None, count),
    }
    return Long(*bounds.get(sign, (count, count)))


FIELDS: Mapping[str, Callable[[str, str, datetime], Node]] = {
    "title": _words,
    "body": _words,
    "author": _words,
    "site": _site,
    "url": _url,
    "source": _source,
    "channel": _label,
    "tag": _label,
    "lang": _language,
    "date": _period,
    "seen": _period,
    "run": _run,
    "is": _one_of(KINDS),
    "has": _one_of(PRESENCES),
    "len": _length,
    SAVED: _saved,
}
