"""Tell binary content from text by its first bytes."""

from thresher.errors import NotHtml

SAMPLE = 4096  # bytes looked at
LONGEST = 16  # bytes of the longest signature, or more
MAX_CONTROL_SHARE = 0.05  # of the sample; text has next to none, compressed data about a tenth

_SIGNATURES = {
    b"%PDF-": "PDF",
    b"\x89PNG": "PNG image",
    b"GIF8": "GIF image",
    b"\xff\xd8\xff": "JPEG image",
    b"RIFF": "RIFF media",
    b"BM\x00": "BMP image",
    b"II*\x00": "TIFF image",
    b"MM\x00*": "TIFF image",
    b"\x00\x00\x01\x00": "icon",
    b"PK\x03\x04": "ZIP archive",
    b"Rar!\x1a": "RAR archive",
    b"7z\xbc\xaf": "7z archive",
    b"\x1f\x8b": "gzip data",
    b"\x28\xb5\x2f\xfd": "zstd data",
    b"BZh": "bzip2 data",
    b"\xfd7zXZ": "xz data",
    b"OggS": "Ogg media",
    b"ID3": "MP3 audio",
    b"fLaC": "FLAC audio",
    b"\x1aE\xdf\xa3": "Matroska media",
    b"wOFF": "web font",
    b"wOF2": "web font",
    b"\x7fELF": "program",
    b"\xd0\xcf\x11\xe0": "Office document",
    b"SQLite format 3": "SQLite database",
    b"\x00asm": "WebAssembly",
}
# Escape (27) switches character sets in ISO-2022-JP; NUL is counted too, after UTF-16 is set aside.
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
_UTF16 = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")


def refuse_binary(page: str | bytes) -> None:
    """Raise NotHtml when the page starts like an image, archive, PDF or other binary file."""
    head = page[:SAMPLE]
    start = _start(head)
    for signature, what in _SIGNATURES.items():
        if start.startswith(signature):
            raise NotHtml(f"this is a {what}, not a page")
    if start.startswith(_UTF16):
        return
    controls = _controls(head)
    if controls > MAX_CONTROL_SHARE * len(head):
        raise NotHtml(f"binary content, not a page: {controls} control characters in the first {len(head)}")


def _start(head: str | bytes) -> bytes:
    """Return the first bytes after white space, those of a str as if each character were one."""
    if isinstance(head, bytes):
        return head.lstrip(b"\t\n\r ")[:LONGEST]
    return head.lstrip("\t\n\r ")[:LONGEST].encode("latin-1", "replace")


def _controls(head: str | bytes) -> int:
    sample = head if isinstance(head, bytes) else head.encode("utf-8", "replace")
    return len(sample) - len(sample.translate(None, _CONTROLS))
