"""The date in the data that a page's scripts draw it from: "publishedAt": "2016-06-08T10:00:00Z"."""

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import islice

from thresher.extraction.fields.dates import Habits, Moment, read_date
from thresher.html import Tree

MAX_SCRIPTS = 200  # that are looked at
MAX_SCRIPT = 2_000_000  # characters of one
MAX_FOUND = 50  # dates of one script; more are those of a list

_PUBLISHED = re.compile(
    r'"(?:date_?published|published?_?(?:at|on|date|time)|publication_?date|pub_?date|first_?published?(?:_?(?:at|date))?)'
    r'\\?"\s{0,3}:\s{0,3}\\?"(\d{4}-\d\d-\d\d[^"\\]{0,25})',
    re.IGNORECASE,
)
# The same in seconds or milliseconds since 1970; the last is what WeChat calls it.
_PUBLISHED_S = re.compile(
    r'(?:"(?:publish(?:ed)?_?(?:at|on|date|time)|pub_?(?:date|time))\\?"\s{0,3}:\s{0,3}\\?"?|\bvar ct ?= ?")'
    r"(1[0-9]{9})(?:\d{3})?\b",
    re.IGNORECASE,
)


def in_scripts(tree: Tree, habits: Habits) -> Iterator[Moment]:
    """Yield the date of publication that scripts name, if it is one day only: data of several pages name several."""
    days: dict[object, Moment] = {}
    for script in islice(tree.root.iter("script"), MAX_SCRIPTS):
        text = (script.text or "")[:MAX_SCRIPT]
        if "ubli" in text or "var ct" in text:
            for moment in (*_written(text, habits), *_counted(text, habits)):
                days.setdefault(moment.at.date(), moment)
    if len(days) == 1:
        yield from days.values()


def _written(text: str, habits: Habits) -> Iterator[Moment]:
    for match in islice(_PUBLISHED.finditer(text), MAX_FOUND):
        if moment := read_date(match[1], habits):
            yield moment


def _counted(text: str, habits: Habits) -> Iterator[Moment]:
    for match in islice(_PUBLISHED_S.finditer(text), MAX_FOUND):
        yield Moment(datetime.fromtimestamp(int(match[1]), habits.zone), match[1], True, match.start())
