"""`thresher alerts` as a person types it."""

import json
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.alerting.test_sending import Received, web_server
from tests.alerting.words import document, store
from thresher import wiring
from thresher.alerting.webhook import new_secret
from thresher.cli import exits
from thresher.cli.main import run
from thresher.config import Settings

Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Run `thresher alerts …`; return its exit code, and what it wrote to standard output and standard error."""
    monkeypatch.setenv("THRESHER_DATA", str(tmp_path))
    monkeypatch.setenv("THRESHER_WEBHOOK_SECRET", new_secret())
    monkeypatch.setenv("THRESHER_ALLOWED_ADDRESSES", "127.0.0.1")

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["alerts", *words])
        written = capsys.readouterr()
        return code, written.out, written.err

    return typed


def test_an_alert_from_its_making_to_a_replay(say: Say, tmp_path: Path) -> None:
    with web_server() as (url, received):
        assert say("add", "harbour", "harbour", "!mooring", "--to", url)[0] == exits.DONE
        with closing(wiring.open_corpus(Settings(data=str(tmp_path)))) as corpus:
            now = datetime.now(UTC)
            store(corpus, [document(1, "a harbour"), document(2, "a harbour mooring")], now)
        code, _, said = say("run", "--once")
        assert (code, said) == (exits.DONE, "1 notice, 1 attempt to send\n")
        assert say("run")[2] == "0 notices, 0 attempts to send\n"
        assert titles(received) == [["a harbour"]]
        listed = json.loads(say("list", "-f", "json")[1])
        assert [(row["name"], row["found"], row["state"]) for row in listed] == [("harbour", 1, "active")]
        (logged,) = json.loads(say("log", "harbour", "-f", "json")[1])
        assert (logged["state"], logged["detail"]) == ("sent", "HTTP 204")
        assert say("replay", logged["id"])[0] == exits.DONE
        say("run")
        assert titles(received) == [["a harbour"], ["a harbour"]]
        assert len(json.loads(say("log", "--attempts", "-f", "json")[1])) == 2
        code, found, said = say("test", "harbour")
        assert (code, said) == (exits.DONE, f"{url}: HTTP 204\n")
        assert "a harbour" in found
        assert "a harbour" in say("show", "harbour")[1]


def titles(received: Received) -> list[list[str]]:
    return [[hit["title"] for hit in json.loads(body)["data"]["hits"]] for _, _, body in received.requests]


def test_an_alert_is_changed_paused_resumed_and_removed(say: Say) -> None:
    say("add", "morning", "port", "--kind", "digest", "--at", "06:00")
    assert say("edit", "morning", "--day", "fri", "--zone", "Asia/Shanghai")[0] == exits.DONE
    assert say("pause", "morning")[0] == exits.DONE
    shown = say("show", "morning")[1]
    assert shown.startswith("name: morning\nkind: digest\nquery: port\nat: 06:00\nday: fri\nzone: Asia/Shanghai\n")
    assert "state: paused" in shown
    assert say("resume", "morning")[0] == exits.DONE
    assert say("rm", "morning")[0] == exits.DONE
    assert say("rm", "morning")[0] == exits.USAGE


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["add", "a"], "give it a query"),
        (["add", "a", "titel:x"], "did you mean title:?"),
        (["add", "a", "saved:b"], "there is no saved search b"),
        (["add", "a", "x", "--to", "ann@example.org"], "neither mailto:ADDRESS nor"),
        (["add", "a", "x", "--to", "mailto:ann@example.org"], "set smtp to send e-mail"),
        (["add", "a", "--kind", "silence", "--source", "nobody"], "there is no source nobody"),
        (["add", "a", "x", "--kind", "digest", "--zone", "Mars"], "is not a time zone"),
        (["pause", "a"], "there is no alert a"),
        (["replay", "x"], "there is no delivery x"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_to_do(say: Say, words: list[str], message: str) -> None:
    code, _, said = say(*words)
    assert code == exits.USAGE
    assert message in said


def test_a_secret_is_one_that_the_settings_take(say: Say) -> None:
    code, secret, _ = say("secret")
    assert code == exits.DONE
    assert Settings(webhook_secret=f"{secret.strip()} {new_secret()}")
