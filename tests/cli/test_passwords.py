"""No password is ever printed, however odd it is and whatever goes wrong."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.servers import Server, postgres_server, redis_server
from thresher.cli.main import run
from thresher.frontier.server import Server as Client

PASSWORD = "hush/a#b[c]d@e?f:g&h%i hush"
URL = "https://a.test/"
pytestmark = pytest.mark.usefixtures("a_quick_doctor")
COMMANDS = [
    ("config", "show"),
    ("config", "show", "-f", "json", "--origin"),
    ("doctor",),
    ("crawl", URL),
    ("crawl", URL, "--enqueue"),
    ("crawl", "--resume"),
    ("search", "word"),
    ("why", URL),
    ("reindex",),
    ("frontier", "status"),
    ("frontier", "pause"),
    ("worker", "list"),
    ("worker", "stop", "--all"),
]
NOWHERE = "127.0.0.1:9"
ENCODED = quote(PASSWORD, safe="")
WRONG = {
    "odd frontier": {"THRESHER_FRONTIER": f"redis://:{PASSWORD}@{NOWHERE}/0"},
    "odd store": {"THRESHER_STORE": f"postgresql://me:{PASSWORD}@{NOWHERE}/corpus"},
    "frontier away": {"THRESHER_FRONTIER": f"redis://me:{ENCODED}@{NOWHERE}/0"},
    "frontier away, password in the query": {"THRESHER_FRONTIER": f"redis://{NOWHERE}/0?password={ENCODED}"},
    "store away": {"THRESHER_STORE": f"postgresql://me:{ENCODED}@{NOWHERE}/corpus"},
    "store away, password in the query": {"THRESHER_STORE": f"postgresql://{NOWHERE}/corpus?password={ENCODED}"},
    "odd proxy": {"THRESHER_PROXY": f"http://me:{PASSWORD}@{NOWHERE}"},
}


@pytest.fixture
def a_quick_doctor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what has nothing to do with servers and takes seconds."""
    for check in ("_extraction", "_new_corpus"):
        monkeypatch.setattr(f"thresher.cli.doctor.{check}", lambda chosen: "not tried")


@pytest.fixture(params=list(WRONG))
def wrong(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in WRONG[request.param].items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("wrong")
def test_no_command_tells_a_password(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    for command in COMMANDS:
        run(list(command))
        out, err = capfd.readouterr()
        said = out + err + caplog.text
        assert "hush" not in said, command
        assert "Traceback" not in said, command
        assert said


@pytest.fixture(scope="module")
def locked_redis() -> Iterator[Server]:
    with redis_server() as server:
        Client(server.url).call("CONFIG", "SET", "requirepass", PASSWORD)
        yield server


def doctor(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path, **environ: str
) -> tuple[int, str]:
    monkeypatch.chdir(folder)
    for name, value in environ.items():
        monkeypatch.setenv(f"THRESHER_{name.upper()}", value)
    code = run(["doctor"])
    return code, capsys.readouterr().out


def test_doctor_fails_on_a_redis_that_cannot_be_reached_or_refuses_the_password(
    locked_redis: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = locked_redis.url.removeprefix("redis://")
    for login, code, words in (
        (f":{ENCODED}@", 0, "ok    frontier: redis://:***@"),
        (":wrong-hush@", 1, "FAIL  frontier: the Redis at redis://:***@"),
        ("", 1, "refuses the login"),
    ):
        found, said = doctor(capsys, monkeypatch, tmp_path, frontier=f"redis://{login}{place}")
        assert (found, words in said) == (code, True), said
        assert "hush" not in said
    found, said = doctor(capsys, monkeypatch, tmp_path, frontier=f"redis://{NOWHERE}/0")
    assert (found, "does not answer" in said) == (1, True), said


def test_doctor_fails_on_a_postgresql_that_cannot_be_reached_or_refuses_the_login(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found, said = doctor(capsys, monkeypatch, tmp_path, store=f"postgresql://me:hush@{NOWHERE}/corpus")
    assert (found, "FAIL  corpus: the store does not answer" in said) == (1, True), said
    with postgres_server() as server:
        place = server.url.rpartition("@")[2]
        found, said = doctor(capsys, monkeypatch, tmp_path, store=f"postgresql://nobody-here:hush@{place}")
        assert (found, "FAIL  corpus: the store failed" in said) == (1, True), said
    assert "hush" not in said


def test_a_client_never_names_its_password() -> None:
    assert "hush" not in repr(vars(Client("redis://:hush@127.0.0.1:9/0")).get("_place"))


def test_what_config_shows_is_toml_and_json_with_types(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "thresher.toml"
    file.write_text('contact = "a \\"quoted\\" \\\\ name"\nallowed_addresses = ["10.0.0.0/8"]\nrequire_date = true\n')
    assert run(["config", "show"]) == 0
    shown = capsys.readouterr().out
    assert tomllib.loads(shown)["contact"] == 'a "quoted" \\ name'
    file.write_text(shown)
    assert run(["config", "show", "--origin"]) == 0
    assert tomllib.loads(capsys.readouterr().out) == tomllib.loads(shown)
    assert run(["config", "show", "-f", "json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert values == tomllib.loads(shown)
    assert (values["require_date"], values["concurrency"], values["delay_s"]) == (True, 16, 1.0)
    assert values["allowed_addresses"] == ["10.0.0.0/8"]


@pytest.mark.parametrize("setting", ["seen = 'foo'", "store = 'oracle://x'", "allowed_addresses = ['x']"])
def test_all_commands_refuse_a_wrong_setting_alike(
    setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "thresher.toml").write_text(setting)
    for command in (["config", "show"], ["doctor"], ["crawl", URL], ["search", "x"], ["worker", "run"]):
        assert run(command) == 2
        assert setting.partition(" ")[0] in capsys.readouterr().err
        assert [path.name for path in tmp_path.iterdir()] == ["thresher.toml"]
