"""Who posted a Chinese page: names beside the day, over posts of boards, in boxes of members, of owners of blogs."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from thresher.extraction.fields.dates import find_dates, has_digit
from thresher.extraction.fields.found import Named
from thresher.extraction.fields.name_words import NOBODY
from thresher.extraction.fields.names import is_chinese_name, is_person, is_surely_chinese_name, names_an_office
from thresher.extraction.fields.names_cjk import PLACES, account_in, without_paper
from thresher.extraction.fields.near import Near
from thresher.extraction.fields.words_cjk import NO_NAMES
from thresher.extraction.fields.zones_cjk import BELOW, Zone
from thresher.text import has_cjk

MAX_ALONE = 60  # characters of a line that tells who posted and little else
MAX_ACCOUNT = 16  # characters
MAX_INITIALS = 4  # of an agency or a company
AFTER = 12  # lines below the title among which that of the day is
TOP = 2  # lines of the page that may name its owner
OVER = 4  # lines over what a board tells of a member in which the name is
NAME = 3  # characters of nearly all names
POSTER = 0.35  # confidence: it may be a part of the site, too

_POSTED = re.compile(
    r"^(?:(?:本文)?由\s?)?(?!最新|本文|文章|新闻|首次|原文|此文|[发發][表布佈]|更新|编辑|創建|创建)"
    r"([^\s：:，。【\[]{2,20}|[A-Z]\w{1,15} [A-Z]\w{1,15})\s?"
    r"(?:[发發][表布佈][于於]|[写寫][于於]|@\s?(?=(?:19|20)\d\d)|[于於在]\s?(?=(?:19|20)\d\d.*[发發][表布佈]))"
)
_POSTED_BY = re.compile(
    r"(?:^|[\s日\d])由\s?([^\s：:，。]{2,12}?)\s?(?:[发發][表布佈]|撰[写寫]|投稿|[创創]建|[编編][写寫辑輯]|上[传傳])"
    r"|\d by (\S{2,20})(?: 阅读|$)"
)
_POSTED_AT = re.compile(r"^[Pp]osted (?:@ [\d\-/]+ [\d:]+ (.{2,20}?) 阅读|by:? (\S.{1,19}?) (?:at|on|in|@|\|) )")
_LICENCE = re.compile(r"本文由\s?(\S{2,12}?)\s?(?:原[创創]|撰[写寫]|首[发發]|投稿)")
_ORIGINAL = re.compile(r"^原[创創]\s(\S{2,16})(?:\s\S{2,16})?$")  # 原创 王小明 海边小屋, as in posts of accounts
_PARTS = re.compile(
    r"[\s\u3000|｜·\[\]［］/／╱∕]+|(?<=[\u4e00-\u9fff])(?=(?:19|20)\d\d)|(?<=原[创創])|(?<=中心)(?=[\u4e00-\u9fff]{2,3}[\s|｜])|(?=我要评论)|(?<=[:：]\d\d)(?=[\u4e00-\u9fff])"
)

_WHEN = re.compile(
    r"(?:(?:19|20)?\d\d\s?[-/.年]\s?)?\d{1,2}\s?[-/.月]\s?\d\d?(?=\d\d:|\D|$)日?(?:\s?[(（]?(?:星期|周|週)[一二三四五六日天][)）]?)?"
    r"(?:\s*[上下]午)?(?:\s*\d{1,2}[:：]\d\d(?:[:：]\d\d)?)?|刚刚|昨天|前天|\d+\s?(?:分钟|小时|天|周|个月|年)前"
)
_IN_SENTENCE = re.compile("[\u4e00-\u9fff]\\d{1,2}月\\d{1,2}日[\u4e00-\u9fff]{2}")  # 渡轮2月10日恢复运行
_BEFORE_NAME = re.compile(
    r"^(?:原[创創][:：]?\s?|[\[【]?(?:楼主|樓主|1楼|1#)[\]】]?[:：]?\s?|[\[【]|[^\s/／]{2,8}[网網报報站][/／])"
)
_AFTER_NAME = re.compile(r"\s?(?:[】\]]?\s?[于於在@>]+|[（(](?:\d+|[\u4e00-\u9fff]{2,3})[）)])?\s?$")
_PARTED = re.compile(r"\s?[\u3000|｜·•,，]+\s?|[ \xa0]{2,}")
_BEHIND = re.compile(r"\s?[·•|｜]\s?|(?<=^)(?=[\u4e00-\u9fff])")
_WITH_PLACE = re.compile(r"\s[|｜·]\s[\u4e00-\u9fff]{2,3}$")
_BUTTON = re.compile(r"\W?\s?(?:已?关注|關注|订阅|\d+)$")
NO_POSTER = re.compile(
    "[发發][布表佈]|更新|[来來]源|原[创創]|首[页頁]|正文|[资資][讯訊]|[动動][态態]|公告|通知|[栏欄]目|[频頻]道|分[类類]|[标標][签籤]|"
    "星期|[时時][间間]|日期|[编編][辑輯]|作者|[图圖]片|[视視][频頻]|[专專][题題]|[观觀][点點]|[评評][论論]|快[讯訊]|[专專]访|"
    "分享|[阅閱][读讀]|[浏瀏][览覽]|点[击赞]|收藏|关注|[举舉][报報]|打印|字[号體体]|播[报報]|参与|跟[贴帖]|转发|二维码|客户端|下载|登[录錄]|"
    "注[册冊]|[来來]自|[发發]自|次数|人[气氣]|全文|新[闻聞]|技[术術]|[开開][发發]|教程|知识|攻略|行[业業]|随笔|[问問][题題]|搜索|[热熱]|产品|"
    r"设计|营销|查看|进入|返回|中[国國]$|[综綜]合[报報]|^本[报報刊网網]|^[\d\s.,]+$|[>»]"
)
_BLOG = r"(?:博客|[Bb][Ll][Oo][Gg]|专栏|个人空间|空间|网志|部落格|個人空間|个人主页)"
_OWNER = re.compile(rf"(?:^|[\s_\-|｜—–(（【《])([^\s_\-|｜—–，。：:!！?？“”《》【】]{{2,12}})的{_BLOG}")
_WORKS = re.compile(r"^([\u4e00-\u9fff]{2,4})(?:文集|文库|作品集?|诗集|个人专栏|专栏|專欄)(?:$|[\s_\-|｜—–])")
# 首页 > 作家文库 > 王小明 > 杂文
_SHELF = re.compile(
    r"(?:作家|作者|文库|专栏|名家|学者|诗人)[^>\s]{0,6}\s?[-=]{0,2}[>»]+\s?([\u4e00-\u9fff]{2,4})\s?(?:[-=]{0,2}[>»]|$)"
)
# What boards tell below the name of whoever wrote a post, and portals of the owner of a blog.
_RANK = re.compile(
    r"^(?:等级|級別|级别|头衔|頭銜|军衔|积分|積分|发[帖贴]|[帖贴]子|文章|威望|注册|註冊|经验|金[币钱]|魅力|性别|来自|门派|精华|状态|"
    r"阅读权限|在线|UID|Rank|Posts|Joined)(?:时间|日期|数|时长)?(?:\s?[：:]|\s\d|\s\S{2}$)"
)
_GRADE = re.compile(
    r"^(?:(?:新手|论坛|[初中高]级|注册|金牌|普通)\S{1,3}|会员|版主|管理员|坛主|游客|(?:[A-Z]\w+ )?[Mm]ember|Newbie|"
    r"列兵|.{0,8}将军.{0,6})$"
)
_BOX = re.compile(r"^\W?(?:加好友|发纸条|加关注|写留言|发消息|发私信|微信号|访问(?:我|他|她|TA)的空间|个人主页)")
_FIRST = frozenset("等級级头頭军积積发帖贴文威注註经金魅性来门精状阅在URPJ加写访个微+＋")


def find_posted(near: Near, zone: Zone) -> Iterator[Named]:
    """Yield names on the line of the day near the title or the text, and those who posted the page as others say."""
    for line in (*zone.lines[:AFTER], *near.before, *zone.lines[AFTER:][-BELOW:]):
        if len(line) > MAX_ALONE or not has_digit(line):
            continue
        if (match := _POSTED.search(line) or _POSTED_BY.search(line)) and (name := _told(match)) not in NO_NAMES:
            yield "name beside the date", 0.6, (name,)
        names = _sure_among(_PARTS.split(line))
        if names and any(True for _ in find_dates(line)):
            yield "name beside the date", 0.6, names
    for match in filter(None, map(_ORIGINAL.match, zone.head[:AFTER])):
        yield "name beside the account", 0.5, (match[1],)
    yield from _over_facts(near.texts, near.title)
    for over, line in pairwise(zone.head):
        if _GRADE.match(line) and (name := _account(over, near.title)):
            yield "name over facts of a member", 0.45, (name,)
    for line in zone.lines:
        if len(line) > MAX_ALONE:
            continue
        if line[:1] in "Pp" and (match := _POSTED_AT.match(line)):
            yield "name beside the date", 0.6, (_told(match),)
        elif "本文由" in line and (match := _LICENCE.search(line)):
            yield "licence of the page", 0.5, (match[1],)


def find_posters(near: Near, zone: Zone) -> Iterator[Named]:
    """Yield what stands where the name of an account does: alone above the day, below the title, or on its line."""
    above: dict[str, None] = {}
    for line in zone.head[:AFTER]:
        match = _WHEN.search(line) if len(line) <= MAX_ALONE and has_digit(line) else None
        if match is None or _IN_SENTENCE.search(line):
            above |= {} if _BUTTON.match(line) else {line: None}
            continue
        name = _account(next(iter(above)), near.title) if len(above) == 1 else ""
        if name and (len(name) > 2 or is_chinese_name(name)):
            yield "name above the date", POSTER, (name,)
        before = _AFTER_NAME.sub("", _BEFORE_NAME.sub("", line[: match.start()]))
        for part in (*_PARTED.split(before), *_BEHIND.split(_WHEN.sub("", line[match.end() :]))[1:]):
            if (name := _account(part, near.title)) and not names_an_office(name):
                yield "name beside the date", POSTER, (name,)
        above[line] = None


def find_owner(near: Near, title: str) -> Iterator[Named]:
    """Yield whose blog or works a <title> or the top of the page says the page is in: 王小明的博客, 王小明文集."""
    for line in (title, *near.texts[:TOP], *near.before):
        match = _OWNER.search(line) if line is title or line in near.texts[:TOP] else None
        if match and match[1] not in NOBODY and not names_an_office(match[1]):
            yield "owner of the blog", 0.5, (match[1],)
        elif (match := _WORKS.match(line) or _SHELF.search(line)) and is_surely_chinese_name(match[1]):
            yield "collected works", 0.45, (match[1],)


def _told(match: re.Match[str]) -> str:
    return match[match.lastindex or 0]


def _account(text: str, title: str) -> str:
    """Return the name of an account that a text can be; empty for words of sites, places and whom the page tells of."""
    name = account_in(_AFTER_NAME.sub("", _WITH_PLACE.sub("", text)))
    if len(name) > MAX_ACCOUNT or name in NO_NAMES or name in PLACES or name in title or NO_POSTER.search(name):
        return ""
    if are_initials(name):
        return ""
    return "" if " " in name and has_cjk(name) else name


def are_initials(name: str) -> bool:
    """Say whether a name is the initials of an agency or a company: "AP", "F.A.Z."."""
    letters = "".join(filter(str.isalpha, name))
    return name.isascii() and len(letters) <= MAX_INITIALS and letters.isupper()


def _sure_among(parts: Sequence[str]) -> tuple[str, ...]:
    """Return the names among the parts of a line; right behind a sure one, what only looks like one will do."""
    names: list[str] = []
    parts = [*map(without_paper, parts)]
    for above, part in zip(("", *parts), parts, strict=False):
        is_next = above in names and len(part) == NAME and is_chinese_name(part)
        if is_surely_chinese_name(part) or (is_person(part) and "·" in part) or is_next:
            names.append(part)
    return tuple(names)


def _over_facts(texts: Sequence[str], title: str) -> Iterator[Named]:
    """Yield the name over the first lines that tell of a member, as boards do beside a post and portals in a box."""
    for place, line in enumerate(texts):
        if line[:1] not in _FIRST or not place:
            continue
        if (_RANK.match(line) and any(map(_RANK.match, texts[place + 1 : place + 3]))) or _BOX.match(line):
            over = (text for text in reversed(texts[max(0, place - OVER) : place]) if not _GRADE.match(text))
            name = account_in(next(over, ""))
            if name and name not in NO_NAMES and name not in title:
                yield "name over facts of a member", 0.5, (name,)
            return
