"""Say in plain words why the learned extractor gave a block its score."""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import expm1

from thresher.extraction.learned import features, mass
from thresher.extraction.learned.forest import LearnedModel, explain
from thresher.extraction.learned.table import TAGS
from thresher.extraction.xray_words import (
    CONTAINER_FACTS,
    CORE,
    CORE_FACTS,
    CORE_SECOND,
    FACTS,
    GROUP_FACTS,
    GROUPS,
    LEVELS,
    MARK_WORDS,
    MARKS,
    NEIGHBOUR_FACTS,
    PAGE,
    PAGE_FACTS,
    SINGLE,
    SINGLE_SECOND,
    TOPICS,
    UNTOLD,
    WINDOW_FACTS,
    Phrase,
)

MOST_FIRST = 3  # reasons of the first stage: the block itself and where it stands
MOST_SECOND = 2  # reasons of the second stage, which are scores of other blocks for the most part

Reason = tuple[bool, str]  # whether it speaks for the block, and what it is in plain words

_FAMILY = re.compile(
    r"(?P<up>up)(?P<level>\d)_(?P<level_fact>\w+)"
    r"|at(?P<step>[+-]\d)_(?P<step_fact>\w+)"
    r"|chance(?P<near>[+-]\d)"
    r"|(?P<side>before|after)(?P<width>\d+)_(?P<side_fact>\w+)"
    r"|(?P<group>path|kind)_(?P<group_fact>\w+)"
    r"|(?P<core>core)[\d.]*_(?P<core_fact>\w+)"
    r"|(?P<page>page)_(?P<page_fact>\w+)"
    r"|(?P<mark>sense|around|in)_(?P<name>\w+)"
)
_SINGULAR = re.compile(
    r"(?<![\d.,])1 ((?:more |long )?(?:block|letter|word|image|element|link|date|time|label|quotation mark))s\b"
)


def reasons_of(model: LearnedModel, row: Sequence[float]) -> tuple[list[Reason], list[Reason]]:
    """Return the weightiest reasons of each stage for a block's score; `row` holds the second stage's features.

    What is the same for all blocks of the page is no reason, nor is the first stage's score, which has its own.
    """
    first, second = model.stages
    return (
        _weightiest(model, row, explain(first, row), MOST_FIRST),
        _weightiest(model, row, explain(second, row), MOST_SECOND),
    )


def _weightiest(
    model: LearnedModel, row: Sequence[float], weights: Sequence[tuple[int, float]], most: int
) -> list[Reason]:
    """Return a reason for each topic: the sign of all its features, in the words of the weightiest."""
    names, first = model.features[1], len(model.features[0])
    sums: dict[str, float] = {}
    places: dict[str, int] = {}
    for place, weight in weights:
        topic = topic_of(names[place])
        if topic not in UNTOLD:
            places.setdefault(topic, place)
            sums[topic] = sums.get(topic, 0.0) + weight
    best = [(sums[topic] > 0, places[topic]) for topic in sorted(sums, key=lambda topic: -abs(sums[topic]))[:most]]
    return [(speaks_for, phrase_of(names[place], row[place], is_second=place >= first)) for speaks_for, place in best]


def phrase_of(name: str, value: float, *, is_second: bool = False) -> str:
    """Return in plain words what a feature of a stage says of a block; raise KeyError for a name that is none's."""
    single = SINGLE_SECOND if is_second else SINGLE
    if name in single:
        kind, *words = single[name]
        return _said(kind, words, value)
    match = _matched(name)
    step = match["step"] or match["near"]
    if step and value < 0:
        return f"{_neighbour(int(step))} is missing"
    kind, *words = _family_phrase(match, is_second)
    return _said(kind, words, value)


@lru_cache(maxsize=1024)
def topic_of(name: str) -> str:
    """Return what a feature speaks of: several that speak of the same make one reason."""
    if name in SINGLE:
        return name
    if name in SINGLE_SECOND:
        return TOPICS[name]
    match = _matched(name)
    fact = match["level_fact"] or match["side_fact"] or match["group_fact"] or match["step_fact"] or "mean"
    if match["mark"]:
        return name
    if match["page"]:
        return PAGE
    if match["core"]:
        return CORE
    kind = "elements" if match["up"] else "blocks alike" if match["group"] else "neighbours"
    return f"score of the {kind}" if fact in ("mean", "mass") else f"{fact} of the {kind}"


def _matched(name: str) -> re.Match[str]:
    match = _FAMILY.fullmatch(name)
    if match is None:
        raise KeyError(name)
    return match


def _family_phrase(match: re.Match[str], is_second: bool) -> Phrase:
    """Put a phrase together: what is meant, and what is told of it."""
    if match["mark"]:
        return _filled(MARKS[match["mark"]], MARK_WORDS[match["mark"]][match["name"]])
    if match["up"]:
        facts = CONTAINER_FACTS if is_second else FACTS
        return _filled(facts[match["level_fact"]], LEVELS[int(match["level"])])
    if match["step"]:
        return _filled(NEIGHBOUR_FACTS[match["step_fact"]], _neighbour(int(match["step"])))
    if match["near"]:
        return _filled(FACTS["mean"], _neighbour(int(match["near"])))
    if match["side"]:
        return _filled(WINDOW_FACTS[match["side_fact"]], f"the {match['width']} blocks {match['side']} it")
    if match["group"]:
        return _filled(GROUP_FACTS[match["group_fact"]], GROUPS[match["group"]])
    if match["core"]:
        return _filled(CORE_FACTS[match["core_fact"]], CORE_SECOND if is_second else CORE)
    return _filled(PAGE_FACTS[match["page_fact"]], PAGE)


def _filled(phrase: Phrase, meant: str) -> Phrase:
    return phrase[0], *(words.format(meant) for words in phrase[1:])


def _neighbour(step: int) -> str:
    side = "after" if step > 0 else "before"
    return f"the block {side} it" if abs(step) == 1 else f"the block {abs(step)} {side} it"


def _said(kind: str, words: Sequence[str], value: float) -> str:
    """Fill the value in as its kind is shown."""
    if kind == "flag":
        return words[0] if value > 0.5 else words[1]
    if kind == "choice":
        return words[min(max(int(value), 0), len(words) - 1)]
    if kind == "signed":
        return _counted(words[value < 0], abs(value))
    if kind == "since":
        return words[1] if value >= features.FAR else _counted(words[0], value)
    if kind == "count":
        return words[1] if value == 0 else _counted(words[0], value)
    if kind == "run":
        return words[2] if value == mass.NO_RUN else _counted(words[value < 0], abs(value))
    if kind == "counted":
        return _counted(words[0], value)
    if kind == "size":
        return _counted(words[0], expm1(max(value, 0.0)))
    return words[0].format(_shown(kind, value))


def _counted(words: str, value: float) -> str:
    return _SINGULAR.sub(r"1 \1", words.format(f"{value:,.0f}"))


def _shown(kind: str, value: float) -> str:
    if kind == "percent":
        return f"{100 * value:.0f} %"
    if kind == "tag":
        return TAGS[int(value)] if 0 < value < len(TAGS) else "tag of another name"
    return f"{value:.2f}"
