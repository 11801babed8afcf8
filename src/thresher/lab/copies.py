"""Measure how well copies are told from other articles: pairs of texts made from labelled pages by known edits.

Copies are made of an article as other sites make them: another headline, paragraphs cut, furniture of a page around and
between them, an agency's line added, all of it flowing differently, or all of these. Pairs of different articles are
those of one site, those of one site with the same furniture around both, and for each article the one of any site whose
words are most like its own (TF-IDF). Pages of the corpora that share a third of their sentences are real copies that
nobody labelled: such pairs are left out and counted. Translations are not looked at.

Sites are halved by a hash of their names: thresholds were chosen on those of "develop", results are told of "report".
"""

import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha1
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from thresher import sqlite
from thresher.analysis.stories import Vectors
from thresher.extraction.extractor import extract
from thresher.html import parse
from thresher.lab.pages import LabelledPage
from thresher.lab.tables import table
from thresher.model import Block, Document, Fate, Kind, Span
from thresher.store.contract import Record
from thresher.store.sketch import Sketch, alike, sketch_of
from thresher.store.sql import SqlStore, sqlite_store
from thresher.text import has_cjk
from thresher.urls import key_of

MIN_CHARS = 400  # of an article; of one in Chinese, Japanese or Korean MIN_CJK
MIN_CJK = 150
LONG = 40  # characters of a sentence that two articles do not share by chance; in Chinese LONG_CJK
LONG_CJK = 15
SHARED_SENTENCES = 1 / 3  # of the long ones of the shorter text: more make a real copy
MAX_PER_SITE = 12  # articles of a site that are paired with each other
PARTS = ("develop", "report")
SEED = 20
TIMED_PAGES = 200  # that are extracted, to compare the cost with

AGENCIES = ("(Reuters) - ", "BERLIN (AP) — ", "LONDON, AFP — ", "新华社北京电 ", "（记者 王芳）", "МОСКВА, ТАСС. ")
SIGNED = (
    "Reporting by the news desk; editing by the night team.",
    "© All rights reserved. No part of this text may be published without permission.",
    "（责任编辑：李明）",
    "Read the original on our partner's site.",
)
HEADLINES = ("What you need to know today", "Live: all that is known so far", "独家：最新消息", "Свежие новости дня")

SAME_SITE, SAME_FRAME = "same site", "same site, same furniture"
Edit = Callable[[list[str], random.Random, Sequence[str]], list[str]]


@dataclass(frozen=True, slots=True)
class Article:
    """A labelled page's text, and what else its page shows."""

    id: str
    site: str
    part: str
    lines: list[str]
    furniture: list[str]

    @property
    def text(self) -> str:
        """The paragraphs, one a line."""
        return _text(self.lines)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, and how they came about."""

    kind: str
    part: str
    one: str
    other: str
    is_copy: bool


def headline(lines: list[str], dice: random.Random, _furniture: Sequence[str]) -> list[str]:
    """Put another headline above."""
    return [dice.choice(HEADLINES), *lines[1:]] if len(lines) > 2 and len(lines[0]) < 120 else [*HEADLINES[:1], *lines]


def cut(lines: list[str], dice: random.Random, _furniture: Sequence[str]) -> list[str]:
    """Leave out paragraphs, a tenth to half of the text: the last ones, or any."""
    wanted = sum(map(len, lines)) * dice.uniform(0.5, 0.9)
    order = list(range(len(lines)))
    if dice.random() < 0.5:
        dice.shuffle(order)
    kept: set[int] = set()
    for place in order:
        if kept and sum(len(lines[each]) for each in kept) + len(lines[place]) / 2 > wanted:
            break
        kept.add(place)
    return [line for place, line in enumerate(lines) if place in kept]


def framed(lines: list[str], dice: random.Random, furniture: Sequence[str]) -> list[str]:
    """Put lines of another site's page above, below and between, up to a quarter of the text."""
    room, added = sum(map(len, lines)) * dice.uniform(0.05, 0.25), []
    for line in dice.sample(list(furniture), len(furniture)):
        if len(line) <= room:
            added.append(line)
            room -= len(line)
    whole = list(lines)
    for line in added:
        whole.insert(dice.choice((0, len(whole), dice.randrange(len(whole) + 1))), line)
    return whole


def reflowed(lines: list[str], dice: random.Random, _furniture: Sequence[str]) -> list[str]:
    """Join and part paragraphs, and write quotation marks, dashes and letters in another way."""
    text = (" " if dice.random() < 0.5 else "\n").join(lines)
    for sign, plain in ("“”", '"'), ("’‘", "'"), ("—", "-"), ("…", "..."):
        text = re.sub(f"[{sign}]", plain, text)
    width = dice.randrange(60, 200)
    return re.findall(rf"[^\n]{{1,{width}}}(?:\s|$)|[^\n]{{1,{width}}}", text)


def signed(lines: list[str], dice: random.Random, _furniture: Sequence[str]) -> list[str]:
    """Add the line of an agency, and one that says whose text it is."""
    return [dice.choice(AGENCIES) + lines[0], *lines[1:], dice.choice(SIGNED)]


def several(lines: list[str], dice: random.Random, furniture: Sequence[str]) -> list[str]:
    """Do all of it."""
    for edit in (cut, headline, framed, signed, reflowed):
        lines = edit(lines, dice, furniture)
    return lines


EDITS: dict[str, Edit] = {
    "another headline": headline,
    "paragraphs cut": cut,
    "furniture added": framed,
    "flowing differently": reflowed,
    "agency's line": signed,
    "all of these": several,
}


def articles_of(pages: Iterable[LabelledPage]) -> list[Article]:
    """Return the articles that are long enough, in the order of their ids; the same text once."""
    found: dict[str, Article] = {}
    for page in pages:
        lines = [" ".join(line.split()) for line in page.text.splitlines() if line.strip()]
        text = "\n".join(lines)
        if len(text) < (MIN_CJK if has_cjk(text) else MIN_CHARS):
            continue
        part = PARTS[sha1(page.site.encode(), usedforsecurity=False).digest()[0] % 2]
        found.setdefault(text, Article(page.id, page.site, part, lines, _furniture(page, set(lines))))
    return sorted(found.values(), key=lambda article: article.id)


def _furniture(page: LabelledPage, own: set[str]) -> list[str]:
    """Return what a page shows beside its main text."""
    texts = parse(page.html).root.itertext()
    lines = (" ".join(text.split()) for text in texts if isinstance(text, str))
    return list(dict.fromkeys(line for line in lines if 15 <= len(line) <= 300 and line not in own))[:60]


def pairs_of(articles: Sequence[Article]) -> tuple[list[Pair], int]:
    """Return all pairs, and how many were left out because both are copies already."""
    copies = [pair for article in articles for pair in _copies(article, articles)]
    apart = list(_apart(articles))
    kept = [(kind, one, other) for kind, one, other in apart if not shares_sentences(one.text, other.text)]
    return [*copies, *(_different(kind, one, other) for kind, one, other in kept)], len(apart) - len(kept)


def _copies(article: Article, articles: Sequence[Article]) -> Iterator[Pair]:
    dice = random.Random(f"{SEED} {article.id}")
    for name, edit in EDITS.items():
        furniture = next((each.furniture for each in _others(dice, article, articles) if each.furniture), [])
        yield Pair(name, article.part, article.text, _text(edit(article.lines, dice, furniture)), True)


def _others(dice: random.Random, article: Article, articles: Sequence[Article]) -> Iterator[Article]:
    for _ in range(20):
        other = dice.choice(articles)
        if other.site != article.site and other.part == article.part:
            yield other


def _apart(articles: Sequence[Article]) -> Iterator[tuple[str, Article, Article]]:
    """Yield pairs of different articles, and what kind of pair it is."""
    by_site: dict[str, list[Article]] = defaultdict(list)
    for article in articles:
        by_site[article.site].append(article)
    for theirs in by_site.values():
        for one, other in combinations(theirs[:MAX_PER_SITE], 2):
            yield SAME_SITE, one, other
            yield SAME_FRAME, one, other
    for part in PARTS:
        for one, other in _most_similar([article for article in articles if article.part == part]):
            yield "most similar words", one, other


def _different(kind: str, one: Article, other: Article) -> Pair:
    frame = _shared_frame(one) if kind == SAME_FRAME else []
    first, second = (_text([*frame[:5], *each.lines, *frame[5:]]) for each in (one, other))
    return Pair(kind, one.part, first, second, False)


def _shared_frame(article: Article) -> list[str]:
    """Return furniture of an article's own site, at most a fifth as long as the article."""
    room, frame = sum(map(len, article.lines)) / 5, []
    for line in article.furniture:
        if len(line) <= room:
            frame.append(line)
            room -= len(line)
    return frame


def _most_similar(articles: Sequence[Article]) -> Iterator[tuple[Article, Article]]:
    """Yield each article with the one whose words are most like its own."""
    vectors = Vectors()
    for article in articles:
        vectors.learn(article.text)
    weighed = [vectors.of(article.text) for article in articles]
    holders: dict[str, list[int]] = defaultdict(list)
    for number, vector in enumerate(weighed):
        for word in vector:
            holders[word].append(number)
    for number, vector in enumerate(weighed):
        scores: dict[int, float] = defaultdict(float)
        for word, weight in vector.items():
            for other in holders[word]:
                scores[other] += weight * weighed[other][word]
        best = max(
            (other for other in scores if other != number), key=lambda other: (scores[other], other), default=None
        )
        if best is not None:
            yield articles[number], articles[best]


def shares_sentences(one: str, other: str) -> bool:
    """Say whether two texts share so many sentences that one is a copy of the other."""
    mine, theirs = _sentences(one), _sentences(other)
    fewer = min(len(mine), len(theirs))
    return fewer > 0 and len(mine & theirs) / fewer >= SHARED_SENTENCES


def _sentences(text: str) -> set[str]:
    parts = (part.strip() for part in re.split(r"[\n.。!?！？]", text))
    return {part for part in parts if len(part) >= (LONG_CJK if has_cjk(part) else LONG)}


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def found_alike(one: Sketch | None, other: Sketch | None) -> bool:
    """Say whether a store would put two texts into one group: they share a band, and are alike."""
    return bool(one and other and set(one.bands) & set(other.bands) and alike(one, other))


def pairs_table(pairs: Sequence[Pair]) -> str:
    """Return precision and recall of each part, and how many pairs of each kind were taken for copies."""
    sketches: dict[str, Sketch | None] = {}
    for text in {text for pair in pairs for text in (pair.one, pair.other)}:
        sketches[text] = sketch_of(text)
    said = {pair: pair.one == pair.other or found_alike(sketches[pair.one], sketches[pair.other]) for pair in pairs}
    rows = []
    for part in PARTS:
        own = [pair for pair in pairs if pair.part == part]
        right = sum(said[pair] for pair in own if pair.is_copy)
        taken, copies = sum(said[pair] for pair in own), sum(pair.is_copy for pair in own)
        rows.append([f"**{part}**", f"{len(own):,}", f"{right / max(1, taken):.4f}", f"{right / max(1, copies):.4f}"])
        for kind in dict.fromkeys(pair.kind for pair in own):
            theirs = [pair for pair in own if pair.kind == kind]
            share = sum(said[pair] for pair in theirs) / len(theirs)
            cells = ["", f"{share:.4f}"] if theirs[0].is_copy else [f"{share:.4f} wrong", ""]
            rows.append([f"{part}: {kind}", f"{len(theirs):,}", *cells])
    return table(["pairs", "number", "precision", "recall"], rows)


@dataclass(frozen=True, slots=True)
class Grouping:
    """What a store made of articles and their copies, and what that cost."""

    precision: float  # of the pairs of documents in one group
    recall: float  # of the pairs of copies
    documents: int
    sketch_ms: float  # of CPU, for a document
    group_ms: float  # to look for copies and to keep the group, the sketch included
    extract_ms: float


def grouping(articles: Sequence[Article], pages: Sequence[LabelledPage], part: str = "report") -> Grouping:
    """Save articles and one copy of each, made by all edits, in a store; compare its groups with what was copied."""
    chosen = [article for article in articles if article.part == part]
    texts = [(number, article.text) for number, article in enumerate(chosen)]
    texts += [(number, list(_copies(article, articles))[-1].other) for number, article in enumerate(chosen)]
    random.Random(SEED).shuffle(texts)
    started = time.process_time()
    for _, text in texts:
        sketch_of(text)
    sketch_ms = 1000 * (time.process_time() - started) / len(texts)
    with TemporaryDirectory() as folder:
        connection = sqlite.connect(Path(folder) / "corpus.db")
        store = sqlite_store(connection)
        urls = {f"https://site{place}.example/": text for place, text in enumerate(texts)}
        with_ms = _saved(store, {url: text for url, (_, text) in urls.items()})
        originals = store.originals([key_of(url) for url in urls])
        connection.close()
    groups: dict[str, list[int]] = defaultdict(list)
    for url, (number, _) in urls.items():
        groups[originals[key_of(url)]].append(number)
    together = [(one, other) for group in groups.values() for one, other in combinations(group, 2)]
    right = sum(one == other for one, other in together)
    others = [(chosen[one].text, chosen[other].text) for one, other in together if one != other]
    wrong = [pair for pair in others if not shares_sentences(*pair)]
    return Grouping(
        right / max(1, right + len(wrong)), right / len(chosen), len(texts), sketch_ms, with_ms, _extraction_ms(pages)
    )


def _saved(store: SqlStore, texts: dict[str, str]) -> float:
    """Save documents; return the CPU time in ms that looking for copies took of each."""
    spent, note = 0.0, store._note_copies

    def timed(*arguments: object, **named: object) -> None:
        nonlocal spent
        started = time.process_time()
        note(*arguments, **named)  # type: ignore[arg-type]
        spent += time.process_time() - started

    store._note_copies = timed  # type: ignore[method-assign]
    for url, text in texts.items():
        blocks = tuple(Block((Span(line),)) for line in text.split("\n"))
        fate = Fate(url, 1, "stored", "stored", datetime(2026, 1, 1, tzinfo=UTC), status=200)
        store.save(Record(fate, None, Document(url, Kind.ARTICLE, 1.0, title="", blocks=blocks)))
    return 1000 * spent / len(texts)


def _extraction_ms(pages: Sequence[LabelledPage]) -> float:
    extract(pages[0].html)
    started = time.process_time()
    for page in pages:
        extract(page.html, url=page.url)
    return 1000 * (time.process_time() - started) / len(pages)
