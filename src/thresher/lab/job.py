"""What a pool process does for the laboratory: run one extractor on one page, or score one output."""

import json
import logging
import time
import warnings
from dataclasses import asdict
from functools import cache
from typing import Any

from lxml import etree

from thresher.errors import ThresherError
from thresher.lab.cache import Output
from thresher.lab.extractors import Extractor
from thresher.lab.metrics.overlap import Overlap
from thresher.lab.metrics.registry import METRICS
from thresher.lab.pages import Found, FoundPost, GoldPost, LabelledPage

# What a foreign extractor may raise on a page. Whatever else it raises ends the process, which is an error as well.
FAULTS = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, NameError, OSError, RuntimeError, SyntaxError),
    *(TypeError, ValueError, ThresherError, etree.LxmlError),
)
_WARM_UP = "<html><head><title>A page</title></head><body><p>To load and build what is needed once.</p></body></html>"


def answer(encoded: bytes) -> bytes:
    """Do what a request asks for, and encode what comes out."""
    request = _decoded(encoded)
    result = _extract(request) if request["do"] == "extract" else _measure(request)
    return _encoded(result)


def extraction_request(extractor: Extractor, page: LabelledPage) -> bytes:
    """Ask for an extractor's output on a page."""
    what = {"html": page.html, "url": page.url, "language": page.language}
    return _encoded({"do": "extract", "extractor": asdict(extractor), **what})


def read_output(encoded: bytes) -> Output:
    """Read the answer to an extraction_request."""
    values = _decoded(encoded)
    return Output(_found(values["found"]), values["cpu_s"], values["error"])


def measure_request(found: Found, page: LabelledPage, metrics: list[str]) -> bytes:
    """Ask for the scores of what was found."""
    gold = {"text": page.text, "posts": [asdict(post) for post in page.posts]}
    return _encoded({"do": "measure", "found": asdict(found), "gold": gold, "metrics": metrics})


def read_overlaps(encoded: bytes) -> list[Overlap]:
    """Read the answer to a measure_request: one for each metric."""
    return [Overlap(*sizes) for sizes in _decoded(encoded)]


def _extract(request: dict[str, Any]) -> dict[str, Any]:
    extractor = Extractor(**request["extractor"])
    _prepare(json.dumps(request["extractor"], sort_keys=True))
    found, error = Found(""), ""
    # The thread's clock: that of the process only moves with the kernel's tick where a CPU limit is set.
    started_s = time.thread_time()
    try:
        found = extractor.extract(request["html"], request["url"], request["language"])
    except FAULTS as fault:
        error = f"{type(fault).__name__}: {fault}"[:200]
    return {"found": asdict(found), "cpu_s": time.thread_time() - started_s, "error": error}


@cache
def _prepare(extractor: str) -> None:
    """Load an extractor's libraries before its time is taken."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    for language in ("en", "zh"):
        try:
            Extractor(**json.loads(extractor)).extract(_WARM_UP, None, language)
        except FAULTS:
            continue


def _measure(request: dict[str, Any]) -> list[tuple[float, float, float]]:
    gold = request["gold"]
    posts = tuple(GoldPost(**post) for post in gold["posts"])
    page = LabelledPage(id="", dataset="", site="", language="", html="", text=gold["text"], posts=posts)
    found = _found(request["found"])
    overlaps = (METRICS[name].measure(found, page) for name in request["metrics"])
    return [(overlap.common, overlap.found, overlap.gold) for overlap in overlaps]


def _found(values: dict[str, Any]) -> Found:
    return Found(values["text"], tuple(FoundPost(**post) for post in values["posts"]), values["counts"])


def _encoded(values: object) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _decoded(encoded: bytes) -> Any:
    return json.loads(encoded.decode("utf-8", "surrogatepass"))
