"""URLs that only an endless site would make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.discovery.traps import LIMITS, Limits, trap

REASONS = {None, "too-long", "trap-depth", "trap-path-depth", "trap-parameters", "trap-repeating"}


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://h/", None),
        ("http://h/a/b/a/b", None),
        ("http://h/a/b/a/b/a/b", "trap-repeating"),
        ("http://h/a/a/a", "trap-repeating"),
        ("http://h/a/x/a/y/a/z", "trap-repeating"),
        ("http://h////", "trap-repeating"),
        ("http://h/11/11/11/11-things", None),
        ("http://h/web/2020/http://example.com/", None),
        ("http://h/" + "/".join(f"s{i}" for i in range(20)), None),
        ("http://h/" + "/".join(f"s{i}" for i in range(20)) + "/", None),
        ("http://h/" + "/".join(f"s{i}" for i in range(21)), "trap-path-depth"),
        ("http://h/?" + "&".join(f"p{i}=1" for i in range(16)), None),
        ("http://h/?" + "&".join(f"p{i}=1" for i in range(17)), "trap-parameters"),
        ("http://h/" + "x" * 991, None),
        ("http://h/" + "x" * 992, "too-long"),
    ],
)
def test_endless_urls_are_told_by_their_form(url: str, reason: str | None) -> None:
    assert trap(url) == reason


def test_depth_without_end_is_a_trap() -> None:
    assert trap("http://h/a", depth=LIMITS.depth) is None
    assert trap("http://h/a", depth=LIMITS.depth + 1) == "trap-depth"


def test_limits_can_be_set() -> None:
    limits = Limits(path_segments=2, parameters=1, length=40, repeats=1)
    assert trap("http://h/a/b/c", limits=limits) == "trap-path-depth"
    assert trap("http://h/?a&b", limits=limits) == "trap-parameters"
    assert trap("http://h/a/a", limits=limits) == "trap-repeating"
    assert trap("http://h/" + "a" * 40, limits=limits) == "too-long"


@given(st.text(max_size=60))
def test_any_string_gets_a_verdict(url: str) -> None:
    assert trap(url) in REASONS
