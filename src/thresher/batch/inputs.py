"""What a batch reads: WARC and ARC files, and folders of saved pages, cut into segments."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from thresher.archive.places import Place, is_url, place_of
from thresher.archive.records import ENDINGS
from thresher.errors import UsageError

PAGES = 500  # saved pages of a segment
HTML_ENDINGS = (".html", ".htm", ".xhtml", ".shtml")


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the input that is extracted as a whole: one archive, or some saved pages."""

    place: str  # the folder, as a path or URL with its options
    names: tuple[str, ...]  # of files in it
    bytes: int

    @property
    def source(self) -> str:
        """What it is called in messages and in the output: the file, or the first of the pages."""
        return f"{self.place.partition('?')[0].rstrip('/')}/{self.names[0]}"

    def to_json(self) -> str:
        """Write it down, for another process."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Segment":
        """Read what `to_json` wrote."""
        data = json.loads(text)
        return cls(data["place"], tuple(data["names"]), data["bytes"])

    def id(self, wishes: str) -> str:
        """Return the name under which its output is committed: another one for other files or other wishes."""
        return hashlib.sha256(f"{self.to_json()}\n{wishes}".encode()).hexdigest()[:24]


def segments_of(inputs: Sequence[str]) -> list[Segment]:
    """Return the segments of all inputs, in order; raise UsageError for one that is not there or holds nothing."""
    found: dict[str, Segment] = {}
    for given in inputs:
        parts = list(_segments(given))
        if not parts:
            raise UsageError(f"{given} has no WARC or ARC file and no saved page ({', '.join(HTML_ENDINGS)})")
        found.update((part.to_json(), part) for part in parts)
    return list(found.values())


def _segments(given: str) -> Iterator[Segment]:
    folder, name = parted(given)
    if name:
        place = place_of(folder)
        size = place.size(name)
        if size is None:
            raise UsageError(f"{given} does not exist")
        yield Segment(folder, (name,), size)
        return
    place = place_of(folder)
    names = [name for name in place.names() if not _is_hidden(name)]
    for name in names:
        if name.endswith(ENDINGS):
            yield Segment(folder, (name,), place.size(name) or 0)
    pages = [name for name in names if name.lower().endswith(HTML_ENDINGS)]
    for begin in range(0, len(pages), PAGES):
        part = pages[begin : begin + PAGES]
        yield Segment(folder, tuple(part), _bytes(place, part))


def _bytes(place: Place, names: Sequence[str]) -> int:
    return sum(place.size(name) or 0 for name in names)


def parted(given: str, endings: tuple[str, ...] = (*ENDINGS, *HTML_ENDINGS)) -> tuple[str, str]:
    """Return the folder of an input and, when it is a file, the file's name; a URL tells that by its ending."""
    if not is_url(given):
        path = Path(given).absolute()  # other processes may work elsewhere
        return (str(path), "") if path.is_dir() else (str(path.parent), path.name)
    split = urlsplit(given)
    if not split.path.endswith(endings):
        return given, ""
    folder, _, name = split.path.rpartition("/")
    return split._replace(path=folder).geturl(), name


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "_")) for part in name.split("/"))
