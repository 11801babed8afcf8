"""Compaction: the small files of a folder become a few large ones, which hold the same rows."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from thresher.archive.places import Place
from thresher.archive.segments import Draft, File, Segments, committed
from thresher.export.parquet import arrow_library
from thresher.export.warc import moved

TARGET_BYTES = 128_000_000  # of a file, as HDFS and Spark like them
WRITER = "compaction"


@dataclass(frozen=True, slots=True)
class Merged:
    """Files that have become one."""

    name: str
    files: int
    rows: int


def compact(place: Place, *, target_bytes: int = TARGET_BYTES) -> Iterator[Merged]:
    """Merge files of one folder up to a size; yield after each commit. One process may compact a place at a time.

    Writers may go on meanwhile. While a commit removes what it has merged, which takes a moment, a reader that lists
    the folder may see rows twice; one that dies in the middle is finished by the next one.
    """
    segments = Segments(place, WRITER)
    for merge, members in _groups(committed(place), target_bytes):
        with TemporaryDirectory(prefix="thresher-") as folder:
            name = f"{WRITER}-{segments.sequence:09}"
            drafts, removed = merge(place, members, Path(folder), name)
            segments.commit(drafts, "", removed=removed)
        yield Merged(drafts[0].name, len(members), drafts[0].rows)


Merge = Callable[[Place, Sequence[File], Path, str], tuple[list[Draft], list[str]]]


def _groups(files: Sequence[File], target_bytes: int) -> Iterator[tuple[Merge, list[File]]]:
    """Yield files of one folder that together have at most the size wanted, two or more of them."""
    merges: dict[str, Merge] = {".parquet": _parquet, ".jsonl.gz": partial(_joined, ".jsonl.gz"), ".warc.gz": _warc}
    folders: dict[tuple[str, str], list[File]] = defaultdict(list)
    for file in files:
        suffix = next((suffix for suffix in merges if file.name.endswith(suffix)), None)
        if suffix and file.bytes < target_bytes:
            folders[(file.name.rpartition("/")[0], suffix)].append(file)
    for (_, suffix), members in folders.items():
        group: list[File] = []
        for file in members:
            if group and sum(each.bytes for each in group) + file.bytes > target_bytes:
                yield from [(merges[suffix], group)] if len(group) > 1 else []
                group = []
            group.append(file)
        yield from [(merges[suffix], group)] if len(group) > 1 else []


def _parquet(place: Place, files: Sequence[File], folder: Path, name: str) -> tuple[list[Draft], list[str]]:
    """Write the rows of all files into one, a file in memory at a time."""
    arrow, parquet = arrow_library()
    path = folder / "merged.parquet"
    writer = None
    for file in files:
        # Read as a file: as a dataset, its folder's name would add columns.
        table = parquet.ParquetFile(arrow.BufferReader(place.read(file.name))).read()
        writer = writer or parquet.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table)
    assert writer
    writer.close()
    return [Draft(path, _beside(files[0], f"{name}.parquet"), sum(file.rows for file in files))], _names(files)


def _joined(suffix: str, place: Place, files: Sequence[File], folder: Path, name: str) -> tuple[list[Draft], list[str]]:
    """Put compressed files one behind the other, which makes a compressed file."""
    path = folder / "merged"
    with path.open("wb") as stream:
        for file in files:
            stream.write(place.read(file.name))
    return [Draft(path, _beside(files[0], name + suffix), sum(file.rows for file in files))], _names(files)


def _warc(place: Place, files: Sequence[File], folder: Path, name: str) -> tuple[list[Draft], list[str]]:
    """Put WARC files one behind the other, and their indexes into one that says where the records stand now."""
    drafts, removed = _joined(".warc.gz", place, files, folder, name)
    lines: list[str] = []
    begin = 0
    for file in files:
        index = _index_of(file)
        lines += moved(iter(place.read(index).decode().splitlines()), begin, f"{name}.warc.gz")
        removed.append(index)
        begin += file.bytes
    path = folder / "merged.cdxj"
    path.write_text("".join(sorted(lines)), "utf-8")
    return [*drafts, Draft(path, f"indexes/{name}.cdxj", len(lines))], removed


def _index_of(file: File) -> str:
    return file.name.replace("archive/", "indexes/", 1).removesuffix(".warc.gz") + ".cdxj"


def _beside(file: File, name: str) -> str:
    return f"{file.name.rpartition('/')[0]}/{name}"


def _names(files: Sequence[File]) -> list[str]:
    return [file.name for file in files]
