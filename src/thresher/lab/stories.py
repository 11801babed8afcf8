"""Measure how well reports of one event are grouped: three reports made from each of many labelled articles.

No corpus here says which articles report the same event, so reports are made: the sentences of an article are dealt out
to three texts in turn, which then share a subject, names and words but no sentence, as reports of one event do. Each
gets the headline with a third of its words left out, a site of its own and a time within three days of the event;
events begin at random times of sixty days. A grouping is scored by its pairs of reports. Real reports of one event are
written by different people and share less; real events of one day are more alike than these articles.

Sites are halved as for copies: ENOUGH was chosen on those of "develop", results are told of "report".
"""

import random
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha1
from math import comb

from thresher.analysis.stories import ENOUGH, Report, Stories, Words
from thresher.lab.pages import LabelledPage
from thresher.lab.tables import table

PARTS = ("develop", "report")
REPORTS = 3  # of an event
MIN_SENTENCES = 9  # of an article
DAYS = 60
SPREAD_DAYS = 3
SEED = 20
THRESHOLDS = (0.15, 0.18, 0.2, 0.25, 0.3)


@dataclass(frozen=True, slots=True)
class Made:
    """A report that was made, and of which event it is."""

    event: str
    report: Report
    text: str
    language: str | None


@dataclass(frozen=True, slots=True)
class Score:
    """How well the pairs of reports in one story, and those of one event, agree."""

    precision: float
    recall: float
    stories: int
    ms: float  # of CPU for a report


def reports_of(pages: Iterable[LabelledPage], part: str) -> list[Made]:
    """Return the reports made from the articles of a part's sites, in order of time."""
    made = {each.report.key: each for page in pages if part_of(page.site) == part for each in _reports(page)}
    return sorted(made.values(), key=lambda each: (each.report.at, each.report.key))


def part_of(site: str) -> str:
    """Return the part that a site belongs to."""
    return PARTS[sha1(site.encode(), usedforsecurity=False).digest()[0] % 2]


def _reports(page: LabelledPage) -> list[Made]:
    sentences = [part.strip() for part in re.split(r"\n|(?<=[.!?。！？])\s*", page.text) if part.strip()]
    if len(sentences) < MIN_SENTENCES:
        return []
    dice = random.Random(f"{SEED} {page.id}")
    begins = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=dice.uniform(0, DAYS))
    headline, *body = sentences
    found = []
    for number in range(REPORTS):
        at = begins + timedelta(days=dice.uniform(0, SPREAD_DAYS))
        key = sha1(f"{page.id} {number}".encode(), usedforsecurity=False).hexdigest()[:32]
        report = Report(key, f"https://{number}.example/{key}", _partly(headline, dice), f"{number}.{page.site}", at)
        found.append(Made(page.id, report, "\n".join(body[number::REPORTS]), page.language or None))
    return found


def _partly(headline: str, dice: random.Random) -> str:
    """Return a headline with a third of its words left out."""
    words = re.findall(r"\w+", headline[:200])
    return " ".join(word for word in words if dice.random() < 2 / 3)


def score_of(reports: Sequence[Made], words: Words, enough: float = ENOUGH) -> Score:
    """Group reports as they come, and compare the stories with the events."""
    started = time.process_time()
    stories = Stories(words, enough=enough)
    placed = [(stories.add(each.report, each.text, each.language).id, each.event) for each in reports]
    spent = time.process_time() - started
    together = sum(comb(size, 2) for size in Counter(story for story, _ in placed).values())
    wanted = sum(comb(size, 2) for size in Counter(event for _, event in placed).values())
    right = sum(comb(size, 2) for size in Counter(placed).values())
    groups = sum(size > 1 for size in Counter(story for story, _ in placed).values())
    return Score(right / max(1, together), right / max(1, wanted), groups, 1000 * spent / max(1, len(reports)))


def stories_table(pages: Sequence[LabelledPage], words: Words) -> str:
    """Return the scores of several thresholds on the first half, and of the one that is used on the other."""
    rows = []
    for part, thresholds in (("develop", THRESHOLDS), ("report", (ENOUGH,))):
        reports = reports_of(pages, part)
        for enough in thresholds:
            score = score_of(reports, words, enough)
            figures = [f"{score.precision:.3f}", f"{score.recall:.3f}", f"{score.stories:,}", f"{score.ms:.2f}"]
            rows.append([f"{part}, {enough}", f"{len(reports):,}", *figures])
    return table(["", "reports", "precision", "recall", "stories", "CPU ms/report"], rows)
