"""Say how much of each block belongs to the gold text, by aligning both as sequences of tokens."""

from collections.abc import Sequence

from thresher.lab.metrics.tokens import tokens_of
from thresher.lab.train.labels import MAX_TOKENS, common_ranges

WINDOW = 4  # tokens; a shorter run of common tokens may be chance


def shares_in_gold(texts: Sequence[str], gold: str) -> list[float]:
    """Return for each block the share of its tokens, 0 to 1, that is in the gold.

    A token counts where the longest common subsequence takes it and a window of four tokens around it is in the gold;
    a block of fewer tokens counts whole where it is a line of the gold. Raise MissingExtra without rapidfuzz.
    """
    blocks = [tokens_of(text) for text in texts]
    page = [token for block in blocks for token in block][:MAX_TOKENS]
    wanted = tokens_of(gold)[:MAX_TOKENS]
    aligned = bytearray(len(page))
    for start, end in common_ranges(page, wanted):
        aligned[start:end] = b"\x01" * (end - start)
    nearby = _in_windows(page, wanted)
    lines = {"".join(tokens_of(line)) for line in gold.splitlines()}
    shares, place = [], 0
    for block in blocks:
        end = place + len(block)
        share = min(_mean(aligned[place:end]), _mean(nearby[place:end]))
        if len(block) < WINDOW:
            share = 1.0 if any(aligned[place:end]) and "".join(block) in lines else share
        shares.append(share)
        place = end
    return shares


def _in_windows(page: Sequence[str], gold: Sequence[str]) -> bytearray:
    """Mark the tokens that lie in a window which the gold has too."""
    known = set(zip(*(gold[start:] for start in range(WINDOW)), strict=False))
    marked = bytearray(len(page))
    for start, window in enumerate(zip(*(page[start:] for start in range(WINDOW)), strict=False)):
        if window in known:
            marked[start : start + WINDOW] = b"\x01" * WINDOW
    return marked


def _mean(marks: bytearray) -> float:
    return sum(marks) / len(marks) if marks else 0.0
