"""Compiled or interpreted, every measure and feature is the same to the last bit."""

from array import array
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extraction.learned.markup import MARKUP
from tests.extraction.learned.pages import some_pages
from tests.extraction.learned.pure import NAMES, load_pure
from thresher.extraction.contract import FAVOURS
from thresher.extraction.fields.clues import gather
from thresher.extraction.learned.about import About, read_about, words_of
from thresher.extraction.learned.walk import walk
from thresher.html import parse

PURE = load_pure()
USED = {name: import_module(f"thresher.extraction.learned.{name}") for name in NAMES}
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
        chosen = [modules["decide"].choose(sheet, chances, favour) for favour in FAVOURS]
        headed = modules["headed"].headed_comments(sheet)
        talk = modules["headed"].runs_of_comments(sheet, headed)
        results.append([*(column.tobytes() for column in (*columns, features, second)), chosen, talk])
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


# Letters whose lower case is two characters, or depends on those around them; words and phrases of the lexicon.
PIECES = st.sampled_from(
    (
        *(
            "Σ",
            "ΟΔΟΣ",
            "ΣΧΌΛΙΑ",
            "İ",
            "İstanbul",
            "ǅ",
            "ß",
            "Ⅳ",
            "the ",
            "Share",
            '"by"',
            "(Comments)",
            "記者",
            "责任编辑",
        ),
        *(
            "下载",
            "京ICP",
            "的",
            "了",
            "2024-03-03",
            "12:10",
            "年",
            "…",
            "。」",
            "\u3000",
            "\x85",
            "\U0001f600",
            "٣",
            "²",
        ),
    )
)
OTHERS = st.text(st.characters(exclude_characters="\0"), max_size=6)  # which no parsed page has
TEXTS = st.lists(PIECES | OTHERS | st.just(" ")).map("".join).filter(lambda text: text.strip())


@needs_compiled
@settings(max_examples=400)
@given(st.lists(TEXTS | TEXTS.map(lambda text: " ".join([text] * 40)), max_size=6), TEXTS, TEXTS, st.booleans())
def test_any_texts_measure_the_same(texts: list[str], title: str, summary: str, is_told: bool) -> None:
    told = "".join("".join(texts).split()) if is_told else ""
    about = About(words_of(title) | {text[:2] for text in texts if len(text) > 1}, words_of(summary), told)
    expected = PURE["measure"].measure(texts, about)
    assert USED["measure"].measure(texts, about).tobytes() == expected.tobytes()


@needs_compiled
def test_every_character_measures_the_same() -> None:
    """Also those whose case, kind or numeric value is odd."""
    texts = [f"{chr(code)}a B{chr(code)} {chr(code)}" for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    about = About(frozenset(), frozenset({"a"}), "")
    for start in range(0, len(texts), 50_000):
        some = [text for text in texts[start : start + 50_000] if code_matters(text[0])]
        assert USED["measure"].measure(some, about).tobytes() == PURE["measure"].measure(some, about).tobytes()


def code_matters(char: str) -> bool:
    """Leave out most of the many characters that Python takes for the same."""
    return ord(char) < 0x3000 or ord(char) % 17 == 0 or not char.isprintable()
