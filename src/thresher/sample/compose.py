"""Composing: an article's passages, from its lead to its closing line, to a length drawn beforehand."""

import math
import random
from collections.abc import Sequence
from dataclasses import replace

from thresher.model import Span
from thresher.sample.passages import Line, Passage, plain, text_of
from thresher.sample.prose import Writer

_LENGTHS = {"en": (130, 1300), "zh": (260, 2200)}  # words or characters; the last paragraph may run over
_CHANCE_LIST = 0.45
_CHANCE_TABLE = 0.2
_CHANCE_QUOTE = 0.5
_CHANCE_EMPHASIS = 0.25
_HEADING_EVERY = 5  # paragraphs, in texts long enough to need headings
_LONG = 0.4  # of the longest length


def compose(writer: Writer, lead: str, links: Sequence[str] = ()) -> tuple[Passage, ...]:
    """Return the passages of an article that begins with the lead; each link is put on some words of a paragraph."""
    shortest, longest = _LENGTHS[writer.language]
    target = shortest * math.exp(writer.rng.random() * math.log(longest / shortest))
    passages = [_paragraph(writer, lead)]
    extras = _extras(writer)
    while length(passages, writer.language) < target:
        if target > longest * _LONG and len(passages) % _HEADING_EVERY == 0:
            passages.append(plain("h2", [writer.write("heading")]))
        passages.append(_paragraph(writer))
        if extras and len(passages) % 3 == 0:
            passages += extras.pop()
    passages.append(plain("p", [writer.write("closing")]))
    return _linked(_emphasised(passages, writer.rng), links, writer.rng)


def length(passages: Sequence[Passage], language: str) -> int:
    """Return the length of a text in words, or in characters where words are not spaced."""
    text = text_of(passages)
    return len(text) if language == "zh" else len(text.split())


def _paragraph(writer: Writer, first: str = "") -> Passage:
    sentences = [first] if first else []
    sentences += [writer.write("sentence") for _ in range(writer.rng.randint(1, 4))]
    if not first and writer.rng.random() < _CHANCE_QUOTE:
        sentences.append(_speech(writer))
    return plain("p", [_joined(writer, sentences)])


def _joined(writer: Writer, sentences: Sequence[str]) -> str:
    return ("" if writer.language == "zh" else " ").join(sentences)


def _speech(writer: Writer) -> str:
    said = writer.write("said")
    return f"“{writer.write('quote')}”{said if writer.language == 'zh' else ' ' + said[:1].lower() + said[1:]}"


def _extras(writer: Writer) -> list[list[Passage]]:
    """Draw what else the article has: a list with the line that leads to it, a table, a set-off quotation."""
    extras = []
    if writer.rng.random() < _CHANCE_LIST:
        items = [writer.write("item") for _ in range(writer.rng.randint(3, 5))]
        extras.append([plain("p", [writer.write("listlead")]), plain("list", list(dict.fromkeys(items)))])
    if writer.rng.random() < _CHANCE_TABLE:
        rows = [_row(writer) for _ in range(writer.rng.randint(3, 5))]
        extras.append([plain("table", [cell for row in rows for cell in row], columns=3)])
    if writer.rng.random() < _CHANCE_QUOTE:
        extras.append([plain("quote", [_speech(writer)])])
    return extras


def _row(writer: Writer) -> list[str]:
    return [writer.write("rowhead"), writer.write("cell"), str(writer.rng.randint(10, 900))]


def _emphasised(passages: Sequence[Passage], rng: random.Random) -> list[Passage]:
    return [
        _marked(passage, rng, Span("", strong=True) if rng.random() < 0.5 else Span("", emphasis=True))
        if passage.kind == "p" and rng.random() < _CHANCE_EMPHASIS
        else passage
        for passage in passages
    ]


def _linked(passages: list[Passage], links: Sequence[str], rng: random.Random) -> tuple[Passage, ...]:
    paragraphs = [place for place, each in enumerate(passages) if each.kind == "p" and len(each.lines[0]) == 1]
    for link in links[: len(paragraphs)]:
        place = paragraphs.pop(rng.randrange(len(paragraphs)))
        passages[place] = _marked(passages[place], rng, Span("", href=link))
    return tuple(passages)


def _marked(passage: Passage, rng: random.Random, mark: Span) -> Passage:
    """Put inline markup on a few words in the middle of a paragraph."""
    text = passage.lines[0][0].text
    gaps = [place for place, letter in enumerate(text) if letter == " "] or list(range(1, len(text)))
    start = rng.randrange(len(gaps) // 2)
    first, last = gaps[start], gaps[min(start + rng.randint(2, 6), len(gaps) - 1)]
    first += text[first] == " "
    line: Line = (Span(text[:first]), replace(mark, text=text[first:last]), Span(text[last:]))
    return replace(passage, lines=(line,))
