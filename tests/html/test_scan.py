"""The look over the markup finds the same compiled or not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.html import parse
from thresher.html.decode import decode
from thresher.html.scan import MAX_ROUNDS, has_controls, has_controls_by_table, scan, scan_by_expressions

try:
    from thresher.html import _scan as compiled
except ImportError:
    compiled = None  # type: ignore[assignment]
needs_compiled = pytest.mark.skipif(compiled is None, reason="the scan is not compiled here")

PIECES = [
    "<",
    "a",
    ">",
    "=",
    '"',
    "'",
    "/",
    " ",
    "\n",
    "x='",
    'y="',
    "<div ",
    "<B",
    "<bAsE",
    "</",
    "\x0b",
    "\x7f",
    "é",
    "\x00",
]


@needs_compiled
@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=40), st.integers(0, 30), st.integers(0, 4))
def test_compiled_and_interpreted_scans_agree(pieces: list[str], long_tag: int, many: int) -> None:
    markup = "".join(pieces).encode()
    assert compiled.scan(markup, long_tag, many, MAX_ROUNDS) == scan_by_expressions(markup, long_tag, many)


@needs_compiled
@given(st.binary(max_size=60), st.integers(0, 10), st.integers(0, 3))
def test_scans_of_any_bytes_agree(markup: bytes, long_tag: int, many: int) -> None:
    assert compiled.has_controls(markup) == has_controls_by_table(markup)
    assert compiled.scan(markup, long_tag, many, MAX_ROUNDS) == scan_by_expressions(markup, long_tag, many)


@pytest.mark.parametrize("look", [scan, scan_by_expressions])
def test_a_scan_counts_tags_and_sees_long_ones_and_a_base(look: object) -> None:
    assert callable(look)
    assert look(b"<p>a</p>", 4) == (2, False, False)
    assert look(b"<p x='>'>", 6) == (1, True, False)
    assert look(b"<BASE href=/>", 100) == (1, False, True)


@pytest.mark.parametrize("look", [has_controls, has_controls_by_table])
@pytest.mark.parametrize(
    ("markup", "answer"), [(b"a\t\r\n", False), (b"a\x01", True), (b"\x7f", True), (b"\x0c", True)]
)
def test_control_characters_are_seen(look: object, markup: bytes, answer: bool) -> None:
    assert callable(look)
    assert look(markup) == answer


@pytest.mark.parametrize("look", [scan, scan_by_expressions])
def test_a_long_tag_is_seen_where_a_script_seems_to_hold_it(look: object) -> None:
    assert callable(look)
    hidden = b"<script>a<b c='</script><p a1 a2 a3 a4>'"
    assert look(hidden, 10, 3)[1]
    assert not look(hidden, 10, 4)[1]


@pytest.mark.parametrize("look", [scan, scan_by_expressions])
def test_markup_that_would_take_too_many_rounds_counts_as_long(look: object) -> None:
    assert callable(look)
    assert look(b"<a b='" * 200, 10, 10**6)[1]


def test_a_base_that_only_shows_without_its_control_character_counts() -> None:
    tree = parse("<ba\x01se href='http://o.com/'><p>" + "x" * 100, url="http://e.com/")
    assert tree.base_url == "http://o.com/"


@given(st.text(max_size=40), st.binary(max_size=5))
def test_bytes_said_to_be_the_text_in_utf8_are(text: str, noise: bytes) -> None:
    data = b"<meta charset=utf-8>" + text.encode("utf-8", "replace") + noise
    decoded = decode(data)
    if decoded.is_same_in_utf8:
        assert decoded.text.encode() == data
