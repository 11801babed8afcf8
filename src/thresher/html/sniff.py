"""Tell binary content from text by its first bytes, and say what it is by them, by its type or by its name."""

from urllib.parse import urlsplit

from thresher.errors import NotHtml

SAMPLE = 4096  # bytes looked at
LONGEST = 64  # bytes that tell a signature, and the first file of an archive
MAX_CONTROL_SHARE = 0.05  # of the sample; text has next to none, compressed data about a tenth

_SIGNATURES = {
    b"%PDF-": "PDF",
    b"\x89PNG": "PNG image",
    b"GIF8": "GIF image",
    b"\xff\xd8\xff": "JPEG image",
    b"RIFF": "media file",
    b"BM\x00": "BMP image",
    b"II*\x00": "TIFF image",
    b"MM\x00*": "TIFF image",
    b"\x00\x00\x01\x00": "icon image",
    b"PK\x03\x04": "ZIP archive",
    b"Rar!\x1a": "RAR archive",
    b"7z\xbc\xaf": "7z archive",
    b"\x1f\x8b": "gzip archive",
    b"\x28\xb5\x2f\xfd": "zstd archive",
    b"BZh": "bzip2 archive",
    b"\xfd7zXZ": "xz archive",
    b"OggS": "media file",
    b"ID3": "audio file",
    b"fLaC": "audio file",
    b"\x1aE\xdf\xa3": "film",
    b"wOFF": "web font",
    b"wOF2": "web font",
    b"\x7fELF": "program",
    b"\xd0\xcf\x11\xe0": "office document",
    b"SQLite format 3": "SQLite database",
    b"\x00asm": "WebAssembly file",
}
_IN_ZIP = {  # how the first file of an archive begins that is more than an archive
    b"[Content_Types].xml": "office document",
    b"_rels/.rels": "office document",
    b"docProps/": "office document",
    b"mimetypeapplication/vnd.oasis": "office document",
    b"mimetypeapplication/epub": "EPUB book",
}
_ZIP_HEADER = 30  # bytes before the name of the first file
_TYPES = {  # parts of a type
    "pdf": "PDF",
    "msword": "office document",
    "ms-": "office document",
    "officedocument": "office document",
    "opendocument": "office document",
    "epub": "EPUB book",
    "zip": "ZIP archive",
    "rar": "RAR archive",
    "7z": "7z archive",
    "image/png": "PNG image",
    "image/gif": "GIF image",
    "image/jpeg": "JPEG image",
    "image/": "image",
    "audio/": "audio file",
    "video/": "film",
    "font": "font",
    "javascript": "script",
    "css": "style sheet",
    "csv": "table",
}
_ENDINGS = {  # of a name, where the type tells nothing
    **dict.fromkeys(("doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp"), "office document"),
    "pdf": "PDF",
    "epub": "EPUB book",
    "zip": "ZIP archive",
    "rar": "RAR archive",
    "7z": "7z archive",
    "png": "PNG image",
    "gif": "GIF image",
    "jpg": "JPEG image",
    "jpeg": "JPEG image",
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
            raise NotHtml(_words(_in_zip(start) if what == "ZIP archive" else what))
    if start.startswith(_UTF16):
        return
    controls = _controls(head)
    if controls > MAX_CONTROL_SHARE * len(head):
        raise NotHtml(f"this is binary content, not a web page: {controls} control characters in the first {len(head)}")


def describe(content_type: str, url: str) -> str:
    """Say that an answer of this type is no page, in the words with which `refuse_binary` refuses the same file."""
    kind = content_type.partition(";")[0].strip().lower()
    ending = urlsplit(url).path.rpartition(".")[2].lower()
    what = next((name for part, name in _TYPES.items() if part in kind), None) or _ENDINGS.get(ending)
    return _words(what) if what else f"this is binary content ({kind}), not a web page"


def _words(what: str) -> str:
    return f"this is {'an' if what[0] in 'aeiouAEIO' else 'a'} {what}, not a web page"


def _in_zip(start: bytes) -> str:
    """Name an archive by the first file in it."""
    name = start[_ZIP_HEADER:]
    return next((what for beginning, what in _IN_ZIP.items() if name.startswith(beginning)), "ZIP archive")


def _start(head: str | bytes) -> bytes:
    """Return the first bytes after white space, those of a str as if each character were one."""
    if isinstance(head, bytes):
        return head.lstrip(b"\t\n\r ")[:LONGEST]
    return head.lstrip("\t\n\r ")[:LONGEST].encode("latin-1", "replace")


def _controls(head: str | bytes) -> int:
    sample = head if isinstance(head, bytes) else head.encode("utf-8", "replace")
    return len(sample) - len(sample.translate(None, _CONTROLS))
