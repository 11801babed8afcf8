"""Which lines hold which marks, so that most are passed over at once; compiled where it can be."""

from collections.abc import Iterable
from functools import reduce
from operator import or_

try:
    from thresher.extraction.fields._signed import sieve as compiled
except ImportError:  # not compiled
    compiled = None  # type: ignore[assignment]


def sieve(lines: Iterable[str], marks: dict[str, int]) -> list[int]:
    """Return for each line which marks it holds: the bits (16 at most) of its characters, one or the other of them."""
    return compiled(lines, marks) if compiled is not None else plain(lines, marks)


def plain(lines: Iterable[str], marks: dict[str, int]) -> list[int]:
    """Return what `sieve` does, without compiled code."""
    told = frozenset(marks)
    return [reduce(or_, map(marks.__getitem__, told.intersection(line)), 0) for line in lines]
