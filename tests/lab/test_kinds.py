"""Pages of known kinds are read, held out by site and engine, and made where they are rare."""

import gzip
import json
from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.lab.kinds import KindPage, load_kinds
from thresher.lab.kinds_bench import LIVE, Told, confusion
from thresher.lab.kinds_posts import posts_by_engine
from thresher.lab.pages import GoldPost, LabelledPage
from thresher.lab.train.kind_pages import made_pages
from thresher.lab.train.kinds import fold_of
from thresher.model import Kind, Post

PROSE = "<p>The ferry to the islands runs again, and the harbour is as full as it was before the storm of May.</p>"
ARTICLE = (
    f"<html><head><title>The ferry runs</title></head><body><h1>The ferry runs</h1><div>{PROSE * 6}</div></body></html>"
)


def write(folder: Path, name: str, *records: dict[str, object]) -> None:
    with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps({"id": f"{name}{n}", "html": ARTICLE, **r}) + "\n" for n, r in enumerate(records))


def test_labels_tell_the_kind(tmp_path: Path) -> None:
    write(tmp_path, "news", {"site": "a.com", "text": "t", "url": "https://a.com/1"})
    write(tmp_path, "threads", {"site": "b.com", "engine": "live_phpbb", "posts": []})
    write(tmp_path, "boards", {"engine": "live_phpbb", "kind": "board"})
    write(tmp_path, "other", {"site": "c.com", "page_type": "collection"}, {"site": "d.com", "page_type": "service"})
    pages = {page.id: page for page in load_kinds(tmp_path)}
    kinds = {name: page.kind for name, page in pages.items()}
    assert kinds == {
        "news0": Kind.ARTICLE,
        "threads0": Kind.THREAD,
        "boards0": Kind.BOARD,
        "other0": Kind.LISTING,
        "other1": Kind.OTHER,
    }
    assert pages["threads0"].group == pages["boards0"].group == "phpbb"


def test_pages_that_no_label_tells_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "canola", {"site": "a.com", "text": "t"})
    with pytest.raises(UsageError, match="no page of a known kind"):
        list(load_kinds(tmp_path))


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere: no such file or folder"):
        list(load_kinds(tmp_path / "nowhere"))


def test_posts_are_scored_by_engine_and_averaged_over_its_sites() -> None:
    gold = tuple(GoldPost(words) for words in ("the ferry runs again", "and the harbour is full"))
    pages = [LabelledPage(f"p{n}", "t", f"site{n}", "en", "", "", engine="phpbb", posts=gold) for n in range(2)]
    found = tuple(Post("Ann", None, post.text, n) for n, post in enumerate(gold, start=1))
    told = [Told("t", Kind.THREAD, Kind.THREAD, "p0", found), Told("t", Kind.THREAD, Kind.ARTICLE, "p1")]
    shown = posts_by_engine(told, pages)
    assert "| phpbb (2) | 0.500 | 0.500 | 0.500 |" in shown
    assert "| **mean over real sites** | 0.500 | 0.500 | 0.500 |" in shown


def test_posts_of_live_installations_are_no_part_of_the_means_over_real_ones() -> None:
    gold = (GoldPost("the ferry runs again", author="Ann"),)
    names = ("phpbb", "live_phpbb")
    pages = [LabelledPage(f"p{n}", "t", f"site{n}", "en", "", "", engine=names[n], posts=gold) for n in range(2)]
    found = (Post("Bob", None, "the ferry runs again", 1),)
    told = [Told("t", Kind.THREAD, Kind.THREAD, "p0", found), Told("t", Kind.THREAD, Kind.ARTICLE, "p1")]
    shown = posts_by_engine(told, pages)
    assert "| **mean over real engines** | 1.000 | 1.000 | 1.000 | 0.000 |" in shown
    assert "| mean over live engines | 0.000 | 0.000 | 0.000 | 0.000 |" in shown


def test_pages_of_live_installations_count_for_no_recall_but_their_own() -> None:
    told = [
        Told("threads", Kind.THREAD, Kind.THREAD, site="a"),
        Told("threads", Kind.THREAD, Kind.ARTICLE, site="a"),
        Told("threads", Kind.THREAD, Kind.THREAD, site="b"),
        Told(LIVE, Kind.THREAD, Kind.ARTICLE, site="live"),
    ]
    lines = confusion(told).splitlines()
    assert any(line.startswith("| **thread** | 3 | 0.667 | 0.750 |") for line in lines)
    assert any(line.startswith(f"| {LIVE}: thread | 1 | 0.000 |") for line in lines)


def test_engines_are_held_out_apart_from_each_other() -> None:
    assert len({fold_of(name) for name in ("phpbb", "xenforo", "discuz", "fluxbb", "discourse")}) == 5
    assert fold_of("some.site") == fold_of("some.site")


def test_made_pages_are_the_same_each_time_and_of_their_frames_group() -> None:
    pages = [KindPage(f"p{n}", "news", f"site{n}.com", Kind.ARTICLE, ARTICLE) for n in range(12)]
    made = list(made_pages(pages))
    assert {page.kind for page in made} == {Kind.ARTICLE, Kind.LISTING, Kind.THREAD, Kind.BOARD}
    assert {page.group for page in made} <= {page.group for page in pages}
    assert [page.html for page in made] == [page.html for page in made_pages(pages)]


def test_the_macro_recall_is_the_mean_over_the_four_kinds() -> None:
    told = [
        Told("a", Kind.ARTICLE, Kind.ARTICLE),
        Told("a", Kind.ARTICLE, Kind.LISTING),
        Told("t", Kind.THREAD, Kind.THREAD),
        Told("b", Kind.BOARD, Kind.BOARD),
        Told("l", Kind.LISTING, Kind.LISTING),
        Told("o", Kind.OTHER, Kind.ARTICLE),
    ]
    assert "0.875" in confusion(told).splitlines()[-1]
