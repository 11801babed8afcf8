"""Headers, logins and cookies go to the hosts that they are for, and to nobody else."""

from datetime import UTC, datetime

import pytest

from thresher.errors import UsageError
from thresher.model.credentials import masked_header, masked_login, read_credentials

NOW = datetime(2026, 11, 16, tzinfo=UTC)


def names_sent(url: str, **given: object) -> list[str]:
    return sorted(read_credentials(**given).headers_for(url, NOW))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("place", "told", "untold"),
    [
        (
            "news.test",
            ["https://news.test/", "https://news.test/a?b"],
            [
                "http://news.test/",
                "https://news.test:8443/",
                "https://www.news.test/",
                "https://test/",
                "https://evilnews.test/",
                "https://news.test.evil.test/",
            ],
        ),
        (
            "http://news.test",
            ["http://news.test/", "https://news.test/"],
            ["http://news.test:81/", "https://news.test:1/"],
        ),
        ("http://127.0.0.1:8000", ["http://127.0.0.1:8000/"], ["http://127.0.0.1/", "https://127.0.0.1:8000/"]),
        ("https://news.test:8443", ["https://news.test:8443/"], ["https://news.test/", "http://news.test:8443/"]),
        (
            "*.news.test",
            ["https://news.test/", "https://a.b.news.test/"],
            ["https://evilnews.test/", "http://news.test/", "https://a.news.test:444/"],
        ),
        ("https://[::1]:8000/", ["https://[::1]:8000/x"], ["https://[::1]/"]),
        ("NEWS.Test", ["https://news.test/"], []),
    ],
)
def test_a_header_is_told_to_its_audience_alone(place: str, told: list[str], untold: list[str]) -> None:
    for given in ({"headers": [f"{place} X-Key: hush"]}, {"logins": [f"{place} me:hush"]}):
        assert [url for url in told if not names_sent(url, **given)] == []
        assert [url for url in untold if names_sent(url, **given)] == []


def test_headers_and_logins_are_written_as_http_has_them() -> None:
    given = read_credentials(headers=["a.test x-key:  hush: hush "], logins=["a.test me:pass:word"])
    headers = given.headers_for("https://a.test/", NOW)
    assert headers == {"X-Key": "hush: hush", "Authorization": "Basic bWU6cGFzczp3b3Jk"}


def test_a_later_line_and_a_header_of_ones_own_win() -> None:
    lines = ["*.a.test X-Key: general", "www.a.test X-Key: special", "*.a.test Authorization: Bearer hush"]
    headers = read_credentials(headers=lines, logins=["*.a.test me:hush"]).headers_for("https://www.a.test/", NOW)
    assert headers == {"X-Key": "special", "Authorization": "Bearer hush"}


COOKIES = """# Netscape HTTP Cookie File

.news.test\tTRUE\t/\tTRUE\t0\tsession\thush1
news.test\tFALSE\t/members\tFALSE\t1900000000.5\tmember\thush2
#HttpOnly_other.test\tFALSE\t/\tFALSE\t0\tonly\thush3
news.test\tFALSE\t/\tFALSE\t1000000000\told\thush4
co.uk\tTRUE\t/\tFALSE\t0\ttoo-wide\thush5
127.0.0.1\tFALSE\t/\tFALSE\t0\thome\t
"""


@pytest.mark.parametrize(
    ("url", "cookie"),
    [
        ("https://news.test/", "session=hush1"),
        ("https://www.news.test/members/", "session=hush1"),
        ("https://news.test/members/ada", "session=hush1; member=hush2"),
        ("https://news.test/membership", "session=hush1"),
        ("http://news.test/members", "member=hush2"),
        ("http://news.test/", None),
        ("https://evilnews.test/", None),
        ("https://other.test/", "only=hush3"),
        ("https://www.other.test/", None),
        ("https://shop.co.uk/", None),
        ("http://127.0.0.1:8000/", "home="),
        ("http://127.0.0.2:8000/", None),
    ],
)
def test_cookies_go_where_their_file_says(url: str, cookie: str | None) -> None:
    assert read_credentials(cookies=COOKIES).headers_for(url, NOW).get("Cookie") == cookie


@pytest.mark.parametrize(
    "given",
    [
        {"headers": ["X-Key: hush"]},
        {"headers": ["a.test hush"]},
        {"headers": ["a.test X Key: hush"]},
        {"headers": ["a.test X-Key: hush\r\nHost: b.test"]},
        {"headers": ["a.test Host: hush"]},
        {"headers": ["a.test User-Agent: hush"]},
        {"headers": ["a.test X-Key: ***"]},
        {"headers": ["a.test/path X-Key: hush"]},
        {"headers": ["*.co.uk X-Key: hush"]},
        {"headers": ["ftp://a.test X-Key: hush"]},
        {"logins": ["a.test hush"]},
        {"logins": ["a.test me:***"]},
        {"logins": ["hush"]},
        {"cookies": "***"},
        {"cookies": "a.test\tTRUE\t/\thush"},
        {"cookies": "a.test\tYES\t/\tTRUE\t0\tname\thush"},
    ],
)
def test_what_makes_no_sense_is_refused_and_not_repeated(given: dict[str, object]) -> None:
    with pytest.raises(UsageError) as refusal:
        read_credentials(**given)  # type: ignore[arg-type]
    assert "hush" not in str(refusal.value)


def test_secrets_are_masked_when_settings_are_shown() -> None:
    assert masked_header("a.test X-Key: hush: hush") == "a.test X-Key: ***"
    assert masked_header("a.test:80 X-Key:hush: hush") == "a.test:80 X-Key: ***"
    assert masked_header("hush") == "***"
    assert masked_login("a.test me:hush") == "a.test me:***"
    assert "hush" not in repr(read_credentials(["a.test X: hush"], ["a.test me:hush"], COOKIES))
