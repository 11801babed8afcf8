"""The rules of a robots.txt: read as RFC 9309 says, in proportion to its size, whatever it holds."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from protego import Protego

from thresher.model import robots
from thresher.model.robots import (
    MAX_BYTES,
    MAX_RULES,
    MAX_WILDCARDS,
    RobotsRules,
    read_rules,
    rules_from_bytes,
)


def rules(text: str, name: str = "thresher") -> RobotsRules:
    found = read_rules(text.encode(), name)
    assert found
    return found


def permits(text: str, path: str) -> bool:
    return rules(text).permits(f"http://a.test{path}")


@pytest.mark.parametrize(
    ("rule", "path", "allowed"),
    [
        ("/no", "/no/thing", False),
        ("/no", "/nothing", False),
        ("/no", "/yes/no", True),
        ("no", "/no", True),
        ("", "/", True),
        ("/", "/", False),
        ("*", "/", False),
        ("*/no", "/a/no", False),
        ("/a*b*c", "/a-b-c-d", False),
        ("/a*b*c", "/a-c-b", True),
        ("/*.pdf$", "/a.pdf", False),
        ("/*.pdf$", "/a.pdf?b", True),
        ("/*.pdf$", "/.pdf.pdf", False),
        ("/a$", "/a", False),
        ("/a$", "/ab", True),
        ("/a$b", "/a$b", False),
        ("/a*$", "/abc", False),
        ("/a***b", "/ab", False),
        ("/%7Eann/", "/~ann/x", False),
        ("/~ann/", "/%7Eann/x", False),
        ("/a%2fb", "/a%2Fb", False),
        ("/a%2fb", "/a/b", True),
        ("/%2A", "/*", False),
        ("/%2A", "/anything", True),
        ("/ü", "/%C3%BC", False),
        ("/?q=", "/?q=1", False),
    ],
)
def test_a_rule_matches_what_it_says(rule: str, path: str, allowed: bool) -> None:
    assert permits(f"User-agent: *\nDisallow: {rule}", path) is allowed


@pytest.mark.parametrize(
    ("first", "second", "allowed"),
    [
        ("Disallow: /a", "Allow: /a/b", True),
        ("Allow: /a/b", "Disallow: /a", True),
        ("Allow: /a/b", "Disallow: /a/b", True),
        ("Disallow: /a/b", "Allow: /a/b", True),
        ("Disallow: /*/b", "Allow: /a/", False),
        ("Disallow: /*b", "Allow: /a/", True),
        ("Disallow: /a/", "Allow: /*b", True),
        ("Disallow: /a*b", "Allow: /a/b", True),
        ("Allow: /", "Disallow: /*", False),
    ],
)
def test_the_longest_rule_decides_and_of_equals_the_one_that_allows(first: str, second: str, allowed: bool) -> None:
    assert permits(f"User-agent: *\n{first}\n{second}", "/a/b") is allowed


def test_all_groups_that_name_us_are_merged_and_no_others_count() -> None:
    text = (
        "User-agent: other\nUser-agent: Thresher/2.0\nDisallow: /one\nCrawl-delay: 2\n\n"
        "User-agent: *\nDisallow: /\n\n"
        "Sitemap: http://a.test/map\n"
        "User-agent: THRESHER\nSitemap: http://a.test/more\nUser-agent: another\nUnknown: x\nDisallow: /two\n\n"
        "User-agent: thresher-news\nDisallow: /three\nCrawl-delay: 9"
    )
    assert [permits(text, path) for path in ("/one", "/two", "/three")] == [False, False, True]
    assert rules(text).crawl_delay_s == 2.0
    assert not rules(text, "somebody").permits("http://a.test/three")


def test_a_group_of_ours_without_rules_permits_everything() -> None:
    assert permits("User-agent: thresher\nDisallow:\n\nUser-agent: *\nDisallow: /", "/a")


@pytest.mark.parametrize("text", ["useragent: *\rdisalow /no", "USER-AGENT : *\r\nDISALLOW : /no # not there"])
def test_common_slips_are_understood(text: str) -> None:
    assert not permits(text, "/no")


@pytest.mark.parametrize("value", ["", "soon", "-1", "nan", "inf", "1e999", "9" * 100_000])
def test_a_delay_that_is_no_number_of_seconds_is_passed_over(value: str) -> None:
    delay_s = rules(f"User-agent: *\nCrawl-delay: {value}").crawl_delay_s
    assert delay_s is None or 0 <= delay_s < 1e21


def test_only_the_rules_for_us_are_kept_of_many_agents_with_many_rules() -> None:
    agents = "".join(f"User-agent: a{number}\n" for number in range(2_000))
    found = rules(agents + "User-agent: *\n" + "".join(f"Disallow: /{number}\n" for number in range(2_000)))
    assert len(found.plain) == 2_000
    assert len(found.to_bytes()) < 50_000
    theirs = rules(agents + "".join(f"Disallow: /{number}\n" for number in range(20_000)))
    assert (theirs.plain, theirs.starred) == ({}, ())


def test_a_group_that_names_us_many_times_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    monkeypatch.setattr(robots._Group, "add", lambda self, value, allows: taken.append(value))
    rules("User-agent: *\nUser-agent: thresher\n" * 1_000 + "Disallow: /no")
    assert taken == ["/no", "/no"]


@pytest.mark.parametrize(
    "lines",
    [
        [f"Disallow: /{number}" for number in range(MAX_RULES + 1)],
        [f"Disallow: /{number}$" for number in range(MAX_WILDCARDS + 1)],
        [f"Disallow: /{number}{'*a' * 50}" for number in range(MAX_WILDCARDS // 50 + 1)],
    ],
)
def test_more_rules_than_any_honest_site_has_are_not_read(lines: list[str]) -> None:
    assert read_rules("\n".join(["User-agent: *", *lines]).encode(), "thresher") is None
    assert read_rules("\n".join(["User-agent: *", *lines[:-1]]).encode(), "thresher") is not None
    assert read_rules("\n".join(["User-agent: other", *lines]).encode(), "thresher") == RobotsRules()


def test_what_stands_beyond_the_limit_is_not_read() -> None:
    assert permits("User-agent: *\n" + "#" * MAX_BYTES + "\nDisallow: /", "/")


def test_rules_pass_between_processes() -> None:
    found = rules("User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.pdf$\nCrawl-delay: 2")
    assert rules_from_bytes(found.to_bytes()) == found
    assert rules_from_bytes(b"") is None


@given(st.binary(max_size=300), st.text(max_size=50))
def test_any_file_gives_rules_and_any_url_an_answer(body: bytes, path: str) -> None:
    found = read_rules(body, "thresher")
    assert found
    assert found.permits(f"http://a.test/{path}") in (True, False)


RULE = st.text(alphabet="ab/*", max_size=6).map(lambda text: f"/{text}")
LINE = st.tuples(st.sampled_from(["Allow", "Disallow"]), RULE, st.sampled_from(["", "$"]))
AGENT = st.sampled_from(["*", "thresher", "other"])


@given(st.lists(st.tuples(AGENT, st.lists(LINE, max_size=5)), max_size=4), st.text(alphabet="ab/", max_size=8))
@example([("*", [("Disallow", "/a*", ""), ("Allow", "/a", "$")])], "a")
@example([("*", [("Allow", "/", ""), ("Allow", "/a", ""), ("Disallow", "/", "$")])], "")
def test_an_independent_reader_agrees(groups: list[tuple[str, list[tuple[str, str, str]]]], path: str) -> None:
    lines = []
    for agent, entries in groups:
        lines += [f"User-agent: {agent}", *(f"{field}: {rule}{end}" for field, rule, end in entries), "Disallow:"]
    text = "\n".join(lines)
    url = f"http://a.test/{path}"
    # That reader counts several stars as longer than one, and every $ as a literal one as well.
    plain = text.replace("**", "*").replace("**", "*").replace("**", "*")
    assert rules(plain).permits(url) is Protego.parse(plain).can_fetch(url, "thresher")
