"""Train the choice of authors: how much each mark of a mention speaks for whoever is mentioned, from labelled pages."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha1
from typing import Any, NamedTuple

from thresher.errors import MissingExtra
from thresher.extraction.blocks import cut
from thresher.extraction.fields.authors import is_cjk
from thresher.extraction.fields.choice import Candidate, Page, find_candidates
from thresher.extraction.fields.clues import gather
from thresher.extraction.fields.mentions import find_last_mentions, find_mentions, find_more_mentions, find_told
from thresher.extraction.fields.meta import find_site_name
from thresher.extraction.fields.near import look_near
from thresher.extraction.fields.title import find_title
from thresher.extraction.fields.told import sites_of
from thresher.html import parse
from thresher.lab.author_sets import author_set
from thresher.lab.fields_gold import GoldFields
from thresher.lab.fields_without import without

# Pages are learned from as they are and, for less, without what only some sites have.
VARIANTS: tuple[tuple[tuple[str, ...], float], ...] = (
    ((), 1.0),
    (("json-ld", "meta"), 0.5),
    (("json-ld", "meta", "names", "links"), 0.5),
)
# Weight of a page that names nobody: with it, pages of products and services name about as few as with rules.
NOBODY = 5.0
PENALTY = 3.0  # of squared weights; from 1 to 6 the shares found are the same within half a point
MIN_ROWS = 4  # candidates that must have a mark for it to be learned
FOLDS = 10


class Row(NamedTuple):
    """What is learned from one page: the marks of its candidates, which of these are right, and whether nobody is."""

    site: str
    dataset: str
    weight: float
    marks: tuple[frozenset[str], ...]
    right: tuple[bool, ...]
    nobody: bool
    is_whole: bool  # and not with evidence taken out


def rows_of(pages: Iterable[GoldFields]) -> Iterator[Row]:
    """Yield rows for each page, and for those with labelled authors also with evidence taken out.

    A page without labelled authors, in a dataset that labels them, names nobody; what its data says of itself is left
    out there, since a label says what readers see.
    """
    for page in pages:
        for sources, weight in VARIANTS if page.gold.authors else VARIANTS[:1]:
            candidates = candidates_of(next(without([page], sources)))
            if candidates is None:
                continue
            gold = author_set(page.gold.authors)
            if not gold:
                candidates = [each for each in candidates if each.marks.isdisjoint(("data", "meta"))]
            right = tuple(bool(gold) and author_set(each.mention.names) == gold for each in candidates)
            marks = tuple(each.marks for each in candidates)
            yield Row(page.site, page.dataset, weight if gold else NOBODY, marks, right, not gold, not sources)


def candidates_of(page: GoldFields) -> list[Candidate] | None:
    """Return the candidates of a page in a European language; None for others."""
    tree = parse(page.html, url=page.url)
    clues = gather(tree)
    blocks = cut(tree.body, bare=True)
    site_name = find_site_name(clues)
    name = site_name.value if site_name else None
    title = find_title(tree, clues, name, blocks)
    near = look_near(blocks, title.value if title else "")
    if is_cjk(near):
        return None
    sites = sites_of(tree, clues, name)
    mentions = [*find_told(clues, sites), *find_mentions(tree, clues, near, sites)]
    mentions += find_more_mentions(clues, near, sites)
    mentions += find_last_mentions(tree, clues, near, sites)
    return find_candidates(mentions, Page(near, sites))


def fit(rows: Sequence[Row]) -> dict[str, float]:
    """Return the weight of each mark that makes the labels of the rows likeliest; raise MissingExtra without scipy."""
    try:
        import numpy as np
        from scipy.optimize import minimize  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingExtra("scipy is not installed; training is an extra: pip install 'thresher[train]'") from error
    counts = Counter(mark for row in rows for marks in row.marks for mark in marks)
    names = sorted(mark for mark, count in counts.items() if count >= MIN_ROWS)
    usable = [row for row in rows if row.marks and (row.nobody or any(row.right))]
    sizes = [len(row.marks) + 1 for row in usable]  # nobody is the last of each
    values, right = _matrix(np, usable, names)
    starts = np.r_[0, np.cumsum(sizes)[:-1]]
    group = np.repeat(np.arange(len(usable)), sizes)
    weight = np.array([row.weight for row in usable])

    def loss(weights: Any) -> tuple[float, Any]:
        sums = values @ weights
        powers = np.exp(sums - np.maximum.reduceat(sums, starts)[group])
        whole, good = np.add.reduceat(powers, starts), np.add.reduceat(powers * right, starts)
        likely = (weight * (np.log(good) - np.log(whole))).sum()
        pull = (powers * right / good[group] - powers / whole[group]) * weight[group]
        return PENALTY * (weights @ weights) / 2 - likely, PENALTY * weights - values.T @ pull

    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 1000})
    return {name: round(float(value), 3) for name, value in zip(names, best.x, strict=True)}


def _matrix(np: Any, rows: Sequence[Row], names: Sequence[str]) -> tuple[Any, Any]:
    column = {name: number for number, name in enumerate(names)}
    values = np.zeros((sum(len(row.marks) + 1 for row in rows), len(names)))
    right = np.zeros(len(values))
    line = 0
    for row in rows:
        for marks, is_right in zip((*row.marks, frozenset()), (*row.right, row.nobody), strict=True):
            values[line, [column[mark] for mark in marks if mark in column]] = 1.0
            right[line] = is_right
            line += 1
    return values, right


def cross_validate(rows: Sequence[Row]) -> dict[str, tuple[int, int]]:
    """Return for each dataset how many whole pages were answered rightly by weights of other sites, and of how many."""
    found: dict[str, tuple[int, int]] = {}
    for number in range(FOLDS):
        weights = fit([row for row in rows if _fold(row.site) != number])
        for row in rows:
            if row.is_whole and not row.nobody and _fold(row.site) == number:
                right, count = found.get(row.dataset, (0, 0))
                found[row.dataset] = right + _is_right(row, weights), count + 1
    return found


def _is_right(row: Row, weights: dict[str, float]) -> bool:
    sums = [sum(weights.get(mark, 0.0) for mark in marks) for marks in row.marks]
    return bool(sums) and max(sums) > 0 and row.right[sums.index(max(sums))]


def _fold(site: str) -> int:
    return sha1(f"fold {site}".encode(), usedforsecurity=False).digest()[0] % FOLDS
