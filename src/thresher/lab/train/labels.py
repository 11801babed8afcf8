"""Say which lines of a page belong to its gold text, by aligning both as sequences of tokens."""

from collections.abc import Sequence
from typing import Any

from thresher.errors import MissingExtra
from thresher.lab.metrics.tokens import tokens_of

MIN_SHARE = 0.5  # of a line's tokens that must be found in the gold, in order
MAX_TOKENS = 60_000  # of a page or a gold text that are aligned: the alignment takes a bit for each pair


def label_lines(texts: Sequence[str], gold: str) -> list[bool]:
    """Return for each line whether half of its tokens or more are part of the longest common subsequence with the gold.

    A line without tokens is no part of it. Raise MissingExtra without rapidfuzz.
    """
    tokens = [tokens_of(text) for text in texts]
    found = [0] * len(tokens)
    owners = [number for number, line in enumerate(tokens) for _ in line]
    flat = [token for line in tokens for token in line]
    for start, end in common_ranges(flat[:MAX_TOKENS], tokens_of(gold)[:MAX_TOKENS]):
        for position in range(start, end):
            found[owners[position]] += 1
    return [bool(line) and hits >= MIN_SHARE * len(line) for line, hits in zip(tokens, found, strict=True)]


def common_ranges(page: list[str], gold: list[str]) -> list[tuple[int, int]]:
    """Return the ranges of the page's tokens that a longest common subsequence takes."""
    opcodes = _lcs().opcodes(page, gold)
    return [(code.src_start, code.src_end) for code in opcodes if code.tag == "equal"]


def _lcs() -> Any:
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError as error:
        raise MissingExtra("training needs rapidfuzz: pip install 'thresher[train]'") from error
    return LCSseq
