"""Lists of Chinese names as bylines give them: "王小明 李四", "王小明、李四 通讯员 赵五 北京报道"."""

import re

from thresher.extract.fields.name_words import NOBODY, SURNAMES
from thresher.extract.fields.names import is_person, names_an_office

MAX_PEN_NAME = 20  # characters
MAX_NAMES = 10

_SPACE = " \u3000\xa0"
_HAN_NAME = re.compile("[\u4e00-\u9fff]{2,4}")
_NO_NAME = re.compile("[的了是在从這这那我你他她们們吗呢不把被就也都到于於将將等个個]")
_LABEL_END = re.compile(
    r"来源|來源|编辑|編輯|责编|責編|责任|時間|时间|日期|发布|發佈|发表|阅读|点击|浏览|人气|摄影|图片|图[/／:：]|字号|评论|"
    r"校对|审核|提交|回复|访问|更新|录入|上传|转载|字体|关注|邮箱|[：:]|[（()）|｜【\[\]】<>《。；！？“”]|\d{2}"
)
_BETWEEN = re.compile(rf"[{_SPACE}、，,/／]+|(?<=[\u4e00-\u9fff]{{2}})[和与]")
_LISTED = re.compile("[、&＆]")
_PARTED = re.compile(rf"(?<![\u4e00-\u9fff])([\u4e00-\u9fff])[{_SPACE}]+([\u4e00-\u9fff])(?![\u4e00-\u9fff])")  # 王　刚
_ROLE = re.compile(
    "(?:[^\\s、，]{0,6}[报网社台刊])?(?:首席|高级|见习|实习|特约|特派|驻.{2,6}?)?(?:记者|記者|通讯员|通訊員|撰稿人?|评论员|特派员|编译|实习生|作家)[:：]?"
)
_TAIL = re.compile(
    r"(?:(?:\d+月)?\d+日(?:[电電讯訊]|报[道导])?|[综摄][合影]报[道导]|报[道导]|報[道導]|[发發]自.*|整理|整合|综合|采写|编[辑译].*)$"
)
# Who else had a hand in it, or what the one named before did: "每经编辑 李四", "王小明 文 李四 图".
_OTHERS = re.compile(
    rf"[{_SPACE}|｜丨/／]\S{{0,4}}(?:编辑|編輯|责编|責編|编审|校对|审核|监制|制作|策划|摄影|摄像|图片|视频|主编|统筹|排版|设计|译者|翻译)"
    rf"|[{_SPACE}]文(?=[{_SPACE}/／、]|$)|[{_SPACE}（(](?:电话|手机|热线|邮箱|图片由|除署名)"
)
_LATIN = re.compile(r"[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){1,3}")
_COUNTRY = re.compile(r"^\s?[\[（(【〔].{1,3}[\]）)】〕]")  # [美]
_PLACES = (
    "北京",
    "上海",
    "广州",
    "深圳",
    "天津",
    "重庆",
    "武汉",
    "南京",
    "成都",
    "杭州",
    "香港",
    "台北",
    "西安",
    "长沙",
    "东京",
    "纽约",
    "伦敦",
    "巴黎",
    "首尔",
)
_PENS = (
    "文",
    "图",
    "摄",
    "电",
    "讯",
    "文图",
    "图文",
    "摄影",
    "综合",
    "撰写",
    "参与采写",
)  # what one did, beside the name


def people(text: str, *, whole: bool = False) -> tuple[str, ...]:
    """Return the names of people that a text begins with; none where `whole` and it goes on with something else."""
    return _listed(text, any_until=0, whole=whole)


def reporters(text: str) -> tuple[str, ...]:
    """Return the names of a text that is a list of them and nothing else; any two to four characters are a name."""
    return _listed(text, any_until=MAX_NAMES, whole=True)


def _without_others(text: str) -> str:
    end = _OTHERS.search(text)
    return text[: end.start()] if end else text


def after_label(text: str, *, pen_name: bool) -> tuple[str, ...]:
    """Read what follows a word for the author: people, or pen names up to the next white space."""
    text = _COUNTRY.sub("", text)
    if end := _LABEL_END.search(text):
        text = text[: end.start()]
    text = _PARTED.sub(r"\1\2", _without_others(text.strip(_SPACE + "/／|｜丨-—")))
    if latin := _LATIN.match(text):
        return (latin[0],)
    if all(map(is_person, _LISTED.split(text))):  # an & may be part of a pen name
        text = _LISTED.sub("、", text)
    named = _ROLE.split(text)[-1] if _ROLE.search(text[:20]) else text
    names = _listed(named, any_until=MAX_NAMES if "、" in named else 1, whole=False)
    if not names and len(parts := named.split()) == 2:  # 北京大学教授 王小明
        names = people(parts[1], whole=True)
    pens = _pen_names(text) if pen_name else ()
    return pens if len(pens) > len(names) else names


def _pen_names(text: str) -> tuple[str, ...]:
    first = re.split(rf"[{_SPACE}，,]", text, maxsplit=1)[0]
    names = _LISTED.split(first) if "、" in first else [first]
    return tuple(names) if all(map(_is_pen_name, names)) else ()


def _is_pen_name(name: str) -> bool:
    return 2 <= len(name) <= MAX_PEN_NAME and name.lower() not in NOBODY and name[0] not in "：:/。！"


def _listed(text: str, *, any_until: int, whole: bool) -> tuple[str, ...]:
    """Read names up to what is none; the first `any_until` of them may have any surname."""
    names: list[str] = []
    for part in _BETWEEN.split(_PARTED.sub(r"\1\2", _ROLE.sub(" ", _without_others(text))))[: MAX_NAMES + 2]:
        name = _TAIL.sub("", part)
        if name != part and not is_person(name):
            name = "" if names else _before_place(name)  # 北京报道, 王小明北京报道
        if not name or name in _PENS or name in _PLACES:
            continue
        if not (is_person(name) or (len(names) < any_until and _may_be_name(name))):
            if whole:
                return ()
            break
        names.append(name)
    return tuple(dict.fromkeys(names))


def _before_place(text: str) -> str:
    """Return the name that a place follows, or the text as it is."""
    if text[-2:] in _PLACES and is_person(text[:-2]):
        return text[:-2]
    return text[:3] if len(text) > 4 and is_person(text[:3]) else text


def _may_be_name(name: str) -> bool:
    """Say whether what stands where a name must be can be one, of however rare a surname, or a pen name."""
    if name in NOBODY or not _HAN_NAME.fullmatch(name) or names_an_office(name):
        return False
    return (len(name) < 4 or name[0] in SURNAMES) and not _NO_NAME.search(name)
