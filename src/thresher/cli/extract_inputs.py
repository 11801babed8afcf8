"""What `thresher extract` reads: files, folders, URLs, standard input, and lists of them, one after the other."""

import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfileobj
from typing import IO, NamedTuple

from thresher import urls
from thresher.errors import PageTooLarge, UsageError
from thresher.html.tree import MAX_SIZE
from thresher.model import Page

STDIN = "-"
ENDINGS = (".html", ".htm", ".xhtml", ".shtml")  # of the files that are read in a folder
BOM = b"\xef\xbb\xbf"


class Input(NamedTuple):
    """One page to read, and the address that it was saved from, where that is known."""

    source: str
    url: str | None = None

    @property
    def is_url(self) -> bool:
        """Say whether it is to be fetched."""
        return self.source.startswith(("http://", "https://"))


class Inputs:
    """All inputs in order, read again each time they are asked for, so that a long list takes no memory."""

    def __init__(self, given: Sequence[str], lists: Sequence[str], *, url: str | None = None) -> None:
        self._given = given
        self._lists = [(name, _opened(name)) for name in lists]
        self._url = url
        self.count = 0
        self.urls: dict[str, str] = {}  # one of each origin
        for each in self:
            self.count += 1
            if each.is_url:
                self._note(each.source)
        folders = any(name != STDIN and Path(name).is_dir() for name in given)
        self.several = bool(lists) or folders or self.count != 1

    def _note(self, source: str) -> None:
        with suppress(UsageError):  # a wrong one is told when its turn comes
            url = urls.canonical(source)
            self.urls.setdefault(urls.origin_of(url), url)

    def __iter__(self) -> Iterator[Input]:
        for name in self._given:
            yield from _expanded(name, self._url)
        for name, lines in self._lists:
            lines.seek(0)
            for number, line in enumerate(lines, start=1):
                yield from _listed(line, f"{name}, line {number}")


def read(source: str, url: str | None) -> Page:
    """Read a file or standard input; raise UsageError when that cannot be done, PageTooLarge for one without end."""
    try:
        if source == STDIN:
            body = sys.stdin.buffer.read(MAX_SIZE + 1)
        else:
            with Path(source).open("rb") as stream:
                body = stream.read(MAX_SIZE + 1)
    except (OSError, ValueError) as error:
        hint = f"; for a web page, write https://{source}" if source.startswith("www.") else ""
        words = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot read {source}: {words}{hint}") from error
    if len(body) > MAX_SIZE:
        raise PageTooLarge(f"{source} is larger than the limit of {MAX_SIZE:,} bytes")
    return Page(url or "", 200, body, datetime.now(UTC))


def _opened(name: str) -> IO[bytes]:
    """Open a list; one that can be read only once, as a pipe can, is copied aside."""
    try:
        stream: IO[bytes] = sys.stdin.buffer if name == STDIN else Path(name).open("rb")  # noqa: SIM115
        if stat.S_ISREG(os.fstat(stream.fileno()).st_mode) and name != STDIN:
            return stream
        aside = tempfile.TemporaryFile(prefix="thresher-")  # noqa: SIM115  # it lives as long as the inputs do
        copyfileobj(stream, aside)
    except OSError as error:
        raise UsageError(f"cannot read the list {name}: {error.strerror}") from error
    return aside


def _listed(line: bytes, where: str) -> Iterator[Input]:
    """Yield what a line of a list names: an input, or a file and the URL that it was saved from, with a tab between."""
    text = os.fsdecode(line.removeprefix(BOM)).strip()
    if not text or text.startswith("#"):
        return
    name, tab, url = text.partition("\t")
    if tab and not url.startswith(("http://", "https://")):
        raise UsageError(f"{where}: {url!r} after the tab is not a URL")
    if name == STDIN:
        raise UsageError(f"{where}: a list cannot name standard input")
    yield from _expanded(name, url or None)


def _expanded(name: str, url: str | None) -> Iterator[Input]:
    """Yield an input, or the pages of a folder and of those in it, by name."""
    if name == STDIN or Input(name).is_url or not Path(name).is_dir():
        yield Input(name, url)
        return
    for folder, inner, files in os.walk(name):
        inner.sort()
        for file in sorted(files):
            if file.lower().endswith(ENDINGS):
                yield Input(str(Path(folder, file)), url)
