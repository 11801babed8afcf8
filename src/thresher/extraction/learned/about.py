"""What a page says its text is about: the words of its title and summary, and the text itself where it is given."""

import re
from dataclasses import dataclass
from html import unescape

from thresher.extraction.fields.clues import Clues
from thresher.extraction.words import STOP_WORDS
from thresher.text import CJK

MIN_TOLD = 100  # characters; a shorter articleBody is a summary
MAX_TOLD = 200_000  # characters that are looked at

_STOPS = frozenset[str]().union(*STOP_WORDS.values())
_EDGES = ".,:;!?()[]|\"'“”‘’"
_CJK_RUN = re.compile(f"[{CJK}]+")
_TAG = re.compile(r"<[^<>]{1,500}>")


@dataclass(frozen=True, slots=True)
class About:
    """Words of the title and of the summary (pairs of characters in CJK), and the told text without white space."""

    title_words: frozenset[str] = frozenset()
    summary_words: frozenset[str] = frozenset()
    told: str = ""


def read_about(clues: Clues) -> About:
    """Collect what a page tells of its text; everything is empty where it tells nothing."""
    title = f"{clues.title} {clues.meta.get('og:title', '')}"
    summary = clues.meta.get("og:description") or clues.meta.get("description") or ""
    return About(words_of(title), words_of(summary), _told(clues))


def words_of(text: str) -> frozenset[str]:
    """Return the words that matter, in lower case; a run of CJK characters gives every pair of neighbours."""
    words: set[str] = set()
    for word in text.lower().split():
        word = word.strip(_EDGES)
        if len(word) < 2 or word in _STOPS:
            continue
        runs = [] if word.isascii() else _CJK_RUN.findall(word)
        if runs:
            words.update(run[place : place + 2] for run in runs for place in range(len(run) - 1))
        else:
            words.add(word)
    return frozenset(words)


def _told(clues: Clues) -> str:
    for item in clues.items:
        text = item.get("articleBody")
        if isinstance(text, str) and len(text) > MIN_TOLD:
            return "".join(_TAG.sub(" ", unescape(text[:MAX_TOLD])).split())
    return ""
