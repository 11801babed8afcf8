"""Which links a run may follow."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.discovery.scope import Mode, Scope
from thresher.errors import UsageError
from thresher.model import Link


def link(url: str, depth: int = 1, why: str = "page") -> Link:
    return Link(url, depth=depth, why=why)


@pytest.mark.parametrize(
    ("mode", "url", "reason"),
    [
        ("host", "https://www.example.com/a", None),
        ("host", "http://www.example.com/a", None),
        ("host", "https://example.com/a", "off-host"),
        ("host", "https://www.example.com:8443/a", "off-host"),
        ("host", "https://www.example.com.evil.example/", "off-host"),
        ("subdomains", "https://example.com/", None),
        ("subdomains", "https://blog.example.com/", None),
        ("subdomains", "https://a.b.example.com/", None),
        ("subdomains", "https://notexample.com/", "off-host"),
        ("subdomains", "https://blog.example.com:8443/", "off-host"),
        ("any", "https://elsewhere.example/", None),
    ],
)
def test_a_mode_says_which_hosts_are_covered(mode: Mode, url: str, reason: str | None) -> None:
    scope = Scope.around(["https://www.example.com/start"], mode=mode)
    assert scope.refuse(link(url)) == reason


def test_subdomains_keep_to_the_port_of_the_start() -> None:
    scope = Scope.around(["http://localhost:8000/"], mode="subdomains")
    assert scope.refuse(link("http://news.localhost:8000/")) is None
    assert scope.refuse(link("http://news.localhost:8001/")) == "off-host"


def test_patterns_are_searched_in_the_url() -> None:
    scope = Scope.around(["http://h/"], include=("/news/", r"\.html$"), exclude=(r"[?&]print=",))
    assert scope.refuse(link("http://h/news/1")) is None
    assert scope.refuse(link("http://h/a.html")) is None
    assert scope.refuse(link("http://h/a")) == "not-included"
    assert scope.refuse(link("http://h/news/1?print=1")) == "excluded"


def test_starts_and_their_redirects_pass_the_patterns() -> None:
    scope = Scope.around(["http://h/"], include=("/news/",), exclude=("^http://h/$",))
    assert scope.refuse(link("http://h/", depth=0, why="start")) is None
    assert scope.refuse(link("http://h/home", depth=0, why="redirect")) is None
    assert scope.refuse(link("http://h/", depth=1)) == "excluded"


def test_depth_is_counted_up_to_and_including_the_limit() -> None:
    scope = Scope.around(["http://h/"], max_depth=2)
    assert scope.refuse(link("http://h/a", depth=2)) is None
    assert scope.refuse(link("http://h/a", depth=3)) == "too-deep"


def test_a_redirect_of_the_start_widens_the_scope() -> None:
    scope = Scope.around(["https://example.com/"])
    wider = scope.widened("www.example.com")
    assert scope.refuse(link("https://www.example.com/a")) == "off-host"
    assert wider.refuse(link("https://www.example.com/a")) is None
    assert wider.refuse(link("https://example.com/a")) is None


@pytest.mark.parametrize("pattern", ["(", "[a", "*", "(?P<x"])
def test_a_bad_pattern_is_refused_at_once(pattern: str) -> None:
    with pytest.raises(UsageError, match="regular expression"):
        Scope.around(["http://h/"], exclude=(pattern,))


@pytest.mark.parametrize("data", [{"mode": "galaxy"}, {"colour": "red"}, {"hosts": 5}, {"hosts": [[]]}])
def test_data_of_another_form_is_no_scope(data: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Scope.from_json(data)


@given(
    st.frozensets(st.text(max_size=8), max_size=3),
    st.sampled_from(["host", "subdomains", "any"]),
    st.lists(st.sampled_from(["/a/", r"\d+", "x$"]), max_size=2),
    st.one_of(st.none(), st.integers(0, 99)),
)
def test_a_scope_survives_json(hosts: frozenset[str], mode: Mode, patterns: list[str], max_depth: int | None) -> None:
    scope = Scope(hosts, mode, include=tuple(patterns), exclude=tuple(patterns), max_depth=max_depth)
    assert Scope.from_json(json.loads(json.dumps(scope.as_json()))) == scope
