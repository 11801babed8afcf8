"""No page makes its fields cost more than a moment, whatever is in its head, its bylines or its JSON-LD."""

import pytest

from tests.costs import costing_at_most
from thresher.extraction.blocks import cut
from thresher.extraction.fields.all_fields import find_fields
from thresher.extraction.fields.clues import gather
from thresher.html import parse

LIMIT_S = 4.0  # many times what the worst of these takes, and far below what a quadratic search would
SCRIPT = "<script type='application/ld+json'>"
ENGLISH, CHINESE = "<h1>The title of it</h1>", "<h1>渡轮恢复运行了没有</h1>"


@pytest.mark.parametrize(
    "html",
    [
        ENGLISH + "<span class=author>Ann Miller</span>" * 200_000,
        ENGLISH + "<a href=/author/x>Ann Miller</a>" * 200_000,
        ENGLISH + ("<p>" + "by " * 50) * 60_000,
        ENGLISH + "<p>posted 2016 12 2016 12 2016 11 2016" * 100_000,
        ENGLISH + "".join(f"<p class=author{number}>by" for number in range(100_000)),
        f"<p class='{'author ' * 1_000_000}'>x",
        (SCRIPT + "{,}</script>") * 100_000,
        (SCRIPT + ", " * 490_000 + "</script>") * 10,
        (SCRIPT + '"headline":"' * 70_000 + "</script>") * 10,
        (SCRIPT + '"author":{{{{' * 70_000 + "</script>") * 10,
        (SCRIPT + '{"mainEntity":' * 3_000 + "1" + "}" * 3_000 + "</script>") * 100,
        SCRIPT + ("," + " " * 199) * 4_900 + "</script>",
        "<meta name=author content='Ann Miller, Bo Li'>" * 200_000,
        f"<meta name=author content='{'Ann Miller and ' * 100_000}'>",
        "<h1>" + "<b>by </b>" * 300_000,
        f"<title>{'a - ' * 1_000_000}</title><h1>{'a - ' * 100_000}",
        CHINESE + ("<p>" + "记者 " * 60) * 20_000,
        CHINESE + ("<p>（" + "记者王" * 25 + "）") * 30_000,
        CHINESE + "<p>" + "作者：王" * 400_000,
        CHINESE + ("<p>" + "王 " * 25) * 60_000,
        "<time>2016-06-08</time>" * 200_000,
        "<div class=comments>" + "<span itemprop=datePublished>x" * 100_000,
        ENGLISH + "<p><a href=/ann-miller>Ann Miller</a><p>x" * 100_000,
        ENGLISH + "<script>" + '"published_at":' * 200_000 + "</script>",
        ENGLISH + "<script>" + '"published_at":"2016-06-08' * 80_000 + "</script>",
        CHINESE + ("<p>" + "文 " * 60) * 20_000,
        CHINESE + "<p class=nickname><a href=/u/1>王小明</a>" * 100_000,
        CHINESE + ("<p>" + "1.1.16 " * 20) * 20_000,
        "<h1>フェリー</h1>" + ("<p>文・" + "山田" * 15) * 30_000,
        "<h1>섬으로 가는 배</h1>" + ("<p>" + "김민수, " * 15) * 30_000,
    ],
    ids=lambda html: html[:40],
)
def test_hostile_pages_cost_a_moment(html: str) -> None:
    tree = parse(html, url="http://e.com/2016/06/08/a")
    blocks = cut(tree.body, bare=True, limit=20_000)
    with costing_at_most(LIMIT_S):
        find_fields(tree, gather(tree), blocks, text="", fetched_at=None)
