"""Near the title: which block shows it, and the short lines around that block, where date and byline stand."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from thresher.extraction.fields.texts import find_shown, fold

BEFORE, AFTER = 4, 12  # blocks around the title
MAX_LINE = 160  # characters: a longer block is text, and what it says is its subject
MIN_PART = 20  # characters of a title that a block must show at least, where it shows only a part
MIN_HELD = 6  # characters of a title that is looked for inside longer blocks
MAX_BLOCKS = 5_000  # looked at


# "Ann MillerMay 5, 2016": what two elements show side by side, with no space in the markup.
_GLUED = re.compile(
    r"(?<=[a-z])(?=(?:January|February|March|April|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.? \d)|(?<=\d, 20\d\d)(?=\d)"
)


# "15/01/2016" and "28. Juni 2019" with a number right behind them, of another date or of comments.
_YEAR_AND_MORE = re.compile(r"(?<=[./]20[0-4]\d)(?=\d)|(?<=[a-zäöü.] 20[0-4]\d)(?=\d{1,2}(?!\d))")

_LONG_YEAR = re.compile(r"20[0-4]\d\d")  # without which there is none


class Shown(Protocol):
    """A block of the page, of which only the text and the shape (p, h1, li …) matter here."""

    @property
    def text(self) -> str:
        """The plain text."""

    @property
    def tag(self) -> str:
        """The shape."""


class PlainLine(NamedTuple):
    """A block as the fields see it: its text and its shape."""

    text: str
    tag: str


class Lines:
    """The blocks of a page in columns, texts and shapes, as a sequence; few of them are ever asked for."""

    def __init__(self, texts: Sequence[str], tags: Sequence[int], names: Sequence[str]) -> None:
        self.texts = texts
        self._tags = tags  # numbers of the names
        self._names = names

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[PlainLine]:
        return map(PlainLine, self.texts, map(self._names.__getitem__, self._tags))

    def __getitem__(self, place: int | slice) -> PlainLine | list[PlainLine]:
        if isinstance(place, slice):
            return list(Lines(self.texts[place], self._tags[place], self._names))
        return PlainLine(self.texts[place], self._names[self._tags[place]])


@dataclass(frozen=True, slots=True)
class Near:
    """A page's texts, and the short lines around its title: `after` in reading order, `before` the nearest first.

    `below` are those after it up to the first longer text or other heading.
    """

    title: str
    texts: Sequence[str]  # of the first blocks of the page
    after: Sequence[str]
    before: Sequence[str]
    below: Sequence[str] = ()
    place: int | None = None  # of the title among the texts


def texts_shown(blocks: Sequence[Shown], limit: int) -> Sequence[str]:
    """Return the texts of the first blocks, as they are where they stand in a column."""
    return blocks.texts[:limit] if isinstance(blocks, Lines) else [block.text for block in blocks[:limit]]


def look_near(blocks: Sequence[Shown], title: str) -> Near:
    """Find the block that shows the title, best a heading, and the lines around it; none where no block does."""
    texts = texts_shown(blocks, MAX_BLOCKS)
    place = _place_of(title, texts, blocks) if title else None
    if place is None:
        return Near(title, texts, (), ())
    lines = [text for text in texts[place + 1 : place + AFTER + 1] if len(text) <= MAX_LINE]
    after = [_unglued(text) if "20" in text else text for text in lines]
    before = [text for text in reversed(texts[max(0, place - BEFORE) : place]) if len(text) <= MAX_LINE]
    if not title.endswith(texts[place]) and len(rest := texts[place].replace(title, " ")) <= MAX_LINE:
        after.insert(0, rest)
    return Near(title, texts, after, before, _below(place, texts, blocks), place)


def without_title(near: Near) -> Near:
    """Return the same lines without the title wherever one shows it: a date in it is that of its subject."""

    def less(lines: Sequence[str]) -> list[str]:
        return [line.replace(near.title, " ") if near.title in line else line for line in lines]

    return replace(near, texts=less(near.texts), after=less(near.after), before=less(near.before))


def _unglued(text: str) -> str:
    text = _GLUED.sub(" ", text) if ", 20" in text else text
    return _YEAR_AND_MORE.sub(" ", text) if _LONG_YEAR.search(text) else text


def _below(place: int, texts: Sequence[str], blocks: Sequence[Shown]) -> list[str]:
    lines = []
    for number in range(place + 1, min(place + AFTER + 1, len(texts))):
        if len(texts[number]) > MAX_LINE or blocks[number].tag[0] == "h":
            break
        lines.append(texts[number])
    return lines


def _place_of(title: str, texts: Sequence[str], blocks: Sequence[Shown]) -> int | None:
    lines = texts if isinstance(texts, list) else list(texts)
    wanted = fold(title)
    sizes = {"least": min(len(title), MIN_PART), "most": 2 * len(title) + MAX_LINE, "least_part": MIN_PART}
    same, holds, part = find_shown(lines, wanted, 0, **sizes)
    if same < 0:
        holds = holds if len(wanted) >= MIN_HELD else -1
        return next((place for place in (holds, part) if place >= 0), None)
    best = same
    while same >= 0 and blocks[same].tag != "h1":
        if blocks[same].tag[0] == "h" and blocks[best].tag[0] != "h":
            best = same
        same, _, _ = find_shown(lines, wanted, same + 1, **sizes)
    return same if same >= 0 else best
