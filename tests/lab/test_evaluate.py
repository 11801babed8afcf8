"""Pages go through processes and the cache, and what fails counts as empty output."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.lab.pages import SENTENCE, html_of, labelled
from thresher.crawling.pool import PageKilled, Pool
from thresher.lab.evaluate import Options, Result, evaluate
from thresher.lab.extractors import choose, named
from thresher.lab.metrics.overlap import Overlap
from thresher.lab.pages import GoldPost

BOTH = choose("cevc,body-text", with_peers=False)


def test_results_come_for_each_page_and_extractor_in_order() -> None:
    pages = [labelled(n, site=f"{n}.example") for n in range(3)]
    heard: list[Result] = []
    results = evaluate(pages, BOTH, Options(jobs=2), heard.append)
    assert [(r.page, r.extractor) for r in results] == [(p.id, e.name) for p in pages for e in BOTH]
    assert sorted(r.page for r in heard) == sorted(r.page for r in results)
    first = results[0]
    assert (first.site, first.dataset, first.language, first.error) == ("0.example", "news", "en", "")
    assert first.overlaps["shingles"] == Overlap(17, 17, 17)  # of 20 tokens
    assert results[1].overlaps["shingles"].precision < 1
    assert first.cpu_s > 0


def test_a_second_run_asks_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [labelled(n) for n in range(2)]
    options = Options(cache_folder=tmp_path / "lab", metrics=("shingles", "bag"))
    first = evaluate(pages, BOTH, options)

    async def refuse(pool: Pool, request: bytes) -> bytes:
        raise AssertionError("asked again")

    monkeypatch.setattr(Pool, "ask", refuse)
    assert evaluate(pages, BOTH, options) == first
    changed = [replace(pages[0], html=pages[0].html + " ")]
    with pytest.raises(AssertionError, match="asked again"):
        evaluate(changed, BOTH, options)


def test_new_gold_is_scored_anew_without_extracting_again(tmp_path: Path) -> None:
    options = Options(cache_folder=tmp_path)
    (before,) = evaluate([labelled(1)], BOTH[:1], options)
    (after,) = evaluate([labelled(1, text="quite another text than that")], BOTH[:1], options)
    assert after.cpu_s == before.cpu_s
    assert before.overlaps["shingles"].recall == 1
    assert after.overlaps["shingles"].recall == 0


def test_an_extractor_that_raises_counts_as_empty_output() -> None:
    (result,) = evaluate([labelled(1, html="%PDF-1.4 " + SENTENCE)], [named("cevc")], Options())
    assert result.error.startswith("NotHtml")
    assert result.overlaps["shingles"] == Overlap(0, 0, 17)


def test_an_extractor_that_takes_too_long_is_ended_and_the_next_page_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    ask, asked = Pool.ask, []

    async def first_too_slow(pool: Pool, request: bytes) -> bytes:
        asked.append(request)
        if len(asked) == 1:
            raise PageKilled("extract-timeout")
        return await ask(pool, request)

    monkeypatch.setattr(Pool, "ask", first_too_slow)
    results = evaluate([labelled(1), labelled(2)], [named("body-text")], Options(timeout_s=200.0))
    assert [result.error for result in results] == ["extract-timeout", ""]
    assert results[0].cpu_s == 200.0
    assert results[1].overlaps["shingles"].recall == 1


def test_the_headline_is_dropped_from_both_sides_when_asked() -> None:
    head = "Rain in Spain again"
    page = labelled(1, html=html_of(SENTENCE, title=f"{head} - Paper"), text=f"{head}\n{SENTENCE}")
    (with_it,) = evaluate([page], [named("cevc")], Options())
    (without,) = evaluate([page], [named("cevc")], Options(no_headline=True))
    assert with_it.overlaps["shingles"].recall < 1
    assert without.overlaps["shingles"].recall == 1


def test_posts_are_only_scored_where_the_gold_has_some() -> None:
    thread = labelled(1, posts=(GoldPost(SENTENCE),))
    results = evaluate([thread, labelled(2)], [named("body-text")], Options(metrics=("shingles", "posts")))
    assert results[0].overlaps["posts"] == Overlap(0, 0, 1)
    assert set(results[1].overlaps) == {"shingles"}
