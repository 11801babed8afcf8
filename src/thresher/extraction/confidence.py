"""How probably the text, title, date and authors of a document are right, as counted on pages of sites left out.

Rules and trees have measures of their own, which promise too much or too little. For each field one logistic function
turns them into a probability: of the text from what the trees say of all blocks, of a field from where it was found.
Its weights are a file, models/confidence.json, fitted by `thresher.lab.train.confidence`.
"""

import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp, log, log1p
from pathlib import Path
from typing import Any

from thresher.extraction.contract import SIGNS, Content
from thresher.extraction.fields.found import Found
from thresher.model import Evidence, Kind

TEXT, ANY_TEXT = "text", "any text"  # measures of a text: an article's, and that of any other page
FIELDS = ("title", "published", "authors")
SHIPPED = Path(__file__).parent / "models" / "confidence.json"
MOST = 0.995  # no probability is above this, nor below its counterpart: there were too few pages to count rarer faults
NEGLIGIBLE = 0.02  # chance of a block that adds nothing to what is expected
DOUBTFUL = (0.1, 0.9)  # a block with a chance between these is doubtful

Weights = Mapping[str, float]


def text_signs(chances: "array[float]", texts: Sequence[str], chosen: Sequence[int]) -> dict[str, float]:
    """Return what tells whether the chosen blocks are the text: what precision and recall the trees expect of them."""
    low, high = DOUBTFUL
    whole = doubt = 0.0
    for place, chance in enumerate(chances):
        if chance > NEGLIGIBLE:
            size = len(texts[place])
            whole += chance * size
            if low < chance < high:
                doubt += size
    chosen_size = right = 0.0
    for place in chosen:
        size = len(texts[place])
        chosen_size += size
        right += chances[place] * size
    kept = chosen_size or 1.0
    return {
        "top": _logit(max(chances, default=0.0)),
        "precision": _logit(right / kept),
        "recall": _logit(right / whole if whole else 0.0),
        "doubt": log1p(min(doubt / kept, 10.0)),
        "size": log1p(chosen_size),
        "blocks": log1p(len(chosen)),
    }


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a page: its content and fields, by which measure its text was chosen, how likely an article."""

    content: Content
    fields: Mapping[str, Found[Any] | None]
    measure: str
    article: float


def calibrated(reading: Reading) -> dict[str, Found[Any] | None]:
    """Return the fields with the probability that each is right as its confidence; those of threads as they are."""
    fields = dict(reading.fields)
    kind = fields["kind"]
    if (kind and kind.value is Kind.THREAD) or not reading.content.blocks:
        return fields
    signs = signs_of(reading)
    for name, field in fields.items():
        measure = reading.measure if name == TEXT else name
        if field and measure in signs:
            evidence = replace(field.evidence, confidence=chance(measure, signs[measure]))
            fields[name] = Found(field.value, evidence)
    return fields


def signs_of(reading: Reading) -> dict[str, dict[str, float]]:
    """Return what tells how probably the text, by its measure, and the fields that were found are right."""
    signs = {reading.measure: {**reading.content.facts[SIGNS], **article_sign(reading.article)}}
    for name in FIELDS:
        if field := reading.fields[name]:
            signs[name] = field_signs(field.evidence, reading.article)
    return signs


def article_sign(article: float) -> dict[str, float]:
    """Return what the chance of an article tells of its text."""
    return {"article": _logit(article)}


def field_signs(evidence: Evidence, article: float) -> dict[str, float]:
    """Return what tells whether a field is right: its own measure, where it was found, and what the page is."""
    signs = {"own": _logit(evidence.confidence), "article": _logit(article)}
    return signs | {f"from {evidence.source}": 1.0}


def chance(field: str, signs: Mapping[str, float], weights_of: Mapping[str, Weights] | None = None) -> float:
    """Return the probability that a field, or a text, is right; signs without a weight count nothing.

    `weights_of` each field are the shipped ones where none are given.
    """
    weights = (weights_of or _read())[field]
    total = weights["bias"] + sum(weights.get(name, 0.0) * value for name, value in signs.items())
    return min(max(1 / (1 + exp(-max(min(total, 30.0), -30.0))), 1 - MOST), MOST)


@lru_cache(maxsize=1)
def _read() -> Mapping[str, Weights]:
    fields: Mapping[str, Weights] = json.loads(SHIPPED.read_text("utf-8"))["fields"]
    return fields


def _logit(share: float) -> float:
    bounded = min(max(share, 0.001), 0.999)
    return log(bounded / (1 - bounded))
