"""Leave out what stands in elements named for pictures, films and galleries, unless it is surely text."""

from array import array

from thresher.extraction.learned.features import title_block
from thresher.extraction.learned.hints import BIT
from thresher.extraction.learned.sheet import Sheet

# With 0.6 as `sure`, pages of articles/train gain .0006 where their sites are left out and .0005 where whole datasets
# are (shingles F1, macro over five datasets), and .006 where they are cut to their first parts.
LEAST = 0.2  # of the chosen text that must be left; else the names are of the whole, as those of a gallery's page are


def without_captions(sheet: Sheet, chances: "array[float]", chosen: list[int], sure: float) -> list[int]:
    """Return the chosen blocks less those of pictures that are not likelier than `sure`."""
    owner, around, texts = sheet.table.owner, sheet.around, sheet.table.texts
    doubtful = [place for place in chosen if chances[place] <= sure and around[owner[place]] & BIT["media"]]
    if not doubtful:
        return chosen
    title = title_block(sheet)
    captions = {place for place in doubtful if is_caption(sheet, place, title)}
    rest = [place for place in chosen if place not in captions]
    size = sum(len(texts[place]) for place in chosen)
    return rest if sum(len(texts[place]) for place in rest) >= LEAST * size else chosen


def is_caption(sheet: Sheet, place: int, title: int) -> bool:
    """Say whether a block is in an element named for pictures that does not hold the title."""
    table = sheet.table
    element = table.owner[place]
    while element > 0 and not table.first[element] <= title < table.end[element]:
        if table.hints[element] & BIT["media"]:
            return True
        element = table.parent[element]
    return False
