"""Pages in Chinese, Japanese and Korean name those whom their sites say to have written them.

A case of `signed_pages` is a line "## what it is like = names", with "-" for nobody, and the markup below it; @title
and @text stand for a title and paragraphs in its language.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from thresher.extraction.extractor import extract

FOLDER = Path(__file__).parent / "signed_pages"
TEXTS = {
    "zh": (
        "十二个小公园让老城区变了模样",
        "<p>今年以来，当地把改善人居环境作为重点工作，先后投入资金三千多万元，新建了十二个小公园和四条绿道，居民出门走几分钟就能看到绿色。"
        "<p>负责这项工作的工作人员介绍，下一步还将继续听取居民意见，把闲置的地块利用起来，让更多的人享受到变化带来的好处，预计明年年底全部完成。"
        "<p>不少居民表示，以前这里是一片荒地，下雨天连路都走不了，现在早晚都有人来散步、锻炼，孩子们也有了玩耍的地方，大家都很满意。"
        "<p>专家认为，这样的做法花钱不多，见效很快，值得其他地方借鉴，但后期的管理和维护同样重要，需要建立长期的制度来保证。</p>",
        "首页 新闻 评论 图片",
        "关于我们 联系我们 版权所有 未经授权禁止转载",
    ),
    "ja": (
        "空き地が十二の小さな公園に生まれ変わる",
        "<p>市はことし、空き地を使って小さな公園を増やす取り組みを始めた。これまでに十二か所が完成し、住民が毎日のように訪れている。"
        "<p>担当者によると、来年も住民の意見を聞きながら整備を続ける予定で、費用は三億円ほどを見込んでいるという。"
        "<p>近くに住む人は、以前は雨が降ると歩けない道だったが、今では子どもが安心して遊べる場所になったと話している。</p>",
        "ホーム ニュース 社会",
        "会社概要 無断転載を禁じます",
    ),
    "ko": (
        "빈 땅 열두 곳이 작은 공원으로 바뀌다",
        "<p>시는 올해 빈 땅을 활용해 작은 공원을 늘리는 사업을 시작했다. "
        "지금까지 열두 곳이 완성되어 주민들이 날마다 찾고 있다."
        "<p>담당자는 내년에도 주민의 의견을 들으면서 정비를 계속할 예정이며 "
        "비용은 삼십억 원가량으로 예상된다고 설명했다."
        "<p>근처에 사는 주민은 예전에는 비가 오면 걸을 수 없는 길이었지만 "
        "지금은 아이들이 안심하고 놀 수 있는 곳이 되었다고 말했다.</p>",
        "홈 뉴스 사회",
        "회사소개 무단 전재 금지",
    ),
}


def cases(files: str = "*.txt") -> Iterator[object]:
    for file in sorted(FOLDER.glob(files)):
        for case in re.split(r"^## ", file.read_text("utf-8"), flags=re.MULTILINE)[1:]:
            told, _, markup = case.partition("\n")
            name, _, names = told.partition(" = ")
            yield pytest.param(name, markup, {*names.split("; ")} - {"-"}, id=f"{file.stem}: {name}")


def page_of(name: str, markup: str, around: str = "") -> str:
    """Return a whole page; `around` has what else it shows, with @page for where its own part goes."""
    title, text, top, bottom = TEXTS[name[:2] if name[:3] in ("ja ", "ko ") else "zh"]
    head, _, body = markup.rpartition("</head>")
    body = body.replace("@text", text).replace("@title", title)
    return (
        f"<html><head><title>{title}_{top[:2]}</title>{head.removeprefix('<head>')}</head><body><div>{top}</div>"
        f"{around.replace('@page', body) if around else body}<div>{bottom}</div></body></html>"
    )


@pytest.mark.parametrize(("name", "markup", "names"), list(cases()))
def test_a_page_names_who_signed_it(name: str, markup: str, names: set[str]) -> None:
    assert set(extract(page_of(name, markup)).authors) == names


BUSY = """
    <table><tr><td><a href=/>首页</a></td><td><a href=/n>新闻</a></td><td><a href=/s>体育</a></td></tr></table>
    <form>用户名：<input> 密码：<input> 验证码：<input> <a href=/r>免费注册</a></form>
    <div>您的位置：<a href=/>首页</a> &gt; <a href=/n>国内新闻</a> &gt; 正文</div><p>2005年3月4日 星期五</p>@page
    <div><b>相关文章</b><ul><li>绿道与城市 （张三丰）</li><li>公园里的一天 作者：李四光</li></ul></div>
    <div>上一篇：记者王大川：走进新农村</div><div>【推荐】【打印】【关闭】</div>
    <div>网友：老李 发表于 2005-03-04 10:20</div><div>说得好，支持一下！</div>
    <div>作者：老林 回复日期：2005-03-04 10:20:11</div><div>写得真不错，希望以后常来。</div>
    <div>游客 于 2005-3-4 10:20:30 发表评论：</div><div>顶</div>
    <form>姓名：<input> 邮箱：<input> 评论人：<input></form>
    <div><b>好书推荐</b><p>《长河》 作者：李四光</p><p>《远山》 作者：周大为</p></div>
    <div><b>专栏作家</b><ul><li>许知行</li><li>叶小檀</li></ul></div>
    <div>新闻热线：010-12345678 主编：陈大方 值班编辑：李小川</div><div>某某网 版权所有 电话：010-12345678</div>
"""


@pytest.mark.parametrize(("name", "markup", "names"), list(cases("chinese*.txt")))
def test_a_busy_page_names_none_but_who_signed_it(name: str, markup: str, names: set[str]) -> None:
    assert set(extract(page_of(name, markup, BUSY)).authors) == names
