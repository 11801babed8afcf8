"""What a person types who means a site, and what is no URL at all."""

import pytest

from thresher.crawling.opening import start_url
from thresher.errors import UsageError


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("example.org", "https://example.org/"),
        ("例子。测试/a", "https://xn--fsqu00a.xn--0zwm56d/a"),
        ("localhost", "https://localhost/"),
        ("intranet:8080/news", "https://intranet:8080/news"),
        ("http://intranet/", "http://intranet/"),
        ("[::1]/", "https://[::1]/"),
    ],
)
def test_a_host_needs_no_scheme(typed: str, url: str) -> None:
    assert start_url(typed) == url


@pytest.mark.parametrize("typed", ["nonsense", " nonsense ", "新闻", "harbour/news.html", "a?b=c.d", "12"])
def test_a_word_is_not_taken_for_a_host(typed: str) -> None:
    with pytest.raises(UsageError, match="is not a URL; for a host of this name, write https://"):
        start_url(typed)
