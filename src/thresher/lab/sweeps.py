"""Sweeps: one algorithm over a range of one parameter, as a table and as curves."""

from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation

from thresher.analysis.charts import Chart, Series, panels
from thresher.errors import UsageError
from thresher.lab.extractors import Extractor, Parameter, named, with_parameters
from thresher.lab.summary import Row

MAX_VALUES = 200


def read_range(text: str) -> tuple[str, list[Parameter]]:
    """Read `alpha=0.1:1:0.1` (from, to, step) or `window=0,1,5`; raise UsageError when it is neither."""
    name, equals, rest = text.partition("=")
    if not equals or not name or not rest:
        raise UsageError(f"{text!r} is not a range; write parameter=from:to:step or parameter=value,value")
    try:
        numbers = _stepped(rest) if ":" in rest else [Decimal(piece) for piece in rest.split(",")]
    except (InvalidOperation, ValueError) as error:
        raise UsageError(f"{rest!r} is not a range of numbers; write from:to:step or value,value") from error
    return name, [int(number) if number == int(number) and "." not in rest else float(number) for number in numbers]


def extractors_for(origin: str, parameter: str, values: Iterable[Parameter]) -> list[Extractor]:
    """Return the algorithm once for each value; raise UsageError when it has no such parameter."""
    start = named(origin)
    return [with_parameters(start.origin, {**start.parameters, parameter: value}, str(value)) for value in values]


def curves(rows: Sequence[Row], parameter: str, metric: str, extra: str | None = None) -> str:
    """Draw a sweep as SVG.

    One group of pages: precision, recall and F1 in one chart (CEVC thesis, Fig. 2-5). Several: a chart for each of
    them, with a curve for each group, and first of all one for the algorithm's own figure `extra`, such as the number
    of blocks (FAR-SW, Fig. 8).
    """
    groups = list(dict.fromkeys(row.group for row in rows))
    keys = list(dict.fromkeys(key for row in rows for key in row.values.get(metric, ())))
    charts = [Chart(extra, parameter, [_series(rows, group, extra=extra) for group in groups])] if extra else []
    if len(groups) == 1:
        charts.append(Chart(metric, parameter, [_series(rows, groups[0], metric, key, label=key) for key in keys]))
    else:
        charts += [Chart(f"{metric} {key}", parameter, [_series(rows, g, metric, key) for g in groups]) for key in keys]
    return panels(charts)


def _series(
    rows: Sequence[Row], group: str, metric: str = "", key: str = "", *, extra: str | None = None, label: str = ""
) -> Series:
    points = []
    for row in rows:
        if row.group == group:
            value = row.counts.get(extra, 0.0) if extra else row.values.get(metric, {}).get(key, 0.0)
            points.append((float(row.extractor), value))
    return Series(label or group, tuple(sorted(points)))


def _stepped(text: str) -> list[Decimal]:
    start, stop, step = (Decimal(piece) for piece in text.split(":"))
    if step <= 0 or (stop - start) / step >= MAX_VALUES:
        raise UsageError(f"{text!r}: the step must be positive and give at most {MAX_VALUES} values")
    return [start + step * number for number in range(int((stop - start) / step) + 1)]
