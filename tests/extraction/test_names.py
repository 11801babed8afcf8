"""A line of names is taken apart into people, without their offices and papers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.costs import costing_at_most
from thresher.extraction.fields.name_words import NOBODY
from thresher.extraction.fields.names import (
    _split,
    _without_lead,
    is_chinese_name,
    is_person,
    is_plain_name,
    is_told_name,
    names_in,
    without_tail,
)
from thresher.text import clean


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ann Miller", ("Ann Miller",)),
        ("By Ann Miller and Bo Li", ("Ann Miller", "Bo Li")),
        ("Ann Miller, Bo Li and Carla de Souza", ("Ann Miller", "Bo Li", "Carla de Souza")),
        ("Ann Miller; Bo Li", ("Ann Miller", "Bo Li")),
        ("Ann Miller and Bo Li, Daily Grain News", ("Ann Miller", "Bo Li")),
        ("Ann Miller, Senior Writer", ("Ann Miller",)),
        ("Ann Miller, Senior Writer, Public Policy", ("Ann Miller",)),
        ("ANN MILLER AND BO LI", ("ANN MILLER", "BO LI")),
        ("content: Daily Grain", ()),
        ("海边小屋 (annm)", ("海边小屋 (annm)",)),
        ("Ann Miller | Sponsored", ("Ann Miller",)),
        ("Ann Miller | ann@grain.example", ("Ann Miller",)),
        ("Ann Miller, Ph.D.", ("Ann Miller, Ph.D.",)),
        ("Bo Li, DVM", ("Bo Li, DVM",)),
        ("Bo Li Jr.", ("Bo Li Jr.",)),
        ("Anna & Ben", ("Anna & Ben",)),
        ("Smith & Daughters News", ("Smith & Daughters News",)),
        ("Von Jürgen Groß", ("Jürgen Groß",)),
        ("Author: Ann Miller", ("Ann Miller",)),
        ("ANN MILLER", ("ANN MILLER",)),
        (", The Daily Grain", ()),
        ("admin", ()),
        ("https://grain.example/ann", ()),
        ("page.author.name", ()),
        ("王小明、李四", ("王小明", "李四")),
    ],
)
def test_a_line_that_tells_authors(line: str, names: tuple[str, ...]) -> None:
    assert names_in([line]) == names


def test_each_name_is_told_once_whatever_its_case() -> None:
    assert names_in(["Ann Miller", "ANN MILLER"]) == ("Ann Miller",)


@pytest.mark.parametrize(
    "text",
    [
        "Ann Miller",
        "Ann Price",
        "A. J. Stone",
        "Carla de Souza",
        "J. R. Grain",
        "Aoife O’Riordan",
        "欧阳小明",
        "约翰·史密斯",
    ],
)
def test_a_person(text: str) -> None:
    assert is_person(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ann",
        "the ferry",
        "Read More",
        "Daily News",
        "Ann Miller 2016",
        "Share This Page",
        "Low Price Guarantee",
        "Die Alpen",
        "新华网",
        "发布时间",
        "x" * 99,
    ],
)
def test_no_person(text: str) -> None:
    assert not is_person(text)


def test_a_chinese_name_begins_with_a_surname() -> None:
    assert is_chinese_name("王刚")
    assert not is_chinese_name("的确")


@pytest.mark.parametrize(
    "line",
    [
        "Ann Miller on 5 May",
        "Ann Miller • 4 min read",
        "Ann Miller for the Grain",
        "Ann Miller (Reuters)",
        "Ann Miller 5",
    ],
)
def test_what_follows_a_name_is_cut_off(line: str) -> None:
    assert without_tail(line) == "Ann Miller"


@pytest.mark.parametrize("piece", ["by ", "Ann Miller and ", "A, ", "& ", "Ann-", "王 ", "by: "])
def test_long_lines_cost_little(piece: str) -> None:
    with costing_at_most(2):
        names_in([piece * 100_000] * 20)
        without_tail(piece * 200)


# Words of which some lead to names, part them or are none.
WORDS = "Ann Miller By Von Di Par And For The Times Text Written Posted Mail Online Dr Jr Et Und With No Author"
SEVERAL = st.lists(st.sampled_from((*WORDS.split(), *(word.title() for word in NOBODY))), min_size=1, max_size=4)


@given(SEVERAL.map(" ".join))
def test_there_is_nothing_to_take_apart_in_a_plain_name(text: str) -> None:
    if is_plain_name(text):
        assert _split(_without_lead(clean(text))) == [text]
        assert is_told_name(text)


def test_a_plain_name_is_that_of_one() -> None:
    assert is_plain_name("Ann Miller")
    assert not any(map(is_plain_name, ("By Ann Miller", "Ann And Bob", "No Author", "Ann For The Grain", "Ann")))
