"""Stems of words: `stemming` lets investing find investment, on top of the words as they are written."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from thresher.errors import MissingExtra, UsageError
from thresher.index import tokens

# Languages by code, and what the Snowball library calls them.
ALGORITHMS = {
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
}
MIN_CHARS = 3  # of a word that has a stem


def check_languages(codes: Sequence[str]) -> None:
    """Raise UsageError for a language that has no stems here."""
    for code in codes:
        if code not in ALGORITHMS:
            raise UsageError(f"{code!r} has no stems; use codes among {', '.join(ALGORITHMS)}")


class Stems:
    """The stems of words in some languages; without languages there are none."""

    def __init__(self, languages: Sequence[str] = ()) -> None:
        """Raise UsageError for an unknown language, MissingExtra without the library."""
        check_languages(languages)
        self._stemmers = {code: _stemmer(ALGORITHMS[code]) for code in sorted(set(languages))}

    @property
    def version(self) -> str:
        """What an index has to be rebuilt for when it changes; empty without languages."""
        return ",".join(self._stemmers)

    def spaced(self, text: str, language: str | None) -> str:
        """Return the stems that differ from the words of a text, in its language, each once."""
        stemmer = self._stemmers.get((language or "").partition("-")[0].lower())
        if stemmer is None:
            return ""
        words = dict.fromkeys(word for word in tokens.tokens(text) if _has_stem(word))
        return " ".join(dict.fromkeys(stem for word in words if (stem := stemmer.stemWord(word)) != word))

    def of(self, word: str) -> tuple[str, ...]:
        """Return the stems of a single word in all languages; none of a phrase or of Chinese."""
        found = tokens.tokens(word)
        if len(found) != 1 or not _has_stem(found[0]):
            return ()
        return tuple(dict.fromkeys(stemmer.stemWord(found[0]) for stemmer in self._stemmers.values()))


def _has_stem(word: str) -> bool:
    return len(word) >= MIN_CHARS and word.isalpha() and not tokens.is_unspaced(word)


@lru_cache
def _stemmer(algorithm: str) -> Any:
    try:
        import Stemmer  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError as error:
        raise MissingExtra("stemming needs a library: pip install 'thresher[stemming]'") from error
    return Stemmer.Stemmer(algorithm)
