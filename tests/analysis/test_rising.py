"""Which terms rise, and what the terms of a document are."""

import math
import sys
from collections.abc import Sequence

import pytest

from thresher.analysis import rising as module
from thresher.analysis.rising import Held, Rising, chart_of, rising, terms_of
from thresher.analysis.words import Splitter

STOP_WORDS = frozenset({"the", "in", "of", "and", "的"})


def periods(*texts: Sequence[str]) -> list[Held]:
    """Count documents with these words, some for each period, the oldest period first."""
    found = []
    for documents in texts:
        found.append(Held())
        for text in documents:
            found[-1].add(set(text.split()))
    return found


def words(found: Sequence[Rising]) -> list[str]:
    return [each.word for each in found]


def terms(text: str, language: str | None = "en", title: str = "") -> set[str]:
    return terms_of(title, text, language, splitter=Splitter(or_pairs=True), stop_words=STOP_WORDS)


def test_a_word_rises_that_recent_documents_hold_and_earlier_ones_do_not() -> None:
    (top,) = rising(periods(["harbour market"] * 4, ["harbour market"] * 4, ["strike harbour"] * 4), "en")
    assert (top.word, top.kind, top.language) == ("strike", "word", "en")
    assert (top.recent, top.earlier, top.series) == (4, 0, (0, 0, 4))
    assert top.growth == pytest.approx((4.5 / 5) / (0.5 / 9))
    assert top.weight == pytest.approx(4 * math.log2(top.growth))


def test_more_documents_weigh_more_at_the_same_growth() -> None:
    recent = ["flood strike"] * 4 + ["flood"] * 4
    counted = periods(["market"] * 16, recent)
    assert words(rising(counted)) == ["flood", "strike"]
    assert words(rising(counted, top=1)) == ["flood"]


def test_words_of_few_documents_or_little_growth_do_not_rise() -> None:
    assert rising(periods(["market"] * 4, ["strike"] * 2 + ["market"] * 4)) == []


def test_without_earlier_documents_nothing_rises() -> None:
    assert rising(periods([], ["strike"] * 300)) == []


def test_what_comes_and_goes_anyway_does_not_rise() -> None:
    weekend, weekday = ["football"] * 8 + ["market"] * 12, ["market"] * 20
    assert rising(periods(weekend, weekday, weekday, weekday, weekend)) == []
    assert words(rising(periods(weekday, weekday, weekday, weekday, weekend))) == ["football"]


def test_of_very_many_terms_three_documents_of_one_are_chance() -> None:
    others = [f"word{number}" for number in range(3_000)]
    recent = [*others, *["strike"] * 3]
    earlier = [*others, *others, *others, "strike"]
    assert rising(periods(earlier, recent)) == []
    assert words(rising(periods(earlier, [*others[:30], *["strike"] * 3]))) == ["strike"]


def test_numbers_and_short_words_are_no_terms_but_two_han_characters_are() -> None:
    assert terms("2026 ab 3rd The strike of the harbour") == {"strike", "harbour"}
    assert terms("2026 ab 罢工 的", None) >= {"罢工"}


def test_runs_of_capitalised_words_are_names() -> None:
    text = "In Port Royal the mayor met Simon de Montfort and Ángela Müller's aunt. BREAKING NEWS TODAY, Tuesday."
    found = {term.removeprefix("name:") for term in terms(text) if term.startswith("name:")}
    assert found == {"Port Royal", "Simon de Montfort", "Ángela Müller"}
    assert not [term for term in terms("", title="Mayor Meets Simon Again") if term.startswith("name:")]


def test_chinese_names_are_those_that_the_segmenter_tells_and_none_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rjieba")
    text = "黄仁勋在北京参观清华大学。"
    assert {"name:黄仁勋", "name:北京", "name:清华大学"} <= terms(text, "zh")
    monkeypatch.setitem(sys.modules, "rjieba", None)
    assert not [term for term in terms(text, "zh") if term.startswith("name:")]


def test_a_name_stands_for_its_words_unless_they_are_said_without_it() -> None:
    recent = ["name:Port name:Royal port royal"] * 5 + ["royal"] * 5
    held = periods(["market"] * 30, [line.replace("name:Port name:Royal", "") for line in recent])
    held[-1].terms["name:Port Royal"] = 5
    assert words(rising(held)) == ["royal", "Port Royal"]
    assert words(rising(held, kinds=["word"])) == ["royal", "port"]


def test_rare_terms_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TERMS", 10)
    held = Held()
    for number in range(21):
        held.add({"often", f"once{number}"})
    assert held.terms["often"] == 21
    assert len(held.terms) < 20
    assert held.terms["once20"] == 1, "what has just come may be the beginning of something"


def test_the_chart_shows_the_first_terms_over_the_periods() -> None:
    found = rising(periods(["market"] * 8, ["strike"] * 4))
    chart = chart_of(found, ["2026-11-01", "2026-11-08"], "week", "rising terms")
    assert chart.series[0].points == ((0.0, 0.0), (1.0, 4.0))
