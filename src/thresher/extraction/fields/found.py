"""Found: a field's value and the evidence for it."""

from typing import Generic, NamedTuple, TypeVar

from thresher.model import Evidence

Value = TypeVar("Value")
Named = tuple[str, float, tuple[str, ...]]  # where names of authors stand, how sure that is, and the names
MAX_RAW = 200  # characters of the text a value was read from that are kept as evidence


class Found(NamedTuple, Generic[Value]):
    """A field's value and where it was found."""

    value: Value
    evidence: Evidence


def found(value: Value, source: str, confidence: float, raw: str = "") -> Found[Value]:
    """Pair a value with its evidence."""
    return Found(value, Evidence(source, confidence, raw[:MAX_RAW]))
