"""Reports of runs: small ones at once, large ones worked out beside the server; and what is kept of dear reading."""

import asyncio
import time
from typing import Any

import pytest

from tests.contracts.store_words import NOW, fate
from tests.web.browsers import Browser, Served
from tests.web.corpus import fill
from thresher.catalog.accounts import Scope
from thresher.crawling.corpus import Corpus
from thresher.model import Run, RunState
from thresher.store.contract import Record
from thresher.web import reports
from thresher.web.corpora import OpenCorpus
from thresher.web.recent import DEAR_S, MOST_S, TIMES, Recent

PATIENCE_S = 120.0  # for a process to start on a busy machine


@pytest.fixture
def reader(served: Served) -> Browser:
    served.do(served.site.corpora.write(fill))
    return served.program("viewer", Scope.READ)


def no_counting(corpus: Corpus, run: Run) -> dict[str, object]:
    raise AssertionError("a large run is not counted in the process of the server")


def test_a_small_run_is_counted_at_once(reader: Browser) -> None:
    answer = reader.get("/crawls/1/report.json")
    assert answer.status_code == 200
    assert answer.json()["funnel"]["article"] == 5
    assert reader.get("/api/v1/runs/1/summary").json()["funnel"] == answer.json()["funnel"]


def test_a_large_run_is_counted_beside_the_server(reader: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    small = reader.get("/crawls/1/report.json").json()
    monkeypatch.setattr(reports, "LARGE", 1)
    monkeypatch.setattr(reports, "summary_of", no_counting)
    first = reader.get("/crawls/1/report")
    assert first.status_code == 200 or (first.status_code, first.headers["retry-after"]) == (202, "3")
    assert first.status_code == 200 or "hx-trigger" in first.text, "the page comes back by itself"
    table = reader.get("/crawls/1/report.csv")
    assert table.status_code in (200, 503), "an unfinished report is no empty table"
    large = _once_there(reader, "/crawls/1/report.json", 202)
    assert large["funnel"] == small["funnel"]
    assert _once_there(reader, "/api/v1/runs/1/summary", 503)["hosts"] == small["hosts"]


def test_a_large_run_is_counted_anew_when_it_has_gone_on(
    served: Served, reader: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "LARGE", 1)
    before = _once_there(reader, "/api/v1/runs/1/summary", 503)
    served.do(served.site.corpora.write(_go_on))
    after = _once_there(reader, "/api/v1/runs/1/summary", 503)
    assert after["funnel"]["found"] == before["funnel"]["found"] + 1


def test_a_run_that_is_not_there_has_no_report(reader: Browser) -> None:
    assert reader.get("/crawls/99/report.json").status_code == 404
    assert reader.get("/api/v1/runs/99/summary").status_code == 404


def test_dear_reading_is_kept_for_a_multiple_of_what_it_took() -> None:
    now, read = [0.0], list[int]()

    async def dear() -> tuple[int, float]:
        read.append(1)
        return len(read), 2 * DEAR_S

    async def ask() -> list[int]:
        recent = Recent(lambda: now[0])
        told = [await recent.get("a", dear), await recent.get("a", dear)]
        now[0] += 2 * DEAR_S * TIMES
        told.append(await recent.get("a", dear))
        recent.forget()
        return [*told, await recent.get("a", dear)]

    assert asyncio.run(ask()) == [1, 1, 2, 3]
    assert 2 * DEAR_S * TIMES < MOST_S


def test_cheap_reading_and_failures_are_not_kept() -> None:
    read: list[int] = []

    async def cheap() -> tuple[int, float]:
        read.append(1)
        if len(read) == 2:
            raise ValueError("once")
        return len(read), DEAR_S / 2

    async def ask() -> list[int]:
        recent = Recent()
        first = await recent.get("a", cheap)
        with pytest.raises(ValueError, match="once"):
            await recent.get("a", cheap)
        return [first, await recent.get("a", cheap)]

    assert asyncio.run(ask()) == [1, 3]


def test_those_who_ask_at_the_same_time_share_one_reading() -> None:
    read: list[int] = []

    async def ask() -> list[int]:
        recent, go = Recent(), asyncio.Event()

        async def slow() -> tuple[int, float]:
            read.append(1)
            await go.wait()
            return len(read), 0.0

        asked = [asyncio.create_task(recent.get("a", slow)) for _ in range(3)]
        await asyncio.sleep(0)
        asked[0].cancel()  # the others get it all the same
        await asyncio.sleep(0)
        recent.forget()  # something was written: who comes now does not share it
        late = asyncio.create_task(recent.get("a", slow))
        await asyncio.sleep(0)
        go.set()
        told = await asyncio.gather(*asked, late, return_exceptions=True)
        assert isinstance(told[0], asyncio.CancelledError)
        return [each for each in told[1:] if isinstance(each, int)]

    assert asyncio.run(ask()) == [2, 2, 2]
    assert len(read) == 2


def test_what_is_written_here_is_seen_at_once(served: Served, reader: Browser) -> None:
    asked: list[int] = []

    def dear(corpus: OpenCorpus) -> int:
        asked.append(1)
        end_s = time.thread_time() + 2 * DEAR_S
        while time.thread_time() < end_s:
            pass
        return len(corpus.store.runs())

    corpora = served.site.corpora
    assert [served.do(corpora.recent("dear", dear)) for _ in range(2)][-1] == 1
    served.do(corpora.write(lambda corpus: corpus.store.start_run(["https://a.example/"], {}, NOW)))
    assert served.do(corpora.recent("dear", dear)) == 2


def _go_on(corpus: OpenCorpus) -> None:
    corpus.store.save(Record(fate("https://news.example/more", run=1, state="skipped", reason="http-404")))
    corpus.store.end_run(1, RunState.INTERRUPTED, NOW)


def _once_there(reader: Browser, path: str, meanwhile: int) -> dict[str, Any]:
    """Ask until a process has worked it out."""
    until_s = time.monotonic() + PATIENCE_S
    while (answer := reader.get(path)).status_code == meanwhile and time.monotonic() < until_s:
        assert int(answer.headers["retry-after"]) > 0
        time.sleep(0.1)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found
