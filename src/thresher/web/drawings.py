"""Charts as inline SVG: no script, colours by the classes of the style sheet, as wide as their place.

Across, places are percentages, so that a chart is drawn once for every width and its text keeps its size; down they are
pixels. Room for the labels of the y axis is the padding of class `axed`, where they stand at negative places.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

HEIGHT = 180  # px of the drawing proper
BELOW = 22  # px for the labels of the x axis
LABELS = 6  # along an axis, at most
TICKS = 4
SPARK_WIDTH, SPARK_HEIGHT = 120, 24

Write = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart, and the same as a table: `rows` under `columns`; `keys` names the colours of several series."""

    name: str
    title: str
    svg: Markup
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    keys: Sequence[tuple[str, int]] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """One place along the x axis: its name, a value for each series, and the documents behind it."""

    name: str
    values: Sequence[float]
    href: str | None = None
    full_name: str = ""  # where the name is shortened for the axis


def columns(
    name: str,
    title: str,
    across: Sequence[Column],
    series: Sequence[str],
    *,
    x_name: str,
    write: Write,
    height: int = HEIGHT,
) -> Figure:
    """Draw upright bars, of several series on top of each other."""
    top = _round_up(max((sum(column.values) for column in across), default=0))
    width = 100 / max(len(across), 1)
    parts = [_grid(top, height, write)]
    for place, column in enumerate(across):
        parts.append(_column(column, place * width, width, top, height, series, write))
    parts += _names([column.name for column in across], height, width)
    rows = [[column.full_name or column.name, *column.values] for column in across]
    svg = _svg(title, height + BELOW, parts) if any(sum(column.values) for column in across) else Markup("")
    keys = [(each, place + 1) for place, each in enumerate(series)] if len(series) > 1 else []
    return Figure(name, title, svg, [x_name, *series], rows, keys)


def scatter(
    name: str,
    title: str,
    points: Sequence[tuple[float, float, str]],
    line: tuple[tuple[float, float], tuple[float, float]] | None,
    *,
    axes: tuple[str, str],
    write: Write,
) -> Figure:
    """Draw points (x, y, what they are) on two logarithmic axes from 1 on, and a straight line through them."""
    if not points:
        return Figure(name, title, Markup(""), axes, [])
    x_top, y_top = (max(1, math.ceil(math.log10(max(values)) - 1e-9)) for values in zip(*_pairs(points), strict=True))

    def spot(x: float, y: float) -> tuple[str, str]:
        return f"{100 * math.log10(x) / x_top:.2f}%", f"{HEIGHT * (1 - math.log10(y) / y_top):.1f}"

    parts = [_power_grid(x_top, y_top, write)]
    for x, y, what in points:
        left, down = spot(x, y)
        parts.append(
            Markup('<circle class="mark" cx="{}" cy="{}" r="2.5"><title>{}</title></circle>').format(left, down, what)
        )
    if line:
        (x1, y1), (x2, y2) = (spot(max(x, 1), max(y, 1)) for x, y in line)
        parts.append(Markup('<line class="usual" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(x1, y1, x2, y2))
    parts.append(_text("50%", HEIGHT + BELOW + 14, axes[0], "middle"))
    parts.append(_text("-40", -14, axes[1], "start"))
    return Figure(
        name,
        title,
        _svg(title, HEIGHT + BELOW + 18, parts, style="chart axed named"),
        [*axes, ""],
        [[x, y, what] for x, y, what in points],
    )


def spark(values: Sequence[float], label: str) -> Markup:
    """Draw a line without axes, for the row of a table; `label` says what it shows."""
    if not values:
        return Markup("")
    top, step = max(*values, 1), SPARK_WIDTH / max(len(values) - 1, 1)
    places = [(round(number * step, 1), _spark_height(value, top)) for number, value in enumerate(values)]
    path = " ".join(f"{x},{y}" for x, y in places)
    end = Markup('<circle class="end" cx="{}" cy="{}" r="2"/>').format(
        min(places[-1][0], SPARK_WIDTH - 2), places[-1][1]
    )
    return Markup(
        '<svg class="chart spark" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">'
        '<title>{}</title><polyline class="trace" points="{}"/>{}</svg>'
    ).format(SPARK_WIDTH, SPARK_HEIGHT, SPARK_WIDTH, SPARK_HEIGHT, label, label, path, end)


def bar(share: float, height: int = 2, tone: str = "mark") -> Markup:
    """Draw a share of 1 as a bar for a row, as wide as its place allows."""
    width = f"{100 * max(0.0, min(share, 1.0)):.1f}%"
    return Markup(
        '<svg class="chart bar-of" height="{}" aria-hidden="true">'
        '<rect class="ghost" width="100%" height="100%" rx="1"/>'
        '<rect class="{}" width="{}" height="100%" rx="1"/></svg>'
    ).format(height, tone, width)


def _column(
    column: Column, left: float, width: float, top: float, height: int, series: Sequence[str], write: Write
) -> Markup:
    stack, parts = float(height), []
    for number, value in enumerate(column.values):
        tall = height * value / top
        stack -= tall
        if value:
            kind = "mark" if len(column.values) == 1 else f"f{number % 6 + 1}"
            gap = min(width * 0.12, 0.6)
            parts.append(
                Markup('<rect class="{}" x="{:.2f}%" y="{:.1f}" width="{:.2f}%" height="{:.1f}"/>').format(
                    kind, left + gap, stack, width - 2 * gap, max(tall, 1)
                )
            )
    said = _said(column, series, write)
    reach = Markup('<rect class="reach" x="{:.2f}%" y="0" width="{:.2f}%" height="{}"/>').format(left, width, height)
    inside = Markup("").join([Markup("<title>{}</title>").format(said), *parts, reach])
    if column.href and sum(column.values):
        return Markup('<a href="{}" aria-label="{}">{}</a>').format(column.href, said, inside)
    return Markup("<g>{}</g>").format(inside)


def _said(column: Column, series: Sequence[str], write: Write) -> str:
    name = column.full_name or column.name
    if len(column.values) == 1:
        return f"{name}: {write(column.values[0])} {series[0]}"
    parts = [f"{each} {write(value)}" for each, value in zip(series, column.values, strict=True) if value]
    return f"{name}: {write(sum(column.values))} ({', '.join(parts)})" if parts else f"{name}: 0"


def _grid(top: float, height: int, write: Write) -> Markup:
    step = _round_up(top / TICKS)
    values = [number * step for number in range(int(top / step + 1e-9) + 1)]
    parts = []
    for value in values:
        y = round(height * (1 - value / top), 1)
        kind = "grid" if value else "axis"
        parts.append(Markup('<line class="{}" x1="0" x2="100%" y1="{}" y2="{}"/>').format(kind, y, y))
        parts.append(_text("-8", y + 4, write(value), "end"))
    return Markup("").join(parts)


def _power_grid(x_top: int, y_top: int, write: Write) -> Markup:
    parts = []
    for power in range(x_top + 1):
        x = f"{100 * power / x_top:.2f}%"
        parts.append(Markup('<line class="grid" x1="{}" x2="{}" y1="0" y2="{}"/>').format(x, x, HEIGHT))
        parts.append(_text(x, HEIGHT + 16, write(10**power), "end" if power == x_top else "middle"))
    for power in range(y_top + 1):
        y = round(HEIGHT * (1 - power / y_top), 1)
        parts.append(Markup('<line class="grid" x1="0" x2="100%" y1="{}" y2="{}"/>').format(y, y))
        parts.append(_text("-8", y + 4, write(10**power), "end"))
    return Markup("").join(parts)


def _names(names: Sequence[str], height: int, width: float) -> list[Markup]:
    """Return labels of the x axis, few enough to stand apart; every other is left out on a phone."""
    every = max(1, math.ceil(len(names) / LABELS))
    parts = []
    for place in range(0, len(names), every):
        middle = (place + 0.5) * width
        anchor = "start" if middle < 6 else "end" if middle > 94 else "middle"
        at = place * width if anchor == "start" else min(100.0, (place + 1) * width) if anchor == "end" else middle
        parts.append(_text(f"{at:.2f}%", height + 16, names[place], anchor, between=bool(place // every % 2)))
    return parts


def _svg(title: str, height: int, parts: Sequence[Markup], *, style: str = "chart axed") -> Markup:
    return Markup('<svg class="{}" height="{}" role="group" aria-label="{}">{}</svg>').format(
        style, height, title, Markup("").join(parts)
    )


def _text(x: str, y: float, text: str, anchor: str, *, between: bool = False) -> Markup:
    """Write a text; one `between` others is left out on a phone."""
    kind = Markup(' class="between"') if between else ""
    return Markup('<text x="{}" y="{}" text-anchor="{}"{}>{}</text>').format(x, y, anchor, kind, escape(text))


def _spark_height(value: float, top: float) -> float:
    return round(SPARK_HEIGHT - 2 - (SPARK_HEIGHT - 4) * value / top, 1)


def _round_up(value: float) -> float:
    """Return 1, 2, 2.5 or 5 times a power of ten, not below a value; whole from 1 on."""
    if value <= 1:
        return 1
    power = 10.0 ** math.floor(math.log10(value))
    steps = (1, 2, 5, 10) if power == 1 else (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    return next(step * power for step in steps if step * power >= value - 1e-9)


def _pairs(points: Sequence[tuple[float, float, str]]) -> list[tuple[float, float]]:
    return [(x, y) for x, y, _ in points]
