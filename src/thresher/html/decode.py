"""Bytes to text: BOM, Content-Type, meta and content are asked in this order, and a declaration that lies is overruled.

Labels mean what browsers take them to mean (WHATWG Encoding): "gb2312" is GB18030, "iso-8859-1" is windows-1252.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

import webencodings

from thresher.html.detect import detect, is_latin, is_refuted

META_SAMPLE = 4096  # bytes searched for <meta charset>; browsers search 1024
MAX_BAD_SHARE = 0.02  # of the bytes above ASCII: more undecodable ones than this refute a declaration
MAX_BAD_SHARE_UTF8 = 0.2  # UTF-8 is no accident even where foreign bytes are mixed in (old comments, advertisements)
MIN_FOREIGN = 16  # bytes above ASCII from which valid UTF-8 is no accident in a multi-byte encoding either

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_HEADER_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:+-]+)", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:+-]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"^\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([\w.:+-]+)", re.IGNORECASE)
_ABOVE_ASCII = bytes(range(0x80))  # deleting these leaves the others
_WESTERN = frozenset({"cp1252", "iso8859-15", "mac-roman", "cp1250", "iso8859-2", "cp1254", "cp1257", "ascii"})
_GB = frozenset({"gbk", "gb18030"})


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the encoding it was in, and what told: bom, content-type, meta, utf-8, detected or fallback."""

    text: str
    encoding: str
    source: str
    is_same_in_utf8: bool = False  # the bytes are the text in UTF-8, no more and no less


def decode(data: bytes, content_type: str | None = None) -> Decoded:
    """Decode a page of any encoding; bytes that do not fit become U+FFFD, nothing raises."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return Decoded(data[len(bom) :].decode(encoding, "replace"), encoding, "bom")
    declared = [(codec, source) for label, source in _declared(data, content_type) if (codec := _codec_of(label))]
    if declared and declared[0][0] == "utf-8":
        whole = data.decode("utf-8", "replace")
        if "\ufffd" not in whole:
            return Decoded(whole, "utf-8", declared[0][1], is_same_in_utf8=True)
    foreign = data.translate(None, _ABOVE_ASCII)
    for codec, source in declared:
        text = _fitting(data, codec, foreign)
        if text is not None:
            return Decoded(text, codec, source)
    return _undeclared(data, foreign, declared[0][0] if declared else None)


def _declared(data: bytes, content_type: str | None) -> Iterator[tuple[str, str]]:
    """Yield each charset label that header and page give, the stronger first."""
    if match := _HEADER_CHARSET.search(content_type or ""):
        yield match[1], "content-type"
    head = data[:META_SAMPLE]
    for pattern in (_META_CHARSET, _XML_ENCODING):
        if found := pattern.search(head):
            label = found[1].decode("ascii", "replace")
            # A page whose ASCII could be read is not in UTF-16, whatever it says.
            yield ("utf-8" if label.lower().startswith("utf-16") else label), "meta"


def _codec_of(label: str) -> str | None:
    """Name the Python codec that a browser would use for a label; None for an unknown label."""
    encoding = webencodings.lookup(label)
    if encoding is None or encoding.name in ("replacement", "x-user-defined"):
        return None
    # The GBK of the web is GB18030: old pages use its extra characters.
    return "gb18030" if encoding.name in _GB else encoding.codec_info.name


def _fitting(data: bytes, codec: str, foreign: bytes) -> str | None:
    """Decode; None when the bytes speak against the declared codec."""
    if not foreign:
        return data.decode(codec, "replace")
    if codec != "utf-8" and _is_really_utf8(data, codec, foreign):
        return None
    if codec in _WESTERN and len(foreign) >= MIN_FOREIGN and not is_latin(data):
        return None
    if is_refuted(data, codec):
        return None
    text = data.decode(codec, "replace")
    limit = MAX_BAD_SHARE_UTF8 if codec == "utf-8" else MAX_BAD_SHARE
    # Two bad ones may always be: a cut at the end, a stray byte.
    return text if _bad_in(text, data) <= max(2, limit * len(foreign)) else None


def _is_really_utf8(data: bytes, codec: str, foreign: bytes) -> bool:
    if len(foreign) < MIN_FOREIGN and codec not in _WESTERN:
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _bad_in(text: str, data: bytes) -> int:
    """Count the replacement characters that decoding brought in."""
    bad = text.count("\ufffd")
    return bad - data.count("\ufffd".encode()) if bad else 0


def _undeclared(data: bytes, foreign: bytes, declared: str | None) -> Decoded:
    """Decode by content alone; `declared` is what is left when nothing fits better."""
    if data.startswith(b"<\x00"):
        return Decoded(data.decode("utf-16-le", "replace"), "utf-16-le", "detected")
    if data.startswith(b"\x00<"):
        return Decoded(data.decode("utf-16-be", "replace"), "utf-16-be", "detected")
    if not foreign and b"\x1b$B" in data[:META_SAMPLE]:
        return Decoded(data.decode("iso2022_jp", "replace"), "iso2022_jp", "detected")
    text = _fitting(data, "utf-8", foreign)
    if text is not None:
        return Decoded(text, "utf-8", "utf-8", is_same_in_utf8="\ufffd" not in text)
    guess = detect(data, foreign)
    text = data.decode(guess, "replace")
    if declared and _bad_in(text, data) > MAX_BAD_SHARE * len(foreign):
        return Decoded(data.decode(declared, "replace"), declared, "fallback")
    return Decoded(text, guess, "detected")
