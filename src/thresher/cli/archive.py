"""`thresher archive`: look after archives of files."""

from collections import Counter
from collections.abc import Sequence

import click

from thresher.archive.compaction import TARGET_BYTES, compact
from thresher.archive.places import place_of
from thresher.archive.segments import MANIFEST, File, check, committed
from thresher.cli import exits
from thresher.cli.terminal import counted, say, show
from thresher.errors import NothingCollected

MEGABYTE = 1_000_000
SUFFIXES = (".parquet", ".jsonl.gz", ".warc.gz", ".cdxj")


@click.group("archive")
def command() -> None:
    """Manage archives: folders of Parquet, JSON lines or WARC on local disk, S3 or HDFS.

    `thresher export --archive` and `thresher batch extract` write them.
    """


@command.command("show")
@click.argument("place")
def show_files(place: str) -> int:
    """Count the files, rows and bytes of an archive."""
    files = _files(place)
    for suffix in SUFFIXES:
        some = [file for file in files if file.name.endswith(suffix)]
        if some:
            size = sum(file.bytes for file in some) / MEGABYTE
            rows = sum(file.rows for file in some)
            show(f"{suffix[1:]}: {counted(len(some), 'file')}, {counted(rows, 'row')}, {size:.1f} MB")
    days = Counter(part for file in files for part in file.name.split("/") if part.startswith("day="))
    if days:
        show(f"{counted(len(days), 'day')}, {min(days)[4:]} to {max(days)[4:]}")
    return exits.DONE


@command.command("compact")
@click.argument("place")
@click.option(
    "--size", type=click.IntRange(min=1), default=TARGET_BYTES // MEGABYTE, show_default=True, help="Size in MB."
)
def compact_files(place: str, size: int) -> int:
    """Merge the small files of each folder into larger ones.

    Writers can continue meanwhile. One process at a time may compact an archive; one that is interrupted is finished by
    the next.
    """
    before = len(_files(place))
    for merged in compact(place_of(place), target_bytes=size * MEGABYTE):
        say(f"{counted(merged.files, 'file')}, {counted(merged.rows, 'row')}: {merged.name}")
    say(f"{counted(before, 'file')} before, {len(committed(place_of(place)))} now")
    return exits.DONE


@command.command("check")
@click.argument("place")
def check_files(place: str) -> int:
    """Compare all files of an archive with its manifest. The exit code is 1 if the hash of any differs."""
    files = _files(place)
    wrong = 0
    for words in check(place_of(place)):
        show(words)
        wrong += 1
    say(f"{counted(len(files), 'file')} checked, {wrong} wrong")
    return exits.FAILED if wrong else exits.DONE


def _files(place: str) -> Sequence[File]:
    files = committed(place_of(place))
    if not files:
        raise NothingCollected(f"{place} is no archive: it has no {MANIFEST}")
    return files
