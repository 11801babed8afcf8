"""`thresher reextract`: stored pages are read anew; what comes of it is what a crawl would store."""

import os
import signal
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import thresher
from tests.batch.archives import page
from tests.commands import run
from tests.crawl import paged_site
from tests.crawl.harness import ENVIRON
from thresher import wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.crawling.reextraction import BATCH
from thresher.model import Block, Document, Fate, Kind, Span
from thresher.sample import SampleWeb, serve
from thresher.store.contract import Record

AT = datetime(2026, 3, 4, tzinfo=UTC)
MANY = 2 * BATCH + 30
MEMBERS = r"profile|/members|space-uid|/out/|sort="


def command(data: Path, *args: str, code: int = 0) -> str:
    quiet = ("--jobs", "1", "--progress", "none") if args[0] == "reextract" else ()
    ended = run("--data", str(data), *args, *quiet, environ=os.environ | ENVIRON | {"THRESHER_SITE_MEMORY": "false"})
    assert ended.returncode == code, ended.stderr
    return ended.stdout + ended.stderr


def opened(data: Path) -> Corpus:
    return wiring.open_corpus(Settings(data=str(data)), create=False)


def contents(data: Path) -> dict[str | None, Any]:
    """What documents say, without what tells who said so."""
    with thresher.open(data) as corpus:
        found = {each.url: each.to_dict() for each in corpus}
    quiet = ("confidence", "evidence", "verdict", "algorithm", "copy_group")
    told = {url: {name: value for name, value in each.items() if name not in quiet} for url, each in found.items()}
    for each in told.values():  # "two weeks ago" is another second in another crawl; a post may stand on several pages
        if each["kind"] == "thread":
            each["published"] = None
            each["posts"] = [post | {"published": None, "permalink": None} for post in each["posts"]]
    return told


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A forum and articles of several pages, crawled with the default algorithm and with a poorer one."""
    folders = tmp_path_factory.mktemp("good"), tmp_path_factory.mktemp("poor")
    web = SampleWeb(pages=12, crawl_delay_s=None, reference=datetime(2026, 11, 1, tzinfo=UTC))
    with serve(web) as site, paged_site.served(paged_site.site()) as origin:
        for folder, flags in zip(folders, ((), ("--algorithm", "cetr")), strict=True):
            starts = (f"{origin}/", site.starts[2])
            line = ("--delay", "0", "--progress", "none", "--concurrency", "1", "--exclude", MEMBERS, *flags)
            command(folder, "crawl", *starts, *line)
    return folders


def test_what_a_poorer_extractor_stored_becomes_what_the_present_one_would_have(crawled: tuple[Path, Path]) -> None:
    good, poor = crawled
    before, pages = contents(poor), stored_pages(poor)
    assert before != contents(good)
    told = command(poor, "reextract", "--dry-run")
    assert f"{len(before)} documents read again" in told
    assert contents(poor) == before
    expected = told.replace("would change", "changed")
    assert command(poor, "reextract") == expected
    assert contents(poor) == contents(good)
    assert stored_pages(poor) == pages
    corpus = opened(poor)
    try:
        walk = next(str(url) for url in before if str(url).endswith("/walk/"))
        kept = [version.text for version in corpus.store.versions(walk)]
        assert kept == [before[walk]["text"], contents(good)[walk]["text"]]
        assert corpus.index.count() == len(before)
    finally:
        corpus.close()
    assert f"{len(before)} documents read again, 0 changed" in command(poor, "reextract")


def test_documents_that_come_out_the_same_are_not_touched(crawled: tuple[Path, Path]) -> None:
    good, _ = crawled
    corpus = opened(good)
    before = corpus.store.changes(0, limit=1000), list(corpus.store.stored())
    corpus.close()
    assert f"{len(before[1])} documents read again, 0 changed" in command(good, "reextract")
    corpus = opened(good)
    assert (corpus.store.changes(0, limit=1000), list(corpus.store.stored())) == before
    corpus.close()


def stored_pages(data: Path) -> list[Any]:
    """All raw pages, with the runs that fetched them and what they led to."""
    corpus = opened(data)
    try:
        visits = [visit for visit in corpus.store.visits(1) if visit.page]
        return [(each.page, each.page_run, corpus.store.outlinks(each.fate.url)) for each in visits]
    finally:
        corpus.close()


@pytest.fixture
def poor(tmp_path: Path) -> Path:
    """Many articles of which half a sentence was stored, and one that came without its page."""
    corpus = wiring.open_corpus(Settings(data=str(tmp_path / "data")))
    corpus.store.start_run(["https://site0.example/"], {}, AT)
    for number in range(MANY):
        raw = page(number)
        document = Document(raw.url, Kind.ARTICLE, 0.9, f"old {number}", (Block((Span(f"The ferry {number}"),)),))
        at = AT + timedelta(seconds=number)
        kept = replace(raw, body=b"") if number == 0 else raw
        corpus.store.save(Record(Fate(raw.url, 1, "stored", "stored", at, status=200), kept, document))
    corpus.index.add(list(corpus.store.documents()), AT, run=1)
    corpus.close()
    return tmp_path / "data"


def changed(data: Path) -> int:
    corpus = opened(data)
    try:
        return sum(stored.run > 1 for stored in corpus.store.stored())
    finally:
        corpus.close()


def test_one_that_was_killed_goes_on_where_it_was_and_doubles_nothing(poor: Path) -> None:
    line = ["--data", str(poor), "reextract", "--jobs", "1", "--progress", "none"]
    ended = run(*line, module="tests.crawl.killed_reextract", environ=os.environ | ENVIRON)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    before = changed(poor)
    assert 0 < before < MANY - 1
    told = command(poor, "reextract")
    assert "continuing where run 2 was interrupted" in told
    assert f"{MANY - 1 - before} changed" in told
    assert f"{MANY - 1 - before} documents read again" in told
    corpus = opened(poor)
    try:
        urls = [str(document.url) for document in corpus.store.documents()]
        assert len(urls) == len(set(urls)) == corpus.index.count() == MANY
        counts = {len(corpus.store.versions(url)) for url in urls if url != page(0).url}
        assert counts == {2}
        assert [run.id for run in corpus.store.runs()] == [2, 1]
        assert [stored.first_seen for stored in corpus.store.stored()] == [
            AT + timedelta(seconds=n) for n in range(MANY)
        ]
    finally:
        corpus.close()
    assert f"{MANY} documents read again, 0 changed" in command(poor, "reextract")


def test_a_query_says_what_is_read_anew_and_what_has_no_page_is_told(poor: Path) -> None:
    told = command(poor, "reextract", '"old 7"')
    assert "1 document read again, 1 changed" in told
    assert changed(poor) == 1
    with thresher.open(poor) as corpus:
        assert [hit.url for hit in corpus.search('"ferry number 7 is late"')] == [page(7).url]
        assert not corpus.count('"old 7"')
    told = command(poor, "reextract", '"old 0"', code=2)
    assert "left as they are: 1 no-raw-page" in told
    assert "no raw page of these documents is stored" in told
    assert "0 documents read again" in command(poor, "reextract", "nowhere", code=4)
    assert "unknown algorithm" in command(poor, "reextract", "--algorithm", "nope", code=2)
