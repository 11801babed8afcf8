"""Find comments below a text that only a heading tells, by the lines that say who wrote each and when."""

import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from thresher.extraction.learned.comments import MIN_SIZE, MIN_TEXT, comments_of
from thresher.extraction.learned.features import title_block
from thresher.extraction.learned.lexicon import BYLINE, COMMENT, DATE
from thresher.extraction.learned.measure import MEASURES, WIDTH
from thresher.extraction.learned.sheet import SUMMED, SUMS, Run, Sheet
from thresher.extraction.learned.table import Table

LONGEST = 160.0  # of size; a heading may hold the title
MAX_CHARACTERS = 300  # of a heading, which may be small in size and yet of countless dots or spaces
MOST = 100  # lines about comments that are looked at: a page may be made of them
SEEN = 1000  # blocks below a heading among which comments are signed, if any are
SIGNED = 80.0  # of size; a longer line is no signature
# Lines of one make that sign and date comments. On articles/train seven pages have so many below a heading that is no
# link; what follows it is labelled as text on those of canola alone, which counts comments.
MIN_ALIKE = 2

_NAMES = (
    r"comments?|replies|kommentare?|commentaires?|comentarios|komentarze|комментарии|σχόλια|コメント(?:一覧)?|댓글"
    r"|(?:网友|網友|最新|热门|熱門|全部|用户|精彩)?(?:评论|評論|留言)(?:列表)?"
)
_HEADING = re.compile(
    rf"\W*(?:(?:\d+|no|all|view|show|reader|user|latest|recent|post|your|trackbacks?|and)\s+)*(?:{_NAMES})(?:\W*\d+\W*)?"
    r"(?:(?: to | on | for | so far| zu | sur | sobre |: ).{0,150})?\W*",
    re.IGNORECASE,
)
_SIZE, _VALID = SUMMED.index("size"), SUMMED.index("valid")
_LENGTH, _SENSES, _DATED, _FINAL = (MEASURES.index(name) for name in ("size", "senses", "dated", "final"))


def runs_of_comments(sheet: Sheet, headed: Sequence[Run]) -> list[Run]:
    """Return the runs of blocks of all comments below a text, in order and apart: `headed`, and those names tell."""
    table = sheet.table
    named = [(table.first[element], table.end[element]) for element in comments_of(sheet)]
    runs: list[Run] = []
    for first, end in sorted([*named, *headed]):
        if runs and first <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
        else:
            runs.append((first, end))
    return runs


def elements_within(table: Table, runs: Sequence[Run]) -> list[int]:
    """Return the outermost elements whose blocks lie in runs, which are in order and apart."""
    if not runs:
        return []
    starts = [first for first, _ in runs]
    inside: set[int] = set()
    found: list[int] = []
    for element in range(1, len(table.parent)):
        first, end = table.first[element], table.end[element]
        run = bisect_right(starts, first) - 1
        if run >= 0 and first < end <= runs[run][1]:
            inside.add(element)
            if table.parent[element] not in inside:
                found.append(element)
    return found


def headed_comments(sheet: Sheet) -> list[Run]:
    """Return the runs of blocks below a heading of comments, in order and apart; none above the text."""
    table, sums = sheet.table, sheet.sums
    title = title_block(sheet)
    found: list[Run] = []
    for place in lines_about(sheet.rows, list(range(title + 1, len(table.texts))), COMMENT, LONGEST)[:MOST]:
        text = table.texts[place]
        if table.linked[place] or len(text) > MAX_CHARACTERS or (found and place < found[-1][1]):
            continue
        if sums[place * SUMS + _VALID] - sums[(title + 1) * SUMS + _VALID] < MIN_TEXT or not _HEADING.fullmatch(text):
            continue
        end = end_of_section(table, place)
        if sums[end * SUMS + _SIZE] - sums[place * SUMS + _SIZE] >= MIN_SIZE and _are_signed(sheet, place + 1, end):
            found.append((place, end))
    return found


def lines_about(rows: "array[float]", places: list[int], senses: int, longest: float) -> list[int]:
    """Return the short blocks of some that have words of some senses."""
    found: list[int] = []
    for place in places:
        if rows[place * WIDTH + _LENGTH] <= longest:
            told = int(rows[place * WIDTH + _SENSES])
            if told & senses:
                found.append(place)
    return found


def end_of_section(table: Table, heading: int) -> int:
    """Return where the blocks below a heading end: with the innermost element that holds more than the heading."""
    element = table.owner[heading]
    while element > 0 and table.end[element] == heading + 1:
        element = table.parent[element]
    return table.end[element]


def _are_signed(sheet: Sheet, first: int, end: int) -> bool:
    """Say whether several lines of one make name a writer or a day, as those of comments do."""
    owner, kind = sheet.table.owner, sheet.kind
    seen = range(first, min(end, first + SEEN))
    signed = Counter(kind[owner[place]] for place in seen if _is_signed(sheet.rows, place * WIDTH))
    return any(count >= MIN_ALIKE for count in signed.values())


def _is_signed(rows: "array[float]", row: int) -> bool:
    is_line = rows[row + _LENGTH] < SIGNED and not rows[row + _FINAL]
    return bool(is_line and rows[row + _DATED] and int(rows[row + _SENSES]) & (BYLINE | DATE))
