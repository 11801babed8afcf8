"""Names that only their place tells are found on Chinese pages, with little confidence."""

import pytest

from thresher.extraction.fields.near import Near, PlainLine, look_near
from thresher.extraction.fields.signatures_cjk import find_below_text
from thresher.extraction.fields.unsigned_cjk import find_hints
from thresher.extraction.fields.zones_cjk import zone_of

TITLE = "渡轮恢复运行了"
CHINESE = "开往海岛的渡轮恢复了运行，船上的乘客和暴风雨之前一样多，码头上的商店也都开了门，大家都很高兴。"


def near(*lines: str, title: str = TITLE) -> Near:
    return look_near([PlainLine(title, "h1"), *(PlainLine(line, "p") for line in lines)], title)


def names_on(shown: Near, title: str = TITLE) -> list[str]:
    return [name for _, sure, names in find_hints(shown, zone_of(shown), title) for name in names if sure < 0.5]


@pytest.mark.parametrize(
    "lines",
    [
        (CHINESE, f"{CHINESE} 王小明"),
        (CHINESE, f"{CHINESE}——王小明"),
        (f"王小明 {CHINESE}", CHINESE),
        ("王小明", CHINESE),
    ],
)
def test_a_name_signs_a_paragraph_or_stands_alone(lines: tuple[str, ...]) -> None:
    assert names_on(near(*lines)) == ["王小明"]


@pytest.mark.parametrize("head", ["Comments", "One response to “渡轮”", "2 thoughts on “渡轮”", "Leave a Reply"])
def test_nobody_who_comments_signs_a_text_on_a_site_with_english_words(head: str) -> None:
    lines = ("“渡轮恢复运行了”", "吴佳怡", "April 19, 2025", "不太同意。")
    apart, below = near(CHINESE, head, *lines), near(CHINESE, *lines)
    assert [names for _, _, names in find_below_text(zone_of(below).lines)] == [("吴佳怡",)]
    assert [names for _, _, names in find_below_text(zone_of(apart).lines)] == []


def test_a_pen_name_stands_alone_between_title_and_text() -> None:
    assert names_on(near("子非鱼", CHINESE)) == ["子非鱼"]
    assert names_on(near("时评", CHINESE)) == []
    assert names_on(near("某某日报", CHINESE)) == []
    assert names_on(near("子非鱼", "下一行", CHINESE)) == []


def test_a_name_stands_in_the_title() -> None:
    assert names_on(near(CHINESE), f"{TITLE}_王小明_某某网") == ["王小明"]
    assert names_on(near(CHINESE, title=f"王小明：{TITLE}"), "") == ["王小明"]
    assert names_on(near(CHINESE), f"{TITLE}_新闻_某某网") == []


def test_several_names_at_the_ends_of_paragraphs_sign_nothing() -> None:
    assert names_on(near(f"{CHINESE} 王小明", f"{CHINESE} 李小明")) == []
