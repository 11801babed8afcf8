"""Sketch: a small summary of a text, from which it can be told how much of it another text shares.

Idea: the words of a text (of Chinese, Japanese and Korean the characters) are cut into overlapping shingles, each of
which is hashed. Of the distinct hashes the KEPT lowest are the sketch: a fair sample of the shingles, the same for the
same text whoever makes it and whenever. Two sketches tell the resemblance of two texts (bottom-k MinHash: the share of
common ones among the lowest of both together) and how much of the shorter is in the longer one.

Reference: A. Z. Broder, On the resemblance and containment of documents, 1997; P. Li, A. Owen, C.-H. Zhang, One
permutation hashing, 2012, for the bands: the hashes fall into slots, the lowest of ROWS slots together make one band,
and texts that share a band are worth comparing. Empty slots borrow from the next one that is not.

Sketches are stored, so they must be the same on every machine and in every version: XXH3 is fixed by its specification.
Whatever else changes here needs a migration that makes all sketches anew.

Where it fails: texts of few words (is_enough), translations, rewritten texts, and copies that keep less than about a
third of the text. Cost: about 0.4 µs a word.
"""

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, islice
from sys import byteorder

from xxhash import xxh3_64_intdigest

from thresher.text import CJK, tokens

try:
    from thresher.store._shingles import lowest as _compiled
except ImportError:
    _compiled = None  # type: ignore[assignment]

WORDS = 5  # of a shingle
KEPT = 128  # hashes of a sketch: resemblance is told to about ±0.04
ROWS = 2  # slots of a band
BANDS = 16
MAX_CHARS = 10_000  # of a text that are looked at
MIN_SHINGLES = 50  # distinct ones: fewer words say the same by chance, or differ in the one that matters
# Chosen by `thresher bench copies` on its first set of sites, with ROWS and BANDS.
ALIKE = 0.4  # resemblance from which texts are copies
WITHIN = 0.7  # share of the shorter text's shingles that are in the longer one, from which it is a shortened copy
MIN_ALIKE = 0.2  # resemblance without which no text counts as within another

_SLOTS = ROWS * BANDS
# Texts of these alone have the same words before and after NFKC, which takes much longer than to see that: letters
# that stay as they are beside any other of these, and signs that become other signs.
PLAIN = re.compile(
    "[\x00-\x7f\xa1-\xa7\xab-\xae\xb0\xb1\xb6\xb7\xbb\xbf-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0410-\u045f"
    "\u2010-\u2016\u2018-\u2027\u2030-\u203b\u3000-\u3029\u3030-\u3037\u303b-\u303f\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff\uac00-\ud7a3"
    "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff64]*"
)
_BANDS = [(b"%d:" % number, number * 8 * ROWS) for number in range(BANDS)]  # names, and where their rows begin
LOW = 300  # hashes, about, that are put in order first: the lowest ones, among which every slot finds its own
_UNSIGNED = 0xFFFFFFFFFFFFFFFF

Hashes = Sequence[int]


class Sketch:
    """What is kept of a text, and the bands that it can be found by."""

    __slots__ = ("bands", "lowest")

    def __init__(self, lowest: Hashes, bands: Sequence[int] = ()) -> None:
        self.lowest = lowest  # hashes of 32 bits, in order
        self.bands = bands  # signed numbers of 64 bits

    def packed(self) -> bytes:
        """Return the hashes as bytes, the same on every machine."""
        values = array("I", self.lowest)
        if byteorder == "big":
            values.byteswap()
        return values.tobytes()


def unpacked(data: bytes) -> Sketch:
    """Return the sketch that was packed, without its bands; raise ValueError for what is none."""
    values = array("I")
    values.frombytes(data)
    if byteorder == "big":
        values.byteswap()
    return Sketch(values)


def sketch_of(text: str) -> Sketch | None:
    """Return the sketch of a text, whatever its case, width, punctuation and white space; None for too short a one."""
    plain = _plain(text[:MAX_CHARS]).lower()
    # The lowest tell all there is to know, nearly always; to put only them in order takes a fraction of the time.
    hashes, count = lowest(plain, LOW)
    slots = _slots(hashes)
    if count > LOW and (len(hashes) < KEPT or None in slots):
        hashes, _ = lowest(plain, 0)
        slots = _slots(hashes)
    if len(hashes) < MIN_SHINGLES:
        return None
    return Sketch([value >> 32 for value in hashes[:KEPT]], _bands(slots))


def alike(one: Sketch, other: Sketch) -> bool:
    """Say whether two texts are copies of one article, the shorter one perhaps cut."""
    resemblance, within = compared(one.lowest, other.lowest)
    return resemblance >= ALIKE or (resemblance >= MIN_ALIKE and within >= WITHIN)


def compared(one: Hashes, other: Hashes) -> tuple[float, float]:
    """Return the resemblance of two texts, and the share of the shorter one's shingles that the longer one has.

    Only hashes are counted that both sketches would hold: those up to the lower of their ends, if they are full.
    """
    ends = [hashes[-1] for hashes in (one, other) if len(hashes) == KEPT]
    end = min(ends, default=0xFFFFFFFF)
    mine, theirs = one[: bisect_right(one, end)], other[: bisect_right(other, end)]
    shared = len(set(mine).intersection(theirs))
    together, fewer = len(mine) + len(theirs) - shared, min(len(mine), len(theirs))
    return shared / together if together else 0.0, shared / fewer if fewer else 0.0


def lowest(text: str, low: int) -> tuple[Hashes, int]:
    """Return what `lowest_by_text` does."""
    if _compiled is not None:
        return _compiled(text, WORDS, low, CJK)
    return lowest_by_text(text, low)


def lowest_by_text(text: str, low: int) -> tuple[Hashes, int]:
    """Return different hashes of the shingles of a text in lower case, in order, and how many shingles it has.

    They are about so many of the lowest ones; for 0, or where there are no more, all of them.
    """
    words = " ".join(tokens(text)).encode("utf-8", "surrogatepass")
    lengths = [len(word) + 1 for word in words.split()]
    count = len(lengths) - WORDS + 1
    most = _UNSIGNED // count * low if count > low > 0 else _UNSIGNED
    starts, ends = accumulate(lengths, initial=0), islice(accumulate(lengths, initial=-1), WORDS, None)
    both = zip(starts, ends, strict=False)
    found = {value for start, end in both if (value := xxh3_64_intdigest(words[start:end])) <= most}
    return sorted(found), count


def _plain(text: str) -> str:
    """Return a text with the letters that Unicode has several of (full width, composed) in one form."""
    return text if PLAIN.fullmatch(text) else unicodedata.normalize("NFKC", text)


def _slots(hashes: Sequence[int]) -> list[int | None]:
    """Return the lowest hash of each slot, given hashes in order; None for one that none falls into."""
    slots: list[int | None] = [None] * _SLOTS
    empty = _SLOTS
    for value in hashes:
        if slots[value % _SLOTS] is None:
            slots[value % _SLOTS] = value
            empty -= 1
            if not empty:
                break
    return slots


def _bands(slots: Sequence[int | None]) -> list[int]:
    """Return what a text can be found by."""
    rows = b"".join([value.to_bytes(8, "little") for value in _borrowed(slots)])
    return [xxh3_64_intdigest(name + rows[at : at + 8 * ROWS]) - 2**63 for name, at in _BANDS]


def _borrowed(slots: Sequence[int | None]) -> list[int]:
    """Return the slots, the empty ones with what the next one holds; the distance tells it from that one's own."""
    known = [slot for slot in slots if slot is not None]
    if len(known) == len(slots):
        return known
    filled: list[int] = []
    value, distance = 0, 0
    for slot in reversed([*slots, *slots]):
        value, distance = (slot, 0) if slot is not None else (value, distance + 1)
        filled.append((value + distance) & _UNSIGNED)
    return filled[: len(slots) - 1 : -1]
