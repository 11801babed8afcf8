"""Lines of Chinese pages are taken apart at marks, spaces and days, and labels are kept with what they label."""

import pytest

from thresher.extract.fields.segments_cjk import EDITOR, OTHER, POSTER, REPORTER, SOURCE, WRITER, read_segments


def labelled(line: str) -> list[tuple[str, str]]:
    return [(each.text, each.label) for each in read_segments(line)[0]]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("作者：王小明 来源：某某晚报", [("王小明", WRITER), ("某某晚报", SOURCE)]),
        ("本报记者 王小明 李四", [("王小明", REPORTER), ("李四", REPORTER)]),
        ("本报记者王小明北京报道", [("王小明", REPORTER)]),
        ("责任编辑：王小明", [("王小明", EDITOR)]),
        ("楼主：海边小屋", [("海边小屋", POSTER)]),
        ("推荐理由：海边小屋", [("海边小屋", OTHER)]),
        ("委托人：海边小屋", [("海边小屋", POSTER)]),
        ("Martin Wolf | 某某中文网", [("Martin Wolf", ""), ("某某中文网", "")]),
        ("王　刚 / 李 四", [("王刚", ""), ("李四", "")]),
        ("罗伯特·希勒", [("罗伯特·希勒", "")]),
        ("首页", []),
        ("123 / 456", []),
    ],
)
def test_a_line_is_parted_and_its_labels_told(line: str, found: list[tuple[str, str]]) -> None:
    assert labelled(line) == found


@pytest.mark.parametrize("day", ["2004-03-05 10:20", "2004年3月5日", "3小时前", "刚刚", "03-05", "星期五 "])
def test_a_day_is_no_segment_but_stands_beside_one(day: str) -> None:
    (segment,), has_day = read_segments(f"海边小屋 {day}")
    assert has_day
    assert segment.text == "海边小屋"
    assert segment.has_day_after
    assert not segment.has_day_before
    assert segment.is_next_to_day == (False, True)


@pytest.mark.parametrize(
    ("line", "behind"),
    [
        ("海边小屋 发表于 2004-3-5", "posted"),
        ("海边小屋发表于2004-3-5", "posted"),
        ("海边小屋的博客", "blog"),
        ("王小明 摄", "photo"),
        ("王小明 译", "translated"),
        ("王小明教授", "polite"),
    ],
)
def test_what_stands_behind_a_name_is_told(line: str, behind: str) -> None:
    (segment,), _ = read_segments(line)
    assert segment.text in ("海边小屋", "王小明")
    assert segment.behind == {behind}


def test_a_last_character_may_belong_to_the_name_or_not() -> None:
    (segment,), _ = read_segments("廖欣文")
    assert (segment.text, segment.uncut) == ("廖欣", "廖欣文")


def test_brackets_around_a_segment_are_told() -> None:
    assert [each.is_in_brackets for each in read_segments("某某晚报（王小明）")[0]] == [False, True]
