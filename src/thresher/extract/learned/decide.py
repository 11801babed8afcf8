"""Choose the blocks of the main text from their chances, for the whole page at once."""

from array import array

from thresher.extract.contract import Favour
from thresher.extract.learned.second import top_chance
from thresher.extract.learned.sheet import Sheet

# A block is kept when its chance is above CUT, or above SHARE of the page's top chance where that is less: on a page
# of an unknown make all chances are low, and the text still stands out. Set on articles/train by sites left out
# (shingles F1, headline removed, macro over its five datasets): .9389 with 0.5 and 0.5, .9384 with 0.45 and 0.5,
# .9376 with 0.4 and 0.5, .9366 with 0.4 and 0.6, .9297 with a cut of 0.35 alone.
CUT: dict[Favour, float] = {"precision": 0.75, "balance": 0.5, "recall": 0.2}
SHARE: dict[Favour, float] = {"precision": 0.75, "balance": 0.5, "recall": 0.25}
MIN_TOP = 0.1  # a page whose best part is less likely than this has no main text
LONG = 60  # characters; a longer text is kept once


def choose(sheet: Sheet, chances: "array[float]", favour: Favour) -> tuple[list[int], float]:
    """Return the numbers of the chosen blocks in reading order, and the confidence, which is the top chance."""
    top = top_chance(sheet, chances)
    if top < MIN_TOP:
        return [], top
    cut = min(CUT[favour], SHARE[favour] * top)
    chosen = [place for place, chance in enumerate(chances) if chance > cut]
    return _without_repeats(sheet.table.texts, chances, chosen), top


def _without_repeats(texts: list[str], chances: "array[float]", chosen: list[int]) -> list[int]:
    """Keep a long text that stands in several places only where it is most likely, first in case of doubt."""
    best: dict[str, int] = {}
    for place in chosen:
        text = texts[place]
        if len(text) >= LONG and (text not in best or chances[place] > chances[best[text]]):
            best[text] = place
    return [place for place in chosen if best.get(texts[place], place) == place]
