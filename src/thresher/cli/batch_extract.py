"""`thresher batch extract`: the documents of archives, as Parquet."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import click

from thresher.batch.engines import run_locally, run_on_ray, run_on_spark
from thresher.batch.extraction import Report, Tell, Wishes
from thresher.batch.inputs import Segment, segments_of
from thresher.cli import exits
from thresher.cli.options import STYLES
from thresher.cli.progress import Display
from thresher.cli.terminal import counted, say
from thresher.crawling.pool import cores
from thresher.errors import UsageError
from thresher.extraction.algorithms import ALGORITHMS
from thresher.extraction.contract import Favour

ENGINES = ("local", "spark", "ray")


@click.command("extract")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", required=True, metavar="PLACE", help="Folder, s3:// or hdfs://, made if needed.")
@click.option("--engine", type=click.Choice(ENGINES), default="local", show_default=True, help="Where it runs.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes of the engine local; default: one per core.")
@click.option("--master", default="local[*]", show_default=True, help="Of Spark, e.g. spark://HOST:7077.")
@click.option("--address", default="", help="Of a running Ray, e.g. HOST:6379; default: one of this machine.")
@click.option("--algorithm", type=click.Choice(sorted(ALGORITHMS)), help="A published method instead of our own.")
@click.option("--precision", is_flag=True, help="Prefer missing text to keeping noise.")
@click.option("--recall", is_flag=True, help="Prefer keeping noise to missing text.")
@click.option("--progress", type=click.Choice(STYLES), default="auto", show_default=True)
def command(inputs: tuple[str, ...], output: str, engine: str, **flags: Any) -> int:
    """Extract documents from archives into Parquet files. Archives are WARC and ARC files, and folders of saved pages.

    INPUT and PLACE are paths or URLs (s3://, hdfs://, webhdfs://). Each archive, or each 500 saved pages, is a segment:
    its output appears whole or not at all, and running the command again does only those that are missing. Broken
    records are skipped and named; other records that are not pages are counted by reason. There is a row for each page,
    whatever kind it is: the columns `kind` and `faults` distinguish articles and threads from the rest.
    """
    if flags["precision"] and flags["recall"]:
        raise UsageError("--precision and --recall pull in opposite directions: give one of them")
    favour: Favour = "precision" if flags["precision"] else "recall" if flags["recall"] else "balance"
    wishes = Wishes(flags["algorithm"], favour)
    segments = segments_of(inputs)
    told = Progress(flags["progress"], segments)
    with told.display.open():
        for report in _reports(engine, segments, output, wishes, flags, told.read):
            told.took(report)
    return told.end(output)


def _reports(
    engine: str, segments: Sequence[Segment], output: str, wishes: Wishes, flags: dict[str, Any], tell: Tell
) -> Iterator[Report]:
    if engine == "spark":
        return run_on_spark(segments, output, wishes, master=flags["master"])
    if engine == "ray":
        return run_on_ray(segments, output, wishes, address=flags["address"])
    return run_locally(segments, output, wishes, jobs=flags["jobs"] or cores(), tell=tell)


class Progress:
    """Counts what segments gave, and shows how far the batch is."""

    def __init__(self, style: str, segments: Sequence[Segment]) -> None:
        self._bytes = sum(segment.bytes for segment in segments)
        self._segments = len(segments)
        self.display = Display(style, self._bytes)
        self._reports: list[Report] = []
        self._records = self._done_bytes = 0
        self._started = time.monotonic()

    def read(self, records: int, offset: int) -> None:
        """Count records of the present segment, which has been read up to a byte."""
        self._records += records
        self._show(self._done_bytes + offset)

    def took(self, report: Report) -> None:
        """Count a segment that is done, and say what is wrong with it."""
        self._reports.append(report)
        self._done_bytes += report.bytes
        for words in report.told if not report.again else ():
            self.display.say(f"thresher: broken record: {words}")
        if report.error:
            self.display.say(f"thresher: {report.source}: {report.error}")
        self._show(self._done_bytes)

    def _show(self, done: int) -> None:
        seconds = max(time.monotonic() - self._started, 1e-6)
        view = {
            "segments": self._segments,
            "segments_done": len(self._reports),
            "records": max(self._records, sum(report.records for report in self._reports if not report.again)),
            "documents": sum(report.documents for report in self._reports),
            "per_s": round(self._records / seconds, 1),
            "eta_s": round((self._bytes - done) * seconds / done) if done else None,
        }
        self.display.show(view, _words, done=done, total=self._bytes)

    def end(self, output: str) -> int:
        """Print the sums; return the exit code."""
        failed = [report for report in self._reports if report.error]
        done = [report for report in self._reports if not report.error]
        skipped: Counter[str] = Counter()
        for report in done:
            skipped.update(report.skipped)
        broken = sum(report.broken for report in done)
        again = sum(report.again for report in done)
        say(
            f"{counted(sum(report.documents for report in done), 'document')} of "
            f"{counted(sum(report.records for report in done), 'record')} in {counted(len(done), 'segment')}"
            + (f", {again} of which were done before" if again else "")
            + f"  {output}"
        )
        if skipped:
            say("skipped: " + ", ".join(f"{count} {reason}" for reason, count in skipped.most_common()))
        if broken or failed:
            say(f"{counted(broken, 'broken record')}, {counted(len(failed), 'segment')} failed")
        if failed and not done:
            return exits.FAILED
        return exits.SOME_FAILED if broken or failed else exits.DONE


def _words(view: dict[str, Any], between: str) -> str:
    eta = f", {view['eta_s']} s left" if view["eta_s"] is not None else ""
    segments = f"{view['segments_done']} of {counted(view['segments'], 'segment')}"
    return f"{segments}, {view['records']} records{eta}{between}{counted(view['documents'], 'document')}"
