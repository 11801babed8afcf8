"""A folder of Markdown files: one a document, below a folder for each site, with its fields as front matter (YAML)."""

import hashlib
import json
import re
import unicodedata
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from thresher.errors import UsageError
from thresher.export.contract import Posts, Receipt
from thresher.export.files import Hashed, new_folder, refuse_full
from thresher.export.partial import EVERY, Hashing, Partial, Progress
from thresher.model import Document
from thresher.model.document import fields_of
from thresher.model.rendering.render import markdown_pieces
from thresher.urls import key_of

SUMS = "SHA256SUMS"  # the hash of each file, as `sha256sum --check` reads it
NAME_BYTES = 120  # of a file's name that come from the title; file systems take 255
KEY_DIGITS = 12  # of the document's key, which tell two titles apart
_FRONT_MATTER = (
    "url",
    "title",
    "kind",
    "published",
    "authors",
    "language",
    "site",
    "site_name",
    "description",
    "sources",
)
_NOT_IN_NAMES = re.compile(r"[^\w]+")
_NOT_IN_SITES = re.compile(r"[^\w.]+")
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # what JSON allows and YAML does not


class MarkdownFolder:
    """Writes a folder of Markdown files, and a list of their hashes."""

    def __init__(self, path: Path | None, kept: Partial | None = None) -> None:
        if path is None or str(path) == "-":
            raise UsageError("Markdown is written to a folder of one file for each document: give -o FOLDER")
        self._path, self._kept = path, kept
        self._stack = ExitStack()
        self._documents = 0
        self.receipt = Receipt(0, "", path)

    def __enter__(self) -> Self:
        """Open the folder."""
        if self._kept:
            refuse_full(self._path)
        self._folder = self._stack.enter_context(self._kept.folder() if self._kept else new_folder(self._path))
        begin = self._kept.begin if self._kept else Progress()
        sums = self._stack.enter_context((self._folder / SUMS).open("r+b" if begin.documents else "w+b"))
        sums.truncate(begin.bytes)
        self._documents = begin.documents
        self._sums = Hashing(sums)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Put the folder in its place, or remove it, unless it can be gone on with."""
        self.receipt = Receipt(self._documents, self._sums.sha256, self._path)
        self._stack.__exit__(kind, error, at)
        if self._kept and kind is None:
            self._kept.done(self._folder)

    def add(self, document: Document, posts: Posts) -> None:
        """Write a file."""
        name = name_of(document)
        place = self._folder / name
        place.parent.mkdir(exist_ok=True)
        with place.open("wb") as stream:
            file = Hashed(stream)
            file.write(front_matter(document))
            for piece in markdown_pieces(document, posts()):
                file.write(piece)
        self._sums.write(f"{file.sha256}  {name}\n")
        self._documents += 1
        if self._kept and self._documents % EVERY == 0:
            self._kept.keep(self._documents, document.url, self._sums.flushed())


def name_of(document: Document) -> str:
    """Return SITE/TITLE-KEY.md in letters, digits and hyphens of any script; always the same for one document."""
    key = key_of(document.url) if document.url else hashlib.sha256(document.text.encode()).hexdigest()
    site = _NOT_IN_SITES.sub("-", document.site or "").strip("-.") or "unknown"
    return f"{site}/{'-'.join(filter(None, (_slug(document.title), key[:KEY_DIGITS])))}.md"


def front_matter(document: Document) -> str:
    """Return the fields between two lines of hyphens; JSON values are YAML values."""
    fields = fields_of(document)
    lines = [f"{name}: {_yaml(fields[name])}" for name in _FRONT_MATTER if fields.get(name)]
    return "\n".join(["---", *lines, "---", "", ""])


def _yaml(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _slug(title: str) -> str:
    plain = _NOT_IN_NAMES.sub("-", unicodedata.normalize("NFKC", title).lower()).strip("-_")
    return plain.encode("utf-8", "ignore")[:NAME_BYTES].decode("utf-8", "ignore").rstrip("-_")
