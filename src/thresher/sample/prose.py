"""Sentences from a grammar: symbols in braces are replaced until only words are left."""

import random
import re
from functools import cache
from importlib import resources

Grammar = dict[str, tuple[str, ...]]

_SYMBOL = re.compile(r"\{([^{}]+)\}")
_RANGE = re.compile(r"(\d+)\.\.(\d+)")


@cache
def grammar(language: str) -> Grammar:
    """Return the rules of a language, each a symbol with what may stand for it."""
    text = resources.files("thresher.sample").joinpath(f"words/{language}.txt").read_text("utf-8")
    rules: dict[str, list[str]] = {}
    symbol = ""
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("["):
            symbol = line.strip("[]")
            rules[symbol] = []
        elif not line.startswith("#"):
            rules[symbol].append(line)
    return {name: tuple(choices) for name, choices in rules.items()}


@cache
def choices(language: str, scopes: tuple[str, ...], symbol: str) -> tuple[str, ...]:
    """Return what may stand for a symbol: the first scope's own choices, or else everybody's; KeyError if none."""
    rules = grammar(language)
    for scope in scopes:
        if f"{scope}.{symbol}" in rules:
            return rules[f"{scope}.{symbol}"]
    return rules[symbol]


def fill_in(pattern: str, words: dict[str, str]) -> str:
    """Return a pattern with each symbol replaced by the word given; a capital letter makes the word begin with one."""
    return _SYMBOL.sub(lambda match: _like(match[1], words[match[1].lower()]), pattern)


def _like(symbol: str, word: str) -> str:
    return word[:1].upper() + word[1:] if symbol[0].isupper() else word


class Writer:
    """Writes one page: draws from the dice, keeps to its topic, and remembers what it has named."""

    def __init__(self, language: str, scopes: tuple[str, ...], rng: random.Random) -> None:
        self.language = language
        self.rng = rng
        self._scopes = scopes
        self._named: dict[str, str] = {}
        self._recent: dict[str, list[str]] = {}

    def name(self, symbol: str, words: str) -> None:
        """Fix what a symbol with a capital letter stands for."""
        self._named[symbol] = words

    def write(self, symbol: str) -> str:
        """Return words for a symbol, with a capital letter in front."""
        words = self._word(symbol)
        return words[:1].upper() + words[1:]

    def expand(self, pattern: str) -> str:
        """Return a pattern with all its symbols replaced."""
        return _SYMBOL.sub(lambda match: self._word(match[1]), pattern)

    def _word(self, symbol: str) -> str:
        """Expand one symbol: a range gives a number, a capital letter the same words all over the page."""
        span = _RANGE.fullmatch(symbol)
        if span:
            return str(self.rng.randint(int(span[1]), int(span[2])))
        if not symbol[0].isupper():
            return self.expand(self._fresh(symbol))
        if symbol not in self._named:
            self._named[symbol] = self.expand(self._fresh(symbol.lower()))
        return self._named[symbol]

    def _fresh(self, symbol: str) -> str:
        """Draw a choice that was not drawn lately, so that a page does not repeat itself."""
        options = choices(self.language, self._scopes, symbol)
        recent = self._recent.setdefault(symbol, [])
        choice = self.rng.choice([option for option in options if option not in recent] or options)
        recent.append(choice)
        del recent[: -(len(options) * 3 // 4) or None]
        return choice
