"""The lexer of the query language: a query's text → its marks, words and phrases, each with its place."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from thresher.errors import UsageError


class Sort(StrEnum):
    """What a lexeme is."""

    WORD = "word"
    PHRASE = "phrase"
    URL = "url"
    FIELD = "field"
    NOT = "not"
    AND = "and"
    OR = "or"
    OPEN = "open"
    CLOSE = "close"
    END = "end"


@dataclass(frozen=True, slots=True)
class Lexeme:
    """One part of a query's text and where it begins."""

    sort: Sort
    text: str
    place: int


_FULL_WIDTH = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_PAUSES = dict.fromkeys("，、。；？…·", " ")
_SIGNS = {**dict.fromkeys("“”„‟「」『』", '"'), "–": "-", "−": "-", "¦": "|"}
_FOLD = str.maketrans({**_FULL_WIDTH, **_PAUSES, **_SIGNS})
_EXCLAMATION = re.compile(r"(?<![\s(（|｜+＋－-])(?<!^)！|！(?=\s|$)")  # as punctuation; elsewhere ！ excludes, like !

_LEXEME = re.compile(
    r"""
      (?P<blank>  [\s+&]+ | [-!]+ (?=[\s)|]|$) )
    | (?P<url>    [Hh][Tt][Tt][Pp][Ss]?:// (?: [^\s"()|] | \([^\s"()|]*\) )+ )
    | (?P<open>   \( )
    | (?P<close>  \) )
    | (?P<or>     \|+ | OR (?=[\s(]|$) )
    | (?P<and>    AND (?=[\s(]|$) )
    | (?P<not>    [-!] | NOT (?=[\s(]) )
    | (?P<phrase> "[^"]*" )
    | (?P<quote>  " )
    | (?P<field>  [A-Za-z][A-Za-z_]* : (?!//) )
    | (?P<word>   [^\s()|"+]+ )
    """,
    re.VERBOSE,
)


def lexemes(text: str, fields: Collection[str]) -> Iterator[Lexeme]:
    """Yield the parts of a query, an END last; raise UsageError for an open quotation mark or an unknown field."""
    folded = _EXCLAMATION.sub(" ", text).translate(_FOLD)
    place = 0
    while match := _LEXEME.match(folded, place):
        group = match.lastgroup
        if group == "quote":
            raise UsageError(f"{whereabouts(text, place)}: the quotation mark is never closed; add another")
        if group == "field" and match[0][:-1].lower() not in fields:
            match = _word_with_colon(match, text, fields)
            group = "word"
        place = match.end()
        if group != "blank":
            assert group is not None, "every alternative is named"
            yield _lexeme(group, match, text)
    yield Lexeme(Sort.END, "", len(text))


def whereabouts(text: str, place: int) -> str:
    """Say where in a query something is."""
    start = max(0, place - 10)
    return f"query, character {place + 1}, at {text[start : place + 20]!r}"


def _lexeme(group: str, match: re.Match[str], text: str) -> Lexeme:
    place = match.start()
    if group == "phrase":
        return Lexeme(Sort.PHRASE, text[place + 1 : match.end() - 1], place)
    if group == "url":
        return Lexeme(Sort.URL, text[place : match.end()], place)
    if group == "field":
        return Lexeme(Sort.FIELD, match[0][:-1].lower(), place)
    return Lexeme(Sort(group), match[0], place)


def _word_with_colon(match: re.Match[str], text: str, fields: Collection[str]) -> re.Match[str]:
    """Take an unknown field with nothing behind it ("Re: …") as a word; raise UsageError for any other."""
    following = match.string[match.end() : match.end() + 1]
    if following and not following.isspace():
        raise UsageError(
            f"{whereabouts(text, match.start())}: there is no field {match[0]!r}; the fields are "
            f"{', '.join(sorted(fields))}. To search for the text itself, put it in quotation marks"
        )
    return match
