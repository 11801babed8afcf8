"""Texts as fields look at many of them: folded, with a title shown, and with their words counted; compiled or not."""

from collections.abc import Iterable, Mapping

from thresher.text import tokens

try:
    from thresher.extraction.fields import _texts as compiled
except ImportError:  # not compiled
    compiled = None  # type: ignore[assignment]

_NO_WORDS = {code: None for code in range(128) if not chr(code).isalnum()}  # deletes what is neither letter nor digit


def fold(text: str) -> str:
    """Return what `str.casefold` does, which is slow where a single letter is none of ASCII."""
    return compiled.fold(text) if compiled is not None else text.casefold()


def compact(text: str) -> str:
    """Return the letters and digits of a text, small, with nothing between them."""
    return text.lower().translate(_NO_WORDS) if text.isascii() else "".join(tokens(text))


def find_shown(
    texts: list[str], wanted: str, start: int, *, least: int, most: int, least_part: int
) -> tuple[int, int, int]:
    """Return the next text that is the folded title, and the first to hold it and part of it before; -1 for none.

    Texts are passed over that have not from `least` to `most` characters, and parts of less than `least_part`.
    """
    search = compiled.find_shown if compiled is not None else plain_find_shown
    return search(texts, wanted, start, least=least, most=most, least_part=least_part)


def plain_find_shown(
    texts: list[str], wanted: str, start: int, *, least: int, most: int, least_part: int
) -> tuple[int, int, int]:
    """Return what `find_shown` does, without compiled code."""
    holds = part = -1
    for place in range(start, len(texts)):
        if not least <= len(texts[place]) <= most:
            continue
        text = texts[place].casefold()
        if text == wanted:
            return place, holds, part
        if holds < 0 and wanted in text:
            holds = place
        elif part < 0 and len(text) >= least_part and text in wanted:
            part = place
    return -1, holds, part


class PlainLetters:
    """Ranges of letters, each by its first and its last one, and with the number of its kind."""

    def __init__(self, ranges: Iterable[tuple[str, str, int]], kinds: int) -> None:
        self._ranges = tuple(ranges)
        self._kinds = kinds

    def count(self, text: str) -> list[int]:
        """Return how many letters of a text are of each kind."""
        counts = [0] * self._kinds
        for first, last, kind in self._ranges:
            counts[kind] += sum(first <= letter <= last for letter in text)
        return counts


class PlainBallot:
    """Words, and the numbers of the candidates that each is a vote for."""

    def __init__(self, bearers: Mapping[str, tuple[int, ...]], candidates: int) -> None:
        self._bearers = bearers
        self._candidates = candidates

    def count(self, text: str) -> list[int]:
        """Return how many words of a text, in small letters, are votes for each candidate."""
        votes = [0] * self._candidates
        for those in filter(None, map(self._bearers.get, text.lower().split())):
            for one in those:
                votes[one] += 1
        return votes


Letters = compiled.Letters if compiled is not None else PlainLetters
Ballot = compiled.Ballot if compiled is not None else PlainBallot
