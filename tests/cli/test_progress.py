"""What a crawl says while it goes on."""

import pytest

from thresher.cli.progress import Meter
from thresher.crawling.landing import Landing
from thresher.frontier.contract import Settlement
from thresher.model import Lease, Link, Outcome


def failed(why: str, *, attempts: int = 0) -> Landing:
    lease = Lease(Link("https://nowhere.test/", why=why), 1, "worker", 0.0, attempts=attempts)
    return Landing(Settlement(lease, Outcome.RETRY, "dns"))


@pytest.mark.parametrize(
    ("landing", "style", "is_said"),
    [
        (failed("start"), "lines", True),
        (failed("start"), "json", False),
        (failed("start", attempts=1), "lines", False),
        (failed("link"), "lines", False),
    ],
)
def test_a_start_that_fails_is_named_at_once_and_only_once(
    landing: Landing, style: str, is_said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    Meter(style, None).landed(landing)
    said = "https://nowhere.test/ could not be fetched: the host name was not found; trying again\n"
    assert capsys.readouterr().err == (said if is_said else "")
