"""Say in plain words why the learned extractor gave a block its score.

Each feature has a phrase, by its name or by the parts of its name: how its value is shown, then the words for it. `{}`
is the value in SINGLE, and what is meant elsewhere, where `{{}}` is the value.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import expm1

from thresher.extraction.learned import features, mass
from thresher.extraction.learned.forest import LearnedModel, explain
from thresher.extraction.learned.table import TAGS

Phrase = tuple[str, ...]

PAGE = "the page"

_SHAPES = ("a paragraph", *(f"a heading of level {level}" for level in range(1, 7)))
_SHAPES += ("an entry of a list", "a quotation", "a line of code", "a cell of a table")
_ENDS = ("ends without punctuation", "ends with a comma or the like", "ends with a colon", "ends like a sentence")

# Phrases of a block and of single facts about its page, by the feature's name.
SINGLE: dict[str, Phrase] = {
    "size": ("size", "it has {} letters"),
    "words": ("counted", "it has {} words"),
    "link_share": ("percent", "links are {} of it"),
    "links": ("counted", "{} links in it"),
    "punct": ("ratio", "{} punctuation marks to a word"),
    "ends": ("ratio", "{} sentence ends to a word"),
    "stops": ("percent", "{} of its words are small common ones"),
    "digits": ("percent", "digits are {} of it"),
    "uppers": ("percent", "capitals are {} of its letters"),
    "cjk": ("percent", "{} of it is Chinese, Japanese or Korean"),
    "quotes": ("counted", "{} quotation marks in it"),
    "final": ("choice", *(f"it {end}" for end in _ENDS)),
    "first": (
        *("choice", "it starts with a capital", "it starts with a small letter", "it starts with a digit"),
        *("it starts with a quotation mark", "it starts with a letter that has no case", "it starts with a sign"),
    ),
    "word_length": ("ratio", "{} letters to a word"),
    "hits": ("percent", "{} of its words are typical of labels and notices"),
    "title_in": ("percent", "{} of its words stand in the page's title"),
    "title_of": ("percent", "it holds {} of the title's words"),
    "told": (
        *("choice", "the page's own data do not tell this text", "the page's own data tell a part of this text"),
        "the page's own data tell this text",
    ),
    "repeated": ("count", "its text stands {} more times on the page", "its text stands nowhere else on the page"),
    "shape": ("choice", *(f"it is {shape}" for shape in _SHAPES)),
    "tag": ("tag", "it stands in a <{}>"),
    "strong": ("percent", "{} of it is bold"),
    "broken": ("flag", "a line break stands before it", "no line break stands before it"),
    "images": ("count", "{} images just before it", "no image just before it"),
    "position": ("percent", "{} of the page's blocks come before it"),
    "before_share": ("percent", "{} of the page's text comes before it"),
    "from_title": ("signed", "{} blocks after the headline", "{} blocks before the headline"),
    "size_from_title": ("signed", "{} letters after the headline", "{} letters before the headline"),
    "after_title": ("flag", "it comes after the headline", "it comes before the headline, or is it"),
    "depth": ("counted", "it lies {} elements deep"),
    "summary": ("percent", "{} of its words stand in the page's summary"),
    "dated": ("flag", "it gives a date", "it gives no date"),
    "since_comment": ("since", "{} blocks after a label such as “Comments”", "no label such as “Comments” before it"),
    "since_related": ("since", "{} blocks after a label such as “Read more”", "no label such as “Read more” before it"),
    "since_heading": ("since", "{} blocks after a heading", "no heading before it"),
    "since_dated": ("since", "{} blocks after a line with a date", "no line with a date before it"),
    "titles": ("counted", "{} words of the title in it"),
    "inner_good": ("flag", "a part of it is named like main text", "no part of it is named like main text"),
    "inner_bad": (
        "flag",
        "a part of it is named like a bar, box or the like",
        "no part of it is named like a bar or box",
    ),
    "inner_byline": ("flag", "a part of it is named like a byline", "no part of it is named like a byline"),
    "inner_media": ("flag", "a part of it is named like a picture", "no part of it is named like a picture"),
}

# Phrases of what only the second stage is told; two of its names are names of the first stage too.
SINGLE_SECOND: dict[str, Phrase] = {
    "chance": ("chance", "at first sight its score is {}"),
    "mass_before": ("percent", "{} of the likely text comes before it"),
    "mass_after": ("percent", "{} of the likely text comes after it"),
    "page_mass": ("size", "the page has {} letters of likely text"),
    "page_share": ("percent", "{} of the page is likely text"),
    "page_largest": ("chance", "the page's best block scores {} at first sight"),
    "page_top": ("chance", "the page's likely part scores {} at first sight"),
    "run_mass": ("size", "it lies in a run of {} letters of likely text"),
    "run_share": ("percent", "its run holds {} of the likely text"),
    "run_is_largest": ("flag", "it lies in the largest run of likely text", "it lies outside the largest run of text"),
    "from_largest": (
        *("run", "{} blocks after the largest run of text", "{} blocks before the largest run of text"),
        "there is no run of likely text",
    ),
    "largest_share": ("percent", "the largest run holds {} of the likely text"),
    "run_gap": ("count", "{} blocks from the nearest likely text", "it lies in a run of likely text"),
    "shared_up": ("counted", "{} elements up to the one that holds the main run too"),
    "shared_mean": ("chance", "the element that holds it and the main run scores {} at first sight"),
}

# What these speak of; what all blocks of a page have in common is not told of each.
TOPICS = {
    **dict.fromkeys(("chance", "page_mass", "page_share", "page_largest", "page_top", "largest_share"), PAGE),
    **dict.fromkeys(("run_mass", "run_share", "run_is_largest", "from_largest", "run_gap"), "run"),
    **dict.fromkeys(("mass_before", "mass_after"), "place in the text"),
    **dict.fromkeys(("shared_up", "shared_mean"), "score of the elements"),
}
UNTOLD = frozenset((PAGE,))

# Phrases of what lies around a block, by the last part of a feature's name; what is meant comes from its first part.
FACTS: dict[str, Phrase] = {
    "size": ("size", "{{}} letters in {}"),
    "link_share": ("percent", "links are {{}} of {}"),
    "punct": ("ratio", "{{}} punctuation marks to a word in {}"),
    "stops": ("percent", "{{}} of the words in {} are small common ones"),
    "blocks": ("counted", "{{}} blocks in {}"),
    "density": ("ratio", "{{}} letters to a tag in {}"),
    "valid": ("percent", "prose is {{}} of {}"),
    "tag": ("tag", "{} is a <{{}}>"),
    "share": ("percent", "it is {{}} of {}"),
    "before": ("percent", "{{}} of {} comes before it"),
    "long": ("counted", "{{}} long blocks in {}"),
    "hint_good": ("flag", "{} is named like main text", "{} is not named like main text"),
    "hint_bad": (
        "flag",
        "{} is named like navigation, comments or the like",
        "{} is not named like navigation or comments",
    ),
    "likes": ("counted", "{{}} such elements in a row, {} among them"),
    "dated": ("counted", "{{}} dates in {}"),
    "titles": ("percent", "{{}} of the words in {} are the title's"),
    "comment": ("flag", "{} is named like comments", "{} is not named like comments"),
    "final": ("choice", *(f"{{}} {end}" for end in _ENDS)),
    "shape": ("choice", *(f"{{}} is {shape}" for shape in _SHAPES)),
    "ends": ("ratio", "{{}} sentence ends in {}"),
    "count": ("counted", "{} number {{}}"),
    "first": ("counted", "{{}} blocks since the first of {}"),
    "last": ("counted", "{{}} blocks until the last of {}"),
    "mean": ("chance", "{} scores {{}} at first sight"),
    "mass": ("size", "{{}} letters of likely text in {}"),
}
GROUP_FACTS: dict[str, Phrase] = FACTS | {
    "valid": ("percent", "{} hold {{}} of the page's prose"),
    "size": ("size", "{{}} letters to one of {}"),
    "mean": ("chance", "{} score {{}} at first sight"),
}
NEIGHBOUR_FACTS: dict[str, Phrase] = FACTS | {"dated": ("flag", "{} gives a date", "{} gives no date")}
WINDOW_FACTS: dict[str, Phrase] = FACTS | {"mean": ("chance", "{} score {{}} at first sight")}
CONTAINER_FACTS: dict[str, Phrase] = FACTS | {"share": ("percent", "{} holds {{}} of the likely text")}
CORE_FACTS: dict[str, Phrase] = FACTS | {
    "inside": ("flag", "it lies in {}", "it lies outside {}"),
    "share": ("percent", "{} holds {{}} of it"),
    "depth": ("counted", "{} lies {{}} elements deep"),
    "before": ("signed", "{{}} blocks after the start of {}", "{{}} blocks before {}"),
    "after": ("signed", "{{}} blocks before the end of {}", "{{}} blocks after {}"),
    "mcr": ("percent", "the largest part of {} is {{}} of it"),
}
PAGE_FACTS: dict[str, Phrase] = FACTS | {
    "largest": ("size", "{{}} letters in the largest block of {}"),
    "valid": ("size", "{{}} letters of prose in {}"),
    "cjk": ("percent", "{{}} of {} is Chinese, Japanese or Korean"),
    "told": ("counted", "{{}} blocks of {} also in its own data"),
    "titles": ("counted", "{{}} words of the title in {}"),
    "comments": ("counted", "{{}} labels such as “Comments” in {}"),
}

LEVELS = ("the element around it", *(f"the {place} element around it" for place in ("2nd", "3rd", "4th", "5th", "6th")))
GROUPS = {"path": "the blocks with the same tags around them", "kind": "the blocks of its kind"}
CORE = "the element with most of the prose"
CORE_SECOND = "the element with most of the likely text"
MARKS: dict[str, Phrase] = {
    "sense": ("flag", "it has words typical of {}", "it has no words typical of {}"),
    "around": ("flag", "it stands in an element named like {}", "no element around it is named like {}"),
    "in": ("flag", "it stands in {}", "it does not stand in {}"),
}
MARK_WORDS = {
    "sense": {
        "byline": "bylines",
        "share": "share bars",
        "related": "teasers",
        "comment": "comments",
        "date": "dates",
        "credit": "picture credits",
        "legal": "legal notices",
        "advert": "advertisements",
        "nav": "navigation",
    },
    "around": {
        "body": "the body of an article",
        "article": "an article",
        "content": "content",
        "comment": "comments",
        "side": "a sidebar",
        "nav": "navigation",
        "frame": "a header or footer",
        "related": "related stories",
        "share": "a share bar",
        "advert": "an advertisement",
        "byline": "a byline",
        "media": "a picture or video",
        "box": "a newsletter, login or notice box",
        "tag": "tags or topics",
        "title": "a title or summary",
        "hidden": "hidden text",
        "list": "a list or feed",
    },
    "in": {
        "article": "an <article>",
        "main": "a <main>",
        "section": "a <section>",
        "header": "a <header>",
        "footer": "a <footer>",
        "nav": "a <nav>",
        "aside": "an <aside>",
        "list": "a list",
        "table": "a table",
        "form": "a form",
        "figure": "a figure",
        "quote": "a <blockquote>",
    },
}

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
