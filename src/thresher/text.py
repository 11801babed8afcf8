"""Text: the few pure functions that every package counts and compares text with."""

import hashlib
import re
import unicodedata

# Han, kana, bopomofo and Hangul: scripts whose words are found anywhere in a run of characters.
CJK = "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3105-\u312f\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf"
CJK += "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"

MIN_COPIED = 100  # characters, white space aside, of a text that two pages do not share by chance

_CJK_CHAR = re.compile(f"[{CJK}]")
_TOKEN = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")
# Characters that take no room on the screen (soft hyphen, zero-width, direction marks) or that no text should hold.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f\xad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\ud800-\udfff\ufeff\ufffe\uffff]"
)
# What a terminal obeys instead of showing it: C0 (but tab and line feed), DEL, C1, line and paragraph separators, the
# controls of direction and of annotations, tags; and halves of a character, which cannot be written at all.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)


def squeeze(text: str) -> str:
    """Return the text with every run of white space made one space, and none at the ends."""
    return " ".join(text.split())


def clean(text: str) -> str:
    """Return the text without unseen characters and with white space squeezed."""
    return " ".join(_UNSEEN.sub("", text).split())


def strip_unseen(text: str) -> str:
    """Return the text without control, zero-width and direction characters; white space stays."""
    return _UNSEEN.sub("", text)


def printable(text: str) -> str:
    """Return the text without anything that a terminal would obey; tabs and line feeds stay."""
    return _OBEYED.sub("", text)


def nonspace_length(text: str) -> int:
    """Count the characters that are not white space."""
    return sum(map(len, text.split()))


def has_cjk(text: str) -> bool:
    """Say whether the text holds a Chinese, Japanese or Korean character."""
    return not text.isascii() and _CJK_CHAR.search(text) is not None


def cjk_share(text: str) -> float:
    """Return the share of Chinese, Japanese and Korean characters in the text's non-space characters, 0 to 1."""
    length = nonspace_length(text)
    return len(_CJK_CHAR.findall(text)) / length if length else 0.0


def tokens(text: str) -> list[str]:
    """Split into lower-case words; each Chinese, Japanese or Korean character is a token of its own."""
    return _TOKEN.findall(text.lower())


def fingerprint(text: str) -> str | None:
    """Return a hash that copies of a text share, whatever their case, width and white space; None for a short text."""
    plain = "".join(unicodedata.normalize("NFKC", text).casefold().split())
    if len(plain) < MIN_COPIED:
        return None
    return hashlib.blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
