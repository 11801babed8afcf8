"""WPMTE, web page main text extraction: the main text is a run of long paragraphs, one of them very long.

Idea. The page is read as a string of paragraphs, without building a tree, and only their lengths count. A run of
neighbouring paragraphs is main text when (1) every one of them is longer than `short` words and (2) at least one has
`long` words or more. Both thresholds are global: the same for all pages.

Reference. Zhou, Xiong, Liu: Efficient web page main text extraction towards online news analysis, ICEBE 2009; as
described in Bu, Zhang, Xia, Wang: An FAR-SW based approach for webpage information extraction (2013), section 2, which
gives the two conditions but not the two lengths.

Where we differ. (1) The lengths are ours, chosen on labelled pages. (2) More than one run may satisfy the conditions;
we keep them all. (3) Paragraphs are lines re-flowed at block-level tags by default, or the source's own lines
(`layout="source"`). (4) A Chinese, Japanese or Korean character counts as a word.

Where it fails. As its critics say, no length parts text from noise: headings, quotations and short paragraphs are lost
and break a run in two; comments, teasers and legal notices are as long as paragraphs.

Cost. One pass over the source, O(characters).
"""

from collections.abc import Iterator
from itertools import groupby

from thresher.extraction.contract import Content, Favour
from thresher.extraction.lines import Layout, blocks_of, lines_of
from thresher.html import Tree
from thresher.text import tokens

# Chosen by `thresher bench sweep articles/train --metrics shingles --algorithm wpmte --parameter …`, F1 of 1,088 pages.
SHORT = 4  # words; short=1,2,3,4,5,6,8,10 with long=30: .836 .850 .850 .850 .848 .845 .841 .838
LONG = 25  # words; long=20,25,30,35,40,50 with short=4: .848 .852 .850 .844 .826 .775
LAYOUT: Layout = "flowed"  # .852; wpmte:layout=source: .783


def extract_wpmte(
    tree: Tree,
    *,
    model: str | None = None,
    favour: Favour = "balance",
    layout: Layout = LAYOUT,
    short: int = SHORT,
    long: int = LONG,
) -> Content:
    """Return the runs of long paragraphs; there is no model and one balance."""
    lines = lines_of(tree.source, layout=layout, bare=False)
    lengths = [len(tokens(line.text)) for line in lines]
    kept = [index for run in runs(lengths, short, long) for index in run]
    blocks = blocks_of((lines[index] for index in kept), tree.base_url)
    share = sum(lengths[index] for index in kept) / max(sum(lengths), 1)
    return Content(blocks, confidence=share, facts={"paragraphs": len(lines)})


def runs(lengths: list[int], short: int, long: int) -> Iterator[list[int]]:
    """Yield the places of each run of lengths above `short` that has one of `long` or more."""
    for is_long_enough, places in groupby(range(len(lengths)), key=lambda index: lengths[index] > short):
        run = list(places)
        if is_long_enough and max(lengths[index] for index in run) >= long:
            yield run
