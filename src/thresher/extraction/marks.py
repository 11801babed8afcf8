"""What attributes say of a block beyond its place: the number of an item, the column of a cell, a code's language."""

import re
from collections.abc import Iterator

from lxml import etree

from thresher.text import strip_unseen

MAX_UP = 8  # block-level elements between a block and the item, cell or code that it is looked for in
MAX_STEPS = 200_000  # over cells and the columns that they cover, on one page; past that no column is told
MAX_CODE = 10_000_000  # characters of code read on one page, for its blank lines
MAX_SPAN = 50  # columns that a cell is taken to cover
MAX_NUMBER = 999_999_999  # the largest that Markdown has
GAP = 2  # breaks that leave a line blank: what follows is a paragraph, and has a line end in its mark

_WHOLE = re.compile(r"\s*([+-]?[0-9]{1,9})(?![0-9])")
_LANGUAGE = re.compile(
    r"(?:^|[\s;])(?:language-|lang-|highlight-source-|brush:\s*|sourceCode\s+)([\w+#.-]{1,20})"
    r"|\bhighlight-([\w+#.-]{1,20}) notranslate"
)
_SHOWS_CODE = re.compile(r"code|highlight|source|syntax", re.IGNORECASE)
_NO_LANGUAGE = frozenset(["none", "plain", "plaintext", "text", "txt", "nohighlight", "default", "auto"])

_Element = etree._Element


class Marks:
    """The marks of one page; what is asked for once is known for all of the list, table or code around it."""

    def __init__(self) -> None:
        self._numbers: dict[_Element, dict[_Element, str]] = {}  # by list
        self._columns: dict[_Element, dict[_Element, str]] = {}  # by part of a table
        self._codes: dict[_Element, _Code] = {}
        self._steps = MAX_STEPS
        self._room = MAX_CODE

    def of(self, text: str, frame: _Element) -> str:
        """Return the mark of a block with this text, whose innermost item, cell or code is `frame`; mostly empty.

        It is the number of an item or the column of a cell, from 1, where that is not its place among those of its
        name, and the language of code, with a line end for each blank line above. Lines of code are asked for in order.
        """
        match frame.tag:
            case "li":
                return self._number(frame)
            case "td" | "th":
                return self._column(frame)
            case "dt" | "dd":
                return ""
            case _:
                if frame not in self._codes:
                    self._codes[frame] = _Code(frame, read=self._room > 0)
                    self._room -= self._codes[frame].size
                return self._codes[frame].mark_of(text)

    def _number(self, item: _Element) -> str:
        holder = item.getparent()
        if holder is None or holder.tag != "ol":
            return ""
        if holder not in self._numbers:
            self._numbers[holder] = dict(_numbers_in(holder))
        return self._numbers[holder].get(item, "")

    def _column(self, cell: _Element) -> str:
        row = cell.getparent()
        part = row.getparent() if row is not None and row.tag == "tr" else None
        if part is None:
            return ""
        if part not in self._columns:
            self._columns[part] = dict(self._columns_in(part))
        return self._columns[part].get(cell, "")

    def _columns_in(self, part: _Element) -> Iterator[tuple[_Element, str]]:
        """Yield the cells of a table's part that are not where their place in the row says, with their columns."""
        taken: dict[int, int] = {}  # rows that a cell from above still covers, by column
        for row in part.iterchildren("tr"):
            column = 1
            places = {"td": 0, "th": 0}
            below = {place: rows - 1 for place, rows in taken.items() if rows > 1}
            self._steps -= len(taken)
            for cell in row.iterchildren("td", "th"):
                while column in taken:
                    column += 1
                places[str(cell.tag)] += 1
                if column != places[str(cell.tag)]:
                    yield cell, str(column)
                width = min(max(_whole(cell.get("colspan"), 1), 1), MAX_SPAN)
                rows = _whole(cell.get("rowspan"), 1)
                if rows > 1:
                    below.update(dict.fromkeys(range(column, column + width), rows - 1))
                    self._steps -= width
                column += width
                self._steps -= 1
            if self._steps < 0:
                return
            taken = below


class _Code:
    """An element of code: its language, and how far its lines have been asked for."""

    def __init__(self, element: _Element, *, read: bool) -> None:
        text = "".join(map(str, element.itertext(with_tail=False))) if read else ""
        self.size = len(text)
        self._language = _language_of(element)
        self._lines = text.splitlines()
        self._next = 0
        self._begun = False

    def mark_of(self, text: str) -> str:
        wanted, blank = text.strip(), 0
        for place in range(self._next, len(self._lines)):
            line = strip_unseen(self._lines[place]).strip()
            if line == wanted:
                self._next = place + 1
                above, self._begun = "\n" * blank if self._begun else "", True
                return self._language + above
            blank = blank + 1 if not line else 0
        self._next = len(self._lines)  # its lines are not those of its text
        return self._language


def _numbers_in(holder: _Element) -> Iterator[tuple[_Element, str]]:
    """Yield the items of a list whose numbers are not their places, with the numbers."""
    step = 1 if holder.get("reversed") is None else -1
    items = list(holder.iterchildren("li"))
    number = _whole(holder.get("start"), 1 if step == 1 else len(items))
    for place, item in enumerate(items, start=1):
        number = _whole(item.get("value"), number)
        if number != place and 0 <= number <= MAX_NUMBER:
            yield item, str(number)
        number += step


def _whole(value: str | None, default: int) -> int:
    found = _WHOLE.match(value) if value else None
    return int(found[1]) if found else default


def _language_of(code: _Element) -> str:
    """Return the language that an element of code, the one inside it or those around it name; empty for none."""
    around = [element for element, _ in zip(code.iterancestors(), range(2), strict=False)]
    shows = [element for element in around if _SHOWS_CODE.search(element.get("class") or "")]
    for element in (*code.iterchildren("code"), code, *shows):
        named = element.get("data-language") or element.get("data-lang")
        found = _LANGUAGE.search(f"lang-{named}" if named else element.get("class") or "")
        if found:
            language = (found[1] or found[2]).lower()
            return "" if language in _NO_LANGUAGE else language
    return ""
