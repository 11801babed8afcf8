"""Mark each block of a page by what it may be in a record: a date, a count, a headline, prose, a label."""

import re
from array import array

from thresher.extraction.kinds.words import ARTICLE_LABELS, BOARD_LABELS, LIST_LABELS, SHOP_LABELS, THREAD_LABELS
from thresher.extraction.learned.lexicon import DATE
from thresher.extraction.learned.measure import WIDTH
from thresher.extraction.learned.sheet import SUMS, Sheet

DATED, COUNT, HEADLINE, PROSE, LINKED, OF_THREAD, OF_BOARD, PRICE = (1 << bit for bit in range(8))
OF_LIST, OF_SHOP, OF_ARTICLE = (1 << bit for bit in range(8, 11))
_SIDES = (
    (THREAD_LABELS, OF_THREAD),
    (BOARD_LABELS, OF_BOARD),
    (LIST_LABELS, OF_LIST),
    (SHOP_LABELS, OF_SHOP),
    (ARTICLE_LABELS, OF_ARTICLE),
)
LABELS = {word: sum(bit for words, bit in _SIDES if word in words) for known, _ in _SIDES for word in known}
PROSE_SIZE = 80  # letters a block of prose has; a Chinese, Japanese or Korean character counts as 2.5 letters
HEADLINE_SIZE = 15  # letters of a link that may be a headline
COUNT_LETTERS = 14  # letters and characters beside a number that may be a count, such as "12 replies"
LABEL_CHARS = 30  # a longer block is no label
SAME_TITLE = 0.7  # of a block's words that stand in the page's title: it repeats the title and is no headline

EDGES = " :：()[]·•|/.+-"
EDGES_OF_COUNT = " 0123456789:：,.()[]#"
EDGE = frozenset(" :：()[]·•|/.+-")
# Where labels are by their ends and length, as `may_be_label` has it: most short texts are none, and are not copied.
PLACES, ASCII = 4096, 127
_TAKEN = {((ord(word[0]) | 32) * 151 + (ord(word[-1]) | 32) * 11 + len(word)) % PLACES for word in LABELS}
TAKEN = tuple(place in _TAKEN for place in range(PLACES))

# Somewhere in a text. It begins with one digit, the last of its number, since the search skips to one that is so found.
_DATE = re.compile(r"\d(?:[-/.年]\d{1,2}[-/.月]\d|:\d\d|月\d{1,2}日)")
_FLOOR = re.compile(r"#\s?\d{1,5}|\d{1,5}\s?[#楼樓]|第\s?\d{1,5}\s?[楼樓]")
# What the measure of dated texts leaves out: times and days of few digits, and times that count from now.
_WHEN = re.compile(
    r"\d{1,2}[-/.:]\d{1,2}|\d{1,3} ?(?:s|m|h|d|w|y|mo|min|hr|hrs|mins)"
    r"|.{0,12}\d+ ?(?:秒|分|小时|小時|时间|時間|天|日|周|週|个月|個月|月|年)[^\d]{0,3}前.{0,12}"
    r"|.{0,12}(?:昨天|前天|今天|昨日|今日).{0,12}"
    r"|.{0,20}\b(?:vor|hace|il y a|fa|temu|назад|geleden|sedan)\b.{0,20}"
)
_PRICE = re.compile(r"[$€£¥₹￥]\s?\d|\d\s?(?:€|zł|kr\b|元|円|usd|eur|лв|руб)")
# What these expressions find in ASCII has at least that, which is quicker to see.
MAY_PRICE, MAY_DATE, MAY_FLOOR = 1, 2, 4
SHORT_WHEN = 8  # characters of a time such as "30 mins"
_AGO = ("vor", "hace", "il y a", "fa", "temu", "geleden", "sedan")


def mark(sheet: Sheet) -> "array[int]":
    """Return the marks of each block of a page, as bits."""
    marks = array("i", bytes(4 * len(sheet.table.texts)))
    fill_marks(sheet, marks)
    return marks


def fill_marks(sheet: Sheet, marks: "array[int]") -> None:
    """Fill in the marks by the measures of each block; texts are read only where these leave a question."""
    rows, sums, texts, links = sheet.rows, sheet.sums, sheet.table.texts, sheet.table.links
    for i in range(len(texts)):
        r = i * WIDTH
        s = i * SUMS
        size = rows[r]
        linked = sums[s + SUMS + 1] - sums[s + 1]
        bits = LINKED if links[i] > 0 else 0
        if len(texts[i]) < LABEL_CHARS:
            named = int(rows[r + 12]) & DATE
            bits |= read_label(texts[i], named, rows[r + 5], rows[r + 7] + 2.5 * rows[r + 8])
        elif rows[r + 21] > 0 and (int(rows[r + 12]) & DATE or _DATE.search(texts[i])):
            bits |= DATED
        if size >= HEADLINE_SIZE and linked > 0.8 * size and not bits & DATED and rows[r + 15] < SAME_TITLE:
            bits |= HEADLINE
        if size >= PROSE_SIZE and 2 * linked < size and rows[r + 4] > 0:
            bits |= PROSE
        marks[i] = bits


def read_label(text: str, named: int, digits: float, letters: float) -> int:
    """Return the marks of a short block: a date, a price, a count, or a word that threads or boards repeat.

    `named` is not 0 where one of its words is of dates, such as a month's name.
    """
    if digits < 1:
        return label_of(text.strip(EDGES).lower()) if may_be_label(text) else 0
    looks = looks_of(text)
    if looks & MAY_PRICE and _PRICE.search(text):
        return PRICE
    if named or (looks & MAY_DATE and _DATE.search(text)) or _tells_when(text, looks):
        return DATED | label_of(text.partition(":")[0].lower())
    if letters > COUNT_LETTERS:
        return 0
    if looks & MAY_FLOOR and _FLOOR.fullmatch(text.strip()):
        return COUNT | OF_THREAD
    return COUNT | label_of(text.strip(EDGES_OF_COUNT).lower())


def may_be_label(text: str) -> bool:
    """Say whether a text may be a known label by its first and last letters and its length without the edges."""
    start, end = 0, len(text)
    while start < end and text[start] in EDGE:
        start += 1
    while start < end and text[end - 1] in EDGE:
        end -= 1
    if start == end:
        return False
    first, last = ord(text[start]), ord(text[end - 1])
    if first > ASCII or last > ASCII:
        return True
    return TAKEN[((first | 32) * 151 + (last | 32) * 11 + end - start) % PLACES]


def looks_of(text: str) -> int:
    """Return what a short text may be by its characters: anything, where not all are of ASCII."""
    if not text.isascii():
        return MAY_PRICE | MAY_DATE | MAY_FLOOR
    looks = 0
    before, last = " ", " "  # the two characters before
    for char in text:
        if char in "$#":
            looks |= MAY_PRICE if char == "$" else MAY_FLOOR
        elif "0" <= char <= "9":
            if last in "-/.:" and "0" <= before <= "9":
                looks |= MAY_DATE
        elif char in "kue" and ("0" <= last <= "9" or (last.isspace() and "0" <= before <= "9")):
            looks |= MAY_PRICE
        before, last = last, char
    return looks


def _tells_when(text: str, looks: int) -> bool:
    """Say whether a short text is a time of few digits, or one that counts from now."""
    plain = text.strip().lower()
    may_tell = looks & MAY_DATE != 0 or (len(plain) <= SHORT_WHEN and "0" <= plain[0] <= "9")
    if not may_tell:
        may_tell = True in [word in plain for word in _AGO]
    return may_tell and _WHEN.fullmatch(plain) is not None


def label_of(word: str) -> int:
    """Return the marks of a word: which kinds of pages repeat it."""
    return LABELS.get(word, 0)
