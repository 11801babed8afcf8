"""Put synthetic noise into a parsed page: comments, teasers, notices and whole other articles around its text.

Labelled pages of today load their comments by script, and few carry several articles; real pages of all ages do. What
is put in is made of sentences of other labelled pages and of words of our own, in markup of many shapes.
"""

import copy
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from random import Random
from typing import Any

from lxml import etree

from thresher.lab.train.restyle import element, restyle

WORDS: dict[str, Any] = json.loads(resources.files("thresher.lab.train").joinpath("noise.json").read_text("utf-8"))
MAX_TITLE = 90  # characters of a sentence that stands in for a headline

_NO_NAMES = (None, "c1", "section", "box wide")
_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]+")


@dataclass(frozen=True, slots=True)
class Supply:
    """What noise for one page is made of: sentences of other pages, the elements of their texts, and the language."""

    sentences: Sequence[str]
    articles: Sequence[etree._Element]
    language: str

    @property
    def is_chinese(self) -> bool:
        """True where dates and labels are Chinese."""
        return self.language == "zh"

    def words(self, name: str) -> list[str]:
        """Return a word list in the page's language."""
        return list(WORDS.get(f"cjk_{name}", WORDS[name]) if self.is_chinese else WORDS[name])


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text that are neither very short nor very long."""
    found = [sentence for line in text.splitlines() for sentence in _SENTENCE.findall(line) or [line]]
    return [sentence.strip() for sentence in found if 15 < len(sentence.strip()) < 400]


def disturb(core: etree._Element, gold: Sequence[etree._Element], supply: Supply, random: Random) -> None:
    """Put noise in, after and around the element that holds the text, which may be written another way first."""
    restyle(core, gold, random, is_chinese=supply.is_chinese)
    kind = random.random()
    new: list[etree._Element] = []
    if kind < 0.4:
        new = [comments(supply, random)]
    elif kind < 0.55:
        new = [teasers(supply, random)]
    elif kind < 0.7 and supply.articles:
        new = [another_article(supply, random) for _ in range(random.choice((1, 1, 2, 4)))]
    elif kind < 0.85:
        new = [teasers(supply, random), comments(supply, random)]
    if kind >= 0.85 or random.random() < 0.35:
        for box in boxes(supply, random):
            _place_box(core, box, random)
    _place(core, new, random)


def comments(supply: Supply, random: Random) -> etree._Element:
    """Return a comment section in one of four layouts, with or without names that tell."""
    is_named = random.random() < 0.6
    layout = random.choice(("ol", "div", "rows", "dl"))
    count = random.choice((1, 2, 3, 5, 8, 12, 20, 40))
    names = ("comments-area", "comments", "comment-list", "commentlist responses") if is_named else _NO_NAMES
    section = element("div", class_=random.choice(names))
    if random.random() < 0.8:
        head = random.choice(supply.words("comment_heads")).format(n=count)
        section.append(element(random.choice(("h2", "h3", "h4", "div", "p")), head))
    entries = element({"rows": "div"}.get(layout, layout), class_="comment-list" if is_named else None)
    section.append(entries)
    for _ in range(count):
        entry = _comment(layout, is_named, entries, supply, random)
        _fill_comment(entry, is_named, supply, random)
        if layout == "rows" and random.random() < 0.3:
            entries.append(element("hr"))
    return section


def _comment(layout: str, is_named: bool, entries: etree._Element, supply: Supply, random: Random) -> etree._Element:
    """Open a comment with its author and time; return the element that its text goes into."""
    name = random.choice(supply.words("names"))
    time = when(supply, random)
    if layout == "dl":
        entries.append(element("dt", f"{name} {time}"))
        entries.append(element("dd"))
        return entries[-1]
    names = ("comment", "comment-item", "comment even thread-even") if is_named else (None, "item", "row")
    entry = element("li" if layout == "ol" else "div", class_=random.choice(names))
    entries.append(entry)
    byline = element("div", class_="comment-meta" if is_named else None)
    entry.append(byline)
    shape = random.randrange(3)
    if shape == 0:
        byline.append(element("cite", name, tail=" says:"))
        entry.append(element("div"))
        entry[-1].append(element("a", time, href="#c"))
    elif shape == 1:
        byline.append(element("a", name, tail=f" {time}", href="#u"))
    else:
        byline.append(element("span", name, tail=" | "))
        byline.append(element("span", time))
    return entry


def _fill_comment(entry: etree._Element, is_named: bool, supply: Supply, random: Random) -> None:
    texts = [prose(supply, random, 5) for _ in range(random.choice((1, 1, 1, 2, 3)))]
    if random.random() < 0.6:
        entry.extend([element("p", text) for text in texts])
    else:
        body = element("div", texts[0], class_="comment-body" if is_named and random.random() < 0.5 else None)
        body.extend([element("br", tail=text) for text in texts[1:]])
        entry.append(body)
    if random.random() < 0.6:
        entry.append(element("div"))
        entry[-1].append(element("a", random.choice(supply.words("replies")), href="#r"))


def teasers(supply: Supply, random: Random) -> etree._Element:
    """Return a list of headlines with links, most with a sentence or two below."""
    is_named = random.random() < 0.5
    names = ("related", "recommended", "more-stories", "read-next")
    section = element("div", class_=random.choice(names) if is_named else None)
    if random.random() < 0.8:
        head = random.choice(supply.words("teaser_heads"))
        section.append(element(random.choice(("h2", "h3", "h4", "div")), head))
    tag = random.choice(("li", "div", "article"))
    entries = element("ul" if tag == "li" else "div")
    section.append(entries)
    for _ in range(random.randint(3, 14)):
        entry = element(tag, class_="teaser" if is_named else random.choice((None, "item")))
        entries.append(entry)
        entry.append(element(random.choice(("h3", "h4", "div"))))
        entry[-1].append(element("a", random.choice(supply.sentences)[:MAX_TITLE], href="/x"))
        if random.random() < 0.8:
            entry.append(element("p", prose(supply, random, 3)))
        if random.random() < 0.4:
            entry.append(element("span", when(supply, random)))
    return section


def another_article(supply: Supply, random: Random) -> etree._Element:
    """Return the text of another page under a headline of its own, as endless pages have it."""
    section = element(
        random.choice(("div", "article", "section")), class_=random.choice((None, "article", "story", "post"))
    )
    section.append(element(random.choice(("h1", "h2")), random.choice(supply.sentences)[:MAX_TITLE]))
    if random.random() < 0.6:
        names = supply.words("names")
        byline = f"{random.choice(names)} {random.choice(names)} {when(supply, random)}"
        section.append(element("div", byline))
    article = copy.deepcopy(random.choice(supply.articles))
    article.tail = None
    section.append(article)
    return section


def boxes(supply: Supply, random: Random) -> list[etree._Element]:
    """Return one to three notices: cookies, newsletters, authors, rights."""
    texts = WORDS["boxes"].get(supply.language, WORDS["boxes"]["en"])
    is_named = random.random() < 0.4
    named = ("newsletter", "cookie-consent", "subscribe-box", "author-bio", "disclaimer", "notice")
    found = []
    for _ in range(random.choice((1, 1, 2, 3))):
        tag = random.choice(("div", "section", "aside", "p", "form"))
        box = element(tag, class_=random.choice(named if is_named else (None, "block", "inner")))
        found.append(box)
        if tag == "p":
            box.text = random.choice(texts)
            continue
        if random.random() < 0.3:
            box.append(element(random.choice(("h3", "h4", "strong")), random.choice(supply.words("box_heads"))))
        box.extend([element("p", random.choice(texts)) for _ in range(random.choice((1, 1, 2, 5, 10)))])
    return found


def when(supply: Supply, random: Random) -> str:
    """Return a date or time as pages write them."""
    year, month, day = random.randint(2005, 2024), random.randint(1, 12), random.randint(1, 28)
    hour, minute = random.randint(1, 12), random.randint(10, 59)
    name = WORDS["months"][month - 1]
    if supply.is_chinese:
        day_shown = f"{year}-{month:02}-{day:02} {hour}:{minute}"
        return random.choice((f"{year}年{month}月{day}日 {hour}:{minute}", day_shown, f"{hour}小时前"))
    shown = (
        *(f"{name} {day}, {year} at {hour}:{minute} {random.choice(('am', 'pm'))}", f"{hour} hours ago"),
        *(f"{day:02}/{month:02}/{year} {hour + 10}:{minute}", f"{day} {name[:3]} {year}"),
        *(f"{name[:3]} {day}, {year}", f"{hour} days ago"),
    )
    return random.choice(shown)


def prose(supply: Supply, random: Random, most: int) -> str:
    """Return up to `most` sentences that stood next to each other."""
    start = random.randrange(len(supply.sentences))
    return " ".join(supply.sentences[start : start + random.randint(1, most)])


def _place_box(core: etree._Element, box: etree._Element, random: Random) -> None:
    where = random.random()
    if where < 0.35 and len(core) > 2:
        core.insert(random.randrange(1, len(core)), box)
    elif where < 0.7:
        core.append(box)
    else:
        body = next(core.iterancestors("body"), None)
        if body is not None:
            body.insert(random.choice((0, len(body))), box)


def _place(core: etree._Element, new: Sequence[etree._Element], random: Random) -> None:
    """Append to the text's element, stand before or after it, or end its parent."""
    parent = core.getparent()
    where = random.random()
    for section in new:
        if where < 0.3 or parent is None:
            core.append(section)
        elif where < 0.42 and parent.getparent() is not None:
            parent.insert(parent.index(core), section)
        elif where < 0.75 or parent.getparent() is None:
            section.tail, core.tail = core.tail, None
            parent.insert(parent.index(core) + 1, section)
        else:
            parent.append(section)
