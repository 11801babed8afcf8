"""Bylines of Chinese, Japanese and Korean pages are found near the title, and where they are plain elsewhere."""

import pytest

from thresher.extraction.fields.bylines_cjk import find_cjk_bylines
from thresher.extraction.fields.near import Near, look_near
from thresher.extraction.fields.posters_cjk import find_owner
from thresher.extraction.fields.unsigned_cjk import find_bare_names, find_editors
from thresher.extraction.fields.zones_cjk import zone_of
from thresher.model import Block, Span

CHINESE = "开往海岛的渡轮恢复了运行，船上的乘客和暴风雨之前一样多，码头上的商店也都开了门。" * 5


def near(title: str, *lines: str) -> Near:
    return look_near([Block((Span(title),), "h1"), *(Block((Span(line),), "p") for line in lines)], title)


def first_cjk(*lines: str) -> tuple[str, ...]:
    shown = near("渡轮恢复运行了", *lines)
    zone = zone_of(shown)
    return next((names for _, _, names in (*find_cjk_bylines(shown, zone), *find_bare_names(shown, zone))), ())


@pytest.mark.parametrize(
    "line",
    [
        "作者：王小明",
        "来源：某报 作者：王小明 编辑：李四",
        "作者 | 王小明",
        "《海港》作者 王小明",
        "撰文／王小明",
        "文/王小明",
        "采写：某报见习记者 王小明",
        "某某日报记者 王小明",
        "■本报记者 王小明 北京报道",
        "本报记者王小明发自北京",
        f"（记者 王小明）{CHINESE}",
        f"某网6月5日讯（记者王小明 整理）{CHINESE}",
        f"某社北京6月5日电（王小明）{CHINESE}",
        f"{CHINESE}（某报记者 王小明）",
        f"{CHINESE}（王小明）",
        "記者王小明／台北報導",
        f"{CHINESE}（作者王小明系某大学教授）",
        "本报记者王小明北京报道",
        f"【記者王小明台北報導】{CHINESE}",
        f"晨报记者王小明报道 {CHINESE}",
        "作者：某大学教授 王小明",
        "文/某网专栏作家 王小明",
        "2016-06-05 20:35 王小明",
        "王小明 发表于 2016-6-5 10:00",
        "来源：王小明",
        "王小明",
        "◆王小明",
        "■王小明（某大学教授）",
        "文·王小明",
        "图文/王小明",
        "图/李四 文/王小明",
        "王小明 文",
        "某某报 王小明/文",
        "撰文 王小明 摄影 李四",
        "采访/王小明 摄影/李四",
        "本报记者 王小明 文/摄",
        "某经记者 王小明 某经编辑 李四",
        "本报记者 王小明 上海、北京报道",
        "某某报道 王小明 北京报道",
        "财经专栏作家 王小明",
        "记者丨王小明",
        "王小明 某网记者",
        "王小明，某大学经济学院教授",
        "某大学经济学院 王小明",
        "王小明2016-06-05",
        "Posted by 王小明",
        "作者简介：王小明，某大学教授。",
        f"某报讯 记者 王小明 {CHINESE}",
        f"某网记者王小明6月5日报道：{CHINESE}",
        f"{CHINESE}（作者系某大学教授王小明）",
        f"{CHINESE}（王小明系某大学教授）",
        f"{CHINESE}（宣传部 王小明）",
        f"{CHINESE}（王小明 来源：某报）",
        "王小明 北京报道",
        "王小明/报道",
        "王小明 发自上海",
        f"记者王小明报道：{CHINESE}",
        f"{CHINESE}（本报记者王小明）{CHINESE}",
        "送交者: 王小明 于 2016-06-05",
        "〖作者〗王小明",
        "作者——王小明",
        "采编：王小明",
        "供稿/王小明",
        "本文由 王小明 于 2016-06-05 发布",
        "某某报/王小明",
        "稿件来源：某某报 王小明",
        "王小明 《某某》杂志 2016年第3期",
        "文字 王小明 摄影 李四",
        "记者：王小明 电话：12345678",
        f"{CHINESE}（本文作者为某大学教授王小明）",
    ],
)
def test_a_chinese_byline(line: str) -> None:
    assert first_cjk(line, CHINESE) == ("王小明",)


@pytest.mark.parametrize(
    "line",
    [
        "作者：王小明 李四",
        "本报记者 王小明 李四",
        "（记者 王小明 通讯员 李四）",
        "文/图 王小明 李四",
        "某日报记者 王小明 某网记者 李四",
        f"{CHINESE}(文/图 王小明 李四)",
        f"本报讯 记者王小明 通讯员李四报道：{CHINESE}",
    ],
)
def test_several_chinese_names(line: str) -> None:
    assert first_cjk(line, CHINESE) == ("王小明", "李四")


@pytest.mark.parametrize("line", ["文/栗思", "本报记者 栗思 北京报道", f"某网讯（记者栗思）{CHINESE}", "作者 栗思"])
def test_a_rare_surname_will_do_where_a_name_must_stand(line: str) -> None:
    assert first_cjk(line, CHINESE) == ("栗思",)


@pytest.mark.parametrize("name", ["傅小明", "颜明", "温小明", "庄小明", "萧小明"])
def test_chinese_surnames_that_begin_words_or_are_not_the_most_common(name: str) -> None:
    assert first_cjk(f"{CHINESE}（{name}）") == (name,)


def test_foreign_names_on_chinese_pages() -> None:
    assert first_cjk("作者: Ann Miller 译者：王小明", CHINESE) == ("Ann Miller",)
    assert first_cjk("（美）安·米勒", CHINESE) == ("安·米勒",)


@pytest.mark.parametrize("line", ["责任编辑：王小明", "（责编：王小明）", "【编辑:王小明】", "责任编辑：王小明_N123"])
def test_an_editor_is_named_last(line: str) -> None:
    shown = near("渡轮恢复运行了", CHINESE, line)
    assert [names for _, _, names in find_editors(zone_of(shown))] == [("王小明",)]
    assert first_cjk(CHINESE, line) == ()


def test_a_name_alone_below_the_text_signs_it() -> None:
    assert first_cjk(*[CHINESE] * 14, "王小明", "2016年6月5日") == ("王小明",)
    assert first_cjk(*[CHINESE] * 14, "王小明", "李小明", "张小明") == ()


def test_whose_blog_it_is() -> None:
    shown = near("渡轮恢复运行了", CHINESE)
    assert [names for _, _, names in find_owner(shown, "渡轮恢复运行了_海边小屋的博客_某网")] == [("海边小屋",)]
    assert list(find_owner(shown, "渡轮恢复运行了_某报的专栏")) == []


def test_a_pen_name_follows_a_label() -> None:
    assert first_cjk("作者：海边&小屋", CHINESE) == ("海边&小屋",)
    assert first_cjk("执笔/海边姐、小屋主人&老刀", CHINESE) == ("海边姐", "小屋主人", "老刀")
    assert first_cjk("作者：海边 提交日期：2005-8-28 访问：39", CHINESE) == ("海边",)


def test_a_label_and_its_name_may_stand_in_two_cells() -> None:
    assert first_cjk("作者：", "王小明", CHINESE) == ("王小明",)


@pytest.mark.parametrize(
    "line",
    [
        "作者：网络",
        "资料图 某社记者 王小明 摄",
        "图/记者 王小明",
        "记者了解到渡轮恢复了运行",
        "（全文）",
        "编辑：王小明",
        "■ 纪检监察",
        "本文发表于 2016-6-5 10:00",
        "2016-06-05 解读",
        "随笔 - 1 文章 - 0",
        "：",
        "/ / /",
        "新渡轮发布：双层客舱都有",
        "开专栏的名记者，晋升部级",
    ],
)
def test_what_names_no_author(line: str) -> None:
    assert first_cjk(line, CHINESE) == ()


def test_japanese_and_korean_bylines() -> None:
    japanese = "島へ向かうフェリーは再び運航を始めた。【山田太郎】"
    shown = near("フェリー再開", japanese)
    assert next(find_cjk_bylines(shown, zone_of(shown)))[2] == ("山田太郎",)
    shown = near("섬으로 가는 배가 다시 다닌다", "김민수 기자")
    assert next(find_cjk_bylines(shown, zone_of(shown)))[2] == ("김민수",)
