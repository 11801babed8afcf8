"""thresher.extract(): pages given and fetched, and what is said of anything else."""

from typing import Any

import pytest

import thresher
from thresher.errors import NotPermitted, UsageError
from thresher.sample import RunningSample

HERE = {"allowed_addresses": ["127.0.0.1"]}


@pytest.mark.parametrize("page", [None, 12, ["<p>"], object()])
def test_what_is_no_page_is_a_usage_error(page: Any) -> None:
    with pytest.raises(UsageError, match=f"not {type(page).__name__}"):
        thresher.extract(page)


def test_a_page_is_fetched_by_its_url(site: RunningSample) -> None:
    fetched = thresher.extract(site.starts[0], fetch=HERE)
    assert fetched.url == site.starts[0]
    assert thresher.extract(url=site.starts[0], fetch=HERE).title == fetched.title


def test_a_private_address_is_refused_unless_it_is_permitted(site: RunningSample) -> None:
    with pytest.raises(NotPermitted):
        thresher.extract(site.starts[0], fetch=True)


def test_a_page_that_answers_with_an_error_is_told(site: RunningSample) -> None:
    with pytest.raises(thresher.ThresherError, match="answered with status 404"):
        thresher.extract(f"{site.starts[0]}no-such-page", fetch=HERE)


@pytest.mark.parametrize(
    "arguments",
    [{"fetch": True}, {"html": b"<p>", "fetch": True}, {"html": "<p>", "url": "https://a.example/", "fetch": True}],
)
def test_fetching_takes_a_url_and_no_page(arguments: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="takes a URL and no page"):
        thresher.extract(**arguments)


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(UsageError, match="unknown setting 'colour'"):
        thresher.extract("https://a.example/", fetch={"colour": 1})
