"""`thresher sources` and `thresher follow`, on the sample web and on pages of a folder."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.commands import run
from thresher import wiring
from thresher.catalog.contract import Catalog
from thresher.config import Settings
from thresher.model import EndpointKind, SourceKind
from thresher.sample import RunningSample, SampleWeb, serve

LOOPBACK = ("--allow-address", "127.0.0.1")
Thresher = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def site() -> Iterator[RunningSample]:
    with serve(SampleWeb(pages=30, crawl_delay_s=None, slow_s=0.2)) as running:
        yield running


@pytest.fixture
def thresher(tmp_path: Path) -> Thresher:
    def call(*args: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        return run(*args, cwd=tmp_path, environ=os.environ | {"THRESHER_DELAY_S": "0"}, stdin=stdin)

    return call


def catalog_of(folder: Path) -> Catalog:
    return wiring.open_catalog(Settings(data=str(folder / "thresher-data")), create=False)


def test_a_url_is_enough_and_tells_what_was_found(site: RunningSample, thresher: Thresher, tmp_path: Path) -> None:
    news = site.starts[0]
    ended = thresher("sources", "add", news, "--name", "ferry", "--tag", "press", *LOOPBACK, "-f", "json")
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert (told["name"], told["kind"], told["address"], told["tags"]) == ("ferry", "site", news, ["press"])
    assert told["robots"] == "allowed"
    assert [(e["kind"], e["url"], e["found"]) for e in told["endpoints"]] == [
        ("feed", f"{news}feed.xml", "announced"),
        ("listing", news, "given"),
    ]
    assert [sample["refused"] for sample in told["samples"]] == [None] * 3
    assert all(sample["title"] and sample["published"] and sample["characters"] > 100 for sample in told["samples"])
    catalog = catalog_of(tmp_path)
    assert [e.kind for e in catalog.endpoints("ferry")] == [EndpointKind.LISTING, EndpointKind.FEED]
    source = catalog.source("ferry")
    assert source is not None
    assert source.language == "en"
    catalog.close()


def test_a_forum_is_told_by_its_front_page_and_its_boards_are_asked(site: RunningSample, thresher: Thresher) -> None:
    ended = thresher("sources", "add", site.starts[2], *LOOPBACK, "-f", "json")
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert (told["kind"], told["channel"]) == ("forum", "forum")
    assert len([e for e in told["endpoints"] if e["kind"] == "board"]) > 2
    assert told["samples"][0]["refused"] is None


def test_what_cannot_be_followed_is_refused_with_its_reason(site: RunningSample, thresher: Thresher) -> None:
    news = site.starts[0]
    for address, code, words in (
        (f"{news}nowhere", 1, "answered with status 404"),
        (f"{news}files/annual-report.pdf", 1, "this is a PDF, not a web page"),
        (f"{site.starts[2]}private/moderators.php", 6, "robots-disallowed: the site's robots.txt forbids it"),
        ("http://127.0.0.1:1/", 5, "the server cannot be reached"),
        ("ftp://example.com/", 2, "not an http(s) URL"),
    ):
        ended = thresher("sources", "add", address, *LOOPBACK)
        assert (ended.returncode, words in ended.stderr) == (code, True), ended.stderr
        assert ended.stdout == ""
    assert thresher("sources", "list").stderr.startswith("no source yet")


def test_what_is_followed_already_is_a_duplicate_under_any_of_its_addresses(
    site: RunningSample, thresher: Thresher
) -> None:
    news = site.starts[0]
    assert thresher("sources", "add", news, "--name", "ferry", *LOOPBACK).returncode == 0
    for address in (news, news.rstrip("/"), f"{news}feed.xml", f"{news}world/"):
        ended = thresher("sources", "add", address, *LOOPBACK)
        assert ended.returncode == 2
        assert "is followed already, as ferry" in ended.stderr


def test_wrong_definitions_are_refused_before_anything_is_fetched(site: RunningSample, thresher: Thresher) -> None:
    site.server.forget()
    for flags, words in (
        (("--include", "("), "is not a regular expression"),
        (("--every", "now and then"), "is not a frequency"),
        (("--since", "soon"), "is not a date"),
        (("--name", "two words"), "is not a name"),
    ):
        ended = thresher("sources", "add", site.starts[0], *flags, *LOOPBACK)
        assert (ended.returncode, words in ended.stderr) == (2, True), ended.stderr
    assert site.server.log() == []


def test_patterns_are_tried_on_real_links(site: RunningSample, thresher: Thresher) -> None:
    news = site.starts[0]
    ended = thresher("sources", "test", news, "--include", "/world/", "--exclude", "/2025/", *LOOPBACK, "-f", "json")
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    for link in told["links"]:
        wanted = "/world/" in link["url"] and "/2025/" not in link["url"]
        assert link["follow"] == wanted
        assert (link["reason"] is None) == wanted
    assert {link["reason"] for link in told["links"]} == {None, "excluded", "not included"}
    assert all("/world/" in sample["url"] for sample in told["samples"])
    none = thresher("sources", "test", news, "--include", "/nothing-like-this/", *LOOPBACK)
    assert none.returncode == 4
    assert "0 of" in none.stdout
    listed = [line.split()[1] for line in none.stdout.splitlines() if line.startswith("skip")]
    assert len(listed) == len(set(listed)) > 1  # though the feed and the front page list the same
    unknown = thresher("sources", "test", "nobody")
    assert (unknown.returncode, "there is no source nobody" in unknown.stderr) == (2, True)


def test_a_source_is_edited_paused_resumed_and_removed(thresher: Thresher, tmp_path: Path) -> None:
    assert thresher("sources", "add", "https://a.example/", "--name", "a", "--no-probe", "--tag", "x").returncode == 0
    assert thresher("sources", "add", "https://b.example/feed.xml", "--no-probe").returncode == 0
    rows = json.loads(thresher("sources", "list", "-f", "json").stdout)
    assert [(row["name"], row["kind"], row["tags"]) for row in rows] == [
        ("a", "site", ["x"]),
        ("b.example-feed", "feed", []),
    ]
    edited = thresher("sources", "edit", "a", "--every", "2h", "--limit", "9", "--tag", "y", "--tag", "z")
    assert edited.stdout.splitlines() == ["frequency: - → 2h", "tags: x → y, z", "limit: - → 9"]
    assert thresher("sources", "edit", "a", "--limit", "0", "--tag", "").stdout.splitlines() == [
        "tags: y, z → -",
        "limit: 9 → -",
    ]
    assert thresher("sources", "edit", "a").returncode == 2
    assert thresher("sources", "pause", "a", "nobody").returncode == 2
    assert thresher("sources", "pause", "a").stderr == "thresher: a is paused\n"
    assert thresher("sources", "list", "-f", "csv").stdout.splitlines()[1] == "a,site,paused,2h,1,,https://a.example/"
    assert thresher("sources", "resume", "a").stderr == "thresher: a is active\n"
    assert thresher("sources", "rm", "a", "b.example-feed").returncode == 0
    assert json.loads(thresher("sources", "list", "-f", "json").stdout) == []
    assert thresher("sources", "show", "a").returncode == 2
    catalog = catalog_of(tmp_path)
    assert catalog.endpoints() == []
    catalog.close()


def test_a_list_is_imported_with_a_report_for_each_line(site: RunningSample, thresher: Thresher) -> None:
    news, blog = site.starts[:2]
    lines = [
        news,
        "",
        "# a remark",
        blog,
        f"{blog}feed/atom/",
        news,
        "ftp://x/",
        "http://127.0.0.1:1/",
        f"{news}nowhere",
    ]
    ended = thresher("sources", "import", "-", *LOOPBACK, "-f", "json", stdin="\n".join(lines))
    assert ended.returncode == 3, ended.stderr
    rows = json.loads(ended.stdout)
    results = [(row["line"], row["result"]) for row in rows]
    assert results == [
        (1, "added"),
        (4, "added"),
        (5, "duplicate"),
        (6, "duplicate"),
        (7, "invalid"),
        (8, "dead"),
        (9, "dead"),
    ]
    assert rows[0]["detail"] == "1 feed, 1 listing"
    assert "2 added" in ended.stderr


def test_csv_and_opml_come_back_as_they_were_exported(thresher: Thresher, tmp_path: Path) -> None:
    add = ("sources", "add", "--no-probe")
    flags = (
        "--tag",
        "x",
        "--tag",
        "y z",
        "--include",
        "-a;b",
        "--include",
        "/c/",
        "--limit",
        "7",
        "--since",
        "2026-01-31",
    )
    assert thresher(*add, "https://a.example/", "--name", "a", *flags).returncode == 0
    assert thresher(*add, "https://b.example/feed.xml", "--name", "b", "--lang", "zh").returncode == 0
    for format_ in ("csv", "opml"):
        assert thresher("sources", "export", "-f", format_, "-o", f"s.{format_}").returncode == 0
        other = ("--data", f"from-{format_}")
        imported = thresher(*other, "sources", "import", f"s.{format_}", "--no-probe", "-f", "json")
        assert imported.returncode == 0, imported.stderr
        assert [row["result"] for row in json.loads(imported.stdout)] == ["added", "added"]
    first = json.loads(thresher("sources", "export", "-f", "json").stdout)
    second = json.loads(thresher("--data", "from-csv", "sources", "export", "-f", "json").stdout)
    assert [source | {"created_at": None} for source in first] == [source | {"created_at": None} for source in second]
    feeds = json.loads(thresher("--data", "from-opml", "sources", "export", "-f", "json").stdout)
    assert [(source["address"], source.get("tags"), source.get("language")) for source in feeds] == [
        ("https://a.example/", ["x", "y z"], None),
        ("https://b.example/feed.xml", None, "zh"),
    ]


def test_a_file_is_applied_with_a_plan_and_only_once(thresher: Thresher, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(
        '[[source]]\nname = "a"\naddress = "a.example"\ntags = ["x"]\n\n[[source]]\nname = "b"\naddress = "b.example"\n'
    )
    dry = thresher("sources", "apply", "s.toml", "--dry-run")
    assert dry.returncode == 0, dry.stderr
    assert dry.stdout.splitlines() == [
        "+ a",
        "    kind: site",
        "    address: https://a.example/",
        "    tags: x",
        "+ b",
        "    kind: site",
        "    address: https://b.example/",
        "2 to add, 0 to change, 0 to remove",
    ]
    assert not (tmp_path / "thresher-data").exists()
    assert thresher("sources", "apply", "s.toml", "--no-probe").returncode == 0
    again = thresher("sources", "apply", "s.toml", "--no-probe")
    assert again.stdout == "0 to add, 0 to change, 0 to remove\n"
    (tmp_path / "s.toml").write_text('[[source]]\nname = "a"\naddress = "a.example"\ntags = ["y"]\n')
    changed = thresher("sources", "apply", "s.toml")
    assert changed.stdout.splitlines() == [
        "~ a",
        "    tags: x → y",
        "  b (not in the file; --prune removes it)",
        "0 to add, 1 to change, 0 to remove",
    ]
    assert "- b" in thresher("sources", "apply", "s.toml", "--prune").stdout
    catalog = catalog_of(tmp_path)
    assert [(source.name, source.tags) for source in catalog.sources()] == [("a", ("y",))]
    assert [endpoint.url for endpoint in catalog.endpoints("a")] == ["https://a.example/"]
    catalog.close()
    wrong = thresher("sources", "apply", "nothing.toml")
    assert (wrong.returncode, wrong.stderr) == (2, "thresher: cannot read nothing.toml: No such file or directory\n")


def test_what_is_exported_is_applied_back_without_a_request(
    site: RunningSample, thresher: Thresher, tmp_path: Path
) -> None:
    assert thresher("sources", "add", site.starts[0], *LOOPBACK).returncode == 0
    assert thresher("sources", "export", "-o", "s.toml").returncode == 0
    site.server.forget()
    assert thresher("--data", "other", "sources", "apply", "s.toml").returncode == 0
    assert thresher("--data", "other", "sources", "export").stdout == (tmp_path / "s.toml").read_text()
    assert site.server.log() == []


def test_following_a_url_collects_what_it_lists(site: RunningSample, thresher: Thresher, tmp_path: Path) -> None:
    ended = thresher("follow", site.starts[1], "--name", "blog", "--pages", "8", *LOOPBACK)
    assert ended.returncode == 0, ended.stderr
    catalog = catalog_of(tmp_path)
    source = catalog.source("blog")
    assert source is not None
    assert source.kind is SourceKind.SITE
    stored = sum(catalog.tally("blog").values())
    catalog.close()
    assert stored > 2
    shown = thresher("sources", "show", "blog")
    assert f"validation: {stored} of {stored} pages gave a document" in shown.stdout
    assert "sources: 1 source, 0 with problems" in thresher("doctor").stdout
