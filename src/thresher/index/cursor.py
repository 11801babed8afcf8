"""Where a page of hits ended, as a word to pass on: the sort order and the values of the last hit."""

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Any

from thresher.errors import UsageError


def written(sort: str, values: Sequence[float | int | str]) -> str:
    """Return the word for a place in an order."""
    text = json.dumps([sort, *values], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read(word: str, sort: str, kinds: Sequence[type]) -> tuple[Any, ...]:
    """Return the values that a word stands for; raise UsageError for one of another order, or that is none of ours."""
    try:
        named, *values = json.loads(base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)))
    except (ValueError, binascii.Error, RecursionError, TypeError):
        raise UsageError("after: this is not where a page of hits ended; pass on the `next` of a page") from None
    right = len(values) == len(kinds) and all(_is_of(value, kind) for value, kind in zip(values, kinds, strict=True))
    if named != sort or not right:
        raise UsageError(f"after: this is from a search sorted by {named!s:.20}, not by {sort}; keep the order")
    return tuple(kind(value) for value, kind in zip(values, kinds, strict=True))


def _is_of(value: object, kind: type) -> bool:
    if isinstance(value, bool) or not isinstance(value, str if kind is str else (int, float)):
        return False
    return kind is not int or abs(int(value)) < 2**63
