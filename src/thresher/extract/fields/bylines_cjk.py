"""Bylines in Chinese, Japanese and Korean text: "作者：王小明", "（记者 王小明）", "【山田太郎】", "김민수 기자"."""

import re
from collections.abc import Iterator

from thresher.extract.fields.near import Near

MAX_LINE = 200  # characters of a line that holds a labelled name
TAIL = 48  # characters at the end of a paragraph in which a reporter signs

_SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许邓韩冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔"
    "谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤康易乔赖文樊葛牛"
    "殷齐尤柳柴辛管祝梅盛童古项鲁翟关安倪左凌纪欧申耿庞符柯骆章阎焦窦甘裴霍司岳路聂詹俞曲季靳宁单施阮成池洪翁舒祁"
    "闵蓝仇党艾宫包娄房屈解车植练莘隋桑瞿冉容敬华查丛卞鲍游褚屠蒲伍岑苗鄢冀费匡郎卓尚楚桂闻佟全应"
    "張劉陳楊黃趙吳孫馬羅鄭謝許鄧韓馮蔣葉蘇呂盧鍾譚陸範賈鄒閻龍賀顧龔邵萬錢戴嚴湯喬賴齊紀龐駱詹單寧蘭黨"
)
_COMPOUND = ("欧阳", "司马", "上官", "诸葛", "东方", "皇甫", "尉迟", "公孙", "慕容", "令狐", "司徒", "夏侯", "歐陽")
_HAN = "[\u4e00-\u9fff]"
_NAMES = rf"({_HAN}{{2,4}}(?:[·•]{_HAN}{{2,6}})?(?:[ \u3000\xa0、，,/／和]{{1,3}}{_HAN}{{2,4}}){{0,9}})"
_LABEL = re.compile(r"(?:作\s?者|撰\s?文|撰\s?稿(?:人)?|执笔(?:人)?|執筆|文字|原作者|編?著者)\s?[:：]\s?(.{2,60})")
_LABEL_END = re.compile(
    r"[\s\u3000]*(?:来源|來源|编辑|編輯|责编|责任|時間|时间|日期|发布|發佈|阅读|点击|浏览|摄影|图|字号|[（(|｜【\[]|\d{2}).*$"
)
_REPORTER = rf"(?:记者|記者|通讯员|通訊員|特约撰稿|撰稿人?)\s?[:：]?\s{{0,2}}{_NAMES}"
_END = r"(?=\s*(?:[)）】\]]|$|摄|报道|報道|發自|发自|文|图|/|／|编辑|通讯员|\d|北京|上海|[:：]))"
_OPENING = re.compile(rf"^[（(【\[]?{_HAN}{{0,12}}?{_REPORTER}{_END}")
_SIGNED = re.compile(rf"[（(【][^（()）【】]{{0,16}}?{_REPORTER}[^（()）【】]{{0,12}}[)）】]\s*$")
_ALONE = re.compile(rf"[（(]\s*{_NAMES}(?:\s+{_HAN}{{2,4}}(?:报道|電|电))?\s*[)）]\s*$")
_JAPANESE = re.compile(rf"【({_HAN}{{3,6}}(?:[、・]{_HAN}{{3,6}}){{0,4}})】\s*$")
_KANA = re.compile("[\u3041-\u30ff]")
_KOREAN = re.compile(r"(?:^|[\s(\[/=])([가-힣]{2,4})\s?(?:선임|수습)?\s?(?:기자|특파원|논설위원)(?=$|[\s)\]/=|·,])")
_BETWEEN = re.compile(r"[ \u3000\xa0、，,/／和]+")
_CUT = re.compile(r"(?:报道|報道|发自|發自|摄|通讯员|实习生|编辑|综合|整理).*$")


def find_cjk_bylines(near: Near) -> Iterator[tuple[str, float, tuple[str, ...]]]:
    """Yield where names stand on the page, how sure that is, and the names; the surest first."""
    texts = near.texts
    around = [*near.after, *near.before]
    for text in (*around, *(text for text in texts if len(text) <= MAX_LINE)):
        if (match := _LABEL.search(text)) and (names := _labelled(match[1])):
            yield "byline, labelled", 0.75, names
    for text in (*around, *texts):
        if (
            ("记者" in text[:40] or "記者" in text[:40])
            and (match := _OPENING.match(text))
            and (names := _people(match[1], True))
        ):
            yield "reporter, before the text", 0.7, names
    signed = ((_JAPANESE, 0.6),) if any(map(_KANA.search, texts[:50])) else ((_SIGNED, 0.7), (_ALONE, 0.5))
    for pattern, confidence in signed:
        for text in texts:
            if text[-1:] in ")）】" and (match := pattern.search(text[-TAIL:])):
                names = (
                    tuple(re.split("[、・]", match[1]))
                    if pattern is _JAPANESE
                    else _people(match[1], pattern is _SIGNED)
                )
                if names:
                    yield "signed, after the text", confidence, names
    for text in around:
        if match := _KOREAN.search(text):
            yield "byline, labelled", 0.6, (match[1],)
    for text in near.after[:2] or texts[1:3]:
        if is_chinese_name(text):
            yield "name beside the title", 0.4, (text,)


def is_chinese_name(text: str) -> bool:
    """Say whether a text looks like the name of a Chinese person: a surname and one or two characters."""
    if text.startswith(_COMPOUND):
        return 3 <= len(text) <= 4 and bool(re.fullmatch(f"{_HAN}+", text))
    return 2 <= len(text) <= 3 and text[0] in _SURNAMES and bool(re.fullmatch(f"{_HAN}+", text))


def _labelled(text: str) -> tuple[str, ...]:
    """Read what follows a label: several people, or a pen name up to the next white space."""
    text = _LABEL_END.sub("", text).strip()
    if people := _people(text):
        return people
    first = re.split(r"[\s\u3000，,、]", text, maxsplit=1)[0] if text else ""
    return (first,) if 2 <= len(first) <= 20 and not first.startswith(("：", ":", "/")) else ()


def _people(text: str, reporters: bool = False) -> tuple[str, ...]:
    """Return the names that a list of people begins with; those of reporters may have four characters."""
    names: list[str] = []
    for part in _BETWEEN.split(text):
        name = _CUT.sub("", part)
        is_long = reporters and len(name) == 4 and name[0] in _SURNAMES
        if not is_chinese_name(name) and not is_long:
            break
        names.append(name)
    return tuple(names)
