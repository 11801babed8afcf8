"""How Chinese authors are chosen is learned from labelled, read and written pages, sites and ways to sign apart."""

import gzip
import json
from pathlib import Path

import pytest

from thresher.lab.train.authors import fit
from thresher.lab.train.authors_cjk import NOBODY, Lesson, case_of, cross_validate, digest, lessons_of
from thresher.lab.train.signed_pages import Signed, can_be_set, page_of, set_into

pytest.importorskip("scipy")

TITLE = "渡轮恢复运行了"
TEXT = "<p>开往海岛的渡轮恢复了运行，船上的乘客和暴风雨之前一样多，码头上的商店也都开了门，大家都很高兴。</p>" * 3
FRAMES = {
    "zh": {"title": TITLE, "text": TEXT, "top": "首页 新闻", "bottom": "关于我们"},
    "busy": {"page": "<p>网友：老李</p>@page<p>上一篇</p>"},
}


def lesson(number: int, line: str, *names: str) -> Lesson:
    page = f"<h1>{TITLE}</h1><p>{line}</p>{TEXT}"
    return Lesson((f"{number}.example",), "read", page, None, frozenset((digest(names),)), 1.0)


def test_a_digest_stands_for_a_set_of_people() -> None:
    assert digest(["王小明", "李四"]) == digest(["李四、王小明"])
    assert digest(["王小明"]) != digest(["李四"])
    assert digest([]) == NOBODY


def test_a_case_has_candidates_and_which_are_right() -> None:
    case = case_of(lesson(1, "子非鱼", "子非鱼"))
    assert case is not None
    assert case.row.right.count(True) == 1
    assert case.plain is None
    plain = case_of(lesson(1, "作者：王小明", "王小明"))
    assert plain is not None
    assert plain.plain == digest(["王小明"])
    assert plain.row.weight < case.row.weight


def test_pages_in_other_languages_are_not_learned_from() -> None:
    assert case_of(Lesson(("a",), "read", "<h1>The ferry</h1><p>By Ann Miller", None, frozenset(), 1.0)) is None


def test_weights_are_fitted_to_other_sites_than_those_asked_about() -> None:
    named = [lesson(number, "子非鱼", "子非鱼") for number in range(30)]
    nobody = [lesson(number, "你好，欢迎再来") for number in range(30, 60)]
    cases = [case for each in (*named, *nobody) if (case := case_of(each))]
    assert cross_validate(cases) == {"read": (30, 30), "read, nobody": (30, 30)}
    assert fit([case.row for case in cases])["alone, head"] > 0


def test_a_written_page_stands_in_its_frame() -> None:
    signed = Signed("name alone", frozenset(("子非鱼",)), "<h1>@title</h1><p>子非鱼</p>@text")
    assert f"<h1>{TITLE}</h1><p>子非鱼</p>{TEXT}" in page_of(signed, FRAMES)
    assert "网友：老李" in page_of(signed, FRAMES, is_busy=True)


def test_ways_to_sign_are_set_around_the_text_of_a_real_page() -> None:
    signed = Signed("name alone", frozenset(("子非鱼",)), "<h1>@title</h1><p>子非鱼</p>@text<p>（完）</p>")
    assert can_be_set(signed)
    assert not can_be_set(signed._replace(markup="<div>@title</div>@text"))
    first, last = (
        TEXT[3:50],
        "码头上的商店也都开了门，大家都很高兴，船上的乘客和暴风雨之前一样多，明天还会有更多的人来。",
    )
    whole = f"<html><body><h1>{TITLE}</h1><p>{first}</p><p>{last}</p></body></html>"
    ((_, page),) = set_into(whole, first, last, [signed])
    assert page.index("子非鱼") < page.index("开往") < page.index("（完）")


def test_lessons_are_labelled_read_and_written_pages(tmp_path: Path) -> None:
    record = {
        "id": "1",
        "dataset": "immortal_zh",
        "site": "2.example",
        "html": f"<h1>{TITLE}</h1>{TEXT}",
        "authors": [],
    }
    with gzip.open(tmp_path / "immortal_zh.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps({**record, "site": f"{number}.example"}) + "\n" for number in range(4))
    (tmp_path / "frames.json").write_text(json.dumps(FRAMES), "utf-8")
    (tmp_path / "pages.txt").write_text("## name alone = 子非鱼\n<h1>@title</h1><p>子非鱼</p>@text\n", "utf-8")
    kinds = {each.kind for each in lessons_of([tmp_path], tmp_path)}
    assert kinds == {"dev", "written", "busy", "set"}
