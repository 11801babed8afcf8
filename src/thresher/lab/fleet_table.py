"""What came of passes by fleets of several sizes: a Markdown table and two charts."""

from collections.abc import Sequence

from thresher.analysis.charts import Chart, Series, panels
from thresher.lab.fleet_bench import Pass
from thresher.lab.tables import table

HEADER = (
    "",
    "pages",
    "seconds",
    "pages/s",
    "efficiency",
    "cores in use",
    "CPU ms/page",
    "store's",
    "scheduling",
    "calls to the frontier, ms/page",
    "arrived to parsed, s/worker",
)


def markdown(passes: Sequence[Pass]) -> str:
    """Return a table with a line for each pass; efficiency is the speed per worker by that of the smallest fleet."""
    return table(HEADER, [[each.name, *_figures(each, efficiency(each, passes))] for each in passes])


def efficiency(one: Pass, passes: Sequence[Pass]) -> float | None:
    """Return the speed of a fleet's worker by that of one in the smallest fleet; None for who is no fleet."""
    fleets = fleets_of(passes)
    if one not in fleets:
        return None
    least = min(fleets, key=lambda each: each.workers)
    return one.pages_per_s / one.workers / (least.pages_per_s / least.workers)


def fleets_of(passes: Sequence[Pass]) -> list[Pass]:
    """Return the passes that fleets made."""
    return [each for each in passes if each.frontier_wall_s]


def charts(passes: Sequence[Pass]) -> str:
    """Return an SVG document: the whole time and the time from arrived to parsed, by the number of workers."""
    whole = _chart("Whole time, s", passes, [each.seconds for each in passes], ideal=True)
    clock = _chart("Arrived to parsed, s per worker", passes, [parsing_s(each) for each in passes])
    return panels([whole, clock])


def parsing_s(one: Pass) -> float:
    """Return the seconds from arrived to parsed, summed over the pages of one worker."""
    return one.arrived_to_parsed_s / one.workers


def _chart(title: str, passes: Sequence[Pass], values: Sequence[float], *, ideal: bool = False) -> Chart:
    fleets = fleets_of(passes)
    of = dict(zip((each.name for each in passes), values, strict=True))
    places = [each.workers for each in fleets]
    series = [Series("fleet", tuple((float(each.workers), of[each.name]) for each in fleets))]
    if ideal and fleets:
        whole = of[fleets[0].name] * places[0]
        series.append(Series("if workers cost each other nothing", tuple((float(n), whole / n) for n in places)))
    ends = (float(min(places, default=1)), float(max(places, default=1)))
    series += [Series(each.name, tuple((end, of[each.name]) for end in ends)) for each in passes if each not in fleets]
    return Chart(title, "workers", series)


def _figures(each: Pass, share: float | None) -> list[str]:
    fleet = share is not None
    return [
        f"{each.pages:,}",
        f"{each.seconds:.1f}",
        f"{each.pages_per_s:.1f}",
        f"{share:.2f}" if share is not None else "",
        f"{each.busy:.0%}",
        f"{1000 * each.cpu_s / each.pages:.1f}",
        f"{1000 * each.store_cpu_s / each.pages:.1f}" if fleet else "",
        f"{each.scheduling:.1%}" if fleet else "",
        f"{1000 * each.frontier_wall_s / each.pages:.2f}" if fleet else "",
        f"{parsing_s(each):.1f}",
    ]
