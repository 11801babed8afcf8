"""Where Chinese pages leave it to readers who wrote them: names in the title, beside paragraphs, alone."""

import re
from collections.abc import Iterator, Sequence

from thresher.extract.fields.found import Named
from thresher.extract.fields.name_words import NOBODY
from thresher.extract.fields.names import is_surely_chinese_name, names_an_office
from thresher.extract.fields.near import Near

MIN_PARAGRAPH = 40  # characters
MAX_PEN_NAME = 4  # characters of a name that stands alone between title and text

_TITLE_PARTS = re.compile(r"[\s_\-|｜—–]+")
_SPEAKER = re.compile(r"^([\u4e00-\u9fff]{2,4})[：:](?=.{4})")  # 王小明：渡轮为什么恢复运行
_AT_END = re.compile(r"[。！？”…）)][\s\u3000]*[-—]*\s?([\u4e00-\u9fff]{2,4}|[\u4e00-\u9fff] [\u4e00-\u9fff])$")
_AT_START = re.compile(r"^([\u4e00-\u9fff]{3})[\s\u3000](?=[\u4e00-\u9fff“《]{4})")
_HAN = re.compile("[\u4e00-\u9fff]+")
# What stands alone between title and text and is nobody's name.
_WORDS = """
    正文 导读 摘要 内容 提要 前言 引言 目录 简介 要闻 体育 财经 娱乐 时评 社会 国际 国内 军事 科技 教育 文化 房产
    汽车 旅游 健康 生活 女性 时尚 游戏 论坛 博客 返回 更多 上页 下页 转发 举报 微博 微信 推荐 热门 最新 声明 广告
    编者按 核心提示 内容提要 内容摘要 新闻中心 相关链接 专家观点 新闻背景 背景 序言 后记 附录 第一章 第二章 上篇
    下篇 字体 字号 打印本页 加入收藏 大中小 繁体 订阅 导语 概述 提示 散文 小说 诗歌 随笔 杂文 历史 法律 经济 政治
    观点 思想 访谈 报道 调查 特稿 专栏 人物 艺术 读书 电影 音乐 美食 情感 职场 管理 网络 首页 新闻 图片 视频 评论
    全文 阅读 点击 来源 时间 日期 作者 编辑 未知 公告 通知 动态 资讯 登录 注册 搜索 帮助 联系我们 关于我们
"""
_NO_NAMES = frozenset(_WORDS.split()) | NOBODY


def find_hints(near: Near, title: str) -> Iterator[Named]:
    """Yield names that nothing calls those of authors but their place; `title` is what <title> says."""
    for part in _TITLE_PARTS.split(title)[1:]:
        if len(part) > 2 and is_surely_chinese_name(part) and part not in near.title:
            yield "name in the title", 0.4, (part,)
    yield from _beside_text(near.texts)
    yield from _alone(near)
    if (match := _SPEAKER.match(near.title)) and is_surely_chinese_name(match[1]):
        yield "name before the title", 0.3, (match[1],)


def _beside_text(texts: Sequence[str]) -> Iterator[Named]:
    """Yield the names before the first paragraph and behind the last that has one, on their lines."""
    paragraphs = [text for text in texts if len(text) >= MIN_PARAGRAPH]
    for text in paragraphs[:1]:
        if (match := _AT_START.match(text)) and is_surely_chinese_name(match[1]):
            yield "signed, before the text", 0.4, (match[1],)
    ends = [match for text in paragraphs if (match := _AT_END.search(text[-8:]))]
    names = [name for match in ends if is_surely_chinese_name(name := match[1].replace(" ", ""))]
    if len(set(names)) == 1:
        yield "signed, after the text", 0.4, (names[0],)


def _alone(near: Near) -> Iterator[Named]:
    """Yield what stands alone between title and text, as pen names do."""
    if near.place is None:
        return
    lines = near.texts[near.place + 1 : near.place + 3]
    if len(lines) == 2 and len(lines[1]) >= MIN_PARAGRAPH and 2 <= len(lines[0]) <= MAX_PEN_NAME:
        name = lines[0]
        if _HAN.fullmatch(name) and name not in _NO_NAMES and not names_an_office(name) and name not in near.title:
            yield "name below the title", 0.3, (name,)
