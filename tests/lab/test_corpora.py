"""Labelled pages are read from both kinds of folder, and what cannot be read is named."""

from collections import Counter
from pathlib import Path

import pytest

from tests.lab.pages import html_of, labelled, record, write_records
from thresher.errors import UsageError
from thresher.lab.corpora import load, sample, select

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"


def test_records_are_read_from_all_folders_below(tmp_path: Path) -> None:
    write_records(tmp_path / "train" / "one.jsonl.gz", [record(1), record(2, title="Head", url="http://a.example/2")])
    write_records(tmp_path / "eval" / "two.jsonl.gz", [record(3, lang="zh", text="正文", html="<p>正文</p>")])
    pages = {page.id: page for page in load(tmp_path)}
    assert set(pages) == {"news/1", "news/2", "news/3"}
    assert pages["news/2"].title == "Head"
    assert pages["news/2"].url == "http://a.example/2"
    assert (pages["news/3"].language, pages["news/3"].text) == ("zh", "正文")


def test_a_thread_has_the_text_of_its_posts_and_is_filed_by_origin(tmp_path: Path) -> None:
    posts = [
        {"author": "a", "time": "today", "text": "First.", "text_xpath": "/html/body/p", "time_xpath": "/html/body/i"},
        {"author": "b", "time": "today", "text": "Second."},
    ]
    thread = {"site": "f.example", "lang": "en", "html": "<p>", "posts": posts}
    records = [{"id": "1", "engine": "live_phpbb", **thread}, {"id": "2", "engine": "phpbb3", **thread}]
    write_records(tmp_path / "threads.jsonl.gz", records)
    live, saved = load(tmp_path)
    assert live.text == "First.\nSecond."
    assert live.posts[0].time_path == "/html/body/i"
    assert live.posts[1].text_path == ""
    assert (live.dataset, saved.dataset) == ("threads_live", "threads_saved")


def test_records_without_gold_are_left_out_and_a_corpus_of_them_is_refused(tmp_path: Path) -> None:
    bare = {"id": "b", "engine": "phpbb", "html": "<p>"}
    write_records(tmp_path / "boards.jsonl.gz", [bare])
    with pytest.raises(UsageError, match="gold"):
        list(load(tmp_path))
    write_records(tmp_path / "news.jsonl.gz", [record(1)])
    assert [page.id for page in load(tmp_path)] == ["news/1"]


def test_a_page_beside_its_text_is_read_in_its_own_encoding(tmp_path: Path) -> None:
    name = "news.example-" + "0" * 32
    page = html_of("正文", title="标题").replace("<head>", '<head><meta charset="gbk">')
    (tmp_path / f"{name}.html").write_bytes(page.encode("gbk"))
    (tmp_path / f"{name}.txt").write_text("\ufeff正文", "utf-8")
    (found,) = load(tmp_path)
    assert found.text == "正文"
    assert "<p>正文</p>" in found.html
    assert (found.site, found.dataset) == ("news.example", tmp_path.name)


def test_a_page_without_its_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "lonely.html").write_text("<p>x</p>")
    with pytest.raises(UsageError, match=r"lonely\.txt"):
        list(load(tmp_path))


def test_a_folder_of_nothing_and_a_missing_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="neither"):
        list(load(tmp_path))
    with pytest.raises(UsageError, match="no such"):
        list(load(tmp_path / "missing"))


def test_a_broken_record_is_named_by_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "news.jsonl.gz"
    write_records(file, [record(1), {"id": "2"}])
    with pytest.raises(UsageError, match=r"news\.jsonl\.gz, line 2.*html"):
        list(load(tmp_path))


def test_a_file_that_is_cut_off_is_named(tmp_path: Path) -> None:
    file = tmp_path / "news.jsonl.gz"
    write_records(file, [record(1)])
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(UsageError, match="gzip"):
        list(load(file))


def test_datasets_are_chosen_by_name(tmp_path: Path) -> None:
    pages = [labelled(1), labelled(2, dataset="blogs")]
    assert [page.dataset for page in select(pages, ["blogs"])] == ["blogs"]
    assert list(select(pages)) == pages
    with pytest.raises(UsageError, match="blogs, news"):
        list(select(pages, ["forums"]))


def test_a_sample_takes_so_many_of_each_dataset_whatever_their_order() -> None:
    pages = [labelled(n) for n in range(50)] + [labelled(n, dataset="blogs") for n in range(3)]
    chosen = sample(pages, 5)
    assert Counter(page.dataset for page in chosen) == {"news": 5, "blogs": 3}
    assert {page.id for page in sample(reversed(pages), 5)} == {page.id for page in chosen}


@pytest.mark.corpus
def test_the_forum_corpus_beside_the_repository_is_read_whole() -> None:
    if not CORPORA.exists():
        pytest.skip("the labelled pages are not here")
    pages = list(load(CORPORA / "forums"))
    assert Counter(page.dataset for page in pages) == {
        "threads_live": 551,
        "threads_saved": 82,
        "threads_more_saved": 28,
    }
    assert sum(len(page.posts) for page in pages) == 6752
