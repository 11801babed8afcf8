"""One line says whether the compiled parts are in use."""

import sys
from types import ModuleType

import pytest

from thresher.extraction import compiled

ALL = len(compiled._PARTS)


def _as_if_in(monkeypatch: pytest.MonkeyPatch, name: str, file: str) -> None:
    module = ModuleType(name)
    module.__file__ = file
    monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.parametrize(
    ("interpreted", "line"),
    [
        (0, "all in use"),
        (1, f"{ALL - 1} of {ALL}; run scripts/compile for thresher.html._scan"),
        (ALL, "none, "),
    ],
)
def test_the_line_tells_how_many_are_compiled(monkeypatch: pytest.MonkeyPatch, interpreted: int, line: str) -> None:
    for place, name in enumerate(compiled._PARTS):
        _as_if_in(monkeypatch, name, "a.py" if place < interpreted else "a.so")
    assert compiled.compiled_line().startswith(line)
    assert compiled.interpreted_parts() == list(compiled._PARTS[:interpreted])


def test_a_part_that_was_not_loaded_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "thresher.html._scan", raising=False)
    assert "thresher.html._scan" in compiled.interpreted_parts()
