"""The measures of texts in Python: what `_measure.pyx` does in C, for where that could not be compiled."""

import re
from array import array

from thresher.extraction.learned.about import About
from thresher.extraction.learned.lexicon import CJK_PARTS, CJK_STOPS, DATE, SENSE_OF, SENSES

MEASURES = [
    "size",
    "words",
    "punct",
    "ends",
    "stops",
    "digits",
    "uppers",
    "letters",
    "cjk",
    "quotes",
    "final",
    "first",
    "senses",
    "hits",
    "looked",
    "title_in",
    "title_of",
    "told",
    "repeated",
    "titles",
    "summary",
    "dated",
]
WIDTH = len(MEASURES)
CJK_SIZE = 2.5  # characters of Latin text that say as much as one Chinese, Japanese or Korean character
MAX_WORDS = 60  # of a block looked up in the lexicon
SHORT = 400  # characters; only a block below this may be the title, and is searched for CJK phrases
SHORT_DATED = 150  # characters; a longer block that holds a date tells a story
MIN_TOLD = 12  # characters; a shorter text is found in any other

SENSE = (1 << len(SENSES)) - 1  # the bits of the lexicon
IN_TITLE, IN_SUMMARY = SENSE + 1, 2 * (SENSE + 1)
PUNCT = frozenset(",.;:!?，。；：！？、،؛؟…")
ENDS = frozenset(".!?。！？؟…")
CLOSERS = frozenset("\"'”’»)）」』】")
QUOTES = frozenset('"“”„«»「」『』')
JOINS = frozenset(":-/.年月日")
EDGES = ".,:;!?()[]|\"'“”"
EDGE = frozenset(".,:;!?()[]|\"'“”")
_ANY_PART = re.compile("|".join(part for part, _ in CJK_PARTS))  # so that most texts are searched once


def measure_texts(texts: list[str], about: About) -> "array[float]":
    """Return a row of MEASURES for each text, one after the other."""
    rows = array("d", bytes(8 * WIDTH * len(texts)))
    title_words, told = about.title_words, about.told
    known = known_words(about)
    seen: dict[str, int] = {}
    for text in texts:
        seen[text] = seen.get(text, 0) + 1
    for place in range(len(texts)):
        text = texts[place]
        start = place * WIDTH
        count_characters(text, rows, start)
        look_up(text, rows, start, known, title_words)
        rows[start + 18] = seen[text] - 1
        rows[start + 21] = is_dated(text, rows, start)
        if told:
            rows[start + 17] = is_told(text, told)
    return rows


def count_characters(text: str, rows: "array[float]", start: int) -> None:
    """Count words and the kinds of characters, and look at the first and the last one."""
    punct = ends = digits = uppers = letters = cjk = quotes = stops = words = 0
    in_word = False
    for char in text:
        if char.isspace():
            in_word = False
            continue
        if not in_word:
            in_word = True
            words += 1
        if "a" <= char <= "z":
            letters += 1
        elif char.isalpha():
            if "\u3041" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af":
                cjk += 1
                if char in CJK_STOPS:
                    stops += 1
            else:
                letters += 1
                if char.isupper():
                    uppers += 1
        elif char in PUNCT:
            punct += 1
            if char in ENDS:
                ends += 1
        elif char.isdigit():
            digits += 1
        elif char in QUOTES:
            quotes += 1
    rows[start] = len(text) + (CJK_SIZE - 1) * cjk
    rows[start + 1] = words + cjk / 2
    rows[start + 2] = punct
    rows[start + 3] = ends
    rows[start + 4] = stops
    rows[start + 5] = digits
    rows[start + 6] = uppers
    rows[start + 7] = letters
    rows[start + 8] = cjk
    rows[start + 9] = quotes
    rows[start + 10] = last_kind(text)
    rows[start + 11] = first_kind(text)


def last_kind(text: str) -> int:
    """Say how a text ends: 3 a sentence's end, 2 a colon, 1 other punctuation, 0 anything else."""
    place = len(text) - 1
    while place > 0 and (text[place] in CLOSERS or text[place].isspace()):
        place -= 1
    last = text[place]
    if last in ENDS:
        return 3
    if last == ":" or last == "：":
        return 2
    return 1 if last in PUNCT else 0


def first_kind(text: str) -> int:
    """Say how a text starts: 0 upper case, 1 lower case, 2 a digit, 3 a quote, 4 another letter, 5 anything else."""
    first = text[0]
    if first.isupper():
        return 0
    if first.islower():
        return 1
    if first.isdigit():
        return 2
    if first in QUOTES:
        return 3
    return 4 if first.isalpha() else 5


def first_words(text: str) -> list[str]:
    """Return the words of a text that are looked up, in lower case."""
    if len(text) > 2 * MAX_WORDS:
        words = text.split(None, MAX_WORDS)
        if len(words) > MAX_WORDS:
            text = text[: len(text) - len(words[MAX_WORDS])]
    return text.lower().split()


def known_words(about: About) -> dict[str, int]:
    """Return the senses of all words, with those of the title and of the summary marked."""
    known = SENSE_OF.copy()
    for word in about.title_words:
        known[word] = known.get(word, 0) | IN_TITLE
    for word in about.summary_words:
        known[word] = known.get(word, 0) | IN_SUMMARY
    return known


def look_up(text: str, rows: "array[float]", start: int, known: dict[str, int], title_words: frozenset[str]) -> None:
    """Count stop words, collect what the words are about, and compare them with title and summary."""
    words = first_words(text)
    stops = senses = hits = titles = summary = 0
    for word in words:
        sense = known.get(word, 0)
        if sense & IN_TITLE:
            titles += 1
        if sense & IN_SUMMARY:
            summary += 1
        sense &= SENSE
        if sense == 0 and (word[0] in EDGE or word[len(word) - 1] in EDGE):
            sense = known.get(word.strip(EDGES), 0) & SENSE
        if sense & 1:
            stops += 1
        if sense > 1:
            senses |= sense
            hits += 1
    is_short = len(text) < SHORT
    cjk = rows[start + 8]
    if cjk > 0 and is_short:
        if _ANY_PART.search(text):
            for part, sense in CJK_PARTS:
                if part in text:
                    senses |= sense
                    hits += 1
        for pair in title_words:
            if len(pair) == 2 and pair in text:
                titles += 1
    count = rows[start + 1]
    rows[start + 4] += stops
    rows[start + 12] = senses
    rows[start + 13] = hits
    rows[start + 14] = len(words)
    rows[start + 15] = min(1.0, titles / count) if count > 0 else 0.0
    rows[start + 16] = min(1.0, titles / len(title_words)) if is_short and title_words else 0.0
    rows[start + 19] = titles
    rows[start + 20] = min(1.0, summary / count) if count > 0 else 0.0


def is_dated(text: str, rows: "array[float]", start: int) -> float:
    """Say whether a short text gives a date or time: a month and a digit, or digits joined as dates are."""
    digits = rows[start + 5]
    if digits < 1 or len(text) >= SHORT_DATED:
        return 0.0
    if int(rows[start + 12]) & DATE:
        return 1.0
    if digits >= 4:
        for place in range(1, len(text) - 1):
            if text[place] in JOINS and text[place - 1].isdigit():
                return 1.0
    return 0.0


def is_told(text: str, told: str) -> float:
    """Say how far the page's own account of its text holds this one: 1 its start or its end, 2 both, 0 neither."""
    solid = "".join(text.split())
    if len(solid) < MIN_TOLD:
        return 0.0
    return (1.0 if solid[:30] in told else 0.0) + (1.0 if solid[-30:] in told else 0.0)
