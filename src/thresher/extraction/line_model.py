"""What line-based methods that learn have in common: parts of their models, and how a page is read with one."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from thresher.extraction.contract import Content, Favour
from thresher.extraction.line_features import Features
from thresher.extraction.lines import LAYOUTS, Layout
from thresher.extraction.models import read_model
from thresher.extraction.regions import Scope
from thresher.extraction.topical import MIN_SCORE, SHARES, WINDOW, Selection, main_text
from thresher.html import Tree


class LineModel(Protocol):
    """What tells topical lines from others, and the layout of lines that it was trained on."""

    @property
    def layout(self) -> Layout:
        """Return how pages were cut into lines."""

    def is_topical(self, row: Sequence[float]) -> bool:
        """Say whether a line with these features is topical."""


def layout_from(values: Mapping[str, Any]) -> Layout:
    """Read the layout of a model."""
    return LAYOUTS[LAYOUTS.index(values["layout"])]


def scopes_from(values: Mapping[str, Any]) -> tuple[Scope, ...]:
    """Read the scopes of a model, one for each feature."""
    scopes = tuple(Scope(*map(float, scope)) for scope in values["scopes"])
    if len(scopes) != len(Features._fields):
        raise ValueError(f"{len(scopes)} scopes for {len(Features._fields)} features")
    return scopes


def by_lines(name: str, model_from: Callable[[Mapping[str, Any]], LineModel]) -> Callable[..., Content]:
    """Return the algorithm of that name, whose models `model_from` builds."""

    def extract(
        tree: Tree,
        *,
        model: str | None = None,
        favour: Favour = "balance",
        layout: Layout | None = None,
        window: int = WINDOW,
        min_score: float = MIN_SCORE,
        strict: bool = False,
    ) -> Content:
        """Return the main text by the lines that the model takes for topical; no layout means that of the model."""
        learned = read_model(name, model, model_from)
        selection = Selection(window, min_score, None if strict else SHARES[favour])
        return main_text(tree, layout or learned.layout, selection, learned.is_topical)

    return extract
