"""Who posted a Chinese page: names beside the day, over posts of boards, in licences, of owners of blogs."""

import re
from collections.abc import Iterator, Sequence

from thresher.extract.fields.dates import find_dates, has_digit
from thresher.extract.fields.found import Named
from thresher.extract.fields.name_words import NOBODY
from thresher.extract.fields.names import is_chinese_name, is_person, is_surely_chinese_name, names_an_office
from thresher.extract.fields.names_cjk import account_in
from thresher.extract.fields.near import Near
from thresher.extract.fields.words_cjk import NO_NAMES
from thresher.extract.fields.zones_cjk import BELOW, Zone

MAX_ALONE = 60  # characters of a line that tells who posted and little else
AFTER = 12  # lines below the title among which that of the day is
NAME = 3  # characters of nearly all names
POSTER = 0.35  # confidence: it may be a part of the site, too

_POSTED = re.compile(
    r"^(?:(?:本文)?由\s?)?(?!最新|本文|文章|新闻|首次|原文|此文|[发發][表布佈]|更新|编辑|創建|创建)([^\s：:，。]{2,20})\s?"
    r"(?:[发發][表布佈][于於]|[于於在]\s?(?=(?:19|20)\d\d.*[发發][表布佈]))"
)
_POSTED_BY = re.compile(
    r"(?:^|[\s日\d])由\s?([^\s：:，。]{2,12}?)\s?(?:[发發][表布佈]|撰[写寫]|投稿|[创創]建|[编編][写寫辑輯]|上[传傳])"
)
_POSTED_AT = re.compile(r"^[Pp]osted (?:@ [\d\-/]+ [\d:]+ (.{2,20}?) 阅读|by:? (\S.{1,19}?) (?:at|on|in|@|\|) )")
_LICENCE = re.compile(r"本文由\s?(\S{2,12}?)\s?(?:原[创創]|撰[写寫]|首[发發]|投稿)")
_PARTS = re.compile(r"[\s\u3000|｜·\[\]［］]+|(?<=[\u4e00-\u9fff])(?=(?:19|20)\d\d)|(?<=原[创創])")
# 站长老白 2015年06月18日: who, right before the day.
_BEFORE_DAY = re.compile(
    r"^(?:[^\s/／]{2,8}[网網报報站][/／])?([^\s\u3000|｜：:，,。·>]{3,12}|[^\s：:，,。·>/／]{2})[,，]?[\s\u3000|｜·/]{1,4}(?=(?:19|20)\d\d\s?[-/.年])"
)
_NO_POSTER = re.compile(
    "[发發][布表佈]|更新|[来來]源|原[创創]|首[页頁]|正文|[资資][讯訊]|[动動][态態]|公告|通知|[栏欄]目|[频頻]道|分[类類]|[标標][签籤]|"
    "星期|[时時][间間]|日期|[编編][辑輯]|作者|[图圖]片|[视視][频頻]|[专專][题題]|[观觀][点點]|[评評][论論]|快[讯訊]|[专專]访"
)
_OWNER = re.compile(
    r"(?:^|[\s_\-|｜—–(（【《])([^\s_\-|｜—–，。：:!！?？“”《》【】]{2,12})的(?:博客|[Bb][Ll][Oo][Gg]|专栏|个人空间|空间|网志|部落格|個人空間)"
)
# What boards tell below the name of whoever wrote a post.
_RANK = re.compile(
    r"^(?:等级|級別|级别|头衔|頭銜|积分|積分|发[帖贴]|帖子|贴子|文章|威望|注册|註冊|经验|金[币钱]|魅力|性别|来自|门派)[^：:]{0,3}[：:]"
)
_RANKS = frozenset("等级級头頭积積发帖贴文威注註经金魅性来门")


def find_posted(near: Near, zone: Zone) -> Iterator[Named]:
    """Yield names on the line of the day near the title or the text, and those who posted the page as others say."""
    for line in (*zone.lines[:AFTER], *near.before, *zone.lines[AFTER:][-BELOW:]):
        if len(line) > MAX_ALONE or not has_digit(line):
            continue
        if (match := _POSTED.search(line) or _POSTED_BY.search(line)) and match[1] not in NO_NAMES:
            yield "name beside the date", 0.6, (match[1],)
        names = _sure_among(_PARTS.split(line))
        if names and any(True for _ in find_dates(line)):
            yield "name beside the date", 0.6, names
    yield from _over_post(near.texts)
    for line in near.texts:
        if line[:1] in "Pp" and len(line) <= MAX_ALONE and (match := _POSTED_AT.match(line)):
            yield "name beside the date", 0.6, (match[1] or match[2],)
        elif "本文由" in line[-MAX_ALONE:] and (match := _LICENCE.search(line[-MAX_ALONE:])):
            yield "licence of the page", 0.5, (match[1],)


def find_posters(near: Near) -> Iterator[Named]:
    """Yield what stands where the name of whoever posted the page does, right before its day."""
    for line in (*near.after[:4], *near.before[:1]):
        match = _BEFORE_DAY.match(line) if len(line) <= MAX_ALONE else None
        if match and not names_an_office(match[1]) and not _NO_POSTER.search(match[1]):
            yield "name beside the date", POSTER, (match[1],)


def find_owner(title: str) -> Iterator[Named]:
    """Yield whose blog or column the end of a <title> says the page is in: 王小明的博客."""
    match = _OWNER.search(title)
    if match and match[1] not in NOBODY and not names_an_office(match[1]):
        yield "owner of the blog", 0.5, (match[1],)


def _sure_among(parts: Sequence[str]) -> tuple[str, ...]:
    """Return the names among the parts of a line; right behind a sure one, what only looks like one will do."""
    names: list[str] = []
    for above, part in zip(("", *parts), parts, strict=False):
        is_next = above in names and len(part) == NAME and is_chinese_name(part)
        if is_surely_chinese_name(part) or (is_person(part) and "·" in part) or is_next:
            names.append(part)
    return tuple(names)


def _over_post(texts: Sequence[str]) -> Iterator[Named]:
    """Yield the name above the first rank, number of posts and such of a member, as boards show them beside a post."""
    for place, line in enumerate(texts[1:-1], 1):
        if line[:1] in _RANKS and _RANK.match(line) and _RANK.match(texts[place + 1]):
            if name := account_in(texts[place - 1]):
                yield "name over the post", 0.5, (name,)
            return
