"""Guess the legacy encoding of a page that does not say, or does not say the truth."""

import re
from itertools import islice

SAMPLE = 8192  # bytes of lines that hold more than ASCII; the guess takes about 1 ms
MAX_ACCENTS = 0.35  # of a Latin text's letters; 4 % in French, 10 % in Polish, half or more in Big5, all in Cyrillic
PIECES = 2_000  # pieces of text between tags that are looked at

_PIECE = re.compile(rb"[^<>]+")
_ASCII = bytes(range(0x80))
_NO_LETTERS = bytes(byte for byte in range(0x80) if not chr(byte).isalpha())
_STRETCH = re.compile(rb"[\x80-\xff][^\r\n]*")  # starts at the first byte of a character
# Characters that make up a good part of any text; bytes read in a wrong encoding give rare ones.
_COMMON = {
    "gb18030": "的一是不了在人有我他这中大来上国个到说们为子和你地出也时年得就那要下以会可对生能而于学之",
    "big5hkscs": "的一是不了在人有我他這中大來上國個到說們為子和你地出也時年得就那要下以會可對生能而於學之",
    "cp932": "のにはをたがでてとしれさいるなかもすらまりこ",
    "euc_jp": "のにはをたがでてとしれさいるなかもすらまりこ",
    "cp949": "이다는을의에가고지하은를로서한기도인사나",
}
MIN_SAMPLE = 200  # bytes; a shorter sample refutes nothing
MIN_COMMON = 0.1  # of the characters above ASCII; Chinese has 0.15 to 0.25, Japanese and Korean more
_ONE_BYTE = ("cp1251", "koi8_r", "iso8859_5", "cp866", "cp1253", "cp1256", "cp1255", "cp874")
_TYPOGRAPHY = "‘’“”„–—…•«»°©®§´·\xa0"
# Letters and signs that running text uses; windows-1252 comes first and so wins a tie.
_LATIN = {
    "cp1252": _TYPOGRAPHY + "àáâãäåæçèéêëìíîïñòóôõöøùúûüýßœ¿¡ÀÁÄÅÆÇÈÉÊÎÑÓÔÖØÚÜŒ€£½²ºª",
    "cp1250": _TYPOGRAPHY + "ąćęłńóśźżáčďéěíňřšťúůýžäôöüőűăâîşţđßĄĆĘŁŃÓŚŹŻÁČĎÉĚÍŇŘŠŤÚŮÝŽÖÜŐŰĐ€",
    "iso8859-2": "ąćęłńóśźżáčďéěíňřšťúůýžäôöüőűăâîşţđßĄĆĘŁŃÓŚŹŻÁČĎÉĚÍŇŘŠŤÚŮÝŽÖÜŐŰĐ\xa0§°´",
    "cp1254": _TYPOGRAPHY + "çğıöşüâîûÇĞİÖŞÜ",
    "cp1257": _TYPOGRAPHY + "āčēģīķļņšūžąęėįųõäöüĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲÕÄÖÜ",
}
_LATIN_BYTES = {codec: letters.encode(codec) for codec, letters in _LATIN.items()}


def is_latin(data: bytes) -> bool:
    """Say whether the bytes above ASCII stand among ASCII letters, as accented letters do."""
    above = weighted = 0.0
    for match in islice(_PIECE.finditer(data), PIECES):
        if match[0].isascii():
            continue
        count = len(match[0].translate(None, _ASCII))
        above += count
        weighted += count * count / len(match[0].translate(None, _NO_LETTERS))
    return weighted <= MAX_ACCENTS * above


def detect(data: bytes, foreign: bytes) -> str:
    """Name the codec that the bytes above ASCII (`foreign`) of the page most likely are in."""
    if is_latin(data):
        return max(_LATIN_BYTES, key=lambda codec: -len(foreign.translate(None, _LATIN_BYTES[codec])))
    sample = _sample_of(data)
    shares = {codec: _common_share(sample, codec) for codec in _COMMON}
    east_asian = max(shares, key=lambda codec: shares[codec])
    if shares[east_asian] >= MIN_COMMON:
        return east_asian
    # Loaded here because it takes 20 ms and few pages need it.
    import charset_normalizer

    best = charset_normalizer.from_bytes(sample, cp_isolation=list(_ONE_BYTE)).best()
    return best.encoding if best is not None else east_asian


def is_refuted(data: bytes, codec: str) -> bool:
    """Say whether a page that declares an East Asian encoding is clearly in another one."""
    if codec not in _COMMON:
        return False
    sample = _sample_of(data)
    if len(sample) < MIN_SAMPLE or _common_share(sample, codec) >= MIN_COMMON / 2:
        return False
    return max(_common_share(sample, other) for other in _COMMON) >= MIN_COMMON


def _common_share(sample: bytes, codec: str) -> float:
    """Return the share of common characters among those above ASCII, if the sample is in this encoding."""
    text = sample.decode(codec, "replace")
    above = sum(1 for char in text if char > "\x7f")
    common = _COMMON[codec]
    return sum(1 for char in text if char in common) / above if above else 0.0


def _sample_of(data: bytes) -> bytes:
    """Gather stretches that hold more than ASCII, cut at a tag so that no character is halved."""
    stretches: list[bytes] = []
    room = SAMPLE
    for match in _STRETCH.finditer(data):
        stretch = match[0] if len(match[0]) <= room else match[0][:room].rpartition(b"<")[0] or match[0][:room]
        stretches.append(stretch)
        room -= len(stretch)
        if len(stretch) < len(match[0]) or room <= 0:
            break
    return b"\n".join(stretches)
