"""Names derived from a canonical URL: its host, origin, key and shape."""

import hashlib
import re
from collections.abc import Collection
from urllib.parse import unquote

_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    "sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_VARIABLE = re.compile(
    r"(%[0-9A-F]{2})"  # an encoded byte is text: its digits count nothing
    r"|(?<![A-Za-z0-9])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # UUID
    r"|(?=[a-f]*[0-9])[0-9a-f]{8,}"  # hash
    r"|(?=[a-z]*[0-9])(?=[0-9]*[a-z])[a-z0-9]{16,}"  # token
    rf"|{_MONTH})(?![A-Za-z0-9])"
    r"|[0-9]+",
    re.IGNORECASE,
)
_FILE = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)
_WORD_AND_NUMBER = re.compile(r"([A-Za-z]{1,20})(\d*)")
_MASKS_IN_A_ROW = re.compile(r"#(?:[-_.,:]#)+")


def host_of(url: str) -> str:
    """Return the host, with its port when that is not the default, of a canonical URL."""
    return url.partition("://")[2].partition("/")[0]


def origin_of(url: str) -> str:
    """Return scheme://host[:port] of a canonical URL."""
    return "/".join(url.split("/", 3)[:3])


def key_of(url: str) -> str:
    """Return the hash that identifies a canonical URL everywhere (32 hex digits)."""
    return hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def without_parameters(url: str, names: Collection[str]) -> str:
    """Return a canonical URL without these parameters, given as it writes their names."""
    path, _, query = url.partition("?")
    left = "&".join(piece for piece in query.split("&") if piece.partition("=")[0] not in names)
    return f"{path}?{left}" if left else path


def carries(url: str, other: str) -> bool:
    """Say whether a canonical URL has another one, or its path, as the value of a parameter: it is to come back there.

    So "/login?next=/topic/5" carries "https://example.com/topic/5".
    """
    query = url.partition("?")[2]
    if not query:
        return False
    path = unquote(other[len(origin_of(other)) :])
    wanted = {unquote(other), path} - {"/"}
    values = (unquote(pair.partition("=")[2]) for pair in query.split("&"))
    return any(value in wanted or unquote(value) in wanted for value in values)


def shape_of(url: str) -> str:
    """Return path and parameter names, numbers, ids and dates masked: pages of one template share it.

    "https://example.com/calendar/2026/11/15?view=day" has the shape "/calendar/#/#/#?view".
    """
    rest, _, query = url.partition("://")[2].partition("?")
    shape = _masked("/" + rest.partition("/")[2])
    names = {_masked(parameter.partition("=")[0]) for parameter in query.split("&") if parameter}
    return f"{shape}?{'&'.join(sorted(names))}" if names else shape


def kind_of(url: str) -> str:
    """Return the shape with names masked as well: what links of one kind share, whatever they are about.

    "https://example.com/tag/old-boats/feed?page=2" is of the kind "/tag/*/feed?page". The first step of a path stays if
    it is a plain word, and so does the last one of three or more.
    """
    path, _, query = url[len(origin_of(url)) :].partition("?")
    steps = path.split("/")[1:]
    last = len(steps) - 1 - (steps[-1:] == [""])
    masked = [_masked_step(step, stays=place == 0 or 1 < place == last) for place, step in enumerate(steps)]
    names = {_masked(pair.partition("=")[0]) for pair in query.split("&") if pair}
    return "/" + "/".join(masked) + (f"?{'&'.join(sorted(names))}" if names else "")


def _masked_step(step: str, *, stays: bool) -> str:
    stem, dot, ending = step.rpartition(".") if _FILE.search(step) else (step, "", "")
    if not stem or stem.isdecimal():
        return f"{'#' if stem else ''}{dot}{ending}"
    word = _WORD_AND_NUMBER.fullmatch(stem)
    return f"{word[1]}{'#' if word[2] else ''}{dot}{ending}" if word and stays else f"*{dot}{ending}"


def _masked(text: str) -> str:
    return _MASKS_IN_A_ROW.sub("#", _VARIABLE.sub(lambda match: match[1] or "#", text))
