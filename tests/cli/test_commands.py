"""The commands as a person types them."""

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.commands import run as thresher
from thresher.cli.main import COMMANDS, Commands, cli

ARTICLE = """<html lang="en"><head><title>The ferry is late again - Harbour News</title>
<meta property="article:published_time" content="2026-03-04T05:06:07+00:00"></head><body>
<nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
<article><h1>The ferry is late again</h1>
<p>The ferry to the islands was late again on Tuesday, and the people who were waiting for it had to stand in the rain
for more than an hour.</p>
<p>It is the third time in a month that this has happened, and the company says that it will buy a new boat as soon as
it can find one that is not too large for the old pier.</p></article></body></html>"""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, tmp_path: Path) -> None:
    ended = thresher(command, "--help", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert len(ended.stdout.splitlines()) >= 5


def test_the_list_of_commands_cuts_no_explanation_short() -> None:
    def cut(group: click.Command, name: str) -> list[str]:
        if not isinstance(group, click.Group) or not group.commands:
            return []
        room = 80 - 6 - max(map(len, group.commands))  # click's, on a terminal of 80 columns
        helps = {f"{name} {each}": one.get_short_help_str(room) for each, one in group.commands.items()}
        short = [each for each, said in helps.items() if said.endswith("...")]
        return [*short, *(word for each, one in group.commands.items() for word in cut(one, f"{name} {each}"))]

    assert isinstance(cli, Commands)
    context = click.Context(cli)
    assert [word for name in COMMANDS for word in cut(cli.get_command(context, name) or cli, name)] == []


def test_a_command_starts_where_nothing_is_loaded_yet(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "thresher", "crawl", "--help"]
    ended = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=280, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == thresher("crawl", "--help", cwd=tmp_path).stdout


def test_the_guide_names_every_option_of_crawl() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guide.md").read_text("utf-8")
    for option in ("--limit", "--max-depth", "--include", "--exclude", "--subdomains", "--any-host", "--delay"):
        assert option in guide


@pytest.mark.parametrize("format_", ["md", "txt", "json", "jsonl", "csv", "html", "xml"])
def test_extract_prints_every_format(format_: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(ARTICLE)
    ended = thresher("extract", "page.html", "-f", format_, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "third time in a month" in ended.stdout
    assert "Sport" not in ended.stdout


def test_extract_reads_a_pipe_and_tells_where_each_field_was_found(tmp_path: Path) -> None:
    ended = thresher("extract", "-f", "json", "--url", "https://harbour.example/ferry", cwd=tmp_path, stdin=ARTICLE)
    found = json.loads(ended.stdout)
    assert found["title"] == "The ferry is late again"
    assert found["published"].startswith("2026-03-04T05:06:07")
    assert found["site"] == "harbour.example"
    assert set(found["evidence"]) >= {"title", "published"}


def test_extract_goes_on_after_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(ARTICLE)
    (tmp_path / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    ended = thresher("extract", "image.png", "page.html", "-f", "txt", cwd=tmp_path)
    assert ended.returncode == 3
    assert "image.png" in ended.stderr
    assert "third time" in ended.stdout


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("crawl",), 2, "give a URL"),
        (("crawl", "ftp://a.test/"), 2, "http"),
        (("crawl", "http://a.test/", "--include", "("), 2, "regular expression"),
        (("crawl", "http://a.test/", "--algorithm", "magic"), 2, "unknown algorithm 'magic'"),
        (("crawl", "--resume"), 2, "nothing was collected"),
        (("crawl", "http://a.test/", "--limit", "0"), 2, "--limit"),
        (("search", "word"), 2, "nothing was collected"),
        (("why", "http://a.test/"), 2, "nothing was collected"),
        (("extract", "missing.html"), 2, "cannot read missing.html"),
        (("extract", "www.example.org/news"), 2, "for a web page, write https://www.example.org/news"),
        (("extract", "page.html", "--algorithm", "cetd", "--model", "page.html"), 2, "cetd is not trained"),
        (("train", "--algorithm", "thresher", "-o", "no/such/folder/m", "."), 2, "cannot write no/such/folder/m"),
        (("nonsense",), 2, "there is no command nonsense; `thresher --help` lists the commands"),
        (("serach", "word"), 2, "did you mean `thresher search`?"),
        (("example.org",), 2, "did you mean `thresher crawl example.org`?"),
        (("page.html",), 2, "did you mean `thresher extract page.html`?"),
        (("crawl", "nonsense"), 2, "nonsense is not a URL; for a host of this name, write https://nonsense"),
        (("probe", "nonsense/a.b"), 2, "nonsense/a.b is not a URL"),
        (("crawl", "--resume", "--max-depth", "3"), 2, "keeps its scope"),
        (("init", "no/such/folder/t.toml"), 2, "cannot write"),
        (("--data", "page.html", "crawl", "http://a.test/"), 1, "cannot create the data folder page.html"),
        (("--data", "page.html/inside", "crawl", "http://a.test/"), 1, "cannot create the data folder"),
        (("--config", "none.toml", "config", "show"), 2, "no settings file"),
        (("extract", "http://127.0.0.1:9/"), 6, "address-refused"),
        (("probe", "http://127.0.0.1:9/"), 6, "address-refused"),
    ],
)
def test_wrong_usage_gets_a_clear_message_and_no_traceback(
    args: tuple[str, ...], code: int, words: str, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(ARTICLE)
    ended = thresher(*args, cwd=tmp_path)
    assert ended.returncode == code, ended.stderr
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr


def test_files_that_are_missing_or_broken_do_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(ARTICLE)
    ended = thresher("extract", "missing.html", "page.html", "-f", "txt", cwd=tmp_path)
    assert ended.returncode == 3
    assert "cannot read missing.html" in ended.stderr
    assert ended.stdout.count("The ferry is late again") == 1


def test_a_file_that_cannot_be_read_leaves_the_output_of_before(tmp_path: Path) -> None:
    (tmp_path / "out.md").write_text("yesterday's text")
    assert thresher("extract", "missing.html", "-o", "out.md", cwd=tmp_path).returncode == 2
    assert (tmp_path / "out.md").read_text() == "yesterday's text"


def test_a_page_without_text_is_remarked_on(tmp_path: Path) -> None:
    ended = thresher("extract", "-f", "txt", cwd=tmp_path, stdin="<p></p>")
    assert (ended.returncode, ended.stdout.strip()) == (4, "")
    assert "no main text in standard input" in ended.stderr


@pytest.mark.parametrize(
    ("page", "remark"),
    [("listing-home", "looks like a listing, not an article"), ("error-page", "does not look like an article")],
)
def test_a_page_that_is_no_article_is_remarked_on(page: str, remark: str, tmp_path: Path) -> None:
    source = Path(__file__).parent.parent / "pages" / page / "source.html"
    ended = thresher("extract", str(source), cwd=tmp_path)
    assert ended.returncode == 0
    assert remark in ended.stderr


def test_the_doctor_sees_that_the_data_folder_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(ARTICLE)
    ended = thresher("--data", "page.html", "doctor", cwd=tmp_path)
    assert ended.returncode == 1
    assert "page.html is a file" in ended.stdout


def test_a_crawl_that_may_fetch_nothing_says_why(tmp_path: Path) -> None:
    ended = thresher("crawl", "http://127.0.0.1:9/", cwd=tmp_path)
    assert ended.returncode == 6
    assert "--allow-address allows it" in ended.stderr


def test_a_quiet_crawl_that_fails_says_so(tmp_path: Path) -> None:
    ended = thresher("crawl", "http://127.0.0.1:9/", "-q", cwd=tmp_path)
    assert ended.returncode == 6
    assert ended.stderr.startswith("thresher: address-refused: a private or reserved address")
    assert len(ended.stderr.splitlines()) == 1


def test_a_crawl_whose_frontier_is_away_leaves_no_run_behind(tmp_path: Path) -> None:
    ended = thresher("crawl", "http://127.0.0.1:9/", "--frontier", "redis://127.0.0.1:9/0", cwd=tmp_path)
    assert ended.returncode == 5
    assert "there is no run to resume" in thresher("crawl", "--resume", cwd=tmp_path).stderr


def test_a_query_error_points_at_what_was_typed(tmp_path: Path) -> None:
    assert thresher("crawl", "http://127.0.0.1:9/", cwd=tmp_path).returncode == 6
    ended = thresher("search", "foo:bar", cwd=tmp_path)
    assert ended.returncode == 2
    assert "character 1: there is no field 'foo:'" in ended.stderr
    assert ended.stderr.endswith("\n  foo:bar\n  ^\n")


def test_a_dead_server_is_unreachable(tmp_path: Path) -> None:
    (tmp_path / "thresher.toml").write_text('allowed_addresses = ["127.0.0.1"]\n')
    ended = thresher("extract", "http://127.0.0.1:9/", cwd=tmp_path)
    assert ended.returncode == 5
    assert "connection" in ended.stderr


def test_init_writes_settings_once(tmp_path: Path) -> None:
    assert thresher("init", cwd=tmp_path).returncode == 0
    assert "delay_s" in (tmp_path / "thresher.toml").read_text()
    assert thresher("init", cwd=tmp_path).returncode == 2
    shown = thresher("config", "show", "--origin", cwd=tmp_path)
    assert "delay_s = 1.0  # default" in shown.stdout


def test_the_doctor_finds_this_machine_well(tmp_path: Path) -> None:
    ended = thresher("doctor", cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout
    assert "FAIL" not in ended.stdout


def test_the_doctor_looks_into_what_was_collected(tmp_path: Path) -> None:
    (tmp_path / "thresher-data").mkdir()
    (tmp_path / "thresher-data" / "corpus.db").write_bytes(b"no database" * 1000)
    ended = thresher("doctor", cwd=tmp_path)
    assert ended.returncode == 1
    assert "FAIL  corpus: the database thresher-data/corpus.db failed" in ended.stdout


def test_the_doctor_asks_the_servers_that_are_set(tmp_path: Path) -> None:
    assert thresher("crawl", "http://127.0.0.1:9/", "-q", cwd=tmp_path).returncode == 6
    ended = thresher("doctor", "--frontier", "redis://127.0.0.1:9/0", cwd=tmp_path)
    assert ended.returncode == 1
    assert "FAIL  corpus: the Redis at redis://127.0.0.1:9/0 does not answer" in ended.stdout


def test_a_system_without_process_limits_is_told_so(tmp_path: Path) -> None:
    code = "import sys; sys.modules['resource'] = None; from thresher.cli.main import main; main(['crawl', 'http://a.test'])"
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("thresher: `thresher crawl` needs Linux or macOS")


def test_importing_thresher_loads_no_crawler(tmp_path: Path) -> None:
    code = "import sys, thresher; print([m for m in ('scrapy', 'twisted', 'sqlalchemy', 'click') if m in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


def test_extracting_a_file_loads_no_crawler(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(ARTICLE)
    code = (
        "import sys; from thresher.cli.main import run; run(['extract', 'page.html']);"
        "print([m for m in ('scrapy', 'twisted', 'sqlalchemy', 'rich') if m in sys.modules], file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ended.stderr.strip() == "[]"
