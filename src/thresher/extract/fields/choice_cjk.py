"""Choose the authors of a Chinese, Japanese or Korean page among all whom it may name: a sum of learned weights.

The model is that of `choice`, a conditional logit with nobody as one of the options. Its marks tell where a text
stands and how it is written, none of them what it says. `thresher.lab.train.authors_cjk` fits the weights.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from thresher.extract.fields.mentions import Mention
from thresher.extract.fields.mentions_cjk import Scene
from thresher.extract.fields.names import is_chinese_name, is_person, is_surely_chinese_name, names_an_office
from thresher.extract.fields.segments_cjk import tells_office
from thresher.extract.fields.words_cjk import IN_WORDS

WEIGHTS = "author_weights_cjk.json"
SURE, LIKELY = "sure name", "like a name"
LONG = 12  # characters of a name that is not Chinese

_HAN = re.compile("[\u4e00-\u9fff]+")
_HAS_HAN = re.compile("[\u4e00-\u9fff]")
_ABROAD = re.compile(r"[\u4e00-\u9fff]{1,8}(?:[·•‧・.．][A-Z\u4e00-\u9fff]{1,8})+")
_HANGUL, _KANA = re.compile("[\uac00-\ud7a3]"), re.compile("[\u3041-\u30fa]")
_LATIN_WORDS = re.compile(r"[A-Za-zÀ-ž.'’-]+(?: [A-Za-zÀ-ž.'’-]+)+")
_LATIN = re.compile(r"[A-Za-zÀ-ž]+")
_NUMBERS = re.compile(r"\d\d")
_IN_SENTENCES = re.compile("[的了是在我你他她们們吗呢不把被就也都到这這那]")
# With which foreign names are written.
_BY_SOUND = frozenset(
    "阿埃艾安奥巴贝本比博伯布查达戴德登迪蒂丁杜多厄恩尔法菲费芬弗福盖戈格哈海汉赫亨胡华霍基吉加杰金卡凯坎康考科克肯库拉莱兰劳"
    "勒雷里利莉林琳卢鲁路伦罗洛马玛麦曼梅蒙米密莫姆穆纳娜南内尼诺欧帕佩皮珀普奇齐乔切琼萨塞桑沙舍什史斯丝苏索塔泰坦汤特提图托"
    "瓦万威韦维温沃伍西希夏谢辛休雅亚扬耶伊易因尤约扎詹朱兹佐柯凡泽茨迈森顿逊"
)
_WITH_SHAPE = ("alone, head", "alone, tail", "label none", "labelled")


class Candidate(NamedTuple):
    """Names, where they were found first, and all that speaks for or against them."""

    names: tuple[str, ...]
    source: str
    marks: frozenset[str]


def find_cjk_candidates(mentions: Iterable[Mention], scene: Scene) -> list[Candidate]:
    """Return those who are mentioned, each with the marks of all mentions and of how the names are written."""
    first: dict[frozenset[str], Mention] = {}
    marks: dict[frozenset[str], set[str]] = {}
    for mention in mentions:
        people = frozenset(map(str.casefold, mention.names))
        if people not in first:
            first[people], marks[people] = mention, set(mention.marks)
        elif mention.marks[0] == "line" and "line" in marks[people]:
            marks[people].update(mark for mark in mention.marks if mark.startswith(("label ", "behind it ")))
            marks[people].add("again")
        else:
            marks[people].update(mention.marks)
    return [
        Candidate(mention.names, mention.source, frozenset(_with_names(marks[people], mention.names, scene)))
        for people, mention in first.items()
    ]


def choose_cjk(candidates: Sequence[Candidate]) -> tuple[Candidate, float] | None:
    """Return the most likely candidate and how likely it is; None where nobody is likelier than each."""
    weights = _weights()
    sums = [sum(weights.get(mark, 0.0) for mark in each.marks) for each in candidates]
    best = max(sums, default=0.0)
    if best <= 0:
        return None
    return candidates[sums.index(best)], math.exp(best) / (1 + sum(map(math.exp, sums)))


@cache
def _weights() -> Mapping[str, float]:
    text = resources.files("thresher.extract.fields").joinpath(WEIGHTS).read_text("utf-8")
    weights: dict[str, float] = json.loads(text)
    return weights


def _with_names(marks: set[str], names: tuple[str, ...], scene: Scene) -> Iterator[str]:
    """Yield the marks of places, then how the names are written."""
    yield from marks
    if len(names) == 1:
        shape = _shape(names[0])
        yield from _written(names[0])
        yield from _titled(names[0], scene)
    else:
        yield "several"
        yield from set.intersection(*({*_written(name), *_titled(name, scene)} for name in names))
        shape = _shape_of_all(names)
        if shape == SURE:
            yield SURE
    yield from (f"{mark}, {shape}" for mark in _WITH_SHAPE if mark in marks)


@lru_cache(maxsize=1024)
def _script(name: str) -> str:
    """Say in what script a name is written, and how long a Chinese one is."""
    if _HAN.fullmatch(name):
        return f"{len(name) if len(name) <= 4 else 5 if len(name) <= 6 else 7} characters"
    if _ABROAD.fullmatch(name):
        return "foreign name"
    if _HANGUL.search(name):
        return "hangul"
    if _KANA.search(name):
        return "kana"
    if _HAS_HAN.search(name):
        return "mixed"
    if _LATIN_WORDS.fullmatch(name):
        return "latin words"
    return "latin" if _LATIN.fullmatch(name) else "odd"


@lru_cache(maxsize=1024)
def _shape(name: str) -> str:
    if len(name) <= 4 and _HAN.fullmatch(name):
        if is_surely_chinese_name(name):
            return SURE
        if is_chinese_name(name):
            return LIKELY
    return _script(name)


def _shape_of_all(names: Sequence[str]) -> str:
    """Say how several names are written; beside a sure one, what only looks like a name is as sure."""
    shapes = set(map(_shape, names))
    if SURE in shapes and shapes <= {SURE, LIKELY}:
        return SURE
    return shapes.pop() if len(shapes) == 1 else "several shapes"


@lru_cache(maxsize=1024)
def _written(name: str) -> tuple[str, ...]:
    """Return how a name is written."""
    script = _script(name)
    flags = {
        script: True,
        "office": names_an_office(name) or tells_office(name),
        "in words": bool(IN_WORDS.search(name)),
    }
    if _HAS_HAN.search(name):
        flags["in sentences"] = bool(_IN_SENTENCES.search(name))
    if _HAN.fullmatch(name):
        is_name = is_chinese_name(name)
        flags[SURE] = is_surely_chinese_name(name)
        flags[LIKELY] = is_name and not flags[SURE]
        flags["no name"] = not is_name and len(name) <= 3
        flags["by sound"] = _BY_SOUND.issuperset(name)
    else:
        flags["long"] = len(name) > LONG
        flags["numbers"] = bool(_NUMBERS.search(name))
        flags["person"] = script == "latin words" and is_person(name)
    return tuple(mark for mark, is_so in flags.items() if is_so)


def _titled(name: str, scene: Scene) -> Iterator[str]:
    if name in scene.near.title:
        yield "in the title"
    elif name in scene.page_title:
        yield "behind the title"
