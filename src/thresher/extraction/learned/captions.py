"""Captions: those of pictures, films and galleries are left out unless surely text; those of tables go with them."""

from array import array

from thresher.extraction.learned.features import title_block
from thresher.extraction.learned.hints import BIT
from thresher.extraction.learned.sheet import Sheet
from thresher.extraction.learned.table import TAG_CODE

# With 0.6 as `sure`, pages of articles/train gain .0006 where their sites are left out and .0005 where whole datasets
# are (shingles F1, macro over five datasets), and .006 where they are cut to their first parts.
_CAPTION, _TABLE = TAG_CODE["caption"], TAG_CODE["table"]
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


def with_captions_of_tables(sheet: Sheet, chosen: list[int]) -> list[int]:
    """Return the chosen blocks and the captions of the tables most of whose blocks are chosen, in reading order."""
    table = sheet.table
    if _CAPTION not in table.tag:
        return chosen
    kept = set(chosen)
    for element, tag in enumerate(table.tag):
        parent = table.parent[element]
        if tag == _CAPTION and table.tag[parent] == _TABLE:
            own = range(table.first[element], table.end[element])
            others = [place for place in range(table.first[parent], table.end[parent]) if place not in own]
            if 2 * sum(place in kept for place in others) > len(others):
                kept.update(own)
    return sorted(kept)
