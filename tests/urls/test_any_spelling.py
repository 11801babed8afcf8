"""The canonical form of any URL, and of what is none."""

import random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from w3lib.url import safe_url_string

from tests.urls.anything import ANYTHING
from thresher import urls
from thresher.errors import UsageError
from thresher.urls.noise import NOISE_NAMES, NOISE_PREFIXES


@settings(max_examples=1_500)
@given(ANYTHING, st.one_of(st.none(), st.just("https://example.com/a/b?c"), ANYTHING))
@example("http://h/%%341", None)
@example("http://h/..;jsessionid=1", None)
def test_any_string_gives_a_stable_url_or_a_refusal(url: str, base: str | None) -> None:
    try:
        result = urls.canonical(url, base)
    except UsageError:
        return
    assert urls.canonical(result) == result
    assert urls.canonical("/./" + result[len(urls.origin_of(result)) + 1 :], result) == result
    assert result.isascii()
    assert len(result) <= urls.MAX_LENGTH
    assert "#" not in result
    assert result == f"{urls.origin_of(result)}{result[len(urls.origin_of(result)) :]}"
    assert urls.host_of(result)
    assert safe_url_string(result) == result, "the fetcher would ask for another URL"


SEGMENT = st.text("abcXYZ019-._~!$'()*+,=:@é中 %", min_size=1, max_size=8).filter(lambda s: s.strip(" .") == s)
PARAMETER = st.tuples(st.sampled_from(["id", "page", "q", "ref"]), st.text("abc019-_é+/?:@", max_size=6))


@st.composite
def parts(draw: st.DrawFn) -> tuple[str, str, list[str], list[str]]:
    scheme = draw(st.sampled_from(["http", "https"]))
    host = draw(
        st.sampled_from(["example.com", "a-b.example.co.uk", "bücher.example", "localhost", "10.0.0.1", "[::1]"])
    )
    path = draw(st.lists(SEGMENT, max_size=4))
    query = [f"{name}={value}" for name, value in draw(st.lists(PARAMETER, max_size=3))]
    return scheme, host, path, query


def spelled(scheme: str, host: str, path: list[str], query: list[str]) -> str:
    return f"{scheme}://{host}/{'/'.join(path)}{'?' if query else ''}{'&'.join(query)}"


def otherwise(text: str, rng: random.Random) -> str:
    """Spell the same text differently: letters encoded, encodings in lower case, tabs strewn in."""
    out = []
    for char in text:
        encoded = "".join(f"%{byte:02{rng.choice('xX')}}" for byte in char.encode())
        may_encode = char.isalnum() or char in "-_~."
        out.append(encoded if may_encode and rng.random() < 0.3 else char)
        out.append(rng.choice("\t\n\r") if rng.random() < 0.1 else "")
    return "".join(out)


@settings(max_examples=400)
@given(parts(), st.randoms(use_true_random=False))
def test_equivalent_spellings_are_equal(pieces: tuple[str, str, list[str], list[str]], rng: random.Random) -> None:
    scheme, host, path, query = pieces
    assume("%" not in "".join(path))
    varied_host = "".join(rng.choice((char.upper(), char.lower())) for char in host)
    port = rng.choice(("", ":", ":80" if scheme == "http" else ":443"))
    varied_path = []
    for segment in path:
        varied_path += rng.choice(([], ["."], ["%2e"], ["x", ".."], ["y", "%2E."]))
        varied_path.append(otherwise(segment, rng))
    varied_query = [rng.choice(("", "utm_medium=x", "gclid=1", "PHPSESSID=9"))]
    for parameter in query:
        varied_query += [otherwise(parameter, rng), rng.choice(("", "utm_source=x"))]
    other = spelled(scheme.upper(), varied_host + port, varied_path, varied_query)
    other = rng.choice(("", " ", "\n")) + other.replace("/", rng.choice("/\\"), 2) + rng.choice(("", "#", "#a?b/c"))
    assert urls.canonical(other) == urls.canonical(spelled(scheme, host, path, query))


@settings(max_examples=300)
@given(parts(), parts())
def test_different_resources_stay_different(
    one: tuple[str, str, list[str], list[str]], two: tuple[str, str, list[str], list[str]]
) -> None:
    assume(one != two and "%" not in "".join(one[2] + two[2]))
    assert urls.canonical(spelled(*one)) != urls.canonical(spelled(*two))


@given(st.sampled_from(sorted(NOISE_NAMES)), st.sampled_from(NOISE_PREFIXES), st.text("abc019", max_size=9))
def test_noise_goes_wherever_it_stands(name: str, prefix: str, value: str) -> None:
    url = f"http://h/?{name}={value}&id=7&{prefix}x={value}&{name.upper()}"
    assert urls.canonical(url) == "http://h/?id=7"


def test_noise_is_listed_in_lower_case() -> None:
    assert all(name == name.lower() for name in (*NOISE_NAMES, *NOISE_PREFIXES))


@given(
    st.lists(st.sampled_from([*"/?&=.:;%#a1-_~ é", "..", "./", "//", "utm_a=", "%2F", "%2e", "page"]), max_size=8),
    st.sampled_from(["http://h/a/b?c=d", "https://h/", "http://h/a/", "http://h:8080"]),
)
def test_a_plain_reference_is_resolved_as_any_other(pieces: list[str], base: str) -> None:
    reference = "".join(pieces).partition("#")[0].strip()
    try:
        long_way = urls.canonical(reference + "#", base)
    except UsageError:
        with pytest.raises(UsageError):
            urls.canonical(reference, base)
    else:
        assert urls.canonical(reference, base) == long_way
