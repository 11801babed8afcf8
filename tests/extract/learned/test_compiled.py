"""Compiled or interpreted, every measure and feature is the same to the last bit."""

from array import array
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.extract.learned.markup import MARKUP
from tests.extract.learned.pages import some_pages
from tests.extract.learned.pure import FOLDER, NAMES, load_pure
from thresher.extract.fields.clues import gather
from thresher.extract.learned.about import read_about
from thresher.extract.learned.walk import walk
from thresher.html import parse

PURE = load_pure()
USED = {name: import_module(f"thresher.extract.learned.{name}") for name in NAMES}
COMPILED = [name for name in NAMES if not str(USED[name].__file__).endswith(".py")]
needs_compiled = pytest.mark.skipif(not COMPILED, reason="the measures are not compiled here")


def assert_same(html: str) -> None:
    tree = parse(html)
    table, about = walk(tree.body), read_about(gather(tree))
    if not table.texts:
        return
    chances = array("d", [(len(text) * 37 % 101) / 100 for text in table.texts])
    results = []
    for modules in (PURE, USED):
        sheet = modules["sheet"].lay_out(table, about)
        features = modules["features"].compute(sheet)
        second = modules["second"].compute_second(sheet, features, chances)
        columns = [sheet.rows, sheet.sums, sheet.around, sheet.marks, sheet.depth, sheet.path, sheet.kind, sheet.likes]
        results.append([column.tobytes() for column in (*columns, features, second)])
    assert results[0] == results[1]


def test_the_pure_modules_are_interpreted() -> None:
    assert all(str(module.__file__).endswith(".py") for module in PURE.values())
    assert all(USED[name] is not PURE[name] for name in NAMES)


@needs_compiled
@settings(max_examples=200)
@given(MARKUP)
def test_any_markup_gives_the_same_features(markup: str) -> None:
    assert_same(f"<title>of it</title>{markup}")


@needs_compiled
@pytest.mark.corpus
def test_labelled_pages_give_the_same_features() -> None:
    for html in some_pages(3):
        assert_same(html)


@needs_compiled
def test_compiled_modules_are_newer_than_their_sources() -> None:
    """A stale one hides what its source says by now; `scripts/compile` makes it anew."""
    for name in COMPILED:
        built = Path(str(USED[name].__file__)).stat().st_mtime
        assert built >= max((FOLDER / f"{name}{end}").stat().st_mtime for end in (".py", ".pxd")), name
