"""What finds the fields of a page: ours, and peers; each a function from markup, URL and language to an Answer."""

import importlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from thresher.errors import MissingExtra
from thresher.extraction.extractor import extract
from thresher.lab.fields_gold import Answer, day_of

Finder = Callable[[str, str | None, str], Answer]
OURS = "thresher"


def _thresher(html: str, url: str | None, language: str) -> Answer:
    document = extract(html, url)
    day = document.published.date() if document.published else None
    return Answer(document.title or "", day, document.authors)


def _trafilatura(html: str, url: str | None, language: str) -> Answer:
    told = _library("trafilatura").extract_metadata(html, default_url=url)
    if told is None:
        return Answer()
    authors = tuple(name for name in (told.author or "").split("; ") if name)
    return Answer(told.title or "", day_of(told.date or ""), authors)


def _newspaper(html: str, url: str | None, language: str) -> Answer:
    # The language chooses its stop words, which its metadata does not depend on.
    name = "zh" if language == "zh" else "en"
    article = _library("newspaper").Article(url or "http://page.invalid/", language=name, fetch_images=False)
    article.download(input_html=html, ignore_read_more=True)
    article.parse()
    published: Any = article.publish_date
    return Answer(article.title or "", day_of(str(published or "")), tuple(article.authors or ()))


def _htmldate(html: str, url: str | None, language: str) -> Answer:
    return Answer(day=day_of(_library("htmldate").find_date(html, url=url, original_date=True) or ""))


@cache
def _library(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(
            f"{module} is not installed; the peers are an extra: pip install 'thresher[peers]'"
        ) from error


FINDERS: Mapping[str, Finder] = {
    OURS: _thresher,
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper,
    "htmldate": _htmldate,
}
FINDS = {"htmldate": ("date",)}  # those that look for some fields only
