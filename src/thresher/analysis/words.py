"""Split text into words to count: by spaces where a language has them, Chinese by a dictionary.

A word is a run of letters and digits, in lower case; an apostrophe inside it belongs to it (don't). In documents in
Chinese, runs of Han characters are segmented by jieba's method (rjieba, the extra `chinese`). Japanese, which has no
segmenter here, is split where its scripts change, and in documents in other languages a run of Han characters is one
word. Scripts that are written without spaces otherwise (Thai, Khmer …) are not split at all.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from thresher.errors import MissingExtra
from thresher.text import cjk_share

CHINESE_SHARE = 0.3  # of Han characters, from which a text of unknown language is taken for Chinese
MAX_WORD_CHARS = 64  # longer runs (encoded data) are cut

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u309f\u30a0-\u30ff\uff66-\uff9d"
_WORD = re.compile(f"[{_HAN}]+|[^\\W_{_HAN}]+(?:'[^\\W_{_HAN}]+)*")
_SCRIPT_RUN = re.compile(f"[{_HAN}]+|[\u3041-\u309f]+|[\u30a0-\u30ff\uff66-\uff9d]+|[^{_HAN}{_KANA}]+")
_FIRST_HAN = re.compile(f"[{_HAN}]")
_KANA_CHAR = re.compile(f"[{_KANA}]")

# Capitals of the Latin, Greek and Cyrillic scripts, and small words that stand inside names.
_UPPER = "".join(filter(str.isupper, map(chr, range(0x530))))
_LINKS = "of|de|del|la|van|von|der|den|di|da|du|al|bin|ibn"
_NAMED = f"[{_UPPER}][\\w'\u2019-]+"
_CAPITALISED = re.compile(f"\\b{_NAMED}(?: (?:(?:{_LINKS}) ){{0,2}}{_NAMED})+")
_NAME_TAGS = frozenset(("nr", "nrt", "nrfg", "ns", "nt", "nz"))  # of the dictionary: people, places, organisations
MAX_NAME_WORDS = 5  # of more capitalised words in a row, it is a headline

Segment = Callable[[str], list[str]]

CHINESE_STOP_WORDS = frozenset((Path(__file__).parent / "stopwords_zh.txt").read_text("utf-8").split())


class Splitter:
    """Splits texts into words; the dictionary is loaded when the first Chinese text comes."""

    def __init__(self, *, or_pairs: bool = False) -> None:
        """With `or_pairs`, Chinese is split into pairs of characters where the library is missing."""
        self._cut: Segment | None = None
        self._or_pairs = or_pairs

    def words(self, text: str, language: str | None) -> Iterator[str]:
        """Yield the words of a text in order; raise MissingExtra for Chinese without the library that segments it."""
        chinese = is_chinese(text, language)
        for word in _WORD.findall(text.lower().replace("\u2019", "'")):
            if chinese and _FIRST_HAN.match(word):
                yield from self._segment(word)
            elif language == "ja" or _KANA_CHAR.search(word):
                yield from _SCRIPT_RUN.findall(word)
            else:
                yield word[:MAX_WORD_CHARS]

    def names(self, text: str, language: str | None, stop_words: frozenset[str] = frozenset()) -> set[str]:
        """Return what a text calls by a name, as far as writing shows it, without stop words in front.

        In Chinese these are the people, places and organisations that rjieba tells (none where it is missing).
        Otherwise they are runs of two to five capitalised words: Port Royal, European Central Bank, Simon de Montfort.
        What is all in capitals is none; a first word of a sentence may be taken for a part of a name.
        """
        if is_chinese(text, language):
            return {word for word, tag in self._tagged(text) if tag in _NAME_TAGS and len(word) > 1}
        return {name for run in _CAPITALISED.findall(text) if (name := _name_of(run, stop_words))}

    def _segment(self, run: str) -> list[str]:
        if self._cut is None:
            self._cut = _load_segmenter(or_pairs=self._or_pairs)
        return self._cut(run)

    def _tagged(self, text: str) -> list[tuple[str, str]]:
        try:
            import rjieba
        except ImportError:
            return []
        return rjieba.tag(text)


class StopWords:
    """The words of each language that say little by themselves."""

    def __init__(self, by_language: Mapping[str, frozenset[str]]) -> None:
        """`by_language` is completed with the Chinese words that are longer than one character."""
        self._words = dict(by_language)
        self._words["zh"] = self._words.get("zh", frozenset()) | CHINESE_STOP_WORDS

    def of(self, language: str | None) -> frozenset[str]:
        """Return the stop words of a language; none for one that is unknown."""
        return self._words.get(language or "", frozenset())


def is_chinese(text: str, language: str | None) -> bool:
    """Say whether a text is to be segmented as Chinese."""
    if language is not None:
        return language == "zh"
    return cjk_share(text) > CHINESE_SHARE and not _KANA_CHAR.search(text)


def _name_of(run: str, stop_words: frozenset[str]) -> str | None:
    """Return the name in a run of capitalised words; None if it is too short or long, or all in capitals."""
    words = run.split()
    while words and words[0].lower() in stop_words:
        words.pop(0)
    if not 2 <= len(words) <= MAX_NAME_WORDS or run.isupper():
        return None
    return " ".join(words).removesuffix("'s").removesuffix("\u2019s")


def _load_segmenter(*, or_pairs: bool) -> Segment:
    try:
        import rjieba
    except ImportError as error:
        if or_pairs:
            return _pairs
        raise MissingExtra(
            "counting Chinese words needs a library (rjieba): pip install 'thresher[chinese]', "
            "or leave Chinese documents out with !lang:zh in the query"
        ) from error
    return rjieba.cut


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(max(1, len(run) - 1))]
