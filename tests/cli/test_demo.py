"""Where the demo serves its sample site."""

import socket
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from thresher.cli import demo
from thresher.cli.main import cli
from thresher.errors import UsageError
from thresher.sample import SampleWeb


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of the demo, which somebody else listens on."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setattr(demo, "PORT", other.getsockname()[1])
        yield demo.PORT


def test_a_demo_whose_port_is_taken_uses_free_ones_and_says_so(taken: int, capsys: pytest.CaptureFixture[str]) -> None:
    with demo._served(SampleWeb(10), None) as site:
        assert all(start.startswith("http://127.0.0.1:") and f":{taken}/" not in start for start in site.starts)
    assert f"port {taken} or one of the two after it is taken; using free ports instead" in capsys.readouterr().err


def test_a_port_that_was_asked_for_is_used_or_refused(taken: int) -> None:
    with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1 {taken}"):
        demo._served(SampleWeb(10), taken)


def test_the_help_names_the_port() -> None:
    said = " ".join(CliRunner().invoke(cli, ["demo", "--help"]).output.split())
    assert f"default {demo.PORT}, or free ports if it is taken" in said
