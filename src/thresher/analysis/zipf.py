"""Word frequencies, and how well they follow Zipf's law: the word of rank r occurs about C / r^s times, s near 1.

Counting. Occurrences and documents of each word are counted exactly while at most MAX_WORDS different words (over all
groups) are known. When there are more, the rarest are forgotten until half of them are left, and counting goes on:
then a count may be too low, by at most `undercount`, and the number of unique words is a lower bound. Words more
frequent than that are never lost. Memory is bounded by MAX_WORDS and by the words of one document.

Fitting. Two estimates of s, because each errs in its own way:

- least squares: a straight line through log frequency over log rank, over the words that occur at least MIN_FREQUENCY
  times. It gives every rank the same weight, so the many rare words decide.
- maximum likelihood: the s under which drawing the words from p(r) = r^-s / sum(k^-s), k from 1 to the number of unique
  words, is most likely. It gives every occurrence the same weight, so the frequent words decide. Ranks are taken from
  the same counts that are fitted, which makes s a little too high for small samples.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from thresher.analysis.charts import Chart, Series

MAX_WORDS = 500_000  # different ones, over all groups; about 200 MB
MIN_FREQUENCY = 5  # occurrences of a word that the least squares use; below, the alphabet decides its rank
MIN_RANKS = 3  # that a fit needs
EXACT_TERMS = 2_000  # of the sum over k^-s that are added one by one; the rest is integrated, to seven digits
MAX_EXPONENT = 20.0
PLOTTED = 300  # points of a curve, at most about


class WordCounts:
    """Counts words by group, in bounded memory."""

    def __init__(self, max_words: int = MAX_WORDS) -> None:
        self.undercount = 0  # by which a count may be too low
        self.documents: Counter[str] = Counter()  # by group
        self.total: Counter[str] = Counter()  # occurrences of all words, by group; exact
        self._max_words = max_words
        self._different = 0  # words, over all groups
        self._occurrences: dict[str, Counter[str]] = {}
        self._holders: dict[str, Counter[str]] = {}  # documents that hold a word

    def add(self, group: str, words: Iterable[str]) -> None:
        """Count the words of one document."""
        found = Counter(words)
        self.documents[group] += 1
        self.total[group] += found.total()
        occurrences = self._occurrences.setdefault(group, Counter())
        known = len(occurrences)
        occurrences.update(found)
        self._holders.setdefault(group, Counter()).update(found.keys())
        self._different += len(occurrences) - known
        if self._different > self._max_words:
            self._forget_rare()

    @property
    def groups(self) -> list[str]:
        """The groups, those with the most documents first."""
        return sorted(self.documents, key=lambda group: (-self.documents[group], group))

    def ranked(self, group: str) -> list[tuple[str, int]]:
        """The words of a group with their occurrences, the most frequent first, equal ones by the alphabet."""
        return sorted(self._occurrences.get(group, {}).items(), key=lambda item: (-item[1], item[0]))

    def holders(self, group: str, word: str) -> int:
        """In how many documents of a group a word occurs."""
        return self._holders[group][word]

    def _forget_rare(self) -> None:
        sizes = Counter(count for counts in self._occurrences.values() for count in counts.values())
        left, limit = sum(sizes.values()), 0
        while left > self._max_words // 2:
            limit = min(size for size in sizes if size > limit)
            left -= sizes[limit]
        self.undercount += limit
        self._different = left
        for group, counts in self._occurrences.items():
            kept = Counter({word: count for word, count in counts.items() if count > limit})
            self._occurrences[group] = kept
            self._holders[group] = Counter({word: self._holders[group][word] for word in kept})


@dataclass(frozen=True, slots=True)
class Fit:
    """An estimate of the exponent; `scale` is C, the frequency that the law gives to rank 1."""

    exponent: float
    scale: float
    ranks: int  # 1 to this one were used
    r_squared: float | None = None  # of the least squares


@dataclass(frozen=True, slots=True)
class Law:
    """What is said of the words of one group."""

    group: str
    documents: int
    words: int  # occurrences
    unique: int
    half: int  # the most frequent words that make up half of all occurrences
    least_squares: Fit | None  # None: too few words
    likelihood: Fit | None
    undercount: int = 0


def law_of(counts: WordCounts, group: str) -> Law:
    """Describe the words of a group."""
    frequencies = [count for _, count in counts.ranked(group)]
    total = counts.total[group]
    half = next((rank for rank, sum_ in enumerate(accumulate(frequencies), start=1) if 2 * sum_ >= total), 0)
    return Law(
        group,
        counts.documents[group],
        total,
        len(frequencies),
        half,
        least_squares(frequencies),
        likelihood(frequencies),
        counts.undercount,
    )


def least_squares(frequencies: Sequence[int], min_frequency: int = MIN_FREQUENCY) -> Fit | None:
    """Fit a line to log frequency over log rank; None when fewer than MIN_RANKS words are frequent enough."""
    used = [count for count in frequencies if count >= min_frequency]
    if len(used) < MIN_RANKS:
        return None
    xs = [math.log(rank) for rank in range(1, len(used) + 1)]
    ys = [math.log(count) for count in used]
    x_mean, y_mean = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    x_spread = math.fsum((x - x_mean) ** 2 for x in xs)
    y_spread = math.fsum((y - y_mean) ** 2 for y in ys)
    both = math.fsum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    slope = both / x_spread
    r_squared = both**2 / (x_spread * y_spread) if y_spread else 1.0
    return Fit(-slope, math.exp(y_mean - slope * x_mean), len(used), r_squared)


def likelihood(frequencies: Sequence[int]) -> Fit | None:
    """Find the exponent under which the frequencies are most likely; None for fewer than MIN_RANKS words."""
    if len(frequencies) < MIN_RANKS:
        return None
    total = sum(frequencies)
    mean = math.fsum(count * math.log(rank) for rank, count in enumerate(frequencies, start=1)) / total
    low, high = 0.0, MAX_EXPONENT
    for _ in range(60):  # the expected log rank falls as the exponent grows
        middle = (low + high) / 2
        powers, logs = _sums(middle, len(frequencies))
        low, high = (middle, high) if logs / powers > mean else (low, middle)
    exponent = (low + high) / 2
    return Fit(exponent, total / _sums(exponent, len(frequencies))[0], len(frequencies))


def _sums(s: float, n: int) -> tuple[float, float]:
    """Return the sums of k^-s and of ln k · k^-s for k from 1 to n."""
    exact = min(n, EXACT_TERMS)
    terms = [k**-s for k in range(1, exact + 1)]
    powers = math.fsum(terms)
    logs = math.fsum(term * math.log(k) for k, term in enumerate(terms, start=1))
    if n > exact:
        powers += _integral(s, n + 0.5)[0] - _integral(s, exact + 0.5)[0]
        logs += _integral(s, n + 0.5)[1] - _integral(s, exact + 0.5)[1]
    return powers, logs


def _integral(s: float, x: float) -> tuple[float, float]:
    """Return antiderivatives of x^-s and of ln x · x^-s at x."""
    e, log = 1.0 - s, math.log(x)
    if abs(e) < 1e-9:
        return log, log * log / 2
    power = x**e / e
    return power, power * (log - 1 / e)


def chart_of(ranked: Sequence[tuple[str, int]], law: Law, title: str) -> Chart:
    """Draw frequency over rank, both logarithmic, with the line of the least squares (or else of the likelihood)."""
    points = tuple((float(rank), float(ranked[rank - 1][1])) for rank in _plotted_ranks(len(ranked)))
    series = [Series(f"{law.unique:,} unique of {law.words:,} words", points, "dots")]
    fit = law.least_squares or law.likelihood
    method = "least squares" if law.least_squares else "maximum likelihood"
    if fit and fit.exponent > 0:
        end = min(float(fit.ranks), fit.scale ** (1 / fit.exponent))  # where the line meets frequency 1
        line = ((1.0, fit.scale), (end, fit.scale * end**-fit.exponent))
        series.append(Series(f"{method}: {fit.scale:,.0f} / rank^{fit.exponent:.3f}", line if end > 1 else (), "line"))
    return Chart(title, "rank (1 = most frequent word)", series, y_label="occurrences", log=True)


def _plotted_ranks(count: int) -> list[int]:
    """Choose ranks that lie evenly on a logarithmic axis, all of the first ones among them."""
    if count <= PLOTTED:
        return list(range(1, count + 1))
    step = math.log(count) / PLOTTED
    return sorted({round(math.exp(step * number)) for number in range(PLOTTED + 1)})
