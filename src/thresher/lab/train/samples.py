"""Sample: a labelled page as the learned extractor sees it, with and without synthetic noise."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any

from lxml import etree

from thresher.extraction.fields.clues import gather
from thresher.extraction.learned.about import read_about
from thresher.extraction.learned.features import COUNT, FEATURES, compute
from thresher.extraction.learned.sheet import Sheet, lay_out
from thresher.extraction.learned.table import SHAPE_CODE, Table
from thresher.extraction.learned.walk import walk
from thresher.html import Tree, parse
from thresher.lab.metrics.headline import title_of, without_headline
from thresher.lab.metrics.tokens import tokens_of
from thresher.lab.pages import LabelledPage
from thresher.lab.train.age import age
from thresher.lab.train.align import shares_in_gold
from thresher.lab.train.blogs import MAX_LINES, write_blog
from thresher.lab.train.noise import MAX_TITLE, Supply, disturb, sentences_of

MIN_GOLD = 30  # tokens; a page with less teaches little
MIN_FOUND = 0.5  # of the gold's tokens that the blocks must hold; else gold and page do not belong together
FOLDS = 4  # of the sites, so that the second stage learns from chances on sites the first has not seen
NOISY_COPIES = 2
NOISY_WEIGHT = 0.4
BLOG_WEIGHT = 0.4
BLOG_LINES = (1, 1, 2, 2, 3, 4, 6, MAX_LINES)  # of a text that are written as a blog's post
AGED = 0.4  # of the noisy copies are written as pages were before HTML5
HINTLESS = 0.25  # of the noisy copies lose their class and id names: many sites have none that tell
LINKED = 0.8  # share of link text above which a block that is no gold is one of many like it
KEPT_LINKED = 0.4  # of those are learned from, at a higher weight
CHINESE = 2.4  # how much more a Chinese page counts, of which there are few and none as a blog
EVEN_PAGES = 200  # pages of a dataset that counts as it is; others count by the square root of how far they are off

MIN_SHOWN = 40  # characters of a block of gold that others can stand after or before

_SPECIAL = frozenset(SHAPE_CODE[name] for name in ("li", "blockquote", "pre", "td"))
_LINK_SHARE = FEATURES.index("link_share")


@dataclass(slots=True)
class Sample:
    """One page's blocks: features, the share of each that is gold, and how much each counts."""

    page: str
    dataset: str
    fold: int
    sheet: Sheet
    features: Any  # array of blocks × COUNT, float32
    gold: Any  # share of each block
    weights: Any
    learned: Any  # whether a block is learned from


def samples_of(pages: Sequence[LabelledPage]) -> list[Sample]:
    """Return the pages that teach something, each with its noisy copies, ordered by page."""
    ordered = sorted(pages, key=lambda page: page.id)
    samples = [sample for page in ordered for sample in _samples(page, ordered)]
    _balance(samples)
    skip_conventions(samples)
    return samples


def plain_samples(pages: Sequence[LabelledPage]) -> list[Sample]:
    """Return the pages that teach something as they are, without noisy copies, ordered by page."""
    samples = [sample for page in sorted(pages, key=lambda page: page.id) for sample in _plain(page)]
    _balance(samples)
    skip_conventions(samples)
    return samples


def skip_conventions(samples: Sequence[Sample]) -> None:
    """Learn nothing from lists, quotes, code and cells amid the text where a dataset's gold leaves most of them out."""
    amid = [_amid(sample) for sample in samples]
    mass: Counter[tuple[str, int]] = Counter()
    gold: Counter[tuple[str, int]] = Counter()
    for sample, places in zip(samples, amid, strict=True):
        for place in places:
            shape = sample.dataset, sample.sheet.table.shape[place]
            size = len(sample.sheet.table.texts[place])
            mass[shape] += size
            gold[shape] += size * sample.gold[place]
    left_out = {shape for shape, size in mass.items() if gold[shape] < size / 2}
    for sample, places in zip(samples, amid, strict=True):
        for place in places:
            if (sample.dataset, sample.sheet.table.shape[place]) in left_out:
                sample.learned[place] = False


def _amid(sample: Sample) -> list[int]:
    """Return the blocks in lists, quotes, code and tables, few of their words in links, that stand amid the gold."""
    texts, shapes = sample.sheet.table.texts, sample.sheet.table.shape
    inside = [place for place, share in enumerate(sample.gold) if share > 0.5 and len(texts[place]) > MIN_SHOWN]
    if len(inside) < 3:
        return []
    places = range(inside[0], inside[-1] + 1)
    return [place for place in places if shapes[place] in _SPECIAL and sample.features[place, _LINK_SHARE] < 0.5]


def _balance(samples: Sequence[Sample]) -> None:
    """Make large datasets count less and small ones more."""
    counts = Counter({sample.page: sample.dataset for sample in samples}.values())
    for sample in samples:
        sample.weights *= (EVEN_PAGES / counts[sample.dataset]) ** 0.5


def fold_of(site: str) -> int:
    """Return the fold of a site, the same in every run."""
    return int.from_bytes(sha256(site.encode()).digest()[:4]) % FOLDS


def _samples(page: LabelledPage, pages: Sequence[LabelledPage]) -> Iterator[Sample]:
    plain = next(_plain(page), None)
    if plain is None:
        return
    gold = without_headline(page.text, title_of(page.html), page.title)
    yield plain
    for copy in range(NOISY_COPIES):
        yield _noisy(page, gold, pages, Random(f"{page.id} {copy}"))
    if not page.language.startswith(("zh", "ja", "ko")):  # of which the made-up parts are not
        yield _as_blog(page, gold, pages, Random(f"{page.id} blog"))


def _plain(page: LabelledPage) -> Iterator[Sample]:
    """Yield the page's own sample, if it teaches something."""
    gold = without_headline(page.text, title_of(page.html), page.title)
    tree = parse(page.html, url=page.url)
    table = walk(tree.body)
    shares = shares_in_gold(table.texts, gold)
    found = sum(share * len(tokens_of(text)) for share, text in zip(shares, table.texts, strict=True))
    wanted = len(tokens_of(gold))
    if wanted >= MIN_GOLD and found >= MIN_FOUND * wanted:
        yield _sample(page, tree, table, shares, 1.0)


def _as_blog(page: LabelledPage, gold: str, pages: Sequence[LabelledPage], random: Random) -> Sample:
    lines = [line for line in gold.splitlines() if line.strip()][: random.choice(BLOG_LINES)]
    title = (page.title or title_of(page.html) or "A post")[:MAX_TITLE]
    markup = write_blog(title, lines, _supply(page, pages, random), random)
    tree = parse(markup, url=page.url)
    table = walk(tree.body)
    return _sample(page, tree, table, shares_in_gold(table.texts, "\n".join(lines)), BLOG_WEIGHT)


def _noisy(page: LabelledPage, gold: str, pages: Sequence[LabelledPage], random: Random) -> Sample:
    tree = parse(page.html, url=page.url)
    table = walk(tree.body)
    shares = shares_in_gold(table.texts, gold)
    core = table.nodes[core_of(table, shares)]
    owners = dict.fromkeys(owner for owner, share in zip(table.owner, shares, strict=True) if share > 0.5)
    small = [table.nodes[owner] for owner in owners if table.end[owner] - table.first[owner] <= 3]
    disturb(core, small, _supply(page, pages, random), random)
    if random.random() < AGED:
        age(tree.root)
    disturbed = walk(tree.body)
    if random.random() < HINTLESS:
        for hints in (disturbed.hints, disturbed.inner):
            for place in range(len(hints)):
                hints[place] = 0
    return _sample(page, tree, disturbed, shares_in_gold(disturbed.texts, gold), NOISY_WEIGHT)


def _supply(page: LabelledPage, pages: Sequence[LabelledPage], random: Random) -> Supply:
    """Gather sentences of four other pages of the language, and sometimes the texts of two."""
    others = [other for other in pages if other.language == page.language and other.site != page.site]
    if len(others) < 4:
        others = [other for other in pages if other.site != page.site] or [page]
    sentences: list[str] = []
    for other in random.sample(others, min(4, len(others))):
        sentences += sentences_of(other.text)
    taken = random.sample(others, min(2, len(others))) if random.random() < 0.3 else []
    language = page.language[:2]
    return Supply(
        sentences or ["One sentence to stand for all the others."], [_text_of(each) for each in taken], language
    )


def _text_of(page: LabelledPage) -> etree._Element:
    table = walk(parse(page.html).body)
    return table.nodes[core_of(table, shares_in_gold(table.texts, page.text))]


def core_of(table: Table, shares: Sequence[float]) -> int:
    """Return the innermost element with several blocks that holds nine tenths of the gold."""
    sums = [0.0]
    for share, text in zip(shares, table.texts, strict=True):
        sums.append(sums[-1] + share * len(text))
    core = 0
    for place in range(1, len(table.tag)):
        mass = sums[table.end[place]] - sums[table.first[place]]
        if table.parent[place] == core and mass >= 0.9 * sums[-1] and table.end[place] - table.first[place] >= 3:
            core = place
    return core


def _sample(page: LabelledPage, tree: Tree, table: Table, shares: Sequence[float], weight: float) -> Sample:
    import numpy as np

    sheet = lay_out(table, read_about(gather(tree)))
    features = np.frombuffer(compute(sheet), dtype=np.float32).reshape(-1, COUNT)
    gold = np.asarray(shares, dtype=np.float32)
    words = np.asarray([len(tokens_of(text)) for text in table.texts], dtype=np.float64)
    weights = np.sqrt(np.clip(words, 1, 200))
    weight *= CHINESE if page.language.startswith("zh") else 1.0
    weights *= weight * 10 * np.sqrt(min(len(words), 100)) / weights.sum()
    like_many = (gold < 0.1) & (features[:, _LINK_SHARE] > LINKED)
    chosen = np.random.default_rng(len(words)).random(len(words)) < KEPT_LINKED
    weights = np.where(like_many, weights / KEPT_LINKED, weights)
    table.nodes = []
    return Sample(page.id, page.dataset, fold_of(page.site), sheet, features, gold, weights, ~like_many | chosen)
