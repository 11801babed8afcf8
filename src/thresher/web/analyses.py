"""What the pages show of a whole corpus, worked out in a process of its own (see kept.py)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from thresher import wiring
from thresher.analysis.stories import Story
from thresher.analysis.words import Splitter
from thresher.analysis.zipf import WordCounts, chart_of, law_of
from thresher.api.corpus import Corpus
from thresher.api.stories import read_on
from thresher.config import Settings
from thresher.index.query import parse
from thresher.model import Kind

EVERYTHING = parse("", datetime.now(UTC))
MAX_STORIES = 500
MAX_REPORTS = 200  # of a story that are listed
SAMPLE = 2_000  # documents whose words are counted
SHOWN_WORDS = 100
COUNTING_S = 20.0  # of new documents, at a time


def stories(settings: Settings, days: int) -> dict[str, Any]:
    """Return the stories with a report within some days, those of most sites first, and how much has been read.

    The documents of a large corpus take minutes to read: what was read until then is kept, and the next call goes on.
    """
    since = datetime.now(UTC) - timedelta(days=days) if days else None
    parts = wiring.open_corpus(settings, create=False)
    try:
        reading = read_on(parts.store, seconds=COUNTING_S)
    finally:
        parts.close()
    found = reading.stories.stories(since=since)[:MAX_STORIES]
    facts = {"read": reading.read, "new": reading.total, "complete": reading.read == reading.total}
    return facts | {"stories": _plain(found)}


def _plain(found: Sequence[Story]) -> list[dict[str, Any]]:
    return [
        {
            "id": story.id,
            "title": story.title,
            "language": story.language,
            "first": story.first,
            "last": story.last,
            "size": story.size,
            "sites": dict(story.sources.most_common()),
            "days": dict(sorted(story.days.items())),
            "reports": [
                {"url": each.url, "title": each.title, "site": each.site, "at": each.at}
                for each in sorted(story.reports, key=lambda each: each.at)[:MAX_REPORTS]
            ],
        }
        for story in found
    ]


def trends(settings: Settings, period: str, top: int) -> dict[str, Any]:
    """Return what rises in the last day, week or month."""
    with _opened(settings) as corpus:
        found = corpus.trends(period=period, top=top, seconds=COUNTING_S)
    return {
        "first": found.first,
        "last": found.last,
        "starts": list(found.starts),
        "documents": list(found.documents),
        "complete": found.complete,
        "rising": [
            {
                "word": each.word,
                "kind": each.kind,
                "language": each.language,
                "growth": each.growth,
                "recent": each.recent,
                "earlier": each.earlier,
                "series": list(each.series),
            }
            for each in found.rising
        ],
    }


def words(settings: Settings) -> dict[str, Any]:
    """Return how often words occur in each language, in a sample spread evenly over the corpus."""
    counts, splitter = WordCounts(), Splitter(or_pairs=True)
    parts = wiring.open_corpus(settings, create=False)
    try:
        total = parts.index.count()
        every = max(1, total // SAMPLE)
        for number, url in enumerate(parts.index.urls(EVERYTHING)):
            if number % every == 0:
                document = parts.store.document(url)
                if document and document.kind in (Kind.ARTICLE, Kind.THREAD):
                    counts.add(document.language or "", splitter.words(document.text, document.language))
    finally:
        parts.close()
    return {
        "documents": total,
        "sample": sum(counts.documents.values()),
        "languages": [_language(counts, group) for group in counts.groups[:6] if counts.total[group]],
    }


def _language(counts: WordCounts, group: str) -> dict[str, Any]:
    ranked, law = counts.ranked(group), law_of(counts, group)
    points, *lines = chart_of(ranked, law, group).series
    fit = law.least_squares or law.likelihood
    return {
        "language": group,
        "documents": law.documents,
        "words": law.words,
        "unique": law.unique,
        "half": law.half,
        "exponent": fit.exponent if fit else None,
        "points": [(rank, count, ranked[int(rank) - 1][0]) for rank, count in points.points],
        "line": list(lines[0].points) if lines and lines[0].points else None,
        "top": [(word, count) for word, count in ranked[:SHOWN_WORDS]],
    }


def _opened(settings: Settings) -> Corpus:
    return Corpus(wiring.open_corpus(settings, create=False))
