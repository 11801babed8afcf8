"""Signed pages: pages written to show how Chinese, Japanese and Korean sites name authors, alone or set into real ones.

A case of a file is a line "## what it is like = names", with "-" for nobody, and the markup below it; @title and @text
stand for a title and paragraphs in its language, which `frames.json` has, with what stands around them.
"""

import json
import re
from collections.abc import Iterator, Sequence
from hashlib import sha1
from pathlib import Path
from typing import NamedTuple

from lxml import etree, html

FRAMES = "frames.json"
BUSY = "busy"  # the frame with what else pages show
SHOWN = 14  # characters of a paragraph by which its element is found
PER_PAGE = 30  # ways to sign that are set into each page

_WAY = re.compile(r"^<h[1-4][^>]*>@title</h[1-4]>(.*?)@text(.*)$", re.DOTALL)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


class Signed(NamedTuple):
    """What a page is like, who signs it, and its own markup."""

    name: str
    names: frozenset[str]
    markup: str

    @property
    def language(self) -> str:
        """The language of its frame."""
        return self.name[:2] if self.name[:3] in ("ja ", "ko ") else "zh"


def read_signed(folder: Path, files: str = "*.txt") -> Iterator[tuple[str, Signed]]:
    """Yield the pages of the files of a folder, each with the name of its file."""
    for file in sorted(folder.glob(files)):
        for case in re.split(r"^## ", file.read_text("utf-8"), flags=re.MULTILINE)[1:]:
            told, _, markup = case.partition("\n")
            name, _, names = told.partition(" = ")
            yield file.stem, Signed(name, frozenset(names.split("; ")) - {"-"}, markup)


def read_frames(folder: Path) -> dict[str, dict[str, str]]:
    """Return the title, the text, the top and the bottom of pages by language, and the markup of busy ones."""
    frames: dict[str, dict[str, str]] = json.loads((folder / FRAMES).read_text("utf-8"))
    return frames


def page_of(signed: Signed, frames: dict[str, dict[str, str]], *, is_busy: bool = False) -> str:
    """Return the whole page, among what else pages show where it is busy."""
    frame = frames[signed.language]
    title, top = frame["title"], frame["top"]
    head, _, body = signed.markup.rpartition("</head>")
    body = body.replace("@text", frame["text"]).replace("@title", title)
    return (
        f"<html><head><title>{title}_{top[:2]}</title>{head.removeprefix('<head>')}</head><body><div>{top}</div>"
        f"{frames[BUSY]['page'].replace('@page', body) if is_busy else body}<div>{frame['bottom']}</div></body></html>"
    )


def set_into(page: str, first: str, last: str, ways: Sequence[Signed]) -> Iterator[tuple[Signed, str]]:
    """Yield a page that names nobody with some ways to sign set around its text, always the same ones for a page.

    `first` and `last` are the first and the last paragraph of the text.
    """
    for signed in sorted(ways, key=lambda way: _rank(f"{way.markup} {first}"))[:PER_PAGE]:
        match = _WAY.match(signed.markup.strip())
        if match and (whole := _with_signature(page, (first, last), match[1], match[2])):
            yield signed, whole


def _rank(text: str) -> bytes:
    return sha1(text.encode(), usedforsecurity=False).digest()


def can_be_set(signed: Signed) -> bool:
    """Say whether a way to sign is but markup before and behind a text, and names somebody."""
    match = _WAY.match(signed.markup.strip())
    return bool(signed.names) and match is not None and bool(match[1].strip() or match[2].strip())


def _with_signature(page: str, paragraphs: Sequence[str], before: str, behind: str) -> str:
    document = html.document_fromstring(_DECLARATION.sub("", page))
    first, last = _holder(document, paragraphs[0][:SHOWN]), _holder(document, paragraphs[-1][-SHOWN:])
    if first is None or last is None:
        return ""
    for element in _elements(before):
        first.addprevious(element)
    for element in reversed(_elements(behind)):
        last.addnext(element)
    return etree.tostring(document, encoding="unicode", method="html")


def _holder(document: html.HtmlElement, text: str) -> html.HtmlElement | None:
    wanted = "".join(text.split())
    held = [each for each in document.iter("p", "div", "td") if wanted in "".join("".join(each.itertext()).split())]
    return held[-1] if held and held[-1].tag != "td" else None


def _elements(markup: str) -> list[html.HtmlElement]:
    fragments = html.fragments_fromstring(markup) if markup.strip() else []
    return [each for each in fragments if not isinstance(each, str)]
