"""Tokens: what the embedded index keeps of a text, and where in the text each of them stands.

A text is folded first: letters lose case, accents and width, traditional Chinese characters become simplified ones
(by OpenCC's table, character by character), and everything that is no letter or digit becomes a space. Words of
scripts written with spaces are tokens. Scripts without them (Chinese, Japanese, Thai …; Korean too, whose particles
stick to the words) give overlapping pairs of characters and, so that each character starts a token, the last one
alone: 存款准备金 is 存款 款准 准备 备金 金. A word in mid-sentence is then a phrase of pairs.
"""

import operator
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import opencc

# An index made by another version has to be rebuilt.
VERSION = f"2/{unicodedata.unidata_version}/{opencc.__version__}"
MAX_TOKEN_CHARS = 64  # longer words (encoded data) are cut

_UNSPACED = (  # separators inside these ranges are gone when it is used
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUN = re.compile(f"[{_UNSPACED}]+|[^ {_UNSPACED}]+")
_UNSPACED_START = re.compile(f"[{_UNSPACED}]")
_TOO_LONG = re.compile(f" [^ ]{{{MAX_TOKEN_CHARS + 1}}}")
_WORD_CHAR = f"[^ {_UNSPACED}]"

_LOOSE = re.compile("[\u0300-\u036f\u1161-\u1175\u3099\u309a\uff9e\uff9f]")
_COMPOSABLE = (
    re.compile(  # a character and the marks that make another one of it; bounded, because ordering is quadratic
        "[\u3041-\u30ff][\u3099\u309a]|[\uff66-\uff9d][\uff9e\uff9f]"
        "|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|(?s:.)[\u0300-\u036f]{1,8}"
    )
)
_ACCENTS = re.compile(  # marks that searchers leave out: diacritics, Hebrew and Arabic points, variation selectors
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\U000e0100-\U000e01ef]"
)
_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "ё": "е", "\u0640": ""}
_IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")  # й is a letter of its own, no accented и


@dataclass(frozen=True, slots=True)
class Phrase:
    """Tokens that follow each other; with `prefix` the last one may go on."""

    tokens: tuple[str, ...]
    prefix: bool


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; character i of it stands at starts[i] to ends[i] of the original, or at i when both are None."""

    text: str
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Say where in the original the folded characters from `start` to `end` stand."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


class _FoldTable(dict[int, str]):
    """What each character becomes, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = "".join(map(_fold_letter, unicodedata.normalize("NFKC", chr(code)).casefold()))
        return folded


def tokens(text: str) -> list[str]:
    """Return the tokens of a text in order."""
    return spaced(text).split()


def spaced(text: str) -> str:
    """Return the tokens of a text in order, with spaces between them."""
    folded = _compose(text).translate(_FOLD)
    if not _UNSPACED_START.search(folded) and not _TOO_LONG.search(" " + folded):
        return folded
    return " ".join(token for run in _RUN.findall(folded) for token in _tokens_of(run))


def is_unspaced(text: str) -> bool:
    """Say whether a text begins with a character of a script that is written without spaces."""
    return bool(_UNSPACED_START.match(text))


def phrase(text: str, *, prefix: bool = False) -> Phrase:
    """Return the tokens that a text holds wherever `text` is part of it; none when there is nothing to search for."""
    runs = _runs(text)
    if not runs:
        return Phrase((), prefix)
    found = [token for run in runs for token in _tokens_of(run)]
    if not _UNSPACED_START.match(runs[-1]):
        return Phrase(tuple(found), prefix or len(runs[-1]) > MAX_TOKEN_CHARS)
    if len(runs[-1]) > 1:
        found.pop()  # the sentence may go on after the last character
    return Phrase(tuple(found), len(runs[-1]) == 1)


def pattern(text: str, *, prefix: bool = False) -> re.Pattern[str] | None:
    """Return what finds `text` in a folded text, exactly where its phrase matches; None when there is no word in it."""
    runs = _runs(text)
    if not runs:
        return None
    parts = [_run_pattern(run) for run in runs]
    for place in range(len(runs) - 1, 0, -1):
        mixed = bool(_UNSPACED_START.match(runs[place - 1])) != bool(_UNSPACED_START.match(runs[place]))
        parts.insert(place, " *" if mixed else " +")
    if prefix and not _UNSPACED_START.match(runs[-1]):
        parts[-1] = parts[-1].removesuffix(f"(?!{_WORD_CHAR})") + f"{_WORD_CHAR}*"
    return re.compile("".join(parts))


def fold(text: str) -> Folded:
    """Fold a text and keep where each character came from."""
    if not _LOOSE.search(text) and all(len(_FOLD[ord(char)]) == 1 for char in set(text)):
        return Folded(text.translate(_FOLD))
    folded: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end, composed in _pieces(text):
        piece = composed.translate(_FOLD)
        folded.append(piece)
        starts.extend([start] * len(piece))
        ends.extend([end] * len(piece))
    return Folded("".join(folded), starts, ends)


def _runs(text: str) -> list[str]:
    return _RUN.findall(_compose(text).translate(_FOLD))


def _tokens_of(run: str) -> list[str]:
    if _UNSPACED_START.match(run):
        return [*map(operator.add, run, run[1:]), run[-1]]
    return [run[:MAX_TOKEN_CHARS]]


def _run_pattern(run: str) -> str:
    if _UNSPACED_START.match(run):
        return re.escape(run)
    end = f"{_WORD_CHAR}*" if len(run) > MAX_TOKEN_CHARS else f"(?!{_WORD_CHAR})"
    return f"(?<!{_WORD_CHAR}){re.escape(run[:MAX_TOKEN_CHARS])}{end}"


def _compose(text: str) -> str:
    if not _LOOSE.search(text):
        return text
    return _COMPOSABLE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def _pieces(text: str) -> Iterator[tuple[int, int, str]]:
    """Cut a text into (start, end, composed form); joined, the forms are what `_compose` returns."""
    place = 0
    for match in _COMPOSABLE.finditer(text) if _LOOSE.search(text) else ():
        yield from ((i, i + 1, text[i]) for i in range(place, match.start()))
        yield match.start(), match.end(), unicodedata.normalize("NFKC", match[0])
        place = match.end()
    yield from ((i, i + 1, text[i]) for i in range(place, len(text)))


def _simplified(char: str) -> str:
    """Return the simplified form of a character, itself if it is one; of what is still to be simplified, that of it."""
    simpler = _converter().convert(char)
    simplest = _converter().convert(simpler)
    return simplest if len(simplest) == 1 else char


@cache
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


def _fold_letter(char: str) -> str:
    if char in _LETTERS:
        return _LETTERS[char]
    if _IDEOGRAPH.match(char):
        return _simplified(char)
    category = unicodedata.category(char)
    if category == "Cf" or (category[0] == "M" and _ACCENTS.match(char)):  # Cf: soft hyphen, joiners, direction marks
        return ""
    if category[0] not in "LNM":
        return " "
    if category == "Nd":
        return str(unicodedata.decimal(char))
    parts = unicodedata.normalize("NFD", char)
    if len(parts) == 1 or _CYRILLIC.match(char) or not _ACCENTS.search(parts):
        return char
    return unicodedata.normalize("NFC", _ACCENTS.sub("", parts))


_FOLD = _FoldTable()
