"""Listings: which links of a page lead to the items that it lists, told without any pattern.

A front page or a section of a site has a hundred links, and some of them lead to articles:

    <nav>  <a href="/news">News</a> <a href="/sport">Sport</a> …        short texts, in a menu
    <ul>   <li><h3><a href="/2026/11/ferry-late-again">The ferry is late again</a></h3>
               <time>16 November</time> <p>It was …                      alike, with texts, dates and slugs
    <footer> <a href="/imprint">Imprint</a> …

Each link is described by what it says, where it stands, what its URL looks like and what stands beside it, and so are
the links that stand in the same way on the page. A linear model weighs that; its weights were fitted to half of the
labelled pages of docs/evaluation-listings.md (`thresher bench listings --fit`). What became of links of the same shape
on the same site before, where that is known, is weighed as well, and soon weighs more.

It fails where items are named by an icon or a number alone, where a menu lists them all, and where the listing is made
by a script. Time and memory grow with the number of links times their depth in the page.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from lxml import etree

from thresher import urls
from thresher.discovery.board_rows import tells_time
from thresher.discovery.listing_weights import LEARNED_WEIGHT, TOGETHER, WEIGHTS
from thresher.discovery.not_pages import is_page
from thresher.discovery.row_texts import pieces
from thresher.errors import UsageError
from thresher.html import Tree
from thresher.model import Link

MIN_SCORE = 0.5  # from which on a link is taken for one to an item
MIN_ITEMS = 3  # of a page that is called a listing
MAX_ANCHORS = 5_000  # of a page that are looked at
MAX_RECORD_CHARS = 1_500  # of a record whose text is read
ANCESTORS = 5  # elements around a link that tell how it stands on the page
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_MENU = re.compile(r"nav|menu|breadcrumb|pag(?:er|ination)|tab(?:s|list)|toolbar|dropdown", re.IGNORECASE)
_FOOT = re.compile(r"foot|colophon|legal|social|share|copyright", re.IGNORECASE)
_SIDE = re.compile(r"aside|sidebar|widget|related", re.IGNORECASE)
_NOT_LETTERS = re.compile(r"[\W\d_]+")
_DIGITS = re.compile(r"\d+")
_SLUG_WORDS = re.compile(r"[^\W\d_]{2,}|%[0-9A-F]{2}")
_DATE = re.compile(r"(?:19|20)\d\d(?:[/-]?[01]\d(?:[/-]?[0-3]\d)?)(?!\d)|/(?:19|20)\d\d/")
_NUMBER = re.compile(r"\d{3,}")
# First words of paths that lead to other lists, people, forms and the like, in the languages of many addresses.
_LISTS = (
    "tag tags category categories cat topic topics section sections author authors user users profile member members "
)
_FORMS = (
    "people search login signin sign-in signup register account cart help about contact privacy terms policy legal "
)
_SHOPS = "company companies collections collection brand brands archive archives page pages kategorie kategorien autor "
_OTHERS = "categorie rubrique auteur etiqueta categoria autore schlagwort go from vote hide flagged share"
_LIST_WORDS = frozenset((_LISTS + _FORMS + _SHOPS + _OTHERS).split())


@dataclass(frozen=True, slots=True)
class Listed:
    """A link of a page and how surely it leads to an item that the page lists, with the reasons that weigh most."""

    url: str  # canonical
    text: str
    score: float  # 0 to 1
    reasons: tuple[str, ...] = ()  # names of WEIGHTS, the strongest first


@dataclass(slots=True)
class _Target:
    """What a page says about one of its links."""

    url: str
    anchors: list[etree._Element] = field(default_factory=list)
    text: str = ""
    best: etree._Element | None = None  # the anchor with the longest text
    stand: tuple[str, ...] = ()  # how that anchor stands on the page
    features: dict[str, float] = field(default_factory=dict)
    logit: float = 0.0


# What became of the links of one host so far: their kind (urls.kind_of) → (items, others).
Experience = Mapping[str, tuple[int, int]]


def article_links(tree: Tree, url: str, experience: Experience | None = None) -> list[Listed]:
    """Return the links of a page that lead to the items that it lists, the surest first; empty where there is none."""
    return [link for link in score_links(tree, url, experience) if link.score >= MIN_SCORE]


def described_links(tree: Tree, url: str) -> dict[str, dict[str, float]]:
    """Return the features of each link of a page by its URL: what the weights are fitted to."""
    targets = _targets(tree, url)
    _describe(targets, url)
    return {target.url: target.features for target in targets}


def score_links(tree: Tree, url: str, experience: Experience | None = None) -> list[Listed]:
    """Return all links of a page that may be pages, the surest to lead to an item first."""
    targets = _targets(tree, url)
    _describe(targets, url)
    for target in targets:
        target.logit = sum(WEIGHTS[name] * value for name, value in target.features.items()) + WEIGHTS["always"]
    for group in _groups(targets):
        mean = sum(target.logit for target in group) / len(group)
        for target in group:
            target.logit += TOGETHER * (mean - target.logit)
    for target in targets if experience else ():
        if urls.host_of(target.url) == urls.host_of(url):
            target.logit += _experienced(target.url, experience or {})
    return sorted(map(_listed, targets), key=lambda link: -link.score)


def with_articles(
    links: Sequence[Link], tree: Tree, url: str, experience: Experience | None = None
) -> tuple[Link, ...]:
    """Return the links of a page, those to its items marked as such and leased before the others."""
    items = {link.url for link in article_links(tree, url, experience)}
    return tuple(_as_article(link) if link.why == "page" and link.url in items else link for link in links)


def _as_article(link: Link) -> Link:
    return replace(link, why="article", priority=link.priority + 1)


def is_hub(links: Iterable[Listed]) -> bool:
    """Say whether a page with these scored links lists items: several of them, by the score alone."""
    return sum(link.score >= MIN_SCORE for link in links) >= MIN_ITEMS


def shape_of(url: str) -> str:
    """Return what URLs of one make share: host and path with numbers and slugs masked, the names of parameters."""
    path, _, query = url.partition("://")[2].partition("?")
    host, *steps = path.split("/")
    names = sorted({pair.partition("=")[0] for pair in query.split("&") if pair})
    return f"{host}/{'/'.join(map(_masked, steps))}" + (f"?{'&'.join(names)}" if names else "")


def _masked(step: str) -> str:
    stem, dot, ending = step.rpartition(".")
    stem = stem if dot else step
    if len(_SLUG_WORDS.findall(stem)) > 2:
        return "~" + (dot + ending if dot else "")
    return _DIGITS.sub("#", step)


def _experienced(url: str, experience: Experience) -> float:
    items, others = experience.get(urls.kind_of(url), (0, 0))
    return LEARNED_WEIGHT * math.log((items + 1) / (others + 1))


def _listed(target: _Target) -> Listed:
    weighed = {name: WEIGHTS[name] * value for name, value in target.features.items()}
    strongest = sorted((name for name, worth in weighed.items() if worth > 0.3), key=lambda name: -weighed[name])
    score = 1 / (1 + math.exp(-max(-30.0, min(30.0, target.logit))))
    return Listed(target.url, target.text, score, tuple(strongest[:4]))


def _targets(tree: Tree, url: str) -> list[_Target]:
    """Collect the pages that a page links to, with the links that lead there."""
    found: dict[str, _Target] = {}
    own = {url, url.partition("#")[0]}
    for number, anchor in enumerate(tree.body.iter("a", "area")):
        href = anchor.get("href")
        if number >= MAX_ANCHORS:
            break
        if not href or href[0] == "#":
            continue
        try:
            address = urls.canonical(href, tree.base_url or url, encoding=tree.encoding or "utf-8")
        except UsageError:
            continue
        if address in own or not is_page(address):
            continue
        target = found.setdefault(address, _Target(address))
        target.anchors.append(anchor)
        text = _text_of(anchor)
        if target.best is None or len(text) > len(target.text):
            target.best, target.text = anchor, text
    return list(found.values())


def _text_of(anchor: etree._Element) -> str:
    text = " ".join("".join(anchor.itertext()).split())
    if text:
        return text
    names = (anchor.get("title"), anchor.get("aria-label"), *(image.get("alt") for image in anchor.iter("img")))
    return next((" ".join(name.split()) for name in names if name), "")


def _describe(targets: Sequence[_Target], url: str) -> None:
    """Fill in the features of each target: its own, those of its record, and those of the links that stand like it."""
    shapes = Counter(shape_of(target.url) for target in targets)
    count = max(1, len(targets))
    for place, target in enumerate(targets):
        assert target.best is not None
        target.stand = _stand(target.best)
        target.features = _own_features(target, url) | {
            "late on the page": place / count,
            "many of its shape": math.log(shapes[shape_of(target.url)]),
        }
    for group in _groups(targets):
        records = _records(group)
        for target in group:
            target.features |= _record_features(records.get(target.url))
    said = {group[0].stand: _said(group) for group in _groups(targets)}
    most, whole = max(said.values(), default=1.0), max(1.0, sum(said.values()))
    for group in _groups(targets):
        mass = said[group[0].stand]
        together = _group_features(group) | {"says most": mass / most, "says much": mass / whole}
        for target in group:
            target.features |= together


def _said(group: Sequence[_Target]) -> float:
    """Count the characters that links which stand alike say, menus aside: a listing says most in its items."""
    return 1.0 + sum(width_of(target.text) for target in group if not target.features["in a menu"])


def _stand(anchor: etree._Element) -> tuple[str, ...]:
    """Return how an anchor stands on the page: the tags and first classes of it and of what is around it."""
    stand = []
    element: etree._Element | None = anchor
    for _ in range(ANCESTORS + 1):
        if element is None:
            break
        names = (element.get("class") or "").split()
        tag = str(element.tag)
        stand.append(f"{tag}.{_DIGITS.sub('', names[0])}" if names else tag)
        element = element.getparent()
    return tuple(stand)


def _groups(targets: Sequence[_Target]) -> Iterable[list[_Target]]:
    groups: dict[tuple[str, ...], list[_Target]] = {}
    for target in targets:
        groups.setdefault(target.stand, []).append(target)
    return groups.values()


def _own_features(target: _Target, url: str) -> dict[str, float]:
    path, _, query = target.url.partition("://")[2].partition("?")
    steps = [step for step in path.split("/")[1:] if step]
    last = steps[-1] if steps else ""
    words = len(_SLUG_WORDS.findall(last)) + len(_SLUG_WORDS.findall(query)) * 0.3
    letters = _NOT_LETTERS.sub("", target.text)
    zone = _zone(target)
    own_path = url.partition("://")[2].partition("?")[0].rstrip("/")
    return {
        "long text": math.log1p(width_of(target.text)) - 3.0,
        "no words": float(len(letters) < 2),
        "heading": float(any(map(_in_heading, target.anchors))),
        "several links": float(len(target.anchors) > 1),
        "in a menu": float(zone == "menu"),
        "in a footer": float(zone == "foot"),
        "in a sidebar": float(zone == "side"),
        "other site": float(urls.site_of(target.url) != urls.site_of(url)),
        "slug": min(words, 8.0) / 4,
        "number in the URL": float(bool(_NUMBER.search(path + query))),
        "date in the URL": float(bool(_DATE.search(target.url))),
        "no path": float(not steps and not query),
        "parameters": float(bool(query)),
        "deep": min(len(steps), 6) / 3,
        "words of lists": float(any(step.lower() in _LIST_WORDS for step in steps)),
        "last word of lists": float(last.lower() in _LIST_WORDS),
        "below the page": float(path.startswith(own_path + "/") and "/" in own_path),
        "page with parameters": float(path.rstrip("/") == own_path and bool(query)),
    }


def width_of(text: str) -> int:
    """Count the characters of a text, those of Chinese and the like twice."""
    return len(text) if text.isascii() else sum(1 + (char > "\u2e80") for char in text)


def _in_heading(anchor: etree._Element) -> bool:
    if any(child.tag in _HEADINGS for child in anchor.iter()):
        return True
    return any(above.tag in _HEADINGS for above in _above(anchor, 4))


def _above(element: etree._Element, most: int) -> Iterable[etree._Element]:
    for _ in range(most):
        parent = element.getparent()
        if parent is None:
            return
        yield parent
        element = parent


def _zone(target: _Target) -> str:
    """Return where all anchors of a target stand: "menu", "foot", "side", or empty for the page itself."""
    zones = {_zone_of(anchor) for anchor in target.anchors}
    return next(iter(zones)) if len(zones) == 1 else ""


def _zone_of(anchor: etree._Element) -> str:
    for element in anchor.iterancestors():
        zone = _ZONES.get(str(element.tag)) or _named_zone(
            f"{element.get('class') or ''} {element.get('id') or ''} {element.get('role') or ''}"
        )
        if zone:
            return zone
        if element.tag in ("article", "main"):
            return ""
    return ""


_ZONES = {"nav": "menu", "footer": "foot", "aside": "side"}


@lru_cache(maxsize=4_096)
def _named_zone(names: str) -> str:
    if len(names) < 3 or len(names) > 200:
        return ""
    if _MENU.search(names):
        return "menu"
    if _FOOT.search(names):
        return "foot"
    return "side" if _SIDE.search(names) else ""


def _records(group: Sequence[_Target]) -> dict[str, etree._Element]:
    """Return for each target of a group the largest element that holds none of the others."""
    holders: dict[etree._Element, str | None] = {}  # None: several
    for target in group:
        assert target.best is not None
        for element in (target.best, *target.best.iterancestors()):
            if holders.setdefault(element, target.url) != target.url:
                holders[element] = None
    found: dict[str, etree._Element] = {}
    for target in group:
        assert target.best is not None
        found[target.url] = target.best
        for element in target.best.iterancestors():
            if holders[element] != target.url or element.tag == "body":
                break
            found[target.url] = element
    return found


def _record_features(record: etree._Element | None) -> dict[str, float]:
    told = pieces(record, MAX_RECORD_CHARS) if record is not None else None
    if record is None or told is None:
        return {"date beside": 0.0, "text beside": 0.0, "image beside": 0.0, "links beside": 0.0}
    linked = sum(len(text) for anchor in record.iter("a") for text in anchor.itertext())
    beside = max(0, sum(map(len, told)) - linked)
    has_time = next(record.iter("time"), None) is not None or any(map(tells_time, told))
    return {
        "date beside": float(has_time),
        "text beside": math.log1p(beside) / 4,
        "image beside": float(next(record.iter("img"), None) is not None),
        "links beside": min(sum(1 for _ in record.iter("a")) - 1, 8) / 4,
    }


def _group_features(group: Sequence[_Target]) -> dict[str, float]:
    """Describe the links that stand alike by what is common to them."""
    size = len(group)
    texts = {target.text for target in group}

    def mean(name: str) -> float:
        return sum(target.features[name] for target in group) / size

    return {
        "alone": float(size == 1),
        "many alike": math.log(size),
        "different texts": len(texts) / size,
        "long texts alike": mean("long text"),
        "slugs alike": mean("slug"),
        "dates alike": mean("date beside"),
        "menu alike": mean("in a menu"),
        "numbers alike": mean("number in the URL"),
        "one shape alike": Counter(shape_of(target.url) for target in group).most_common(1)[0][1] / size,
    }
