"""LabelledPage, GoldPost and Found: a page with what a person says is in it, and what an extractor says."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class GoldPost:
    """One post as labelled; paths are XPaths of elements, empty where the labels give none."""

    text: str
    author: str = ""
    time: str = ""  # as the page shows it
    text_path: str = ""
    time_path: str = ""
    time_attribute: str = ""  # what the page tells beside it, for times that count from now
    own: str | None = None  # the text without quotations, where the labels have it


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page and its gold: the main text, or the posts (`text` is then theirs, one after the other)."""

    id: str
    dataset: str
    site: str
    language: str
    html: str
    text: str
    url: str | None = None
    title: str = ""
    engine: str = ""  # of a forum
    posts: tuple[GoldPost, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundPost:
    """One post as extracted; `path` is the XPath of its element, or several joined by "|"."""

    text: str
    path: str = ""
    author: str = ""
    published: str = ""  # in ISO 8601


@dataclass(frozen=True, slots=True)
class Found:
    """What an extractor made of a page; `counts` are figures of its own, such as the number of blocks."""

    text: str
    posts: tuple[FoundPost, ...] = ()
    counts: Mapping[str, float] = field(default_factory=dict)
