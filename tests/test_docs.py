"""The documentation is true: its examples run, its links lead somewhere, and nothing that users meet is missing."""

import re
from pathlib import Path

import pytest

from thresher import errors
from thresher.cli import exits
from thresher.cli.main import COMMANDS
from thresher.crawling.harvest import FAULTS
from thresher.crawling.reasons import MEANING, NOT_PERMITTED, UNREACHABLE
from thresher.fetch.answers import MEANINGS, OTHERWISE
from thresher.frontier.contract import Offered
from thresher.model import Kind

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_readme_is_short_and_shows_a_command_early() -> None:
    lines = README.split("\n")
    assert len(lines) <= 150
    assert any(line.startswith("$ ./scripts/demo") for line in lines[:20])


def test_the_python_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})
    assert "It was raining on the harbour" in capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_documents_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_named_in_the_readme_or_the_guide(command: str) -> None:
    assert re.search(rf"\b{command}\b", README + (ROOT / "docs" / "guide.md").read_text("utf-8"))


def test_every_exit_code_is_in_the_guide() -> None:
    guide = (ROOT / "docs" / "guide.md").read_text("utf-8")
    for name, code in vars(exits).items():
        if name.isupper():
            assert f"| {code} |" in guide, name


def test_every_error_is_drawn_in_the_tree() -> None:
    names = [name for name, value in vars(errors).items() if isinstance(value, type)]
    assert [name for name in names if name not in (errors.__doc__ or "")] == []


def test_every_reason_has_a_meaning() -> None:
    reasons = {reason for _, reason, _ in (*MEANINGS, *OTHERWISE)} | set(FAULTS.values()) | NOT_PERMITTED | UNREACHABLE
    reasons |= {Offered.HOST_FULL.value, Offered.TRAP.value, *(kind.value for kind in Kind)} - {"article", "thread"}
    for path in (ROOT / "src" / "thresher" / "discovery").glob("*.py"):
        reasons |= set(re.findall(r'(?:return|refuse\w*\() *"([a-z]+-[a-z-]+)"', path.read_text("utf-8")))
    assert sorted(reasons - set(MEANING)) == []
