"""Spans as a line of Markdown that says what they say: no sign of the text is read as markup, and no markup as text.

Emphasis opens and closes only beside the right characters (CommonMark, "Emphasis and strong emphasis"): a sign at its
edge that would keep it from that is put outside, as after 「**标题：**正文」; what still would not work becomes a tag.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from unicodedata import category
from urllib.parse import quote

from thresher.model.content import Span
from thresher.model.rendering.formatting import EMPHASIS, LINK, STRONG, Piece, Styled, nest

_SIGN = re.compile(r"([\\`*\[\]<]|&(?=#?\w+;|$)|(?<![^\W_])_|_(?![^\W_]))")
_SIGN_OR_TILDE = re.compile(_SIGN.pattern[:-1] + "|~)")
_SPACE = re.compile(r"\s")
_AT_START = re.compile(r"#{1,6}(?=\s|$)|[-+](?=\s|$)|>|[=:|-][=:|\s-]*$")
_NUMBER_AT_START = re.compile(r"(\d{1,9})(?=[.)](?:\s|$))")
_CLOSING = re.compile(r"(?<!\S)(#+)$")  # which a heading would lose
_TICKS = re.compile(r"`+")
_UNSAFE_TARGET = re.compile(r"[\s<>\\\x00-\x1f]")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_DELIMITERS = {STRONG: "**", EMPHASIS: "*"}
_TAGS = {STRONG: "strong", EMPHASIS: "em"}
_NOTHING = Span("")
_OPENED = "**"  # in place of the character before: delimiters that have just been opened


def markdown_line(spans: Sequence[Span]) -> str:
    """Return spans as inline Markdown, fit to follow other text in a line."""
    # A single tilde strikes nothing out, and is left to be read.
    sign = _SIGN_OR_TILDE if sum(span.text.count("~") for span in spans) > 1 else _SIGN
    escaped = [span if span.code else replace(span, text=_escaped(span.text, sign)) for span in spans]
    return _joined(nest(_settled(escaped)), "", "").strip()


def markdown_image(span: Span) -> str:
    """Return an image, whose address and description a span has, as inline Markdown."""
    return f"![{_escaped(span.text, _SIGN_OR_TILDE).strip()}]({_target(span.href or '')})"


def markdown_start(line: str) -> str:
    """Return inline Markdown fit to begin a line: not read as a heading, a list, a quotation or a rule."""
    if number := _NUMBER_AT_START.match(line):
        return f"{number[1]}\\{line[number.end() :]}"
    return "\\" + line if _AT_START.match(line) else line


def markdown_heading(line: str) -> str:
    """Return inline Markdown fit to be a heading: signs at its end are not taken for the heading's own."""
    return _CLOSING.sub(r"\\\1", line)


def _joined(pieces: Iterable[Piece], before: str, after: str) -> str:
    """Return pieces one after the other; `before` and `after` are the characters around them, empty at the ends."""
    todo = list(pieces)
    line = ""
    for place, piece in enumerate(todo):
        following = _first(todo[place + 1]) if place + 1 < len(todo) else after
        written = _written(piece, _last(line) or before, following)
        if line.endswith("!") and written.startswith("["):
            line = line[:-1] + "\\!"  # or it were an image
        line += written
    return line


def _first(piece: Piece) -> str:
    """Return the first character that a piece is written with, or one that counts like it."""
    leaf = piece
    while isinstance(leaf, Styled):
        leaf = leaf.inner[0]
    is_marked = (isinstance(piece, Styled) or leaf.code) and not leaf.text[:1].isspace()
    return "[" if is_marked else leaf.text[:1]


def _last(line: str) -> str:
    """Return the last character of a line, or one that counts like it: an asterisk of the text is no delimiter."""
    if not line.endswith("\\*"):
        return line[-1:]
    escapes = len(line) - 1 - len(line[:-1].rstrip("\\"))
    return "." if escapes % 2 else "*"


def _written(piece: Piece, before: str, after: str) -> str:
    if isinstance(piece, Span):
        return _code(piece.text) if piece.code else piece.text
    if piece.kind == LINK:
        inner = _joined(piece.inner, "[", "]")
        return _around(inner, "[", f"]({_target(piece.href)})")
    # Where others follow, delimiters that open together and close apart are taken for theirs.
    inner = _joined(piece.inner, _OPENED if any(map(_has_emphasis, piece.inner[1:])) else before, after)
    text = inner.strip()
    opens = before != _OPENED and (inner[:1].isspace() or _opens(before, text))
    if opens and (inner[-1:].isspace() or _closes(text, after)):
        delimiter = _DELIMITERS[piece.kind]
        return _around(inner, delimiter, delimiter)
    return _around(inner, f"<{_TAGS[piece.kind]}>", f"</{_TAGS[piece.kind]}>")


def _has_emphasis(piece: Piece) -> bool:
    return isinstance(piece, Styled) and (piece.kind != LINK or any(map(_has_emphasis, piece.inner)))


def _around(inner: str, start: str, end: str) -> str:
    """Put signs around a text, inside of its white space."""
    text = inner.strip()
    return inner.replace(text, f"{start}{text}{end}", 1) if text else inner


def _opens(before: str, inner: str) -> bool:
    """Say whether delimiters between these are taken for opening ones; next to others they would be one with them."""
    return before != "*" and (_is_border(before) or not _is_sign(inner.lstrip("*")[:1]))


def _closes(inner: str, after: str) -> bool:
    return _is_border(after) or not _is_sign(inner.rstrip("*")[-1:])


def _is_border(char: str) -> bool:
    """Say whether this counts as white space or punctuation for every parser; symbols do for some only."""
    return not char or char.isspace() or category(char)[0] == "P" or (char.isascii() and not char.isalnum())


def _is_sign(char: str) -> bool:
    return not char or category(char)[0] in "PS"


def _settled(spans: Sequence[Span]) -> list[Span]:
    """Return spans with the signs at the edges of emphasis outside of it, where it touches a word there."""
    settled: list[Span] = []
    for place, span in enumerate(spans):
        before = spans[place - 1] if place else _NOTHING
        after = spans[place + 1] if place + 1 < len(spans) else _NOTHING
        if not (span.strong or span.emphasis) or span.code or span.href:
            settled.append(span)
        else:
            settled += _parted(span, before, after)
    return settled


def _parted(span: Span, before: Span, after: Span) -> Iterator[Span]:
    """Yield a span without the signs at its edges, and these with the emphasis that their neighbours share."""
    head, text, tail = _edges(span.text)
    if not text:
        yield _less(_less(span, span.text, before), span.text, after)
        return
    if _is_border(before.text[-1:]):
        head, text = "", head + text
    if _is_border(after.text[:1]):
        tail, text = "", text + tail
    if head:
        yield _less(span, head, before)
    yield replace(span, text=text)
    if tail:
        yield _less(span, tail, after)


def _edges(text: str) -> tuple[str, str, str]:
    """Return the signs that a text starts with, what is between, and the signs that it ends with."""
    start, end = 0, len(text)
    while start < end and _is_sign(text[start]):
        start += 1
    while end > start and _is_sign(text[end - 1]):
        end -= 1
    return text[:start], text[start:end], text[end:]


def _less(span: Span, text: str, like: Span) -> Span:
    """Return a text with the emphasis that one span shares with another."""
    return replace(span, text=text, strong=span.strong and like.strong, emphasis=span.emphasis and like.emphasis)


def _code(text: str) -> str:
    inner = " ".join(text.split())
    if not inner:
        return " " if text else ""
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(inner)), default=0))
    pad = " " if inner[0] == "`" or inner[-1] == "`" else ""
    before = " " if text[0].isspace() else ""
    return f"{before}{ticks}{pad}{inner}{pad}{ticks}{' ' if text[-1].isspace() else ''}"


def _escaped(text: str, sign: "re.Pattern[str]") -> str:
    return sign.sub(r"\\\1", _SPACE.sub(" ", text))


def _target(href: str) -> str:
    """Return an address as the target of a link, in angle brackets where it would end too early without."""
    safe = _ENTITY.sub(r"\\&", _UNSAFE_TARGET.sub(lambda match: quote(match[0]), href))
    return f"<{safe}>" if "(" in safe or ")" in safe else safe
