"""Growth: the CPU time of an algorithm against the size of a page, to see that ten times the page costs ten times."""

import random
import time
from collections.abc import Iterator, Sequence

from thresher.extraction.algorithms import ALGORITHMS, check_name
from thresher.html import Tree, parse
from thresher.lab.tables import table

SIZES = (100_000, 1_000_000, 10_000_000)  # characters
PARSING = "(parsing)"
SEED = 20
_SENTENCE = "The rain that fell on the harbour in the night had gone by the time the boats came home. "
_PARAGRAPHS = 40  # of the article, for each section of the page
_COMMENTS = 10


def page_of(size: int) -> str:
    """Return a made-up page of at least so many characters: its menu, article and dated comments all grow alike.

    They have to: were a whole page repeated instead, a method that takes one node would take another at some size, and
    the table would show the length of its output.
    """
    dice = random.Random(SEED)
    sections: list[tuple[str, str, str]] = []
    length = 0
    while length < size:
        sections.append(_section(dice, len(sections)))
        length += sum(map(len, sections[-1]))
    menu, article, comments = ("".join(parts) for parts in zip(*sections, strict=True))
    return (
        f"<html><head><title>The harbour</title></head><body><ul>{menu}</ul>\n"
        f"<div><h1>The harbour</h1>\n{article}</div>\n<div>{comments}</div></body></html>"
    )


def grow(names: Sequence[str], sizes: Sequence[int], repeats: int) -> Iterator[tuple[str, int, float]]:
    """Yield a name, a size and the least of so many CPU times in ms, without parsing, which has a name of its own.

    A name that there is not raises UsageError.
    """
    for name in names:
        check_name(name)
    for size in sizes:
        html = page_of(size)
        started_s = time.process_time()
        tree = parse(html)
        yield PARSING, size, 1000 * (time.process_time() - started_s)
        for name in names:
            yield name, size, min(_cpu_ms(name, tree) for _ in range(repeats))


def growth_table(measured: Sequence[tuple[str, int, float]]) -> str:
    """Return a line for each name: ms at each size, and by how much the time grows from the first to the last."""
    sizes = sorted({size for _, size, _ in measured})
    times = {(name, size): ms for name, size, ms in measured}
    names = dict.fromkeys(name for name, _, _ in measured)
    header = ["CPU ms", *(f"{size // 1000:,} kB" for size in sizes), f"× for {sizes[-1] / sizes[0]:.0f} × the page"]
    lines = []
    for name in names:
        row = [times[name, size] for size in sizes]
        lines.append([name, *(f"{ms:.0f}" if ms >= 10 else f"{ms:.1f}" for ms in row), f"{row[-1] / row[0]:.0f}"])
    return table(header, lines)


def _cpu_ms(name: str, tree: Tree) -> float:
    started_s = time.process_time()
    ALGORITHMS[name](tree)
    return 1000 * (time.process_time() - started_s)


def _section(dice: random.Random, number: int) -> tuple[str, str, str]:
    menu = "".join(f"<li><a href='/{number}/{n}'>Entry {n} of {number}</a></li>\n" for n in range(_PARAGRAPHS))
    article = "".join(f"<p>{_SENTENCE * dice.randrange(1, 9)}</p>\n" for _ in range(_PARAGRAPHS))
    comments = "".join(
        f"<div class=post><b>reader {dice.randrange(1000)}</b> <i>2016-06-{n + 10} 12:{dice.randrange(10, 60)}</i>"
        f"<p>{_SENTENCE * dice.randrange(1, 4)}</p></div>\n"
        for n in range(_COMMENTS)
    )
    return menu, article, comments
