"""Sum results up: one row for each extractor and group of pages."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from thresher.lab.evaluate import Result
from thresher.lab.metrics.overlap import Overlap
from thresher.lab.metrics.registry import METRICS, Values

GROUPINGS: Mapping[str, Callable[[Result], str]] = {
    "all": lambda result: "all pages",
    "corpus": lambda result: result.dataset,
    "language": lambda result: result.language or "?",
    "site": lambda result: result.site or "?",
    "engine": lambda result: result.engine,
}
MACRO = "macro"  # the group whose values are the plain means of the other groups' values


@dataclass(frozen=True, slots=True)
class Row:
    """How an extractor did on a group of pages; `times_fastest` is None without a peer to compare with."""

    by: str
    group: str
    extractor: str
    pages: int
    errors: int
    ms_per_page: float
    times_fastest: float | None
    values: Mapping[str, Values]  # by metric
    counts: Mapping[str, float]  # means of the extractor's own figures


def summarise(results: Sequence[Result], by: str, peers: set[str]) -> list[Row]:
    """Return the rows of one grouping, groups in alphabetical order, extractors as they first came, then the macro."""
    order = {name: number for number, name in enumerate(dict.fromkeys(result.extractor for result in results))}
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        if group := GROUPINGS[by](result):
            groups.setdefault((group, result.extractor), []).append(result)
    posters = {result.extractor for result in results if _found_posts(result)}
    keys = sorted(groups, key=lambda key: (key[0], order[key[1]]))
    fastest = _fastest({key: _ms(groups[key]) for key in keys if key[1] in peers})
    rows = [
        _row(by, group, name, groups[group, name], fastest_ms=fastest.get(group), with_posts=name in posters)
        for group, name in keys
    ]
    return rows + _macro(by, rows, order, peers)


def _found_posts(result: Result) -> bool:
    """Tell those that look for posts from those that do not, for whom a score of 0 would say nothing."""
    return any(result.overlaps[name].found > 0 for name in result.overlaps if METRICS[name].needs_posts)


def _row(
    by: str, group: str, extractor: str, results: Sequence[Result], *, fastest_ms: float | None, with_posts: bool
) -> Row:
    ms = _ms(results)
    return Row(
        by=by,
        group=group,
        extractor=extractor,
        pages=len(results),
        errors=sum(bool(result.error) for result in results),
        ms_per_page=ms,
        times_fastest=ms / fastest_ms if fastest_ms else None,
        values=_values(results, with_posts),
        counts=_counts(results),
    )


def _values(results: Sequence[Result], with_posts: bool) -> dict[str, Values]:
    names = [name for name in METRICS if with_posts or not METRICS[name].needs_posts]
    measured = {name: [r for r in results if name in r.overlaps] for name in names}
    values = {name: _summed(name, chosen) for name, chosen in measured.items() if chosen}
    return {name: each for name, each in values.items() if each}


def _summed(name: str, results: Sequence[Result]) -> Values:
    """Sum a metric up; those of posts by site, and then averaged: a site has one markup, be its pages many or few."""
    if not METRICS[name].needs_posts:
        return METRICS[name].summarise([result.overlaps[name] for result in results])
    sites: dict[str, list[Overlap]] = {}
    for result in results:
        sites.setdefault(result.site, []).append(result.overlaps[name])
    told = [METRICS[name].summarise(pages) for pages in sites.values() if any(page.gold for page in pages)]
    return _mean_values(told) if told else {}


def _counts(results: Sequence[Result]) -> dict[str, float]:
    names = dict.fromkeys(name for result in results for name in result.counts)
    return {name: fmean(result.counts.get(name, 0.0) for result in results) for name in names}


def _ms(results: Sequence[Result]) -> float:
    return 1000 * fmean(result.cpu_s for result in results)


def _fastest(ms: Mapping[tuple[str, str], float]) -> dict[str, float]:
    fastest: dict[str, float] = {}
    for (group, _), value in ms.items():
        fastest[group] = min(value, fastest.get(group, value))
    return fastest


def _macro(by: str, rows: Sequence[Row], order: Iterable[str], peers: set[str]) -> list[Row]:
    """Average the groups; only where there are several, and each metric over the groups that have it."""
    if len({row.group for row in rows}) < 2:
        return []
    means = [_mean_row(by, name, [row for row in rows if row.extractor == name]) for name in order]
    fastest = min((row.ms_per_page for row in means if row.extractor in peers), default=0.0)
    return [replace(row, times_fastest=row.ms_per_page / fastest if fastest else None) for row in means]


def _mean_row(by: str, extractor: str, rows: Sequence[Row]) -> Row:
    pages = sum(row.pages for row in rows)
    return Row(
        by=by,
        group=MACRO,
        extractor=extractor,
        pages=pages,
        errors=sum(row.errors for row in rows),
        ms_per_page=sum(row.ms_per_page * row.pages for row in rows) / pages,
        times_fastest=None,
        values={
            name: _mean_values([row.values[name] for row in rows if name in row.values])
            for name in METRICS
            if any(name in row.values for row in rows)
        },
        counts={},
    )


def _mean_values(values: Sequence[Values]) -> Values:
    return {key: fmean(each[key] for each in values) for key in values[0]}
