"""`thresher extract --debug` as a person types it."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.cli.test_commands import ARTICLE
from thresher.cli.extract import command
from thresher.errors import UsageError


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(ARTICLE, "utf-8")
    return path


def test_debug_writes_an_x_ray_beside_the_usual_output(page: Path, tmp_path: Path) -> None:
    xray = tmp_path / "xray.html"
    ended = CliRunner().invoke(command, [str(page), "-f", "txt", "--debug", str(xray)], standalone_mode=False)
    assert ended.exception is None
    assert "third time in a month" in ended.output
    written = xray.read_text("utf-8")
    assert written.startswith("<!DOCTYPE html>")
    assert "<title>X-ray: The ferry is late again</title>" in written
    assert 'class="x-keep' in written


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["page.html", "page.html", "--debug", "x.html"], "--debug shows one page"),
        (["page.html", "--debug", "x.html", "--algorithm", "cevc"], "cevc gives no such scores"),
        (["page.html", "--debug", "missing/x.html"], "cannot write missing/x.html"),
        (["page.html", "--debug", "-"], "needs a file name"),
        (["page.html", "--precision", "--recall"], "opposite directions"),
    ],
)
def test_what_cannot_be_shown_is_refused(
    args: list[str], words: str, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(page.parent)
    with pytest.raises(UsageError, match=words):
        CliRunner().invoke(command, args, standalone_mode=False, catch_exceptions=False)
    assert not (page.parent / "x.html").exists()
