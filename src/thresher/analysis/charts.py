"""Charts as plain SVG, made on the spot without a plotting library; axes are linear or logarithmic."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

WIDTH, HEIGHT = 420, 300  # of one chart, in px
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 20, 30, 40
_LEGEND_ROW = 16
_Y_LABEL = 18  # px that a label of the y axis takes
_TICKS = 5
# Colours that people with any colour vision tell apart (Okabe and Ito).
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
_STYLE = (
    "text{font:12px sans-serif;fill:#222}.title{font-weight:bold}.grid{stroke:#ddd}.axis{stroke:#444}"
    ".curve{fill:none;stroke-width:2}.line{fill:none;stroke-width:1.5;stroke-dasharray:5 3}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}.axis{stroke:#aaa}}"
)


@dataclass(frozen=True, slots=True)
class Series:
    """Named points: joined to a curve, left alone, or joined to a dashed line without dots."""

    name: str
    points: tuple[tuple[float, float], ...]
    style: Literal["curve", "dots", "line"] = "curve"


@dataclass(frozen=True, slots=True)
class Chart:
    """A title, what the axes show, and series; with `log`, both axes are logarithmic and all values above 0.

    `x_names`, where given, name the x values 0, 1, 2 … (days, say) in place of numbers.
    """

    title: str
    x_label: str
    series: Sequence[Series]
    y_label: str = ""
    log: bool = False
    x_names: Sequence[str] = ()


def panels(charts: Sequence[Chart], columns: int = 2) -> str:
    """Return one SVG document with the charts side by side, `columns` a row."""
    columns = max(1, min(columns, len(charts)))
    rows = math.ceil(len(charts) / columns)
    height = HEIGHT + max((len(chart.series) for chart in charts), default=0) * _LEGEND_ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns * WIDTH} {rows * height}" '
        f'width="{columns * WIDTH}" height="{rows * height}" role="img"><style>{_STYLE}</style>'
    ]
    for number, chart in enumerate(charts):
        x, y = number % columns * WIDTH, number // columns * height
        parts.append(f'<g transform="translate({x},{y})">{_chart(chart)}</g>')
    return "".join(parts) + "</svg>\n"


def _chart(chart: Chart) -> str:
    points = [point for series in chart.series for point in series.points]
    left = _LEFT + (_Y_LABEL if chart.y_label else 0)
    ends = _powers if chart.log else _ends
    across = [x for x, _ in points] if not chart.x_names else [0.0, max(len(chart.x_names) - 1.0, 1.0)]
    x_ends = (across[0], across[1]) if chart.x_names else ends(across)
    x_axis = _Axis(*x_ends, left, WIDTH - _RIGHT, log=chart.log, names=tuple(chart.x_names))
    y_axis = _Axis(*ends([y for _, y in points]), HEIGHT - _BOTTOM, _TOP, log=chart.log)
    middle = (left + WIDTH - _RIGHT) / 2
    parts = [_text(middle, 18, chart.title, "middle", "title"), _text(middle, HEIGHT - 6, chart.x_label, "middle")]
    parts += [_upright(14, (HEIGHT - _BOTTOM + _TOP) / 2, chart.y_label)] if chart.y_label else []
    parts += [_grid(x_axis, y_axis)]
    for number, series in enumerate(chart.series):
        parts.append(_curve(series, x_axis, y_axis, _COLOURS[number % len(_COLOURS)]))
        parts.append(_legend(series.name, number))
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class _Axis:
    """A range of values, and the pixels that it is drawn on."""

    low: float
    high: float
    start_px: float
    end_px: float
    log: bool = False
    names: tuple[str, ...] = ()  # of the values 0, 1, 2 …

    def place(self, value: float) -> float:
        """Return the pixel of a value."""
        low, high = (math.log10(self.low), math.log10(self.high)) if self.log else (self.low, self.high)
        share = ((math.log10(value) if self.log else value) - low) / (high - low)
        return round(self.start_px + share * (self.end_px - self.start_px), 1)

    def ticks(self) -> list[tuple[float, str]]:
        """Return about five values within the range, round where they have no names, and what to write at them."""
        if self.names:
            every = math.ceil(len(self.names) / _TICKS)
            return [(float(place), self.names[place]) for place in range(0, len(self.names), every)]
        if self.log:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            return [(10.0**power, f"{10**power:,}") for power in range(first, last + 1)]
        step = _round_step((self.high - self.low) / _TICKS)
        first = math.ceil(self.low / step - 1e-9)
        values = [n * step for n in range(first, math.floor(self.high / step + 1e-9) + 1)]
        return [(value, f"{value:.4g}") for value in values]


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """Return the range of values widened to round numbers; never empty."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    step = _round_step((high - low) / _TICKS)
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


def _powers(values: Sequence[float]) -> tuple[float, float]:
    """Return the range of values widened to powers of ten, none below 1; never empty."""
    top = math.ceil(math.log10(max(values, default=1.0)) - 1e-9)
    return 1.0, 10.0 ** max(top, 1)


def _round_step(step: float) -> float:
    """Return 1, 2 or 5 times a power of ten, not below the step."""
    power = 10.0 ** math.floor(math.log10(step))
    return next((factor * power for factor in (1, 2, 5) if factor * power >= step - power * 1e-9), 10 * power)


def _grid(x_axis: _Axis, y_axis: _Axis) -> str:
    parts = []
    for value, name in x_axis.ticks():
        x = x_axis.place(value)
        parts.append(_line((x, y_axis.start_px), (x, y_axis.end_px), "grid"))
        parts.append(_text(x, y_axis.start_px + 16, name, "middle"))
    for value, name in y_axis.ticks():
        y = y_axis.place(value)
        parts.append(_line((x_axis.start_px, y), (x_axis.end_px, y), "grid"))
        parts.append(_text(x_axis.start_px - 6, y + 4, name, "end"))
    parts.append(_line((x_axis.start_px, y_axis.start_px), (x_axis.end_px, y_axis.start_px), "axis"))
    parts.append(_line((x_axis.start_px, y_axis.start_px), (x_axis.start_px, y_axis.end_px), "axis"))
    return "".join(parts)


def _curve(series: Series, x_axis: _Axis, y_axis: _Axis, colour: str) -> str:
    places = [(x_axis.place(x), y_axis.place(y)) for x, y in series.points]
    path = " ".join(f"{x},{y}" for x, y in places)
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}"/>' for x, y in places)
    kind = "line" if series.style == "line" else "curve"
    line = f'<polyline class="{kind}" stroke="{colour}" points="{path}"/>'
    return {"curve": line + dots, "dots": dots, "line": line}[series.style]


def _legend(name: str, number: int) -> str:
    y = HEIGHT + 12 + number * _LEGEND_ROW
    colour = _COLOURS[number % len(_COLOURS)]
    return f'<rect x="{_LEFT}" y="{y - 9}" width="18" height="4" fill="{colour}"/>{_text(_LEFT + 24, y - 3, name)}'


def _line(start: tuple[float, float], end: tuple[float, float], kind: str) -> str:
    return f'<line class="{kind}" x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}"/>'


def _upright(x: float, y: float, text: str) -> str:
    return f'<text class="label" transform="translate({x},{y}) rotate(-90)" text-anchor="middle">{escape(text)}</text>'


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "label") -> str:
    place = f"x={quoteattr(str(x))} y={quoteattr(str(y))}"
    return f'<text class="{kind}" {place} text-anchor="{anchor}">{escape(text)}</text>'
