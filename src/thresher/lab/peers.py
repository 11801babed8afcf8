"""Other extractors, to be compared with: each a function from a page and its language to the main text.

Their libraries are the extra `peers` and are loaded when first called. Those that ask for a language are told the
labelled one, which is more than a crawl would know.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata
from typing import Any

from thresher.errors import MissingExtra
from thresher.lab.plain import plain_text

_STOPLISTS = {  # what jusText calls a language
    "ar": "Arabic",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "hi": "Hindi",
    "id": "Indonesian",
    "it": "Italian",
    "ko": "Korean",
    "lt": "Lithuanian",
    "nl": "Dutch",
    "no": "Norwegian_Bokmal",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
    "sw": "Swahili",
    "tr": "Turkish",
    "ur": "Urdu",
    "vi": "Vietnamese",
}
_CHINESE = {"zh", "wuu"}
# Languages for which newspaper4k wants yet another library; it reads them as English.
_SEGMENTED_ELSEWHERE = {"ar", "bn", "hi", "ja", "ko", "np", "ta", "th"}


@dataclass(frozen=True, slots=True)
class Peer:
    """An extractor from elsewhere, and the distribution whose version it is known by."""

    extract: Callable[[str, str], str]
    distribution: str
    revision: int = 0  # of the way it is called here; raise it with every change of that


def version_of(name: str) -> str:
    """Return the version of a peer that is installed; raise MissingExtra when it is not."""
    peer = PEERS[name]
    try:
        version = metadata.version(peer.distribution)
    except metadata.PackageNotFoundError as error:
        raise _missing(peer.distribution) from error
    return f"{version}+{peer.revision}" if peer.revision else version


def _body_text(html: str, language: str) -> str:
    return plain_text(html)


def _trafilatura(html: str, language: str, **mode: bool) -> str:
    return _library("trafilatura").extract(html, include_comments=False, **mode) or ""


def _readability(html: str, language: str) -> str:
    return plain_text(_library("readability").Document(html).summary())


def _newspaper(html: str, language: str) -> str:
    module = _library("newspaper")
    known = _newspaper_languages() - _SEGMENTED_ELSEWHERE
    article = module.Article("http://page.invalid/", language=_base_of(language, known), fetch_images=False)
    article.download(input_html=html, ignore_read_more=True)
    article.parse()
    return article.text or ""


@cache
def _newspaper_languages() -> frozenset[str]:
    return frozenset(_library("newspaper.utils").get_available_languages())


def _base_of(language: str, known: frozenset[str] | set[str]) -> str:
    language = "zh" if language in _CHINESE else language
    return language if language in known else "en"


def _justext(html: str, language: str) -> str:
    module = _library("justext")
    if language in _STOPLISTS:
        paragraphs = module.justext(html, _stoplist(_STOPLISTS[language]))
    else:  # what its documentation advises for languages without a list of stop words
        paragraphs = module.justext(html, frozenset(), stopwords_low=0, stopwords_high=0)
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


@cache
def _stoplist(name: str) -> frozenset[str]:
    return frozenset(_library("justext").get_stoplist(name))


def _goose(html: str, language: str) -> str:
    options: dict[str, Any] = {"use_meta_language": False, "target_language": language or "en"}
    if language in _CHINESE:
        options |= {"target_language": "zh", "stopwords_class": _library("goose3.text").StopWordsChinese}
    with _library("goose3").Goose(options) as goose:
        return goose.extract(raw_html=html).cleaned_text or ""


def _boilerpy(html: str, language: str) -> str:
    extractor = _library("boilerpy3.extractors").ArticleExtractor(raise_on_failure=False)
    return extractor.get_content(html) or ""


def _resiliparse(html: str, language: str) -> str:
    return _library("resiliparse.extract.html2text").extract_plain_text(html, main_content=True) or ""


@cache
def _library(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise _missing(module.split(".")[0]) from error


def _missing(what: str) -> MissingExtra:
    return MissingExtra(f"{what} is not installed; the peers are an extra: pip install 'thresher[peers]'")


PEERS = {
    "body-text": Peer(_body_text, "lxml"),
    "justext": Peer(_justext, "justext"),
    "goose3": Peer(_goose, "goose3"),
    "newspaper4k": Peer(_newspaper, "newspaper4k"),
    "boilerpy3": Peer(_boilerpy, "boilerpy3"),
    "readability-lxml": Peer(_readability, "readability-lxml"),
    "resiliparse": Peer(_resiliparse, "resiliparse"),
    "trafilatura": Peer(_trafilatura, "trafilatura"),
    "trafilatura-fast": Peer(partial(_trafilatura, fast=True), "trafilatura"),
    "trafilatura-precision": Peer(partial(_trafilatura, favor_precision=True), "trafilatura"),
    "trafilatura-recall": Peer(partial(_trafilatura, favor_recall=True), "trafilatura"),
}
