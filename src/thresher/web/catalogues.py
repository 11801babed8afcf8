"""Texts of the interface in other languages, read from the .po files that translators edit; no step compiles them."""

import gettext
import re
from ast import literal_eval
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

FOLDER = Path(__file__).parent / "translations"
SOURCE = "en"  # the language that the texts in templates and handlers are written in
LANGUAGES = (SOURCE, "zh")
HOLE = "{}"  # in texts of errors, for what is filled in where they are raised
LONGEST = 2_000  # characters of an error that is translated
KEPT = 1_000  # errors
_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+)?("(?:[^"\\]|\\.)*")\s*$')

Message = dict[str, str]  # "msgid", "msgid_plural", "msgstr" or "msgstr[0]"


class Catalogue(gettext.NullTranslations):
    """The texts of one language; what is missing stays as it is in English."""

    def __init__(self, texts: dict[str, str], plurals: dict[str, str]) -> None:
        super().__init__()
        self._texts = texts
        self._plurals = plurals  # one form, as Chinese has it
        told = sorted((text for text in texts if HOLE in text), key=lambda text: -len(text.replace(HOLE, "")))
        self._told = [(_pattern(text), texts[text]) for text in told]  # the most particular first
        self._found = lru_cache(KEPT)(self._filled)

    def gettext(self, message: str) -> str:
        """Return a text in this language; also an error, whose holes were filled in where it was raised."""
        return self._texts.get(message) or (self._found(message) if self._told else message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the form of a text for a number of things."""
        return self._plurals.get(msgid1) or (msgid1 if n == 1 else msgid2)

    def _filled(self, message: str) -> str:
        if len(message) > LONGEST:
            return message
        for pattern, text in self._told:
            if match := pattern.fullmatch(message):
                return text.format(*map(self.gettext, match.groups()))
        return message


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(map(re.escape, text.split(HOLE))), re.DOTALL)


@cache
def catalogue(language: str) -> Catalogue:
    """Return the texts of a language; those of English are what stands in the source."""
    path = FOLDER / f"{language}.po"
    messages = list(read(path.read_text("utf-8"))) if language != SOURCE else []
    return Catalogue(
        {each["msgid"]: each["msgstr"] for each in messages if each.get("msgstr")},
        {each["msgid"]: each["msgstr[0]"] for each in messages if each.get("msgstr[0]")},
    )


def read(text: str) -> Iterator[Message]:
    """Yield the messages of a .po file, its head and what is only kept as a comment left out."""
    message: Message = {}
    key = ""
    for line in [*text.splitlines(), 'msgid ""']:
        match = _LINE.fullmatch(line.strip())
        if not match:
            continue
        if match[1] == "msgid" and message:
            if message["msgid"]:
                yield message
            message = {}
        key = match[1] or key
        message[key] = message.get(key, "") + literal_eval(match[2])


def preferred(header: str) -> str | None:
    """Return the language that an Accept-Language header asks for most; None when it names none of ours."""
    wanted = []
    for place, part in enumerate(header.split(",")[:20]):
        name, _, quality = part.strip().partition(";q=")
        with_quality = float(quality) if re.fullmatch(r"[01](\.\d{0,3})?", quality) else 1.0
        wanted.append((-with_quality, place, name.partition("-")[0].lower()))
    return next((name for weight, _, name in sorted(wanted) if name in LANGUAGES and weight), None)
