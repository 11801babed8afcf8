"""Names are told where a slash, an office or a script without capitals stands in the way."""

import pytest

from thresher.extraction.fields.name_forms import is_caseless_name, joined_names, undoubled, without_glued_office


@pytest.mark.parametrize(
    ("text", "is_name"),
    [("ליאור כהן", True), ("ليلى حسن", True), ("ליאור", False), ("Ann Miller", False), ("ليلى Miller", False)],
)
def test_names_in_scripts_without_capitals(text: str, is_name: bool) -> None:
    assert is_caseless_name(text) is is_name


def test_a_slash_parts_names_and_nothing_else() -> None:
    assert joined_names("By Ann Miller/Bo Stone") == "By Ann Miller & Bo Stone"
    assert joined_names("By Ann Miller/Harbour") == "By Ann Miller/Harbour"
    assert joined_names("5/5/2016") == "5/5/2016"


def test_an_office_glued_to_a_name_is_parted_from_it() -> None:
    assert without_glued_office("Ann MillerFerry & Harbour Reporter") == "Ann Miller, Ferry & Harbour Reporter"
    assert without_glued_office("Ann McMiller") == "Ann McMiller"


def test_a_line_that_says_the_same_twice_is_halved() -> None:
    assert undoubled("Ann Miller Ann Miller") == "Ann Miller"
    assert undoubled("Ann Miller Ann Stone") == "Ann Miller Ann Stone"
    assert undoubled("") == ""
