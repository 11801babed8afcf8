"""Segments: a short line of a Chinese, Japanese or Korean page taken apart, with the label and the day beside each."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from thresher.extract.fields.dates import has_digit
from thresher.extract.fields.names_cjk import before_place
from thresher.extract.fields.words_cjk import NO_NAMES, OFFICE, ORGANISATION

MAX_LABEL = 6  # characters before a colon that are a label of whatever kind

_DAY = "\x01"  # stands for a day or a time
_WHEN = re.compile(
    r"(?:(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}\s?日?|(?:19|20)\d\d年\d{1,2}月|\d{1,2}\s?月\s?\d{1,2}\s?日"
    r"|\d{1,2}[-/]\d{1,2}[-/](?:19|20)?\d\d|(?<![\d.])\d{2}-\d{2}(?![\d.])|[二一][○〇０零九]\S{2}年\S{1,3}月\S{1,3}日)"
    r"(?:\s*[(（]?(?:星期|周|週)[一二三四五六日天][)）]?)?(?:\s*[上下]午)?"
    r"(?:\s*\d{1,2}\s?[:：时時]\s?\d{2}(?:\s?[:：分]\s?\d{2})?[分秒]?)?"
    r"|(?<!\d)\d{1,2}[:：]\d\d(?:[:：]\d\d)?(?!\d)|刚刚|昨天|前天|\d+\s?(?:分钟|小时|天|周|个月|年)前"
    r"|(?:星期|周|週)[一二三四五六日天](?![\u4e00-\u9fff])"
    r"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)?,? ?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? \d{1,2},?"
    r" (?:\d\d:\d\d:\d\d )?(?:19|20)\d\d"
)
_IN_DAY = re.compile("[期刚昨前周週○〇零]")  # of a day without digits
_PARTED = re.compile(
    r"(?<![\u4e00-\u9fff])([\u4e00-\u9fff])[ \u3000\xa0]+([\u4e00-\u9fff])(?![\u4e00-\u9fff])"
)  # 王　刚
_BETWEEN = re.compile(
    r"((?:(?<![A-Za-z.,])[\s\u3000\xa0]+|[\s\u3000\xa0]+(?![A-Za-z])"
    r"|[|｜丨/／╱∕=＝，,、；;：:﹕()（）\[\]【】［］〔〕《》<>＞»›→◎●○□■◆◇★☆▲△※✎⏱✉✍“”\"。！？!?…\x01]|——+|--+"
    r"|(?<=[\u4e00-\u9fff])[和与](?=[\u4e00-\u9fff]{2,3}$))+)"
)
_SPACE = re.compile("[ \u3000\xa0]")
_EDGES = " \t\u3000\xa0-–—_·•‧・.,@#=＝~～*+&'"
_NO_WORD = re.compile(r"^[\d\W_]+$")
_HAN = re.compile("[\u4e00-\u9fff]+")
_COLONS = frozenset(":：﹕/／|｜丨")
_STOPS = frozenset("。！？；")
_OPENING, _CLOSING = frozenset("(（[【［〔"), frozenset(")）]】］〕")

# What a label says of the names behind it: writers, reporters, translators, editors, sources, photographers, posters,
# days, numbers and other things of the page. What stands before a colon and is none of these is "other".
WRITER, REPORTER, POSTER, SOURCE, EDITOR, OTHER, _DATED, _PICTURES = "W", "R", "P", "S", "E", "U", "D", "G"
_LABELS = {
    WRITER: r"(?:本文|原文|文章)?作\s{0,4}者(?:简介|介绍)?为?|撰\s?文[者人]?|撰\s?稿人?|撰[写寫]人?|采\s?写|採訪"
    r"|执笔人?|執筆人?|文字|图文|文图|著者?|原著|作家|[Bb]y|BY|[Aa]uthor|[Tt]ext|[Ww]riter|署名|笔者|文|诗人?|歌词|原[创創]|口述"
    r"|主讲人?|编著|写手|[Ww]ords",
    REPORTER: r"\S{0,10}?(?:[记記]者|通[讯訊][员員]|特派[员員]|[评評][论論][员員]|特[约約]撰稿人?|主[笔筆]|专栏作[家者]"
    r"|特约作者|实习生|信息员)",
    "T": r"编\s?译|編\s?譯|译者?|譯者?|翻译|翻譯|校译",
    EDITOR: r"\S{0,4}?(?:责\s?任?\s?编\s?辑?|責任?編輯?|编\s?辑|編\s?輯|编审|校\s?对|审\s?核|监\s?制|策\s?划|主编|排版"
    r"|美编|制作|剪辑|统筹|值班\S{0,2}|录入|审稿|初审|复审|终审|签发|推荐人?|整理|[一二三]审)",
    SOURCE: r"(?:信息|文章|新闻|稿件|内容|资料)?(?:来\s?源|來\s?源|稿源|出\s?处|转自|摘自|来自|發自|原载|选自|媒体"
    r"|出版社?|发布机构|发布单位|供稿单位|单位|部门|机构)",
    _PICTURES: r"摄\s?影|攝\s?影|图片?|圖片?|摄|攝|供图|绘图|插画|制图|视频|摄像",
    POSTER: r"第?\d+(?:楼|樓|#|L)|沙发|板凳|楼\s?主|樓\s?主|[发發][布佈表帖贴信][者人]|发帖|发贴|张贴[者人]?|送交者"
    r"|网友|網友|昵称|暱稱|用户名?|博主|贴主|上传[者人]?|提交[者人]?|供\s?稿人?|投稿[人者]?|发稿人?|拟稿|由|会员|主持人?|版主"
    r"|主人|站长",
    _DATED: r"(?:本?文?)?(?:发[布表]|發[布表佈]|更新|提交|创建|出版|刊登|录入|添加|加入|上传|编辑|修改|最后更新|首发)?"
    r"(?:时\s?间|日\s?期|時\s?間|于|於)|[发發][布表佈]|更新|出版",
    "N": r"(?:文章|本文)?(?:点击|點擊|浏览|瀏覽|阅读|閱讀|评论|評論|回复|回覆|访问|人气|人氣|字数|查看|阅|热度|关注"
    r"|粉丝|分享|收藏|转发|赞)(?:次?数|量|率|人数)?",
    "K": r"分类于?|分類|标签|標籤|栏目|欄目|关键[字词]|频道|所属\S{1,3}|字[体号體號]|标\s?题|主题"
    r"|您?(?:现在|当前|的|所在)*位置|[Tt]ag|专题|信区|发信站|邮箱|电话|地址|网址|链接|本文链接|版权声明",
}
_LABEL = re.compile("|".join(f"(?P<{kind}>{words})" for kind, words in _LABELS.items()))
_GLUED = re.compile(
    r"^(?:(?P<W>(?:本文)?作者|撰文者?|撰稿人?|执笔)|(?P<R>\S{0,10}?(?:[记記]者|通[讯訊][员員]|特派[员員]|[评評][论論][员員]))"
    r"|(?P<P>楼主|网友|由(?=.{2,}))|(?P<S>[来來]源)|(?P<E>责任编辑|责编|编辑))(?=[^\s者])"
)
# What stands behind a name, right at it or parted from it.
_BEHIND = (
    (
        "posted",
        re.compile(
            r"(?:[发發][表布佈][于於]?|[写寫]于|[于於在]|提到|发言|说道?|写道|投稿|上传|创建|分享|Post(?:ed)?|@)$"
        ),
    ),
    ("reports", re.compile(r"(?:(?:综合|现场)?(?:报道|报导|報導|報道)|[发發]自\S{2,6}|整理|采写)$")),
    ("photo", re.compile(r"[摄攝图圖]$|摄影$")),
    ("wrote", re.compile(r"(?<=.)[文著撰]$|编著$|原[创創]$")),
    ("edited", re.compile(r"(?<=..)[编編]$")),
    ("translated", re.compile(r"[译譯]$")),
    ("polite", re.compile(r"(?:先生|女士|教授|博士|律师|老师|医生|院士)$")),
    (
        "blog",
        re.compile(r"的?(?:博客|[Bb][Ll][Oo][Gg]|专栏|專欄|空间|文集|主页|个人主页|日志|网志|部落格)$"),
    ),
)
_BEHIND_ENDS = frozenset(
    "表布佈于於在到言说道稿传建享td@导導道理写写摄攝图圖影文著撰创創编編译譯生士授师士客Gg栏欄间集页志格"
)
_POSTED = re.compile(r"[发發][表布佈][于於]?|[写寫][于於]|[于於在]|提到|发言|说|写道|撰[写寫稿]|投稿|上传")
_ALONE_BEHIND = {
    **dict.fromkeys("摄攝图", "photo"),
    **dict.fromkeys("文著撰", "wrote"),
    **dict.fromkeys("译譯", "translated"),
}
_NAME_AND_MORE = re.compile(r"(\S{2,4}?)(?:[系为為是](?=.{2})|[发發]?自(?=\S{2})|现[为為任])")  # 王小明为某大学教授


@dataclass(slots=True)
class Segment:
    """A part of a line, what is said of it, and how it stands there."""

    text: str
    label: str = ""
    has_colon: bool = False  # behind the label
    is_further: bool = False  # not the first behind its label
    behind: set[str] = field(default_factory=set)  # posted, reports, photo …
    uncut: str = ""  # with its last character, where that may belong to the name or not: 廖欣文
    before: str = ""  # marks between the segment before and this one
    after: str = ""
    has_day_before: bool = False
    has_day_after: bool = False

    @property
    def is_next_to_day(self) -> tuple[bool, bool]:
        """Whether a day is right before it, and right after it."""
        return _DAY in self.before, _DAY in self.after

    @property
    def is_in_brackets(self) -> bool:
        """Whether brackets open right before it and close right after it."""
        return not _OPENING.isdisjoint(self.before) and not _CLOSING.isdisjoint(self.after)


def read_segments(line: str) -> tuple[list[Segment], bool]:
    """Return the segments of a line, and whether it holds a day or a time."""
    if line in NO_NAMES:
        return [], False
    plain = _WHEN.sub(_DAY, line) if has_digit(line) or _IN_DAY.search(line) else line
    days = plain.count(_DAY) if plain is not line else 0
    parts = _BETWEEN.split(_PARTED.sub(r"\1\2", plain) if _SPACE.search(plain) else plain)
    if len(parts) == 1:
        return _alone(parts[0].strip(_EDGES)), False
    reader = _Reader(days)
    for number in range(0, len(parts), 2):
        reader.read(parts[number].strip(_EDGES), parts[number + 1] if number + 1 < len(parts) else "")
    return reader.segments, reader.days > 0


class _Reader:
    """What has been read of a line, and the label that holds for what follows."""

    def __init__(self, days: int) -> None:
        self.segments: list[Segment] = []
        self.days = days
        self._seen = 0  # days
        self._label = ""
        self._has_colon = False
        self._since_label = 0  # segments before it
        self._before = ""

    def read(self, piece: str, gap: str) -> None:
        """Read one piece, and the marks behind it."""
        if not _STOPS.isdisjoint(self._before):
            self._label = ""
        if piece and not _NO_WORD.match(piece):
            if label := label_of(piece) or _unknown_label(piece, gap):
                self._begin(label, piece, gap)
            elif _POSTED.fullmatch(piece):
                self._posted()
            else:
                self._add(piece, gap)
        self._seen += gap.count(_DAY)
        self._before = gap

    def _begin(self, label: str, piece: str, gap: str) -> None:
        """Begin what a label says, unless it tells what the one named before it did (李四 摄) or is in a sentence."""
        if gap[:1] == "，":
            self._label = ""
            return
        is_free = not self._label or self._label == label or not gap
        if self.segments and piece in _ALONE_BEHIND and is_free and gap[:1] not in _COLONS:
            self.segments[-1].behind.add(_ALONE_BEHIND[piece])
        elif self._label == _PICTURES and label == REPORTER and len(self.segments) == self._since_label:
            self._has_colon = True  # 图/记者 王小明
        elif self.segments and _POSTED.fullmatch(piece):
            self._posted()
        else:
            self._label, self._since_label = label, len(self.segments)
            self._has_colon = not _COLONS.isdisjoint(gap)

    def _posted(self) -> None:
        if self.segments:
            self.segments[-1].behind.add("posted")
        self._label = _DATED

    def _add(self, piece: str, gap: str) -> None:
        found = Segment(piece, self._label, self._has_colon, before=self._before, after=gap)
        if _part_label(found):
            self._label = found.label if found.label in (WRITER, REPORTER, EDITOR) else ""
            self._has_colon = False
        _cut(found)
        if found.text:
            found.has_day_before, found.has_day_after = self._seen > 0, self.days > self._seen
            found.is_further = bool(found.label) and len(self.segments) > self._since_label
            self.segments.append(found)
            self._label = "" if self._label == _DATED else self._label


def _alone(piece: str) -> list[Segment]:
    """Read a line that is but one piece."""
    if not piece or _NO_WORD.match(piece) or label_of(piece) or _POSTED.fullmatch(piece):
        return []
    found = Segment(piece)
    _part_label(found)
    _cut(found)
    return [found] if found.text else []


def _part_label(found: Segment) -> bool:
    """Part a label from the name right behind it, and say whether there is one."""
    glued = _GLUED.match(found.text)
    if glued:
        found.label, found.has_colon, found.text = glued.lastgroup or "", False, found.text[glued.end() :]
    return glued is not None


@lru_cache(maxsize=4096)
def label_of(piece: str) -> str:
    """Return what kind of label a text is; empty when it is none."""
    match = _LABEL.fullmatch(piece)
    return (match.lastgroup or "") if match else ""


def _unknown_label(piece: str, gap: str) -> str:
    if gap[:1] not in (":", "：", "﹕") or len(piece) > MAX_LABEL or not _HAN.fullmatch(piece):
        return ""
    return POSTER if piece[-1] in "者人主名" else OTHER


def _cut(found: Segment) -> None:
    """Cut off what stands right behind a name: what one did, is, or is called, and the place of a report."""
    text = found.text
    for told, pattern in _BEHIND if text[-1] in _BEHIND_ENDS or "自" in text else ():
        match = pattern.search(text)
        if match and match.start() >= 2:
            if match[0] == "文" and len(text) in (3, 4):
                found.uncut = text
            text = text[: match.start()]
            found.behind.add(told)
            break
    if found.label in (WRITER, REPORTER) or "reports" in found.behind:
        if match := _NAME_AND_MORE.match(text):
            text = match[1]
        elif "reports" in found.behind and len(text) > 3:
            text = before_place(text)
    found.text = text.strip(_EDGES)


def tells_office(text: str) -> bool:
    """Say whether a text ends as offices, schools, papers, sites and companies do."""
    return OFFICE.search(text) is not None or ORGANISATION.search(text) is not None
