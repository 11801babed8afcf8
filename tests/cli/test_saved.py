"""`thresher saved`, and saved searches wherever a query is taken."""

import json
from pathlib import Path

import pytest

from tests.alerting.words import document, store
from thresher import wiring
from thresher.cli import exits
from thresher.cli.main import run
from thresher.config import Settings


@pytest.fixture(autouse=True)
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus of four documents."""
    monkeypatch.setenv("THRESHER_DATA", str(tmp_path))
    opened = wiring.open_corpus(Settings(data=str(tmp_path)))
    texts = ("a ship in the harbour", "a mooring in the harbour", "the port is closed", "snow in the mountains")
    store(opened, [document(number, text) for number, text in enumerate(texts)])
    opened.close()


def test_a_saved_search_is_used_in_searches_exports_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["saved", "add", "harbour", "harbour | port"]) == exits.DONE
    assert run(["saved", "add", "ships", "saved:harbour", "!mooring"]) == exits.DONE
    capsys.readouterr()
    assert run(["search", "saved:ships", "--count"]) == exits.DONE
    assert run(["search", "saved:harbour -mooring -closed", "-f", "jsonl"]) == exits.DONE
    assert run(["export", "saved:ships closed"]) == exits.DONE
    count, hit, exported = capsys.readouterr().out.splitlines()
    assert count == "2"
    assert json.loads(hit)["title"] == "a ship in the harbour"
    assert json.loads(exported)["title"] == "the port is closed"


def test_saved_searches_are_listed_shown_replaced_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    run(["saved", "add", "harbour", "harbour"])
    assert run(["saved", "add", "harbour", "port"]) == exits.USAGE
    assert run(["saved", "add", "harbour", "port", "--replace"]) == exits.DONE
    capsys.readouterr()
    assert run(["saved", "show", "harbour"]) == exits.DONE
    assert capsys.readouterr().out == "port\n"
    assert run(["saved", "list", "-f", "json"]) == exits.DONE
    (listed,) = json.loads(capsys.readouterr().out)
    assert (listed["name"], listed["query"], listed["shared"]) == ("harbour", "port", True)
    assert run(["saved", "rm", "harbour"]) == exits.DONE
    assert run(["saved", "rm", "harbour"]) == exits.USAGE
    assert run(["search", "saved:harbour"]) == exits.USAGE
    assert "there is no saved search harbour" in capsys.readouterr().err


def test_a_search_that_cannot_be_read_or_contains_itself_is_not_saved(capsys: pytest.CaptureFixture[str]) -> None:
    run(["saved", "add", "a", "x"])
    run(["saved", "add", "b", "saved:a"])
    assert run(["saved", "add", "a", "y | saved:b", "--replace"]) == exits.USAGE
    assert "the saved searches contain each other: a → b → a" in capsys.readouterr().err
    assert run(["saved", "add", "c", "titel:x"]) == exits.USAGE
    assert "did you mean title:?" in capsys.readouterr().err
    assert run(["saved", "show", "a"]) == exits.DONE
    assert capsys.readouterr().out == "x\n"
