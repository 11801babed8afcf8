"""Labels of sources in a query: `channel:` and `tag:` mean the sources that the catalog gives such a label."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from thresher.index.fields import BY_SOURCE
from thresher.index.nodes import And, Labelled, Node, Not, Or, Query, Sources

Names = Callable[[str, str], Sequence[str]]  # (channel or tag, its value) → the names of the sources that have it


def resolved(query: Query, names: Names) -> Query:
    """Return the query with the names of sources in place of channels and tags; `names` is asked only for these."""
    root = _resolved(query.root, names)
    clauses = tuple(replace(clause, node=_resolved(clause.node, names)) for clause in query.clauses)
    return replace(query, root=root, clauses=clauses)


def _resolved(node: Node, names: Names) -> Node:
    if isinstance(node, And | Or):
        return type(node)(tuple(_resolved(part, names) for part in node.parts))
    if isinstance(node, Not):
        return Not(_resolved(node.part, names))
    if isinstance(node, Labelled) and node.field in BY_SOURCE:
        return Sources(tuple(names(node.field, node.value)))
    return node
