"""The examples of docs/python.md run, in order, as a reader would type them."""

import re
from pathlib import Path
from typing import Any

import pytest

from thresher.sample import RunningSample

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_examples_run(site: RunningSample, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"starts": list(site.starts), "folder": str(tmp_path / "corpus")}
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for number, example in enumerate(examples, start=1):
        exec(compile(example, f"python.md, example {number}", "exec"), names)
    shown = capsys.readouterr().out
    assert "article: The ferry is late again" in shown
    assert "# The ferry is late again" in shown
    assert "12 True" in shown
    assert "articles" in shown
    assert "a page is str or bytes, not NoneType" in shown
