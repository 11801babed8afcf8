"""All fields of a page, in the order in which one helps to find the next."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from thresher.extraction.fields.authors import find_authors
from thresher.extraction.fields.clues import Clues
from thresher.extraction.fields.date import find_date
from thresher.extraction.fields.found import Found
from thresher.extraction.fields.language import date_habits, find_language
from thresher.extraction.fields.meta import find_canonical_url, find_description, find_image, find_site_name
from thresher.extraction.fields.near import Shown, look_near
from thresher.extraction.fields.title import find_title
from thresher.html import Tree


def find_fields(
    tree: Tree,
    clues: Clues,
    page: Sequence[Shown],
    *,
    text: str,
    fetched_at: datetime | None,
    known: Mapping[str, Found[Any]] = MappingProxyType({}),
) -> dict[str, Found[Any] | None]:
    """Look for each field in what the page says of itself and in its blocks; None where it does not tell.

    `text` is the main text, or its beginning: the language is that in which it is written. Title, authors and date
    are not looked for where they are `known`.
    """
    site_name = _found(lambda: find_site_name(clues))
    name = site_name.value if site_name else None
    title = known.get("title") or _found(lambda: find_title(tree, clues, name, page))
    language = _found(lambda: find_language(tree, clues, text))
    near = look_near(page, title.value if title else "")
    habits = date_habits(tree, language.value if language else None)
    published = known.get("published") or _found(
        lambda: find_date(tree, clues, near, fetched_at=fetched_at, habits=habits)
    )
    return {
        "title": title,
        "published": published,
        "authors": known.get("authors") or _found(lambda: find_authors(tree, clues, near, name)),
        "language": language,
        "description": _found(lambda: find_description(clues)),
        "image": _found(lambda: find_image(tree, clues)),
        "canonical_url": _found(lambda: find_canonical_url(tree, clues)),
        "site_name": site_name,
    }


def _found(find: Callable[[], Found[Any] | None]) -> Found[Any] | None:
    """Return what a search finds; a value out of every range, which only a hostile page has, costs its field alone."""
    try:
        return find()
    except (ArithmeticError, ValueError):
        return None
