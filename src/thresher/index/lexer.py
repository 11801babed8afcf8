"""The lexer of the query language: a query's text → its marks, words and phrases, each with its place."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from unicodedata import combining, east_asian_width

from thresher.errors import QueryError

SHOWN = 60  # characters of a query that an error shows
SHOWN_BEFORE = 30  # of these before the place


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
    NEAR = "near"
    END = "end"


@dataclass(frozen=True, slots=True)
class Lexeme:
    """One part of a query's text, where it begins and where it ends."""

    sort: Sort
    text: str
    place: int
    end: int


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
    | (?P<near>   NEAR/[^\s()|"]* )
    | (?P<not>    [-!] | NOT (?=[\s(]) )
    | (?P<phrase> "[^"]*" )
    | (?P<quote>  " )
    | (?P<field>  [A-Za-z][A-Za-z_]* : (?!//) )
    | (?P<word>   [^\s()|"+]+ )
    """,
    re.VERBOSE,
)


def lexemes(text: str, fields: Collection[str], other_names: Mapping[str, str]) -> Iterator[Lexeme]:
    """Yield the parts of a query, an END last; raise QueryError for an open quotation mark or an unknown field.

    `other_names` has other names of fields, which the error tells.
    """
    folded = _EXCLAMATION.sub(" ", text).translate(_FOLD)
    place = 0
    while match := _LEXEME.match(folded, place):
        group = match.lastgroup
        if group == "quote":
            raise wrong(text, place, "the quotation mark is never closed; add another")
        if group == "field" and match[0][:-1].lower() not in fields:
            match = _word_with_colon(match, text, fields, other_names)
            group = "word"
        place = match.end()
        if group != "blank":
            assert group is not None, "every alternative is named"
            yield _lexeme(group, match, text)
    yield Lexeme(Sort.END, "", len(text), len(text))


def wrong(text: str, place: int, message: str) -> QueryError:
    """Return the error that says what is wrong at a place of a query, with the place shown below it."""
    start = max(0, place - SHOWN_BEFORE)
    shown = "".join(" " if char.isspace() else char for char in text[start : start + SHOWN])
    return QueryError(f"query, character {place + 1}: {message}\n  {shown}\n  {_blank(shown[: place - start])}^", place)


def _blank(text: str) -> str:
    """Return as many spaces as a text takes columns on a terminal: Chinese characters take two each."""
    return " " * sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _lexeme(group: str, match: re.Match[str], text: str) -> Lexeme:
    place = match.start()
    if group == "phrase":
        return Lexeme(Sort.PHRASE, text[place + 1 : match.end() - 1], place, match.end())
    if group == "url":
        return Lexeme(Sort.URL, text[place : match.end()], place, match.end())
    if group == "field":
        return Lexeme(Sort.FIELD, match[0][:-1].lower(), place, match.end())
    return Lexeme(Sort(group), match[0], place, match.end())


def _word_with_colon(
    match: re.Match[str], text: str, fields: Collection[str], other_names: Mapping[str, str]
) -> re.Match[str]:
    """Take an unknown field with nothing behind it ("Re: …") as a word; raise QueryError for any other."""
    following = match.string[match.end() : match.end() + 1]
    if following and not following.isspace():
        name = match[0][:-1].lower()
        close = [other_names[name]] if name in other_names else get_close_matches(name, fields, n=1)
        meant = f"did you mean {close[0]}:? " if close else ""
        raise wrong(
            text,
            match.start(),
            f"there is no field {match[0]!r}; {meant}the fields are {', '.join(sorted(fields))}. To search for the "
            "text itself, put it in quotation marks",
        )
    return match
