"""The regular expressions of the source: what they may be made of, and how their cost grows."""

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import thresher
from tests.backtracking import POSSESSIVE, Counted, operators_of
from thresher.extraction import markup
from thresher.extraction.fields import language
from thresher.html import lean, scan
from thresher.urls import noise, spelling

ROOT = Path(__file__).parents[1]
FILES = sorted(path for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py"))
MAKERS = {"compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
AnyPattern = re.Pattern[str] | re.Pattern[bytes]


def patterns_in(value: object, depth: int = 3) -> Iterator[AnyPattern]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        yield from (pattern for part in value.values() for pattern in patterns_in(part, depth - 1))
    elif depth and isinstance(value, list | tuple):
        yield from (pattern for part in value for pattern in patterns_in(part, depth - 1))


def literal_of(node: ast.expr) -> str | bytes | None:
    """Return a string as it is written, a letter in place of what an f-string puts in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
    return None


def patterns_written(path: Path) -> Iterator[str | bytes]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if node.func.attr in MAKERS and isinstance(node.func.value, ast.Name) and node.func.value.id == "re":
            written = literal_of(node.args[0])
            if written is not None:
                yield written


def test_no_compiled_pattern_is_possessive() -> None:
    """CPython 3.11.2, the python3 of Debian 12, matches possessive quantifiers and atomic groups wrongly."""
    seen = 0
    for module in pkgutil.walk_packages(thresher.__path__, "thresher."):
        if module.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(module.name)
        except ImportError:  # an extra that is not installed
            continue
        for name, value in vars(sys.modules[module.name]).items():
            for pattern in patterns_in(value):
                seen += 1
                assert not operators_of(pattern.pattern, pattern.flags) & POSSESSIVE, f"{module.name}.{name}"
    assert seen > 200


def test_no_pattern_written_in_a_call_is_possessive() -> None:
    seen = 0
    for path in FILES:
        for written in patterns_written(path):
            try:
                operators = operators_of(written)
            except re.error:  # pieces of it stand in other names: seen compiled
                continue
            seen += 1
            assert not operators & POSSESSIVE, f"{path.relative_to(ROOT)}: {written!r}"
    assert seen > 200


def test_possessive_patterns_are_told() -> None:
    assert operators_of("(?:ab*+c)") & POSSESSIVE
    assert operators_of(b"x(?>y)") & POSSESSIVE
    assert not operators_of("[*++]+a*") & POSSESSIVE


WHOLE = {spelling._CLEAN, noise._SESSION_ID, noise._DOTTED}  # these must match to the end; the others where they can
HOSTILE: list[tuple[AnyPattern, str, str]] = [
    (spelling._CLEAN, "http://h/", "a"),
    (spelling._CLEAN, "http://h/", "a/"),
    (spelling._CLEAN, "http://h/", "%20"),
    (spelling._CLEAN, "http://h/?", "a=b&"),
    (spelling._CLEAN, "http://h/?", "%20a"),
    (spelling._CLEAN, "http://", "a."),
    (spelling._CLEAN, "http://", "a-"),
    (noise._SESSION_ID, "", "a"),
    (noise._DOTTED, "a", "."),
    (noise._DOTTED, "a", ".a"),
    (lean._ATTRIBUTES, "", "a"),
    (lean._ATTRIBUTES, "", "a ="),
    (lean._ATTRIBUTES, "", "a= '"),
    (lean._ATTRIBUTES, "a", " "),
    (lean._ATTRIBUTE, 'a="', "b "),
    (lean._MARK, "<a", "b"),
    (scan._PIECE, "a", " "),
    (scan._PIECE, "a='", "b "),
    (markup._REST, '="', "a "),
    (markup._REST, "", "='"),
    (markup._REST, "", "= a"),
    (language._ENOUGH_LATIN, "", "- "),
    (language._ENOUGH_LATIN, "abc", " "),
]


@pytest.fixture
def _room_to_recurse() -> Iterator[None]:
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(usual)


@pytest.mark.usefixtures("_room_to_recurse")
@pytest.mark.parametrize(("pattern", "start", "again"), HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("last", ["", "\x00", "<", "é"], ids=ascii)
def test_steps_grow_no_faster_than_the_text(pattern: AnyPattern, start: str, again: str, last: str) -> None:
    def steps(rounds: int) -> int:
        text = start + again * rounds + last
        is_bytes = isinstance(pattern.pattern, bytes)
        return Counted(pattern, text.encode() if is_bytes else text, full=pattern in WHOLE).steps

    assert steps(60) <= 2.2 * steps(30) + 30


@pytest.mark.usefixtures("_room_to_recurse")
def test_the_counter_matches_as_the_real_one_does() -> None:
    for pattern, start, again in HOSTILE:
        for last in ("", "a", ".", "é"):
            text: str | bytes = start + again * 9 + last
            text = str(text).encode() if isinstance(pattern.pattern, bytes) else text
            real = pattern.fullmatch if pattern in WHOLE else pattern.match
            assert Counted(pattern, text, full=pattern in WHOLE).matched == (real(text) is not None)  # type: ignore[arg-type]


def test_the_counter_sees_what_grows_too_fast() -> None:
    pattern = re.compile("(?:a+b?)+c")
    assert Counted(pattern, "a" * 14, full=True).steps > 8 * Counted(pattern, "a" * 10, full=True).steps
