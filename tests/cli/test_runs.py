"""`thresher runs` and its report, as a person types it; what was crawled is hostile here."""

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from lxml import html as lxml_html

from thresher import wiring
from thresher.analysis import report_page
from thresher.cli import exits
from thresher.cli.main import run
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.discovery.scope import Scope
from thresher.frontier.contract import Rules, Settlement
from thresher.model import Block, Document, Fate, Kind, Link, Outcome, Page, Post, RunState, Span
from thresher.store.contract import Record

AT = datetime(2026, 11, 16, 12, tzinfo=UTC)
SITE = "https://a.test"
XSS = "</title></textarea><script>alert(1)</script><img src=x onerror=alert(2)>\"'&"
URL_XSS = f"{SITE}/?q=%22%3E<script>alert(3)</script>\"onmouseover='alert(4)'"
OUTSIDE = "http://127.0.0.1:9"  # where a page that is shown would load from, until a test says another
Say = Callable[..., tuple[int, str, str]]


def article(url: str, title: str, **values: object) -> Document:
    blocks = (Block((Span(f"Main text. {XSS}"), Span("go", href="javascript:alert(5)"))),)
    return Document(url, Kind.ARTICLE, 1.0, title=title, blocks=blocks, language="en", **values)  # type: ignore[arg-type]


def raw(outside: str) -> bytes:
    return f"""<html><head><title>Raw {XSS}</title><meta http-equiv="refresh" content="0;url={outside}/refresh">
    <link rel="stylesheet" href="{outside}/style">
    <script>top.document.title = 'owned'; fetch('{outside}/script')</script>
    </head><body onload="parent.document.title='owned'"><img src="{outside}/image"><IMG src=y>
    <iframe src="{outside}/frame"></iframe><p>cached words</p></body></html>""".encode()


def fill(corpus: Corpus, outside: str = OUTSIDE) -> None:
    """A run with a listing, a hostile article, a thread of two pages, a redirect, a 404, one given up and refusals."""
    options = {"scope": Scope.around([SITE]).as_json(), "limit": None, "refresh": False, "means": {"delay_s": 0.0}}
    store = corpus.store
    store.start_run([f"{SITE}/"], options, AT)
    seconds = iter(range(1, 100))

    def fate(url: str, state: str, reason: str, status: int | None, detail: str = "") -> Fate:
        return Fate(url, 1, state, reason, AT + timedelta(seconds=next(seconds)), detail, status, f"{SITE}/")

    def page(url: str, status: int = 200, kind: str = "text/html") -> Page:
        return Page(url, status, raw(outside), AT, {"content-type": kind})

    links = (Link(f"{SITE}/1"), Link(f"{SITE}/2"))
    store.save(Record(fate(f"{SITE}/", "skipped", "listing", 200), page(f"{SITE}/"), None, links))
    store.save(Record(fate(URL_XSS, "stored", "stored", 200), page(URL_XSS), article(URL_XSS, XSS)))
    thread, further = f"{SITE}/t", f"{SITE}/t?page=2"
    posts = (Post(XSS, AT, f"post {XSS}", 1, id="1"),)
    talk = Document(thread, Kind.THREAD, 1.0, title="A thread", language="en", posts=posts)
    store.save(Record(fate(thread, "stored", "stored", 200), page(thread), talk, thread=thread))
    store.save(Record(fate(further, "stored", "thread-page", 200), page(further), talk, thread=thread, part=2))
    store.save(Record(fate(f"{SITE}/old", "skipped", "redirected", 301), page(f"{SITE}/old", 301)))
    store.save(Record(fate(f"{SITE}/gone", "skipped", "http-404", 404, XSS), page(f"{SITE}/gone", 404)))
    store.save(Record(fate(f"{SITE}/dead", "buried", "timeout", None)))
    store.save(Record(fate(f"{SITE}/no", "skipped", "robots-disallowed", None)))
    store.save(Record(fate(f"{SITE}/pdf", "skipped", "not-html", 200), page(f"{SITE}/pdf", kind="application/pdf")))
    store.note(
        [fate("https://b.test/", "refused", "off-host", None), fate("https://c.test/", "refused", "off-host", None)]
    )
    store.count_unlisted(1, {"off-host": 5})
    store.end_run(1, RunState.FINISHED, AT + timedelta(seconds=20))
    frontier = corpus.frontier("run-1", Rules(delay_s=0.0))
    frontier.offer([Link(f"{SITE}/dead")])
    (lease,) = frontier.lease("w", 1)
    frontier.settle([Settlement(lease, Outcome.BURY, "timeout")])
    frontier.offer([Link(f"{SITE}/waiting")])


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    monkeypatch.setenv("THRESHER_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    opened = wiring.open_corpus(Settings(data=str(tmp_path / "data")))
    yield opened
    opened.close()


@pytest.fixture
def say(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> Say:
    """Run a command; return its exit code, and what it wrote to standard output and standard error."""

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["runs", *words])
        written = capsys.readouterr()
        return code, written.out, written.err

    return typed


def test_runs_are_listed_with_what_they_brought(corpus: Corpus, say: Say) -> None:
    assert say("list") == (exits.DONE, "", "no run yet; `thresher crawl URL` starts one\n")
    fill(corpus)
    (row,) = json.loads(say("list", "-f", "json")[1])
    assert (row["run"], row["state"], row["documents"], row["failed"]) == (1, "finished", 2, 2)
    assert (row["links"], row["duration"], row["starts"]) == (16, "20.0 s", f"{SITE}/")


def test_a_run_that_is_not_there_is_one_clear_line(corpus: Corpus, say: Say) -> None:
    assert say("show")[2] == "thresher: there is no run yet; `thresher crawl URL` starts one\n"
    fill(corpus)
    code, _, err = say("report", "7")
    assert (code, err) == (exits.USAGE, "thresher: there is no run '7'; `thresher runs list` lists them all\n")


def test_the_numbers_of_a_run_are_those_counted_by_hand(corpus: Corpus, say: Say) -> None:
    fill(corpus)
    told = json.loads(say("show", "-f", "json")[1])
    # 9 with a fate of their own, 2 + 5 refused, 1 in the queue; the refused and robots.txt's one are not allowed
    assert told["funnel"] == {"found": 17, "allowed": 9, "fetched": 5, "article": 2, "new": 2}
    assert (told["failed"], told["waiting"], told["duration_s"], told["pages_per_s"]) == (2, 1, 20.0, 0.25)
    assert told["reasons"]["refused"] == {"off-host": 7}
    assert told["statuses"] == {"200": 5, "301": 1, "404": 1}
    assert told["languages"] == {"en": 2}
    assert told["hosts"] == [{"host": "a.test", "asked": 9, "fetched": 5, "documents": 2, "failed": 2}]
    listing, hostile, *_ = told["pages"]
    assert len(told["pages"]) == 9
    assert (listing["status"], listing["outlinks"], listing["images"]) == (200, 2, 3)
    assert listing["bytes"] == len(raw(OUTSIDE))
    assert listing["title"] == "Raw"
    assert (hostile["title"], hostile["url"], hostile["new"]) == (XSS, URL_XSS, True)


def test_what_an_earlier_run_had_is_not_new(corpus: Corpus, say: Say) -> None:
    fill(corpus)
    later = corpus.store.start_run([f"{SITE}/"], {}, AT + timedelta(days=1))
    fate = Fate(URL_XSS, later.id, "stored", "stored", AT + timedelta(days=1, seconds=1), status=200)
    corpus.store.save(Record(fate, Page(URL_XSS, 200, b"<p>", AT), article(URL_XSS, "Changed")))
    assert json.loads(say("show", "2", "-f", "json")[1])["funnel"]["new"] == 0


def test_pages_come_as_csv_and_json_lines_and_in_columns(corpus: Corpus, say: Say) -> None:
    fill(corpus)
    rows = list(csv.DictReader(io.StringIO(say("show", "-f", "csv")[1])))
    assert [row["reason"] for row in rows][:4] == ["listing", "stored", "stored", "thread-page"]
    assert rows[3]["title"] == "A thread"
    assert len([json.loads(line) for line in say("show", "-f", "jsonl")[1].splitlines()]) == 9
    text = say("show", "-n", "2")[1]
    assert "found 17 → allowed 9 → fetched 5 → article 2 → new 2" in text
    assert "and 7 more pages: thresher runs show 1 -f csv" in text


def test_nothing_that_was_crawled_becomes_markup_of_the_report(corpus: Corpus, say: Say, tmp_path: Path) -> None:
    fill(corpus)
    assert say("report", "-o", "r.html")[0] == exits.DONE
    page = lxml_html.fromstring((tmp_path / "r.html").read_text("utf-8"))
    assert page.xpath("//script | //link | //object | //embed | //form | //base | //img") == []
    assert [name for element in page.iter() for name in element.attrib if str(name).startswith("on")] == []
    addresses = {str(value) for value in page.xpath("//@href | //@src")}
    assert all(address.startswith(SITE) for address in addresses)
    assert XSS in page.text_content()
    assert URL_XSS in {str(value) for value in page.xpath("//a/@href")}
    frames = page.xpath("//iframe")
    assert frames
    assert all(frame.attrib["sandbox"] == "" for frame in frames)
    assert any("cached words" in frame.attrib["srcdoc"] for frame in frames)
    assert "default-src 'none'" in page.xpath("string(//meta[@http-equiv='Content-Security-Policy']/@content)")


def test_versions_go_to_a_folder_where_that_is_asked_for(corpus: Corpus, say: Say, tmp_path: Path) -> None:
    fill(corpus)
    assert say("report", "-o", "my report.html", "--with-pages")[0] == exits.DONE
    page = lxml_html.fromstring((tmp_path / "my report.html").read_text("utf-8"))
    links = [str(href) for href in page.xpath("//div[@class='tools']/a/@href")]
    assert links[:3] == [
        f"my%20report-pages/{name}" for name in ("000001-cached.html", "000002-cleaned.html", "000002-cached.html")
    ]
    for href in links:
        text = (tmp_path / href.replace("%20", " ")).read_text("utf-8")
        assert "Content-Security-Policy" in text
        assert lxml_html.fromstring(text).xpath("//script") == []
    code, _, err = say("report", "-o", "my report.html", "--with-pages")
    assert (code, "exists and is not empty" in err) == (exits.USAGE, True)


def test_a_long_run_is_cut_and_its_pages_are_in_a_file_beside(
    corpus: Corpus, say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_page, "MAX_ROWS", 3)
    monkeypatch.setattr(report_page, "MAX_EMBEDDED", 2_000)
    fill(corpus)
    _, _, err = say("report", "-o", "r.html")
    text = (tmp_path / "r.html").read_text("utf-8")
    assert "The first 3 of 9 pages; all of them are in r.csv." in text
    assert "no room here, use --with-pages" in text
    assert len(lxml_html.fromstring(text).xpath("//h2[@id='pages']/following-sibling::table//tr")) == 1 + 3
    assert len(list(csv.reader(io.StringIO((tmp_path / "r.csv").read_text("utf-8"))))) == 1 + 9
    assert "r.csv" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--report", "no/such/r.html"], "there is no folder no/such"),
        (["--report", "r.html", "--dry-run"], "leave --dry-run and --enqueue out"),
    ],
)
def test_a_report_that_cannot_be_written_is_refused_before_the_crawl(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["crawl", "http://127.0.0.1:9/", *words]) == exits.USAGE
    assert told in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_retry_brings_back_what_was_given_up(corpus: Corpus, say: Say) -> None:
    fill(corpus)
    code, _, err = say("retry", "1", "--enqueue")
    assert code == exits.DONE
    assert "1 link of run 1 will be tried again" in err
    assert "1 of 2 failures answered with an error or cannot be read, and stay" in err
    census = corpus.overseer("run-1", Rules()).census()
    assert (census.pending, census.dead) == (2, 0)
    again = corpus.store.run(1)
    assert again
    assert again.state is RunState.RUNNING
    assert say("retry", "1", "--enqueue")[0] == exits.EMPTY


class _Listener(BaseHTTPRequestHandler):
    """Notes what it is asked for."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")
def test_a_browser_runs_nothing_and_asks_nobody(corpus: Corpus, say: Say, tmp_path: Path) -> None:
    asked: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Listener", (_Listener,), {"asked": asked}))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        fill(corpus, f"http://127.0.0.1:{server.server_port}")
        say("report", "-o", "r.html")
        report = (tmp_path / "r.html").read_text("utf-8").replace("<details>", "<details open>")
        shown = seen_by_browser(tmp_path, report)
        asked_by_report = list(asked)
        seen_by_browser(tmp_path, report.replace(report_page.POLICY, ""))
    finally:
        server.shutdown()
        server.server_close()
    assert re.search(r"<title>Run 1: https://a.test/</title>", shown)
    assert "cached words" in shown
    assert asked_by_report == []
    assert "/image" in asked  # which the policy prevents


def seen_by_browser(folder: Path, text: str) -> str:
    file = folder / "shown.html"
    file.write_text(text, "utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command = ["chromium", *options, "--virtual-time-budget=3000", "--dump-dom", file.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False).stdout
