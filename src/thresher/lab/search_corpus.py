"""Documents to measure search on: sentences of real pages, mixed anew, half of them Chinese and half of them English.

Sentences are drawn at random from the labelled pages, so that words are as frequent as in real text. What is not real:
the sentences of a document have nothing to do with each other, and there are fewer different ones than so many
documents would have.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from thresher.errors import UsageError
from thresher.index.contract import Given
from thresher.lab.corpora import load
from thresher.model import Block, Document, Kind, Span
from thresher.urls import key_of

LANGUAGES = ("zh", "en")
SITES = 400  # different hosts
AUTHORS = 3_000
RUN = 1_000  # documents that follow each other belong to one run, of this many
RUNS = 5
COPIES = 20  # one document in so many is a copy of an earlier one
SINCE = datetime(2021, 1, 1, tzinfo=UTC)
DAYS = 2_100  # over which documents are spread, more of them in the end
SENTENCES = (6, 30)  # of a document
_SENTENCE = re.compile(r"[^。！？.!?\n]{4,400}[。！？.!?]")


@dataclass(frozen=True, slots=True)
class Prose:
    """The sentences of real pages, by language."""

    sentences: dict[str, list[str]]


def read_prose(folder: Path) -> Prose:
    """Read the sentences of labelled pages; raise UsageError when a language has too few."""
    sentences: dict[str, list[str]] = {language: [] for language in LANGUAGES}
    for page in load(folder):
        language = (page.language or "").partition("-")[0]
        if language in sentences:
            sentences[language] += _SENTENCE.findall(page.text)
    for language, found in sentences.items():
        if len(found) < 100:
            raise UsageError(f"{folder}: only {len(found)} sentences in {language}; give a folder of labelled pages")
    return Prose(sentences)


def documents(prose: Prose, count: int, seed: int = 1) -> Iterator[Given]:
    """Yield documents, always the same ones for a seed."""
    rng = random.Random(seed)
    earlier: list[tuple[str, str, str]] = []
    for number in range(count):
        if earlier and rng.randrange(COPIES) == 0:
            language, title, text = rng.choice(earlier)
        else:
            language, title, text = _text(prose, rng)
            earlier.append((language, title, text))
            del earlier[:-500]
        yield _given(rng, number, language, title, text)


def _text(prose: Prose, rng: random.Random) -> tuple[str, str, str]:
    language = rng.choice(LANGUAGES)
    some = rng.choices(prose.sentences[language], k=rng.randint(*SENTENCES))
    paragraphs = [" ".join(some[start : start + 4]) for start in range(1, len(some), 4)]
    return language, some[0][:80].strip(), "\n".join(paragraphs)


def _given(rng: random.Random, number: int, language: str, title: str, text: str) -> Given:
    site = min(rng.randrange(SITES), rng.randrange(SITES))
    url = f"https://www.site{site}.example/{number}"
    published = SINCE + timedelta(days=DAYS * rng.random() ** 0.5) if rng.random() < 0.95 else None
    author = (f"Author {min(rng.randrange(AUTHORS), rng.randrange(AUTHORS))}",) if rng.random() < 0.7 else ()
    document = Document(
        url,
        Kind.ARTICLE,
        1.0,
        title=title,
        blocks=tuple(Block((Span(line),)) for line in text.split("\n")),
        authors=author,
        published=published,
        language=language,
        sources=(f"source-{site % 60}",),
    )
    return Given(key_of(url), document, SINCE + timedelta(days=DAYS, seconds=number), 1 + number // RUN % RUNS)


def words_of(given: Given, rng: random.Random) -> list[str]:
    """Return the words of a document's text in order: Latin ones, and runs of two to four Chinese characters."""
    text = given.document.text
    if given.document.language != "zh":
        return re.findall(r"[A-Za-z]{2,}", text)
    runs = re.findall(r"[\u4e00-\u9fff]{2,}", text)
    starts = [(run, rng.randrange(len(run) - 1)) for run in runs]
    return [run[start : start + rng.randint(2, 4)] for run, start in starts]
