"""Leave out of the markup what nothing reads, so that the parser is spared it; `_lean.pyx` does the same in C.

More than half of a page are scripts, styles, comments and attributes that only scripts and styles use. The tree is that
of the whole page, but for unread attributes and the text of scripts and styles. Tags are told as HTML parsers do.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from thresher.html.lean_words import CUT, DATA, ENDLESS, HIDING, MOST, RAW, READ, READ_OF_IMAGES

try:
    from thresher.html._lean import lean as _compiled
except ImportError:
    _compiled = None  # type: ignore[assignment]

_SPACES = b" \t\n\r\f"
_NAME = rb"[^ \t\n\r\f/>][^ \t\n\r\f/>=]*"
_VALUE = rb"(?:[ \t\n\r\f]*=[ \t\n\r\f]*(?:\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z)|[^ \t\n\r\f>]*))?"
_ATTRIBUTE = re.compile(b"(" + _NAME + b")(" + _VALUE + b")")
# Some attributes at a time: nothing that could fail follows them, so nothing is tried twice, and memory is bounded.
_ATTRIBUTES = re.compile(rb"(?:[ \t\n\r\f/]+|" + _NAME + _VALUE + rb"){1,64}")
_MARK = re.compile(rb"<(?:(/?)([a-zA-Z][^ \t\n\r\f/>]*)|(!--)|[!?/])")
_DECLARATION = re.compile(rb"[^>]*>")
_COMMENT = re.compile(rb"-?>|(.*?)--!?>", re.DOTALL)
_MAY_HIDE = re.compile(b"&|" + HIDING.encode(), re.IGNORECASE)
_MAY_BE_DATA = re.compile(b"&|" + re.escape(DATA.encode()), re.IGNORECASE)
_SCRIPT = re.compile(b"<script", re.IGNORECASE)
_RAW_ENDS = {name.encode(): re.compile(f"</{name}[ \t\n\r\f/>]".encode(), re.IGNORECASE) for name in RAW}
_RAW_ENDS[ENDLESS.encode()] = re.compile(rb"(?!)")
_CUT = frozenset(name.encode() for name in CUT)
_HOMES = {name.encode(): [home.encode() for home in homes] for name, homes in READ.items()}
_HOMES_OF_IMAGES = {name.encode(): [home.encode() for home in homes] for name, homes in READ_OF_IMAGES.items()}

Cut = tuple[int, int, bytes]  # from, to, and what is put there


class Lean(NamedTuple):
    """Markup to parse, and what was seen on the way."""

    markup: bytes
    tags: int  # "<" outside of scripts and the like
    attributes: int  # of the long tag that has most of them; 0 without a long tag
    has_base: bool


def lean(markup: bytes, long_tag: int, most: int = MOST, *, images: bool = False) -> Lean | None:
    """Return the markup without what nothing reads; None for a page whose scripts cannot be told from the rest.

    A tag of more than `long_tag` bytes is long; of scripts and styles `most` bytes are kept. The markup must be free of
    control characters. The addresses of images are kept on wish, which the compiled form does not know.
    """
    if _compiled is None or images:
        return lean_by_expressions(markup, long_tag, most, images=images)
    made = _compiled(markup, long_tag, most)
    return made and Lean(*made)


def lean_by_expressions(markup: bytes, long_tag: int, most: int = MOST, *, images: bool = False) -> Lean | None:
    """Return what `lean` returns."""
    seen = _Pass(markup, long_tag, most, images=images)
    kept: list[bytes] = []
    end = 0
    for start, stop, instead in seen.cuts():
        kept += (markup[end:start], instead)
        end = stop
    if seen.failed:
        return None
    return Lean(b"".join((*kept, markup[end:])), seen.tags, seen.attributes, seen.has_base)


class _Pass:
    """One pass over the markup; the figures are complete when all cuts have been taken."""

    def __init__(self, markup: bytes, long_tag: int, most: int, *, images: bool) -> None:
        self._images = images
        self._markup, self._long_tag, self._most = markup, long_tag, most
        self._at = 0  # the page's length when there is no more to see
        self.tags = self.attributes = 0
        self.has_base = self.failed = False

    def cuts(self) -> Iterator[Cut]:
        """Yield what is left out, in order."""
        while (start := self._markup.find(b"<", self._at)) >= 0:
            self.tags += 1
            self._at = start + 1
            if mark := _MARK.match(self._markup, start):
                yield from self._marked(mark)

    def _marked(self, mark: re.Match[bytes]) -> Iterator[Cut]:
        """Pass over what begins with a mark: a tag, a comment or a declaration; it may run to the end of the page."""
        slash, name, is_comment = mark.groups()
        if name:
            yield from self._tag(name.lower(), mark.end(), is_start=not slash)
            return
        rest = (_COMMENT if is_comment else _DECLARATION).match(self._markup, mark.end())
        self._at = rest.end() if rest else len(self._markup)
        if rest and is_comment and rest[1] is not None:
            yield mark.end(), self._at, b"-->"

    def _tag(self, name: bytes, start: int, *, is_start: bool) -> Iterator[Cut]:
        """Pass over a tag from the end of its name on."""
        end = start
        while some := _ATTRIBUTES.match(self._markup, end):
            end = some.end()
        is_whole = self._markup.startswith(b">", end)
        self._at = end + 1 if is_whole else len(self._markup)
        if is_start:
            cuts, last = self._attributes(name, start, end if is_whole else self._at)
            if is_whole:
                yield from cuts
                yield from self._element(name, self._markup[start:last], self._markup[last : self._at])

    def _attributes(self, tag: bytes, start: int, end: int) -> tuple[list[Cut], int]:
        """Return the unread attributes of a start tag and where the last of all ends, and count them."""
        cuts: list[Cut] = []
        count, last, has_style = 0, start, False
        for attribute in _ATTRIBUTE.finditer(self._markup, start, end):
            count, last = count + 1, attribute.end()
            if not _is_read(attribute, tag, has_style) and not (self._images and _is_of_image(attribute, tag)):
                before = self._markup[attribute.start() - 1]
                cuts.append((attribute.start(), last, b"" if before in _SPACES else b" "))
            has_style = has_style or attribute[1].lower() == b"style"
        if end - start + len(tag) > self._long_tag:
            self.attributes = max(self.attributes, count)
        return cuts, last

    def _element(self, tag: bytes, attributes: bytes, rest: bytes) -> Iterator[Cut]:
        """Yield what an element holds that is raw and not read; `rest` is that of its start tag."""
        self.has_base |= tag == b"base"
        if tag in _RAW_ENDS and not rest.endswith(b"/>"):
            is_read = tag not in _CUT or (tag == b"script" and _MAY_BE_DATA.search(attributes) is not None)
            yield from self._raw(tag, is_read=is_read)

    def _raw(self, tag: bytes, *, is_read: bool) -> Iterator[Cut]:
        """Pass over the text of a raw element, and yield it if it is not read; without end tag it is left alone."""
        end_tag = _RAW_ENDS[tag].search(self._markup, self._at)
        start, self._at = self._at, end_tag.start() if end_tag else len(self._markup)
        if end_tag and tag == b"script" and _has_inner_script(self._markup, start, self._at):
            self.failed, self._at = True, len(self._markup)
        elif end_tag and not is_read and self._at - start > self._most:
            start += self._most
            while self._markup[start] & 0xC0 == 0x80:  # not inside a character
                start -= 1
            yield start, self._at, b""


def _is_read(attribute: re.Match[bytes], tag: bytes, has_style: bool) -> bool:
    name = attribute[1].lower()
    if name == b"style":  # of which only the first counts
        return not has_style and _MAY_HIDE.search(attribute[2]) is not None
    homes = _HOMES.get(name)
    return homes is not None and (not homes or tag in homes)


def _is_of_image(attribute: re.Match[bytes], tag: bytes) -> bool:
    return tag in _HOMES_OF_IMAGES.get(attribute[1].lower(), ())


def _has_inner_script(markup: bytes, start: int, end: int) -> bool:
    """Say whether a script has a comment with a script in it, whose end tag would not end the outer one."""
    comment = markup.find(b"<!--", start, end)
    return comment >= 0 and _SCRIPT.search(markup, comment, end) is not None
