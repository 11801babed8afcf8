"""Rising terms: words and names that documents of late hold more often than usual.

For each term the documents that hold it are counted in a period (r of R documents) and in several periods of the same
length before it, the usual (b of B). With p = (b + ½) / (B + 1) as its usual share, so that a term nobody wrote before
does not rise without bound, its weight is

    r × log2(((r + ½) / (R + 1)) / p)

the term's part of the Kullback-Leibler divergence of the period from the usual, in bits: large for what rises steeply
and is in many documents. (A ratio alone puts typing errors first, a difference alone common words.) A term counts as
rising when MIN_DOCUMENTS hold it, its share has doubled, and neither chance nor habit explains it:

- chance: were e = R × p documents to be expected, r or more of them come with a probability of at most
  exp(-(r ln(r/e) - r + e)), the Chernoff bound of the Poisson distribution. Times the number of terms that were looked
  at this must be below 1, so that of all rising terms about one is there by chance.
- habit: r lies MIN_SPREAD standard deviations above e, as the term's share has varied from period to period. So the
  names of weekdays and what comes and goes anyway do not rise.

Documents are counted and not occurrences, so that one long text does not decide; shares are those of one language, so
that a new source in another one lifts nothing. Where it fails: several wordings of one thing are several terms, and a
new source brings the words of its subject with it.

Cost: counting takes about 0.3 ms of CPU for a document, and the answer some milliseconds per period. Of each period
and language the MAX_TERMS most frequent terms are kept.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from thresher.analysis.charts import Chart, Series
from thresher.analysis.words import Splitter
from thresher.text import has_cjk

MIN_DOCUMENTS = 3
MIN_GROWTH = 2.0  # of a term's share
MIN_SPREAD = 3.0  # standard deviations of a term's share over the periods before
MIN_LETTERS = 3  # of a word; of a Chinese one MIN_HAN
MIN_HAN = 2
MAX_TERMS = 30_000  # of a period; they are cut when there are twice as many
TEXT_CHARS = 4_000  # of a text that are looked at: reports say first what happened
PART = 0.8  # of the documents that hold a word: when a name holds it in so many, the name alone is listed
MAX_CURVES = 7
KINDS = ("word", "name", "author")
_MARKS = {"name": "name:", "author": "author:"}  # before a term, to tell what it is; a word has no colon


@dataclass(frozen=True, slots=True)
class Rising:
    """A term that rises.

    `recent` documents of the last period hold it, `earlier` ones of the periods before; `series` has the documents of
    each period, the last one last. `growth` is by how much its share of the documents has grown.
    """

    word: str
    kind: str  # word, name or author
    language: str | None
    weight: float
    growth: float
    recent: int
    earlier: int
    series: tuple[int, ...]


@dataclass(slots=True)
class Held:
    """How many documents of a period there are, and how many hold each term."""

    documents: int = 0
    terms: Counter[str] = field(default_factory=Counter)

    def add(self, terms: Iterable[str]) -> None:
        """Count one document, each of its terms given once."""
        self.documents += 1
        self.terms.update(terms)
        self._trim()

    def merge(self, other: "Held") -> None:
        """Count the documents of another one as well."""
        self.documents += other.documents
        self.terms.update(other.terms)
        self._trim()

    def _trim(self) -> None:
        """Forget rare terms when there are too many; of those in equally many documents, the ones known longest."""
        if len(self.terms) > 2 * MAX_TERMS:
            latest_first = reversed(self.terms.items())
            self.terms = Counter(dict(sorted(latest_first, key=lambda item: -item[1])[:MAX_TERMS][::-1]))


def terms_of(
    title: str,
    text: str,
    language: str | None,
    authors: Iterable[str] = (),
    *,
    splitter: Splitter,
    stop_words: frozenset[str],
) -> set[str]:
    """Return the terms of one document: words of its title and text, names in its text, and its authors."""
    beginning = text[:TEXT_CHARS]
    words = {word for piece in (title, beginning) for word in splitter.words(piece, language)}
    terms = {word for word in words if word not in stop_words and _says_something(word)}
    terms |= {f"{_MARKS['name']}{name}" for name in splitter.names(beginning, language, stop_words)}
    return terms | {f"{_MARKS['author']}{author}" for author in authors}


def rising(
    periods: Sequence[Held], language: str | None = None, *, top: int = 20, kinds: Iterable[str] = KINDS
) -> list[Rising]:
    """Return the terms that rise in the last of some periods of one language, those of the largest weight first.

    A word that most of its documents have in a name that rises is left out, and so is a word that is a name.
    """
    usual, now = periods[:-1], periods[-1]
    if not any(period.documents for period in usual):
        return []
    wanted = set(kinds)
    found = []
    for term, held in now.terms.items():
        kind = _kind_of(term)
        if held >= MIN_DOCUMENTS and kind in wanted:
            each = _risen(term, kind, language, usual, now)
            if each:
                found.append(each)
    return _without_parts(strongest(found))[:top]


def strongest(found: Iterable[Rising]) -> list[Rising]:
    """Return rising terms in order, those of the largest weight first."""
    return sorted(found, key=lambda each: (-each.weight, each.word, each.kind))


def _risen(term: str, kind: str, language: str | None, usual: Sequence[Held], now: Held) -> Rising | None:
    """Return a term of the last period if it is more than usual."""
    held, documents = now.terms[term], now.documents
    counts = [period.terms[term] for period in usual]
    share = (sum(counts) + 0.5) / (sum(period.documents for period in usual) + 1)
    growth = (held + 0.5) / (documents + 1) / share
    expected = documents * share
    shares = [count / period.documents for count, period in zip(counts, usual, strict=True) if period.documents]
    surprise = held * math.log(held / expected) - held + expected
    if growth < MIN_GROWTH or surprise < math.log(len(now.terms)):
        return None
    if held - expected < MIN_SPREAD * documents * math.sqrt(_variance(shares)):
        return None
    word, weight = term.removeprefix(_MARKS.get(kind, "")), held * math.log2(growth)
    return Rising(word, kind, language, weight, growth, held, sum(counts), (*counts, held))


def _variance(values: Sequence[float]) -> float:
    """Return the sample variance; 0 for fewer than two values."""
    if len(values) < 2:
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def _kind_of(term: str) -> str:
    return next((kind for kind, mark in _MARKS.items() if term.startswith(mark)), "word")


def _without_parts(found: Sequence[Rising]) -> list[Rising]:
    holders: dict[str, int] = {}  # documents with a name, by each of its words
    for name in found:
        for part in name.word.lower().split() if name.kind == "name" else ():
            holders[part] = max(holders.get(part, 0), name.recent)
    return [each for each in found if each.kind != "word" or holders.get(each.word, 0) < PART * each.recent]


def _says_something(word: str) -> bool:
    return not any(map(str.isdigit, word)) and len(word) >= (MIN_HAN if has_cjk(word) else MIN_LETTERS)


def chart_of(found: Sequence[Rising], names: Sequence[str], period: str, title: str) -> Chart:
    """Draw the documents of each period that hold the first terms; `names` are those of the periods."""
    series = [
        Series(each.word, tuple((float(place), float(count)) for place, count in enumerate(each.series)))
        for each in found[:MAX_CURVES]
    ]
    return Chart(title, period, series, y_label="documents", x_names=names)
