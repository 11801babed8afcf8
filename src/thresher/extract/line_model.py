"""What the models of line-based methods have in common: a layout of the lines, and a scope for each feature."""

from collections.abc import Mapping
from typing import Any

from thresher.extract.line_features import Features
from thresher.extract.lines import LAYOUTS, Layout
from thresher.extract.regions import Scope


def layout_from(values: Mapping[str, Any]) -> Layout:
    """Read the layout of a model."""
    return LAYOUTS[LAYOUTS.index(values["layout"])]


def scopes_from(values: Mapping[str, Any]) -> tuple[Scope, ...]:
    """Read the scopes of a model, one for each feature."""
    scopes = tuple(Scope(*map(float, scope)) for scope in values["scopes"])
    if len(scopes) != len(Features._fields):
        raise ValueError(f"{len(scopes)} scopes for {len(Features._fields)} features")
    return scopes
