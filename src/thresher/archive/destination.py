"""An archive as a sink's destination: what changes in a store is appended, each change once."""

from collections.abc import Sequence
from urllib.parse import parse_qsl, urlencode, urlsplit

from thresher.archive.documents import FORMATS, Archive
from thresher.archive.places import is_url, place_of
from thresher.archive.segments import NAME_CHARS
from thresher.errors import UsageError
from thresher.store.contract import Change
from thresher.store.destination import RawPage


class ArchiveDestination:
    """Appends the changes of a store; a document that has gone stays, for an archive only grows."""

    def __init__(self, url: str, writer: str = "sink") -> None:
        """Open the archive of a URL such as `s3://bucket/folder?format=warc`; `writer` is the name of the sink."""
        place, format_ = format_of(url)
        self._archive = Archive(place_of(place), format_, _plain(writer))

    @property
    def cursor(self) -> int:
        """The number of the last change that was committed; 0 at the beginning."""
        return int(self._archive.cursor or 0)

    def deliver(self, changes: Sequence[Change], page: RawPage) -> None:
        """Commit what comes behind the last change that was committed, and its number with it."""
        new = [change for change in changes if change.number > self.cursor]
        if not new:
            return
        cursor = str(new[-1].number)
        stored = [change.stored for change in new if change.stored]
        if self._archive.format != "warc":
            self._archive.append(stored, cursor)
            return
        urls = [each.document.url for each in stored if each.document.url]
        self._archive.append_pages([found for found in map(page, urls) if found], cursor)

    def close(self) -> None:
        """Nothing is open between two commits."""


def _plain(name: str) -> str:
    """Return a name of a writer for any name of a sink, another one for each."""
    return "".join(sign if sign in NAME_CHARS else f"_{ord(sign):x}_" for sign in name)


def format_of(url: str) -> tuple[str, str]:
    """Return the place of an archive, and the format that its URL names; Parquet where it names none."""
    if is_url(url):
        split = urlsplit(url)
        options = dict(parse_qsl(split.query))
        format_ = options.pop("format", "parquet")
        place = split._replace(query=urlencode(options)).geturl()
    else:
        place, _, query = url.partition("?format=")
        format_ = query or "parquet"
    if format_ not in FORMATS:
        raise UsageError(f"format={format_}: an archive is one of {', '.join(FORMATS)}")
    return place, format_
