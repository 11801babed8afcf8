"""A password in a URL is never shown, however odd it is."""

import pytest

from thresher.urls.secrets import holds_hidden, masked, masked_text, split_login

ODD = ["p/a", "p#a", "p[a", "p]a", "p@a", "p?a", "p:a", "p a", "12/34", "p?b=c", "p%2Fa", "ä'\"", "***x", "[::1]"]
FORMS = [
    "postgresql://me:{}@db/corpus",
    "redis://:{}@queue:6379/0",
    "http://me:{}@proxy:3128",
    "redis://queue/0?password={}",
]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("", ""),
        ("postgresql://me:hush@db/corpus", "postgresql://me:***@db/corpus"),
        ("postgresql://me@db/corpus", "postgresql://me@db/corpus"),
        ("postgresql://db/corpus?user=me&password=hush", "postgresql://db/corpus?user=me&password=***"),
        ("postgresql://db/corpus?Password=hush&sslmode=off", "postgresql://db/corpus?Password=***&sslmode=off"),
        ("redis://:hush@queue:6379/0", "redis://:***@queue:6379/0"),
        ("redis://hush@queue:6379/0", "redis://***@queue:6379/0"),
        ("redis://queue:6379/0?password=hush", "redis://queue:6379/0?password=***"),
        ("redis://[::1]:6379/0", "redis://[::1]:6379/0"),
        ("unix:///run/redis.sock?db=1&password=hush", "unix:///run/redis.sock?db=1&password=***"),
        ("http://me:hush@proxy:3128", "http://me:***@proxy:3128"),
        ("sqlite:////data/me@home#1/corpus.db", "sqlite:////data/me@home#1/corpus.db"),
        ("hush", "***"),
        ("redis://:hush", "redis://***"),
        ("redis://:1234", "redis://***"),
        ("redis://me:hush", "redis://***"),
    ],
)
def test_a_url_of_a_server_is_shown_without_its_password(url: str, shown: str) -> None:
    assert masked(url) == shown


@pytest.mark.parametrize("password", ODD)
@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_left_of_an_odd_password(form: str, password: str) -> None:
    secret = f"hush{password}hush"
    assert "hush" not in masked(form.format(secret))
    assert "***" in masked(form.format(secret))


@pytest.mark.parametrize("password", [password for password in ODD if " " not in password])
@pytest.mark.parametrize("form", FORMS)
def test_nor_in_a_message_that_repeats_the_url(form: str, password: str) -> None:
    shown = masked_text(f"the server at {form.format(f'hush{password}hush')} is away")
    assert "hush" not in shown
    assert "***" in shown


@pytest.mark.parametrize("password", ["/", "#", "@", "?"])
def test_a_password_that_libraries_would_cut_in_two_makes_no_url(password: str) -> None:
    assert split_login(f"postgresql://me:a{password}b@db/corpus") is None


def test_addresses_of_the_web_stay_readable_in_messages() -> None:
    for url in ("https://example.org/@ada/post?q=1#top", "http://127.0.0.1:8000/a", "https://example.org"):
        assert masked_text(f"{url}: timeout") == f"{url}: timeout"
    assert masked_text("see http://me:hush@example.org/a?password=hush") == "see http://***@example.org/a?password=***"


def test_a_masked_password_is_recognised() -> None:
    assert holds_hidden("redis://:***@queue/0")
    assert holds_hidden("redis://queue/0?password=***")
    assert not holds_hidden("redis://:hush@queue/0")
