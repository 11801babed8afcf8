"""Who may have written a Chinese page is told by places, and the likeliest is chosen, or nobody."""

import pytest

from thresher.extract.extractor import extract
from thresher.extract.fields.choice_cjk import Candidate, choose_cjk, find_cjk_candidates
from thresher.extract.fields.mentions_cjk import find_cjk_mentions, look_at
from thresher.extract.fields.near import PlainLine, look_near
from thresher.extract.fields.zones_cjk import zone_of

TITLE = "渡轮恢复运行了"
CHINESE = "开往海岛的渡轮恢复了运行，船上的乘客和暴风雨之前一样多，码头上的商店也都开了门，大家都很高兴。" * 2


def candidates(*lines: str, page_title: str = TITLE) -> dict[tuple[str, ...], frozenset[str]]:
    near = look_near([PlainLine(TITLE, "h1"), *(PlainLine(line, "p") for line in lines)], TITLE)
    scene = look_at(near, zone_of(near), page_title)
    return {each.names: each.marks for each in find_cjk_candidates(find_cjk_mentions(scene), scene)}


def authors(*lines: str, page_title: str = TITLE) -> tuple[str, ...]:
    shown = "".join(f"<p>{line}</p>" for line in lines)
    return tuple(extract(f"<title>{page_title}</title><h1>{TITLE}</h1>{shown}").authors)


def test_marks_tell_where_a_name_stands_and_how_it_is_written() -> None:
    marks = candidates("海边小屋 2004-03-05", CHINESE)[("海边小屋",)]
    assert {"title +1", "text -1", "head", "right before the day", "label none", "4 characters"} <= marks
    marks = candidates(CHINESE, CHINESE, "王小明")[("王小明",)]
    assert {"end +1", "tail", "alone", "alone, tail", "3 characters", "sure name", "no day"} <= marks


def test_a_run_of_names_is_one_candidate_more() -> None:
    assert {("王小明",), ("李小川",), ("王小明", "李小川")} <= candidates("王小明 李小川", CHINESE).keys()


@pytest.mark.parametrize(
    "line",
    [
        "来源：某某晚报",
        "责任编辑：王小明",
        "王小明 摄",
        "王小明女士",
        "北京",
        "首页",
        "某某日报",
        "译者：王小明",
        "点击：很多人看",
    ],
)
def test_words_places_papers_and_names_of_others_are_no_candidates(line: str) -> None:
    assert candidates(line, CHINESE) == {}


def test_brackets_at_the_end_of_a_paragraph_hold_a_candidate() -> None:
    assert "brackets at the end, last" in candidates(CHINESE, f"{CHINESE}（海边小屋）")[("海边小屋",)]


def test_a_page_says_whose_blog_it_is_in() -> None:
    assert "in <title>" in candidates(CHINESE, page_title=f"{TITLE}_海边小屋的博客_某网")[("海边小屋",)]


def test_names_over_what_a_board_tells_of_a_member_are_marked() -> None:
    assert "over facts" in candidates("海边小屋", "等级：新手", "积分：12", CHINESE)[("海边小屋",)]


def test_the_likeliest_is_chosen_or_nobody() -> None:
    likely = Candidate(("王小明",), "name", frozenset(("alone", "head", "sure name", "title +1", "text -1")))
    unlikely = Candidate(("随便看看",), "name", frozenset(("no day", "behind another part")))
    chosen = choose_cjk([unlikely, likely])
    assert chosen is not None
    assert chosen[0] == likely
    assert 0.5 < chosen[1] < 1
    assert choose_cjk([unlikely]) is None
    assert choose_cjk([]) is None


@pytest.mark.parametrize("name", ["子非鱼", "王小明", "罗伯特·希勒"])
def test_a_name_alone_below_the_title_is_the_author(name: str) -> None:
    assert authors(name, CHINESE, CHINESE) == (name,)


@pytest.mark.parametrize("line", ["时评", "某某日报", "2004-03-05 来源：某某晚报"])
def test_words_and_papers_are_not_the_author(line: str) -> None:
    assert authors(line, CHINESE, CHINESE) == ()


def test_what_is_chosen_has_the_confidence_of_its_chance() -> None:
    found = extract(f"<title>{TITLE}</title><h1>{TITLE}</h1><p>子非鱼</p><p>{CHINESE}</p>").evidence["authors"]
    assert found.confidence < 0.95
