"""Find stop words in a piece of text, of whatever language."""

import re

from thresher.extraction.stopwords import ANYWHERE, WORDS
from thresher.text import has_cjk

STOP_WORDS = {language: frozenset(words.split()) for language, words in WORDS.items()}

_ANY_STOP_WORD = frozenset[str]().union(*STOP_WORDS.values())
_LONG = 1_000  # characters; the start of a longer text is looked at first
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def _anywhere(words: str) -> "re.Pattern[str]":
    """Compile words into one pattern: a class of the single characters, then the longer ones."""
    single = "".join(word for word in words.split() if len(word) == 1)
    longer = "|".join(word for word in words.split() if len(word) > 1)
    return re.compile(f"[{single}]|{longer}" if longer else f"[{single}]")


_CJK_STOP_WORD = _anywhere(" ".join(ANYWHERE.values()))


def has_stop_word(text: str) -> bool:
    """Say whether the text holds a stop word: a whole word, or in Chinese, Japanese and Korean any part."""
    if len(text) > _LONG and has_stop_word(text[:_LONG].rpartition(" ")[0]):
        return True
    lowered = text.lower()
    # Nearly all running text is settled here; what is left is short.
    if not _ANY_STOP_WORD.isdisjoint(lowered.split()):
        return True
    if has_cjk(text) and _CJK_STOP_WORD.search(text):
        return True
    return not _ANY_STOP_WORD.isdisjoint(_WORD.findall(lowered))
