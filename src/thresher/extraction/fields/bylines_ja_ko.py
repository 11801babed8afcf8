"""Bylines of Japanese and Korean pages: "文・山田太郎", "（ワシントン＝山田太郎）", "김민수 기자", "글 김민수"."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from thresher.extraction.fields.dates import find_dates, has_digit
from thresher.extraction.fields.found import Named
from thresher.extraction.fields.name_words import JAPANESE_SURNAMES, KOREAN_SURNAMES
from thresher.extraction.fields.near import Near

MAX_ALONE = 60  # characters of a line that holds a byline and nothing else
HEAD, TAIL = 60, 60  # characters at the beginning and the end of a paragraph in which a reporter signs
SAMPLE = 50  # blocks that tell the language
SAMPLE_TEXT = 3_000  # characters of them
MIN_KANA = 0.1  # of the Chinese characters; Chinese pages have a few kana in names of things
MAX_PEN_NAME = 12  # characters
MIN_SIGNED = 10  # characters of a text that someone signs

_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HAN = re.compile("[\u4e00-\u9fff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")

_JA_LABEL = re.compile(
    r"(?:^|[\s（(【\[／/|｜])(?:取材[・･]|構成[・･]|撮影[・･])?"
    r"(?:文責|取材・文|構成・文|文・写真|写真・文|文|執筆者?|取材|著者|筆者|ライター|記者|投稿者|寄稿者?|作者|書いた人|レポート|"
    r"[Tt]ext|[Ww]riter|[Aa]uthor|by|BY)\s?[・=＝:：/／●|｜]\s?(.{2,40})$"
)
_JA_END = re.compile(r"[（(【［\[]([^（()）【】［］\[\]。]{2,30})[)）】］\]]\s?$")
_JA_BETWEEN = re.compile(r"[、，,・／/]\s?|[ \u3000](?=\S{3})")
_JA_ELSE = re.compile(r"[\s、，,・／/（(]?(?:写真|撮影|編集|イラスト|協力|監修|聞き手|翻訳|提供|[Pp]hoto)")
_JA_NAME = re.compile("[\u3041-\u30ff\u3005\u4e00-\u9fff]{1,4}[ \u3000]?[\u3041-\u30ff\u3005\u4e00-\u9fff]{1,4}")
_JA_NO_GIVEN = "県市区町村駅港省氏社部局線館店流選様君容内外生立銀工電建物製大"  # 石川県, 山口氏, 三浦半島市
_JA_REPORTER = re.compile(r"^(.{3,9}?)\s?(?:記者|編集委員|特派員|論説委員|支局長?)")
_JA_BARE = re.compile(r"^[\[［【（(]?([^\[\]［］【】（()）]{3,20})[\]］】）)]?$")

_KO_NAME = f"[{KOREAN_SURNAMES}][가-힣]{{1,3}}"
_KO_NAMES = rf"{_KO_NAME}(?:\s?[,·ㆍ、/]\s?{_KO_NAME})*"
_KO_REPORTER = re.compile(
    rf"(?:^|[\s(\[/=:|])({_KO_NAMES})\s?(?:선임|수습|인턴|전문|객원|의학전문|부)?\s?"
    r"(?:기자|특파원|논설위원|칼럼니스트|리포터|에디터)(?=$|[\s)\]/=|·,ㆍ<])"
)
_KO_LABEL = re.compile(
    rf"(?:^|[\s(\[|/])(?:글쓴이|글·사진|글·그림|글|작성자|저자|기고|취재|기자|필자)(?:\s?[:=|/]\s?|\s)({_KO_NAMES})(?![가-힣])"
)
_KO_BETWEEN = re.compile(r"\s?[,·ㆍ、/]\s?")


def written_in(texts: Sequence[str]) -> Literal["ja", "ko"] | None:
    """Say whether a page is Japanese or Korean by its first blocks; None for any other, as a Chinese one."""
    text = "".join(texts[:SAMPLE])[:SAMPLE_TEXT]
    if not _KANA.search(text) and not _HANGUL.search(text):
        return None
    han = len(_HAN.findall(text))
    if len(_HANGUL.findall(text)) > han:
        return "ko"
    return "ja" if len(_KANA.findall(text)) > MIN_KANA * han else None


def find_japanese(near: Near, lines: Sequence[str]) -> Iterator[Named]:
    """Yield where names of Japanese authors stand in the lines of a text and around it, how sure that is, and they."""
    around = (*near.after, *near.before)
    for line in (*around, *lines):
        match = _JA_LABEL.search(line) if len(line) <= MAX_ALONE else _JA_LABEL.search(line[-TAIL:])
        if match and (names := _labelled(match[1])):
            yield "byline, labelled", 0.7, names
    for line in around:
        if len(line) <= MAX_ALONE and (names := _alone(line)):
            yield "name beside the title", 0.5, names
    for text in lines:
        if text[-1:] in ")）】］]" and (match := _JA_END.search(text[-TAIL:])):
            told = re.split("[＝=]", match[1])[-1]  # （ワシントン＝山田太郎）
            is_signed = text[-1] == "】" and len(text) > len(told) + MIN_SIGNED
            if names := _all_names(told) or (_kanji(told) if is_signed else ()):
                yield "signed, after the text", 0.6, names


def _labelled(told: str) -> tuple[str, ...]:
    """Return the names behind a label, up to those who took the pictures; a pen name will do."""
    told = _JA_ELSE.split(told, maxsplit=1)[0].strip()
    if names := _all_names(told):
        return names
    first = re.split(r"[\s\u3000（(、，]", told, maxsplit=1)[0]
    return (first,) if 2 <= len(first) <= MAX_PEN_NAME and not has_digit(first) else ()


def _alone(line: str) -> tuple[str, ...]:
    """Return the names that a line near the title holds, beside a date or a word for a reporter only."""
    if has_digit(line) and (moment := next(find_dates(line), None)):
        line = (line[: moment.start] + line[moment.start + len(moment.raw) :]).strip()
    if match := _JA_REPORTER.match(line):
        return _all_names(match[1])
    match = _JA_BARE.match(line)
    return _all_names(re.split("[，,]", match[1])[0]) if match else ()


def _all_names(told: str) -> tuple[str, ...]:
    """Return the names of a text that is a list of them and nothing else."""
    told = told.strip()
    names = (told,) if _is_japanese(told) else tuple(_JA_BETWEEN.split(told))
    return names if all(map(_is_japanese, names)) else ()


def _is_japanese(name: str) -> bool:
    """Say whether a text is a common surname and a given name, with a space between them or without."""
    plain = "".join(name.split())
    if not _JA_NAME.fullmatch(name) or not plain.startswith(JAPANESE_SURNAMES):
        return False
    given = min((plain.removeprefix(each) for each in JAPANESE_SURNAMES if plain.startswith(each)), key=len)
    return 1 <= len(given) <= 4 and given[-1] not in _JA_NO_GIVEN and given[0] not in "県市区町村駅第の氏さ"


def _kanji(told: str) -> tuple[str, ...]:
    """Return what stands in 【】 below a text, as some papers sign, if it is written as names are."""
    names = tuple(re.split("[、・]", told))
    return names if all(re.fullmatch("[\u4e00-\u9fff]{3,6}", name) for name in names) else ()


def find_korean(near: Near, lines: Sequence[str]) -> Iterator[Named]:
    """Yield where names of Korean authors stand in the lines of a text and around it, how sure that is, and they."""
    for line in (*near.after, *near.before, *lines):
        for part in (line,) if len(line) <= MAX_ALONE else (line[:HEAD], line[-TAIL:]):
            if match := _KO_REPORTER.search(part):
                yield "byline, labelled", 0.7, tuple(_KO_BETWEEN.split(match[1]))
            elif len(line) <= MAX_ALONE and (match := _KO_LABEL.search(part)):
                yield "byline, labelled", 0.6, tuple(_KO_BETWEEN.split(match[1]))
