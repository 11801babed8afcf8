"""Stories: reports of one event, over days and sites, found as documents come in.

Idea: single-pass clustering of news as in topic detection and tracking. A report is a vector of its words, weighted by
TF-IDF, those of the title more; of the text the beginning, where reports say what happened. It joins the story whose
centre it resembles most (cosine), if that is enough; the longer a story has been silent, the more it takes. Otherwise
it begins a story of its own. Word counts are of what came before, so no report is looked at twice.

Reference: J. Allan (ed.), Topic Detection and Tracking, 2002; Y. Yang, T. Pierce, J. Carbonell, A study of
retrospective and on-line event detection, 1998.

Where it fails: reports in different languages are different stories; pages that only share a form (weather, results)
may become one; what comes first decides where borderline reports go. The result depends on the documents and their
order alone: what is remembered can be written down (`to_dict`) and read again, and it goes on as if nothing happened.

Cost: about a millisecond a report. Memory is bounded: MAX_WORDS words are counted, MAX_OPEN stories wait for reports,
MAX_KEPT are remembered; singles that nobody else reported are forgotten when they are closed.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

TITLE_WEIGHT = 3  # occurrences that one in the title counts for
TEXT_WORDS = 250  # of a text that are looked at
REPORT_TERMS = 60  # the heaviest of a report
STORY_TERMS = 60  # the heaviest of a story
CLUES = 12  # the heaviest terms of a report, one of which it must share with a story
ENOUGH = 0.2  # cosine from which a report joins a story at once, chosen by `thresher bench stories`
SILENCE_DAYS = 7.0  # after which a story is closed
PATIENCE = 0.1  # what a day of silence adds to the cosine that is enough, as a share of it
INERTIA = 10  # reports of which a story's centre is the mean; later ones move it as the tenth did
MAX_WORDS = 200_000  # that are counted
HALF_LIFE = 50_000  # reports after which counts are halved
MAX_OPEN = 50_000
MAX_KEPT = 5_000  # closed ones with two reports or more
MAX_REPORTS = 5_000  # of a story that are remembered one by one

Vector = dict[str, float]
Words = Callable[[str, str | None], Iterable[str]]


def plain_words(text: str, _language: str | None = None) -> list[str]:
    """Split a text at everything that is no letter or digit."""
    return re.findall(r"\w+", text.lower())


class Vectors:
    """Weighs the words of texts by how rare they have been."""

    def __init__(self, words: Words = plain_words) -> None:
        self.seen = 0.0  # texts
        self.holders: Counter[str] = Counter()  # texts with a word
        self._words = words

    def learn(self, text: str, title: str = "", language: str | None = None) -> Counter[str]:
        """Count the words of one text; return them."""
        found = self._counted(text, title, language)
        self.seen += 1
        self.holders.update(found.keys())
        if self.seen >= HALF_LIFE or len(self.holders) > MAX_WORDS:
            self._forget()
        return found

    def of(self, text: str, title: str = "", language: str | None = None) -> Vector:
        """Return the heaviest words of a text with their weights, of length 1."""
        return self.weighed(self._counted(text, title, language))

    def weighed(self, counts: Mapping[str, int]) -> Vector:
        """Return the heaviest words of some counts with their weights, of length 1."""
        rarity = {word: math.log((self.seen + 1) / (self.holders[word] + 0.5)) for word in counts}
        weights = {word: (1 + math.log(count)) * max(0.0, rarity[word]) for word, count in counts.items()}
        return heaviest(weights, REPORT_TERMS)

    def _counted(self, text: str, title: str, language: str | None) -> Counter[str]:
        counts: Counter[str] = Counter()
        for word, _ in zip(self._words(text, language), range(TEXT_WORDS), strict=False):
            counts[word] += 1
        for word in self._words(title, language):
            counts[word] += TITLE_WEIGHT
        return counts

    def _forget(self) -> None:
        """Halve all counts, so that they are of the latest texts, and drop the rare words."""
        self.seen /= 2
        self.holders = Counter({word: count // 2 for word, count in self.holders.items() if count > 1})


def heaviest(weights: Vector, number: int) -> Vector:
    """Return the heaviest words, equal ones by the alphabet, scaled to length 1."""
    kept = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:number]
    length = math.sqrt(sum(weight * weight for _, weight in kept))
    return {word: weight / length for word, weight in kept} if length else {}


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors of length 1."""
    fewer, more = (one, other) if len(one) <= len(other) else (other, one)
    return sum(weight * more[word] for word, weight in fewer.items() if word in more)


@dataclass(frozen=True, slots=True)
class Report:
    """A document as a story knows it."""

    key: str
    url: str
    title: str
    site: str
    at: datetime


@dataclass(slots=True)
class Story:
    """Reports of one event."""

    id: str  # the beginning of the first report's key
    title: str  # of a report that is like the others
    first: datetime
    last: datetime
    language: str | None = None
    reports: list[Report] = field(default_factory=list)  # the first MAX_REPORTS
    days: Counter[str] = field(default_factory=Counter)  # reports by day (UTC)
    sources: Counter[str] = field(default_factory=Counter)  # reports by site
    terms: Vector = field(default_factory=dict)  # the centre; empty once it is closed
    lead: Vector = field(default_factory=dict)  # the report that gave the title; likewise

    @property
    def size(self) -> int:
        """How many reports there are."""
        return self.days.total()

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data."""
        return {
            "id": self.id,
            "title": self.title,
            "first": self.first.isoformat(),
            "last": self.last.isoformat(),
            "language": self.language,
            "reports": [[each.key, each.url, each.title, each.site, each.at.isoformat()] for each in self.reports],
            "days": dict(self.days),
            "sources": dict(self.sources),
            "terms": self.terms,
            "lead": self.lead,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Story":
        """Return the story of such data."""
        reports = [
            Report(key, url, title, site, datetime.fromisoformat(at)) for key, url, title, site, at in data["reports"]
        ]
        times = {name: datetime.fromisoformat(data[name]) for name in ("first", "last")}
        counts = {name: Counter(data[name]) for name in ("days", "sources")}
        return cls(**{**data, **times, **counts, "reports": reports})


class Stories:
    """Puts reports into stories, one after the other."""

    def __init__(self, words: Words = plain_words, *, enough: float = ENOUGH) -> None:
        self._vectors = Vectors(words)
        self._enough = enough
        self._open: dict[str, Story] = {}
        self._closed: dict[str, Story] = {}
        self._holders: dict[str, set[str]] = defaultdict(set)  # word → open stories with it
        self._latest = datetime.min.replace(tzinfo=UTC)

    def add(self, report: Report, text: str, language: str | None = None) -> Story:
        """Put a report into its story, an old or a new one."""
        vector = self._vectors.weighed(self._vectors.learn(text, report.title, language))
        if report.at > self._latest:
            self._latest = report.at
            self._close()
        story = self._best(vector, report.at)
        if story is None:
            story = Story(self._new_id(report.key), report.title, report.at, report.at, language)
            self._open[story.id] = story
        self._join(story, report, vector)
        return story

    def stories(self, *, since: datetime | None = None, least: int = 2) -> list[Story]:
        """Return the stories with enough reports, the last of them since a time; those of most sites first."""
        every = [*self._closed.values(), *self._open.values()]
        wanted = [each for each in every if each.size >= least and (since is None or each.last >= since)]
        return sorted(wanted, key=lambda each: (-len(each.sources), -each.size, each.first, each.id))

    def story(self, id: str) -> Story | None:
        """Return the story of an id; None when there is none."""
        return self._open.get(id) or self._closed.get(id)

    def to_dict(self) -> dict[str, Any]:
        """Return everything that is remembered, as plain JSON data."""
        return {
            "seen": self._vectors.seen,
            "holders": dict(self._vectors.holders),
            "latest": self._latest.isoformat(),
            "open": [story.to_dict() for story in self._open.values()],
            "closed": [story.to_dict() for story in self._closed.values()],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], words: Words = plain_words) -> "Stories":
        """Go on with what was remembered."""
        made = cls(words)
        made._vectors.seen = data["seen"]
        made._vectors.holders = Counter(data["holders"])
        made._latest = datetime.fromisoformat(data["latest"])
        made._closed = {story["id"]: Story.from_dict(story) for story in data["closed"]}
        for each in data["open"]:
            story = made._open[each["id"]] = Story.from_dict(each)
            made._note_terms(story, {})
        return made

    def _best(self, vector: Vector, at: datetime) -> Story | None:
        """Return the story that a report belongs to; None when none resembles it enough."""
        clues = sorted(vector, key=lambda word: (-vector[word], word))[:CLUES]
        candidates = {id for word in clues for id in self._holders.get(word, ())}
        scores = [(self._likeness(self._open[id], vector, at), id) for id in candidates]
        score, best = max(scores, default=(0.0, ""))
        return self._open[best] if score >= self._enough else None

    def _likeness(self, story: Story, vector: Vector, at: datetime) -> float:
        """Return how much a report resembles a story, less the longer that was silent before or began after it."""
        silence = max(at - story.last, story.first - at, timedelta()) / timedelta(days=1)
        return 0.0 if silence > SILENCE_DAYS else cosine(story.terms, vector) / (1 + PATIENCE * silence)

    def _join(self, story: Story, report: Report, vector: Vector) -> None:
        before = story.terms
        share = 1 / min(story.size + 1, INERTIA)
        mixed = {word: weight * (1 - share) for word, weight in before.items()}
        for word, weight in vector.items():
            mixed[word] = mixed.get(word, 0.0) + share * weight
        story.terms = heaviest(mixed, STORY_TERMS)
        self._note_terms(story, before)
        if report.title and cosine(story.terms, vector) > cosine(story.terms, story.lead):
            story.title, story.lead = report.title, vector
        story.first, story.last = min(story.first, report.at), max(story.last, report.at)
        story.days[report.at.astimezone(UTC).date().isoformat()] += 1
        story.sources[report.site] += 1
        if len(story.reports) < MAX_REPORTS:
            story.reports.append(report)

    def _note_terms(self, story: Story, before: Vector) -> None:
        for word in before.keys() - story.terms.keys():
            self._drop(word, story.id)
        for word in story.terms:
            self._holders[word].add(story.id)

    def _drop(self, word: str, id: str) -> None:
        self._holders[word].discard(id)
        if not self._holders[word]:
            del self._holders[word]

    def _close(self) -> None:
        """Close the stories that were silent for long, and the oldest ones of too many."""
        over = len(self._open) - MAX_OPEN
        oldest = sorted(self._open.values(), key=lambda story: story.last)[:over] if over > 0 else []
        limit = self._latest - timedelta(days=SILENCE_DAYS)
        for story in [each for each in self._open.values() if each.last < limit] + oldest:
            if self._open.pop(story.id, None) is None:
                continue
            for word in story.terms:
                self._drop(word, story.id)
            if story.size > 1:
                story.terms, story.lead = {}, {}
                self._closed[story.id] = story
        for id in list(self._closed)[: max(0, len(self._closed) - MAX_KEPT)]:
            del self._closed[id]

    def _new_id(self, key: str) -> str:
        """Return the beginning of a key that no other story has."""
        taken = (key[:length] for length in range(8, len(key) + 1))
        return next((id for id in taken if self.story(id) is None), key)
