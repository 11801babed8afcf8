"""The language: what the text is written in, and where that is unclear what the page says."""

import re
from collections.abc import Sequence
from datetime import UTC, timedelta, timezone

from thresher.extraction.fields.clues import Clues
from thresher.extraction.fields.dates import Habits
from thresher.extraction.fields.found import Found, found
from thresher.extraction.fields.texts import Ballot, Letters
from thresher.extraction.words import STOP_WORDS
from thresher.html import Tree

SAMPLE = 800  # characters of the main text
MIN_LETTERS = 20  # under this the text says nothing
MIN_VOTES = 5  # stop words of the best language
MIN_LEAD = 1.3  # how many times the stop words of the second best

_DAY_FIRST_COUNTRIES = "gb uk au nz ie in za sg hk my pk lk bd ng ke gh jm mt eu de fr nl se no dk fi"
_COUNTRY = re.compile(r"https?://[^/:?#]*\.([a-z]{2})(?=[/:?#]|$)")
_DAY_FIRST_ENGLISH = frozenset(_DAY_FIRST_COUNTRIES.split())
_ZONE_H = {"zh": 8, "ja": 9, "ko": 9}  # one zone wherever the language is spoken
_ZONES = {language: timezone(timedelta(hours=hours)) for language, hours in _ZONE_H.items()}
_DECLARED = re.compile(r"[A-Za-z]{2,3}(?=$|[-_,;\s])")
_ENOUGH_LATIN = re.compile(f"(?:[^A-Za-z]*[A-Za-z]){{{MIN_LETTERS}}}")
_LATIN, _BEYOND = "latin", "beyond"  # what is neither Latin nor a mark or sign
# First and last letters of each.
_SCRIPTS = {
    _LATIN: "AZazÀɏ",
    _BEYOND: "\u0370\u1fff\u3041\u30ff\u3400\u4dbf\u4e00\u9fff\uac00\ud7af",
    "kana": "\u3041\u30ff",
    "han": "\u3400\u4dbf\u4e00\u9fff",
    "ko": "\uac00\ud7af",
    "th": "\u0e00\u0e7f",
    "el": "\u0370\u03ff",
    "he": "\u0590\u05ff",
    "cyrillic": "\u0400\u04ff",
    "arabic": "\u0600\u06ff",
    "hi": "\u0900\u097f",
}
_LETTERS = Letters(
    (
        (first, last, number)
        for number, letters in enumerate(_SCRIPTS.values())
        for first, last in zip(letters[::2], letters[1::2], strict=True)
    ),
    len(_SCRIPTS),
)
_LANGUAGES_OF = {"cyrillic": ("ru", "uk", "bg"), "arabic": ("ar", "fa")}
_OTHER_SCRIPT = frozenset({"ru", "uk", "bg", "ar", "fa", "el", "he", "hi"})
_LANGUAGES_OF[_LATIN] = tuple(language for language in STOP_WORDS if language not in _OTHER_SCRIPT)

_NUMBERS = {language: number for number, language in enumerate(STOP_WORDS)}
_SPEAKERS: dict[str, tuple[int, ...]] = {}  # by stop word
for _language, _words in STOP_WORDS.items():
    for _word in _words:
        _SPEAKERS[_word] = (*_SPEAKERS.get(_word, ()), _NUMBERS[_language])
_BALLOT = Ballot(_SPEAKERS, len(STOP_WORDS))


def find_language(tree: Tree, clues: Clues, text: str) -> Found[str] | None:
    """Return the language as a two-letter code ("en", "zh"); None when neither page nor text tells."""
    declared, source = _declared(tree, clues)
    guess = guess_language(text[:SAMPLE])
    if guess and guess == declared:
        return found(guess, f"{source}, text", 0.99, declared)
    if guess:
        return found(guess, "text", 0.8, text[:80])
    return found(declared, source, 0.7, declared) if declared else None


def guess_language(text: str) -> str | None:
    """Return the language that a text is written in, by its script and stop words; None when that is unclear."""
    if text.isascii():
        return _voted(text, _LANGUAGES_OF[_LATIN]) if _ENOUGH_LATIN.match(text) else None
    letters = dict(zip(_SCRIPTS, _LETTERS.count(text), strict=True))
    latin, beyond = letters.pop(_LATIN), letters.pop(_BEYOND)
    if latin + beyond < MIN_LETTERS:
        return None
    kana, han = letters["kana"], letters["han"]
    # A Japanese text is half Chinese characters; a Chinese one has no kana to speak of.
    if kana + han > (latin + beyond) / 3:
        return "ja" if kana > 0.1 * han else "zh"
    script = max(letters, key=lambda name: letters[name])
    if not beyond or letters[script] < latin:
        script = _LATIN
    return _voted(text, _LANGUAGES_OF[script]) if script in _LANGUAGES_OF else script


def _voted(text: str, languages: Sequence[str]) -> str | None:
    counts = _BALLOT.count(text)
    best, most, second = "", 0, 0
    for language in languages:
        votes = counts[_NUMBERS[language]]
        if votes > most:
            best, most, second = language, votes, most
        elif votes > second:
            second = votes
    return best if most >= MIN_VOTES and most >= MIN_LEAD * second else None


def _declared(tree: Tree, clues: Clues) -> tuple[str, str]:
    for value, source in (
        (tree.root.get("lang") or tree.root.get("xml:lang"), "html lang"),
        (clues.meta.get("content-language"), "meta content-language"),
        (clues.meta.get("og:locale"), "meta og:locale"),
        (clues.meta.get("language"), "meta language"),
    ):
        if value and (match := _DECLARED.match(value.strip())):
            return match[0].lower(), source
    return "", ""


def zone_of_language(tree: Tree, text: str) -> timezone | None:
    """Return the zone of a page by what its root says or a text of it is written in; None where it has several."""
    declared = _DECLARED.match((tree.root.get("lang") or tree.root.get("xml:lang") or "").strip())
    zone = _ZONES.get(declared[0].lower()) if declared else None
    return zone or _ZONES.get(guess_language(text[:SAMPLE]) or "")


def date_habits(tree: Tree, language: str | None) -> Habits:
    """Say how dates are written: days first but in American English, and in the zone of a language that has one.

    The country is that of the page's language or else of its host.
    """
    region = (tree.root.get("lang") or "").replace("_", "-").lower().partition("-")[2]
    if language == "en" and not region and (country := _COUNTRY.match(tree.url or "")):
        region = country[1]
    return Habits(language != "en" or region in _DAY_FIRST_ENGLISH, _ZONES.get(language or "", UTC))
