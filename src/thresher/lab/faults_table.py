"""What came of crawls through faults: a Markdown table, and what was wrong in words."""

from collections.abc import Iterator, Sequence

from thresher.lab.faults import Ordeal
from thresher.lab.tables import table

HEADER = (
    "fault",
    "times",
    "links",
    "stored",
    "skipped",
    "URLs lost",
    "documents doubled",
    "asked again",
    "least gap, s",
    "seconds",
    "log lines",
    "CPU while away",
)
_NAMED = 5  # lost URLs


def markdown(ordeals: Sequence[tuple[str, Ordeal]]) -> str:
    """Return a table with a line for each crawl, under the name of its fault."""
    return table(HEADER, [[label, *_figures(each)] for label, each in ordeals])


def complaints(ordeals: Sequence[tuple[str, Ordeal]]) -> Iterator[str]:
    """Say of each crawl that was not sound what is wrong."""
    for label, each in ordeals:
        found = each.verdict
        yield from (f"{label}: {what}" for what in found.unbalanced)
        if found.lost:
            yield f"{label}: {len(found.lost)} lost, such as {', '.join(found.lost[:_NAMED])}"
        if found.doubled:
            yield f"{label}: {found.doubled} doubled"


def _figures(each: Ordeal) -> list[str]:
    found = each.verdict
    counts = (each.faults, found.accepted, found.stored, found.skipped, len(found.lost), found.doubled, each.repeated)
    idling = "" if each.idling is None else f"{each.idling:.1%}"
    spent = (f"{each.least_gap_s:.3f}", f"{each.seconds:.0f}", f"{each.log_lines}", idling)
    return [*(f"{number:,}" for number in counts), *spent]
