"""The labelled lines of pages, which the line-based methods learn from."""

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from thresher.errors import UsageError
from thresher.extraction.line_features import Features, normalised_features, topic_lines
from thresher.extraction.lines import Layout
from thresher.extraction.regions import Scope, scope_of
from thresher.lab.pages import LabelledPage
from thresher.lab.train.labels import label_lines


class LabelledLines(NamedTuple):
    """The lines of one page: their normalised features by column, and 1 for each that is part of the gold text."""

    columns: tuple["array[float]", ...]
    labels: bytes

    def rows(self) -> Iterator[tuple[float, ...]]:
        """Yield the features line by line."""
        return zip(*self.columns, strict=True)


# Cross-validation trains ten times on nearly the same pages; a page takes 30 kB here.
@lru_cache(maxsize=4096)
def lines_of_page(page: LabelledPage, layout: Layout) -> LabelledLines:
    """Return the labelled lines of a page."""
    lines = topic_lines(page.html, layout)
    labels = label_lines([line.text for line in lines], page.text)
    rows = normalised_features(lines)
    columns = zip(*rows, strict=True) if rows else [()] * len(Features._fields)
    return LabelledLines(tuple(array("d", column) for column in columns), bytes(labels))


def gather(pages: Sequence[LabelledPage], layout: Layout) -> list[LabelledLines]:
    """Return the labelled lines of all pages; raise UsageError when not one line is part of a gold text."""
    gathered = [lines_of_page(page, layout) for page in pages]
    if not any(1 in lines.labels for lines in gathered):
        raise UsageError(f"nothing to learn: no line of {len(pages)} pages is part of their gold text")
    return gathered


def scopes_over(pages: Sequence[LabelledLines], topical: Sequence[bytes]) -> tuple[Scope, ...]:
    """Return each feature's scope over all lines of all pages, given which ones count as topical region."""
    scopes = []
    for feature in range(len(Features._fields)):
        inside: list[float] = []
        outside: list[float] = []
        for lines, marks in zip(pages, topical, strict=True):
            for value, mark in zip(lines.columns[feature], marks, strict=True):
                (inside if mark else outside).append(value)
        scopes.append(Scope(*(round(value, 6) for value in scope_of(inside, outside))))
    return tuple(scopes)


def card_of(pages: Sequence[LabelledPage], gathered: Sequence[LabelledLines]) -> dict[str, Any]:
    """Say what a model was trained on."""
    datasets = sorted({page.dataset for page in pages})
    return {
        "pages": {name: sum(page.dataset == name for page in pages) for name in datasets},
        "sites": len({page.site for page in pages}),
        "lines": sum(len(lines.labels) for lines in gathered),
        "topical_lines": sum(sum(lines.labels) for lines in gathered),
    }
