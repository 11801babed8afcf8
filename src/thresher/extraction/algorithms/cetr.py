"""CETR, content extraction via tag ratios: line by line, content has many characters for each of its tags.

Idea. The tag ratio of a line is the number of its characters outside of tags by the number of its tags, or the number
of characters where there is no tag. The ratios T, in order, are smoothed by a Gaussian window to T′ (equations 2-1 to
2-3). Where content starts and ends T′ changes, so each line also gets the absolute smoothed derivative Ĝ: the mean of
the next lines less its own value, smoothed (equation 2-4). The points (T′, Ĝ) are clustered by k-means, k = 3, with one
centre held at the origin: lines near it are noise, all others content.

Three names, as in the paper: `cetr` is the best one; `cetr-km` clusters T′ alone with no centre held, the lowest
cluster being noise; `cetr-tm` takes T′ above λ standard deviations.

Reference. Weninger, Hsu, Han: CETR, content extraction via tag ratios, WWW 2010; as described in the CEVC thesis
(2016), section 2.2.1.

Where we differ. (1) Lines are re-flowed at block-level tags by default; the paper reads the source as it is
(`layout="source"`), which today is often one line. (2) The printed kernel adds up to something else than 1 (2-1 sums
where it should list, 2-2 divides by half of the window); ours is divided by the sum over the whole window. (3) Lines
that lack a full window keep their value, the last α ones have no derivative. (4) Characters are counted without white
space, and what a browser does not show as text is left out (tags.UNSEEN). (5) K-means starts from the origin, the point
farthest from it and the point farthest from both, so that every run gives the same clusters.

Where it fails. Structure is not looked at: comments, teasers and legal notices are as dense as paragraphs; headings and
short paragraphs are lost where smoothing does not reach them; one giant line draws the clusters away from all others.

Cost. O(lines), with at most 30 rounds of k-means; equal points count as one.
"""

from statistics import pstdev

from thresher.extraction.clusters import k_means, nearest
from thresher.extraction.contract import Content, Favour
from thresher.extraction.lines import Layout, Line, blocks_of, lines_of
from thresher.extraction.smoothing import smooth
from thresher.html import Tree
from thresher.text import nonspace_length

# Chosen by `thresher bench sweep articles/train --metrics shingles --algorithm NAME --parameter …`, F1 of 1,088 pages.
SIGMA = 3.0  # lines; cetr, sigma=1,2,3,4: .863 .872 .873 .872
ALPHA = 3  # lines; cetr, alpha=1,2,3,5: .872 .872 .873 .872
LAMBDA = 1.0  # standard deviations; cetr-tm, threshold=0.7,1,1.3,1.6: .855 .864 .863 .851
LAYOUT: Layout = "flowed"  # .873; cetr:layout=source, sigma=1,3: .808 .817


def extract_cetr(
    tree: Tree,
    *,
    model: str | None = None,
    favour: Favour = "balance",
    layout: Layout = LAYOUT,
    sigma: float = SIGMA,
    alpha: int = ALPHA,
) -> Content:
    """Return the lines whose ratio and its derivative lie away from the origin; there is no model and one balance."""
    lines, ratios = _smoothed(tree, layout, sigma)
    slopes = smooth(derivative(ratios, alpha), sigma)
    points = [complex(ratio, abs(slope)) for ratio, slope in zip(ratios, slopes, strict=True)]
    centres = k_means(points, _starts(points), fixed=1)
    return _content(tree, lines, [nearest(point, centres) > 0 for point in points])


def extract_cetr_km(
    tree: Tree,
    *,
    model: str | None = None,
    favour: Favour = "balance",
    layout: Layout = LAYOUT,
    sigma: float = SIGMA,
) -> Content:
    """Return the lines whose ratio is not in the lowest of three clusters; there is no model and one balance."""
    lines, ratios = _smoothed(tree, layout, sigma)
    points = [complex(ratio) for ratio in ratios]
    centres = sorted(k_means(points, _starts(points)), key=abs)
    return _content(tree, lines, [nearest(point, centres) > 0 for point in points])


def extract_cetr_tm(
    tree: Tree,
    *,
    model: str | None = None,
    favour: Favour = "balance",
    layout: Layout = LAYOUT,
    sigma: float = SIGMA,
    threshold: float = LAMBDA,
) -> Content:
    """Return the lines whose ratio is above `threshold` standard deviations; there is no model and one balance."""
    lines, ratios = _smoothed(tree, layout, sigma)
    limit = threshold * pstdev(ratios) if ratios else 0.0
    return _content(tree, lines, [ratio > limit for ratio in ratios])


def tag_ratios(lines: list[Line]) -> list[float]:
    """Return the characters per tag of each line; a line without tags counts as having one."""
    return [nonspace_length(line.text) / (line.tags or 1) for line in lines]


def derivative(ratios: list[float], alpha: int) -> list[float]:
    """Return how far each ratio lies below the sum of itself and the next `alpha`, by `alpha` (equation 2-4)."""
    slopes = [0.0] * len(ratios)
    for index in range(len(ratios) - alpha):
        slopes[index] = sum(ratios[index : index + alpha + 1]) / alpha - ratios[index]
    return slopes


def _smoothed(tree: Tree, layout: Layout, sigma: float) -> tuple[list[Line], list[float]]:
    lines = lines_of(tree.source, layout=layout)
    return lines, smooth(tag_ratios(lines), sigma)


def _starts(points: list[complex]) -> list[complex]:
    """Return the origin, the point farthest from it, and between them the point farthest from both."""
    farthest = max(points, key=abs, default=0j)
    middle = max(points, key=lambda point: min(abs(point), abs(point - farthest)), default=0j)
    return [0j, middle, farthest]


def _content(tree: Tree, lines: list[Line], chosen: list[bool]) -> Content:
    kept = [line for line, is_content in zip(lines, chosen, strict=True) if is_content]
    blocks = blocks_of(kept, tree.base_url)
    return Content(blocks, confidence=len(kept) / max(len(lines), 1), facts={"lines": len(lines)})
