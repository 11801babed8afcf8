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

    def _segment(self, run: str) -> list[str]:
        if self._cut is None:
            self._cut = _load_segmenter(or_pairs=self._or_pairs)
        return self._cut(run)


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
