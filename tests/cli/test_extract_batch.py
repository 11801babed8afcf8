"""`thresher extract` of many pages at once, as a person types it."""

import csv
import io
import json
import os
import signal
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.test_commands import ARTICLE
from tests.commands import Command
from tests.commands import run as thresher
from thresher.cli.extract_batch import file_name

EMPTY_PAGE = "<html><body><p></p></body></html>"
BINARY = {
    "a.pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "this is a PDF, not a web page"),
    "a.png": (b"\x89PNG\r\n\x1a\n" + bytes(50), "this is a PNG image, not a web page"),
    "a.zip": (b"PK\x03\x04" + bytes(26) + b"file.txt", "this is a ZIP archive, not a web page"),
    "a.docx": (b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml", "this is an office document, not a web page"),
    "a.odt": (b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.o", "this is an office document"),
    "a.html": (b" \n", "this is empty, not a web page"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in" / "deeper").mkdir(parents=True)
    for number in range(5):
        (tmp_path / "in" / f"{number}.html").write_text(ARTICLE.replace("The ferry is", f"The ferry {number} is"))
    (tmp_path / "in" / "deeper" / "x.HTM").write_text(ARTICLE)
    (tmp_path / "in" / "notes.txt").write_text("not a page")
    return tmp_path


def sources_of(stdout: str) -> list[str]:
    return [record["source"] for record in json.loads(stdout)]


def test_one_page_gives_one_object_that_names_its_source(folder: Path) -> None:
    found = json.loads(thresher("extract", "in/0.html", "-f", "json", cwd=folder).stdout)
    assert (found["source"], found["title"]) == ("in/0.html", "The ferry 0 is late again")


def test_several_pages_give_one_array_in_their_order(folder: Path) -> None:
    ended = thresher("extract", "in/3.html", "in/1.html", "in/3.html", "-f", "json", "--jobs", "2", cwd=folder)
    assert ended.returncode == 0, ended.stderr
    assert sources_of(ended.stdout) == ["in/3.html", "in/1.html", "in/3.html"]


def test_a_list_of_one_page_gives_an_array_too(folder: Path) -> None:
    ended = thresher("extract", "--from", "-", "-f", "json", cwd=folder, stdin="in/2.html\n")
    assert sources_of(ended.stdout) == ["in/2.html"]


def test_lists_have_comments_and_blank_lines_and_urls_of_files(folder: Path) -> None:
    lines = "\ufeff# saved pages\r\n\r\nin/0.html\thttps://harbour.example/0\r\nin/1.html\r\n"
    (folder / "list").write_text(lines, encoding="utf-8")
    ended = thresher("extract", "--from", "list", "-f", "json", cwd=folder)
    assert ended.returncode == 0, ended.stderr
    first, second = json.loads(ended.stdout)
    assert (first["source"], first["url"], second["url"]) == ("in/0.html", "https://harbour.example/0", None)


def test_the_pages_of_a_folder_are_read_by_name(folder: Path) -> None:
    ended = thresher("extract", "in", "-f", "jsonl", cwd=folder)
    found = [json.loads(line)["source"] for line in ended.stdout.splitlines()]
    assert found == [*(f"in/{number}.html" for number in range(5)), "in/deeper/x.HTM"]


def test_several_pages_give_one_well_formed_xml_file(folder: Path) -> None:
    (folder / "in" / "1.html").write_text(ARTICLE.replace("an hour", "an hour & a half &#1;&#xFFFE; <b>bold</b>"))
    ended = thresher("extract", "in/0.html", "in/1.html", "-f", "xml", cwd=folder)
    root = ElementTree.fromstring(ended.stdout.encode())
    assert [each.findtext("source") for each in root.iter("document")] == ["in/0.html", "in/1.html"]
    assert root.findtext("document/text/p")


def test_xml_keeps_links_and_tables(folder: Path) -> None:
    table = "<table><tr><th>boat<th>seats<tr><td>Alma<td>40<tr><td>Berta<td>80</table>"
    page = ARTICLE.replace("on Tuesday", 'on <a href="/tuesday">Tuesday</a>').replace(
        "</article>", f"{table}</article>"
    )
    ended = thresher("extract", "-f", "xml", "--url", "https://a.test/", cwd=folder, stdin=page)
    root = ElementTree.fromstring(ended.stdout)
    assert [each.get("href") for each in root.iter("a")] == ["https://a.test/tuesday"]
    assert [cell.text for cell in root.iter("td")] == ["Alma", "40", "Berta", "80"]


@pytest.mark.parametrize(
    ("format_", "words"),
    [
        ("md", "![The pier](https://a.test/pier.jpg)"),
        ("html", '<img src="https://a.test/pier.jpg" alt="The pier" />'),
        ("xml", '<img src="https://a.test/pier.jpg" alt="The pier" />'),
        ("json", '"url": "https://a.test/pier.jpg"'),
    ],
)
def test_images_are_kept_on_wish_in_one_page_and_in_a_batch(format_: str, words: str, folder: Path) -> None:
    image = '<figure><img data-src="/pier.jpg" src="data:," alt="The pier"></figure>'
    (folder / "pier.html").write_text(ARTICLE.replace("<p>It is", f"{image}<p>It is"))
    alone = ("extract", "pier.html", "--url", "https://a.test/x", "-f", format_)
    assert words in thresher(*alone, "--images", cwd=folder).stdout
    assert "pier" not in thresher(*alone, cwd=folder).stdout.replace("old pier", "").replace("pier.html", "")
    listed = "pier.html\thttps://a.test/x\n"
    assert words in thresher("extract", "--from", "-", "--images", "-f", format_, cwd=folder, stdin=listed).stdout


def test_csv_has_the_source_and_one_head(folder: Path) -> None:
    ended = thresher("extract", "in/0.html", "in/1.html", "-f", "csv", cwd=folder)
    rows = list(csv.DictReader(io.StringIO(ended.stdout)))
    assert [row["source"] for row in rows] == ["in/0.html", "in/1.html"]


@pytest.mark.parametrize(
    ("format_", "words"),
    [
        ("md", "<!-- source: in/1.html -->"),
        ("txt", "---\n\nsource: in/1.html\n"),
        ("html", '<article data-source="in/1.html">'),
    ],
)
def test_texts_of_several_pages_say_where_each_came_from(format_: str, words: str, folder: Path) -> None:
    assert words in thresher("extract", "in/0.html", "in/1.html", "-f", format_, cwd=folder).stdout
    assert "source" not in thresher("extract", "in/0.html", "-f", format_, cwd=folder).stdout


@pytest.mark.parametrize("format_", ["md", "json"])
def test_a_folder_gets_a_file_for_each_page(format_: str, folder: Path) -> None:
    (folder / "in" / "deeper" / "1.html").write_text(ARTICLE)
    ended = thresher("extract", "in", "-f", format_, "-o", "out/new/", cwd=folder)
    assert ended.returncode == 0, ended.stderr
    names = sorted(path.name for path in (folder / "out" / "new").iterdir())
    assert names == sorted(
        file_name(source, format_)
        for source in [*(f"in/{number}.html" for number in range(5)), "in/deeper/x.HTM", "in/deeper/1.html"]
    )
    assert len(names) == 7
    if format_ == "json":
        found = {json.loads((folder / "out" / "new" / name).read_text())["source"] for name in names}
        assert "in/deeper/1.html" in found


@pytest.mark.parametrize(
    "source",
    [
        "../../etc/passwd.html",
        "https://a.test/../../x",
        "/abs/olute.html",
        "a\0b.html",
        "..",
        ".",
        "-",
        "https://a.test/" + "文" * 300,
        "q\udcff.html",
        "https://a.test:80/?a=/../b",
    ],
)
def test_names_of_files_stay_in_their_folder(source: str) -> None:
    name = file_name(source, "md")
    assert "/" not in name
    assert not name.startswith(".")
    assert len(name.encode()) < 200
    assert name == file_name(source, "md")


def test_inputs_that_look_alike_have_names_of_their_own() -> None:
    alike = ["a/x.html", "b/x.html", "x.html", "X.html", "http://a.test/?x=1", "http://a.test/?x=2", "http://a.test/"]
    assert len({file_name(source, "md").lower() for source in alike}) == len(alike)


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(folder: Path) -> None:
    (folder / "in" / "2.html").write_bytes(BINARY["a.pdf"][0])
    ended = thresher("extract", "in", "missing.html", "-f", "json", cwd=folder)
    assert ended.returncode == 3
    assert "thresher: in/2.html: this is a PDF, not a web page\n" in ended.stderr
    assert "thresher: cannot read missing.html" in ended.stderr
    assert "thresher: 5 pages extracted, 2 failed" in ended.stderr
    assert len(sources_of(ended.stdout)) == 5


@pytest.mark.parametrize("flags", [("-q",), ("--progress", "none"), ("--progress", "json"), ("--progress", "bar")])
def test_what_cannot_be_read_is_told_however_progress_is_shown(flags: tuple[str, ...], folder: Path) -> None:
    ended = thresher("extract", "in/0.html", "missing.html", *flags, cwd=folder)
    assert ended.returncode == 3
    assert "thresher: cannot read missing.html: No such file or directory\n" in ended.stderr


def test_where_nothing_can_be_read_the_command_fails_and_the_file_stays(folder: Path) -> None:
    (folder / "out.json").write_text("yesterday's")
    ended = thresher("extract", "no.html", "none.html", "-f", "json", "-o", "out.json", cwd=folder)
    assert ended.returncode == 1
    assert (folder / "out.json").read_text() == "yesterday's"
    assert thresher("extract", "no.html", "none.html", "-f", "json", cwd=folder).stdout == "[\n]\n"


def test_no_main_text_has_an_exit_code_of_its_own(folder: Path) -> None:
    (folder / "empty.html").write_text(EMPTY_PAGE)
    assert thresher("extract", "empty.html", cwd=folder).returncode == 4
    assert thresher("extract", "empty.html", "empty.html", cwd=folder).returncode == 4
    assert thresher("extract", "empty.html", "in/0.html", cwd=folder).returncode == 0
    ended = thresher("extract", "empty.html", "empty.html", "-q", cwd=folder)
    assert ended.stderr == ""


@pytest.mark.parametrize("name", BINARY)
def test_what_is_no_page_is_named(name: str, folder: Path) -> None:
    body, words = BINARY[name]
    (folder / name).write_bytes(body)
    ended = thresher("extract", name, cwd=folder)
    assert ended.returncode == 1
    assert f"thresher: {name}: {words}" in ended.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("in", "--url", "http://a.test/"), "--url is for one page"),
        (("-", "--from", "-"), "standard input can be read only once"),
        (("--from", "none"), "cannot read the list none"),
        (("--from", "/dev/null"), "nothing to extract"),
        (("--from", "bad"), "bad, line 2: 'x' after the tab is not a URL"),
        (("in", "--debug", "x.html"), "--debug shows one page"),
        (("in", "--algorithm", "magic"), "unknown algorithm 'magic'"),
        (("in", "-o", "in/0.html/"), "cannot write to in/0.html/"),
    ],
)
def test_wrong_usage_is_told(args: tuple[str, ...], words: str, folder: Path) -> None:
    (folder / "bad").write_text("in/0.html\nin/1.html\tx\n")
    ended = thresher("extract", *args, cwd=folder)
    assert ended.returncode == 2, ended.stderr
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_page_that_takes_too_long_costs_itself_alone(folder: Path) -> None:
    (folder / "in" / "1.html").write_text("<p>" + "<b>word <i>" * 400_000)
    environ = os.environ | {"THRESHER_EXTRACT_TIMEOUT_S": "20", "THRESHER_EXTRACT_MEMORY_BYTES": "60000000"}
    ended = thresher("extract", "in", "-f", "jsonl", cwd=folder, environ=environ)
    assert len(ended.stdout.splitlines()) >= 4, ended.stderr
    assert "Traceback" not in ended.stderr


def test_an_interrupted_batch_keeps_its_finished_files(folder: Path) -> None:
    os.mkfifo(folder / "blocks.html")  # nobody ever writes to it, so the batch cannot end by itself
    command = Command("extract", "in", "blocks.html", "-o", "out/", cwd=folder)
    try:
        while not list(folder.glob("out/*.md")) and command.poll() is None:
            time.sleep(0.01)
        command.send_signal(signal.SIGINT)
        assert command.wait(300) == 130
    finally:
        command.kill()
    assert list(folder.glob("out/*.md"))
    assert not list(folder.glob("out/.*"))
