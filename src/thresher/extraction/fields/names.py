"""Names of authors: what can be one, and how a line that names several is taken apart."""

import re
from collections.abc import Iterable
from functools import lru_cache

from thresher.extraction.fields.given_names import GIVEN_NAMES
from thresher.extraction.fields.name_words import (
    COMPOUND_SURNAMES,
    NO_NAMES,
    NOBODY,
    PARTICLES,
    ROLES,
    SURNAMES,
    SURNAMES_OF_WORDS,
    THINGS,
)
from thresher.text import CJK, clean, has_cjk

MAX_NAME = 80  # characters
MAX_WORDS = 7  # in one name
MAX_AUTHORS = 20
MAX_LINE = 600  # characters of a line of names

_BY = r"(?:(?:written|posted|published|reviewed|reported|text|words|story|article|created|submitted|edited)\s)?by"
_ABROAD = "von|par|por|de|di|door|av|af|autor[ae]?|автор|text|texto|texte|testo|tekst|oleh|yazan|napsal|szerző"
LEAD = re.compile(
    rf"^(?:(?:{_BY})(?:[:：]\s*|\s+)|(?:author|authors|writer|redaktion|interview|{_ABROAD})\s?[:：]\s*|(?:von|par|por|di|door|av|af)\s+)",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+(?:and|And|AND|und|et|y|e|og|och|en|i|и|with|ve|dan)\s+|\s*[&＆]\s*")
_STRONG = re.compile(r"\s*[;；、|｜•·]\s*|\s+/\s+|\s+[-–—]+\s+")
_COMMA = re.compile(r"\s*[,，]\s*(?:and\s+|&\s*)?")
# What follows a name and is none: "on 5 May", "for the Daily Grain", "Updated", "3 min read".
_TAIL = re.compile(
    r"\s*(?:[|•·–—(\[]|\s-\s|(?<=\w{3})\.\s|(?:^|(?<=\s))(?:on|for|at|in|is|was|from|published|posted|updated|last|view|reviewed|"
    r"edited|read|share|follow|contact|reporting|special to|via|(?-i:am|um|vom|le|el|il))\b|"
    r"(?<!\w)\d|\d(?=[\s./:-])).*$",
    re.IGNORECASE | re.DOTALL,
)
_CREDENTIAL = re.compile(
    r"(?:[A-Z][A-Za-z]{0,3}\.?){1,4}[®™]?|Jr\.?|Sr\.?|I{2,3}|Esq\.?|[A-Z]{2,6}[®™]?(?:-[A-Z]{1,4})?"
)
_TITLES = re.compile(
    r"^(?:(?:Prof|Dr|Mag|Ing|Dipl|Mr|Mrs|Ms|Rechtsanw[aä]lt(?:in)?|Pfarrer(?:in)?|Prälat|Bischof|Bischöfin)\.?[\s-]+)+(?=\S)"
)
_TITLES_START, _TITLE_CAPITALS = frozenset("pdmirb"), frozenset("PDMIRB")
_HANDLE = re.compile(r"\s+@\w{2,30}$")
_FOR_PAPER = re.compile(r"\s[Ff]or\s(?:[Tt]he\s.{3,40}|Mail\s?[Oo]n\s?[Ll]ine|\S+\.com)$")
_ADDRESS = re.compile(r"https?:|www\.|\S@\S|^@|\.(?:com|org|net)/", re.IGNORECASE)
_NO_NAME = re.compile(r"(?<![a-zA-Z\d])\d{3}|\d{5}|[{}<>$=]|\w\.\w+\.\w|\w: ")
_PLAIN = re.compile("[A-Z][a-z]+(?: [A-Z][a-z]+){1,2}")
# What leads to names, parts them, or follows them.
_NOT_PLAIN = frozenset(("by", "von", "par", "por", "di", "door", "av", "af", "and", "for"))
_WORD = re.compile(r"[^\W\d_][^\W\d_.'’‘`\-]*(?:[.'’‘`\-][^\W\d_.'’‘`\-]*)*\.?$")
_EDGES = ' \t.,:：;-–—·|/"“”()（）[]【】*~'
_HAN = re.compile("[\u4e00-\u9fff]+")
_OF_NO_PERSON = "网網報报社台版站部局院会會聞闻刊号號視视"  # how names of papers, stations and offices end
_MAGAZINES = ("杂志", "雜誌", "日志", "日誌")
_OFFICES = (
    *("新闻", "新聞", "财经", "编辑", "編輯", "公司", "集团", "中心", "频道", "团队"),
    *("经济", "經濟", "客户端", "官方", "科技"),
)
# Surnames that begin common words of two characters: 文章, 关注, 安全.
_IN_WORDS = "文高关方安康房万常管成解查全应游党车包华尚闻容路向易武白马金钱江单司左古解艾时热原平"
_GIVEN = "芳娜敏丽磊军勇艳杰娟涛霞刚桂萍辉斌鹏波宇浩凯婷琳晨悦欣怡慧涵轩帆庆伟"  # hardly ever end such a word
_FOREIGN_IN_CHINESE = re.compile("[\u4e00-\u9fff]{1,6}(?:[·•][\u4e00-\u9fff]{1,6})+")
_CJK_WORD = re.compile(f"[{CJK}·・ー]+$")


def names_in(texts: Iterable[str], *, told: bool = True) -> tuple[str, ...]:
    """Split texts into names, and leave out what is none.

    `told` texts say that they name authors (structured data, a byline): there a word or an organisation will do.
    """
    names: dict[str, None] = {}
    for text in texts:
        for name in _names_of(text[:MAX_LINE], told):
            if name.casefold() not in map(str.casefold, names):
                names[name] = None
    return tuple(names)[:MAX_AUTHORS]


@lru_cache(maxsize=64)  # a page tells the same in several places
def _names_of(text: str, told: bool) -> tuple[str, ...]:
    if is_plain_name(text):
        return (text,) if told or is_person(text) else ()
    return tuple(filter(is_told_name if told else is_person, _split(_without_lead(clean(text)))))


def is_plain_name(text: str) -> bool:
    """Say whether a text is a few words of ASCII with capitals, in which there is nothing to take apart or to doubt."""
    if len(text) > MAX_NAME or not _PLAIN.fullmatch(text):
        return False
    words = text.lower()
    return words not in NOBODY and _NOT_PLAIN.isdisjoint(words.split())


def is_told_name(text: str) -> bool:
    """Say whether what is given as an author can be one: a few words, no address, no placeholder."""
    if not 2 <= len(text) <= MAX_NAME or len(text.split()) > MAX_WORDS or text.casefold() in NOBODY:
        return False
    return not _ADDRESS.search(text) and any(map(str.isalpha, text)) and not _NO_NAME.search(text)


def is_person(text: str) -> bool:
    """Say whether a text of which nothing is known looks like the name of a person."""
    if len(text) > MAX_NAME:
        return has_cjk(text) and _FOREIGN_IN_CHINESE.fullmatch(text) is not None
    return _is_person(text)


@lru_cache(maxsize=128)  # a page shows few names, and each is asked about in several places
def _is_person(text: str) -> bool:
    if has_cjk(text):
        return is_chinese_name(text) or _FOREIGN_IN_CHINESE.fullmatch(text) is not None
    words = text.split()
    if not 2 <= len(words) <= 5 or not words[-1][0].isupper() or not words[0][0].isupper():
        return False
    if words[-1].endswith(("'s", "’s")):  # of whom the text tells
        return False
    if not all(_WORD.match(word) and (word[0].isupper() or word in PARTICLES) for word in words):
        return False
    small = {word.casefold().strip(".") for word in words if word not in PARTICLES and word[1:] != "."}
    return small.isdisjoint(NO_NAMES) and (small.isdisjoint(THINGS) or begins_with_given_name(text))


def is_surely_person(text: str) -> bool:
    """Say whether a text looks like the name of a person and begins with a common given name."""
    return begins_with_given_name(text) and is_person(text)


def begins_with_given_name(text: str) -> bool:
    """Say whether the first word of a text, titles aside, is a common given name."""
    first = text.partition(" ")[0].casefold()
    if first in GIVEN_NAMES:
        return True
    if first[:1] in _TITLES_START:
        first = without_titles(text).partition(" ")[0].casefold()
    return first.partition("-")[0] in GIVEN_NAMES


def is_chinese_name(text: str) -> bool:
    """Say whether a text looks like the name of a Chinese person: a surname and one or two characters."""
    if not 2 <= len(text) <= 4:
        return False
    if text.startswith(COMPOUND_SURNAMES):
        has_surname = len(text) > 2
    else:
        has_surname = len(text) < 4 and (text[0] in SURNAMES or (len(text) == 3 and text[0] in SURNAMES_OF_WORDS))
    return has_surname and text not in NOBODY and _HAN.fullmatch(text) is not None and not names_an_office(text)


def is_surely_chinese_name(text: str) -> bool:
    """Say whether a text is the name of a Chinese person even where nothing says so: no common word looks like it."""
    return (
        is_chinese_name(text)
        and (text[0] not in SURNAMES_OF_WORDS or text[2] in _GIVEN)
        and (len(text) > 2 or text[0] not in _IN_WORDS or text[1] in _GIVEN)
    )


def is_credential(text: str) -> bool:
    """Say whether a text is what stands behind a name: "PhD", "M.D.", "Jr."."""
    return _CREDENTIAL.fullmatch(text) is not None


def without_titles(text: str) -> str:
    """Return a name without "Dr." and the like before it."""
    return _TITLES.sub("", text) if text[:1] in _TITLE_CAPITALS else text


def names_an_office(text: str) -> bool:
    """Say whether a Chinese text is called as papers, stations and companies are."""
    return text[-1:] in _OF_NO_PERSON or text.endswith(_MAGAZINES) or any(map(text.__contains__, _OFFICES))


def has_role(text: str) -> bool:
    """Say whether a text names an office or an organisation rather than a person."""
    return any(word.casefold().strip(".,") in ROLES for word in text.split())


def is_office(text: str) -> bool:
    """Say whether a text names an office and nobody in it: "Contributing Editor"."""
    words = text.split()
    return len(words) > 1 and all(word.casefold() in ROLES for word in words)


def without_tail(text: str) -> str:
    """Return the beginning of a byline, up to what cannot be part of a name."""
    return _TAIL.sub("", text.strip(_EDGES)).strip(_EDGES)


def _without_lead(text: str) -> str:
    while (match := LEAD.match(text)) and match.end() < len(text):
        text = text[match.end() :]
    return text


def _split(text: str) -> list[str]:
    """Take a line of names apart; a part after a comma that is an office or an organisation goes with nobody."""
    if not text or text[0] in ",，":  # "{name}, {newspaper}" without a name
        return []
    text = _HANDLE.sub("", text) if "@" in text else text
    text = _FOR_PAPER.sub("", text) if "or" in text else text
    if "/" in text and all(map(is_person, beside := text.split("/"))):  # "Ann Miller/Bob Stone"
        return beside
    persons = [part for piece in _STRONG.split(text) if (part := _trimmed(piece))]
    names: list[str] = []
    for place, part in enumerate(persons):
        if place and not is_person(_COMMA.split(part)[0]) and not _AND.search(part) and not has_cjk(part):
            continue  # "Ann Miller | Sponsored", "Ann Miller | am@example.org"
        names += _split_at_commas(part)
    return names


def _split_at_commas(text: str) -> list[str]:
    first, *others = _COMMA.split(text)
    names = _split_at_and(first)
    had_and = len(names) > 1
    for part in others:
        if _CREDENTIAL.fullmatch(part) and names:
            names[-1] += f", {part}"
        elif has_role(part):
            break  # what follows tells of where: "Ann Miller, Senior Editor, Public Policy"
        elif not had_and and all(map(_is_listed, _AND.split(part))):
            pieces = _split_at_and(part)
            had_and = len(pieces) > 1
            names += pieces
    return [_trimmed(name) for name in names]


def _trimmed(name: str) -> str:
    """Cut off what stands around a name; the stop of an abbreviation, as in "Jr." or "Ph.D.", belongs to it."""
    name = name.lstrip(_EDGES).rstrip(_EDGES.replace(".", "").replace("(", "").replace(")", ""))
    last = name.rpartition(" ")[2]
    if "." in last[:-1] or len(last) <= 3 or (last.endswith(")") and "(" in name):
        return name
    return name.rstrip(_EDGES)


def _is_listed(text: str) -> bool:
    return is_person(text) or (has_cjk(text) and bool(_CJK_WORD.match(text)))


def _split_at_and(text: str) -> list[str]:
    """Split at "and" between whole names; "Anna & Ben" and "Press and Journal" stay as they are."""
    pieces = [piece.strip() for piece in _AND.split(text) if piece.strip()]
    if len(pieces) > 1 and all(len(piece.split()) > 1 and not has_role(piece) for piece in pieces):
        return pieces
    return [text]
