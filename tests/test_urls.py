"""The canonical form of a URL and the names derived from it."""

import random
import subprocess
import sys
import time
from contextlib import suppress
from urllib.parse import urljoin

import pytest
import tldextract
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from w3lib.url import safe_url_string

from thresher import urls
from thresher.errors import UsageError
from thresher.urls.noise import NOISE_NAMES, NOISE_PREFIXES

SAME = [
    ("HTTP://Example.COM/Path", "http://example.com/Path"),
    ("https://example.com", "https://example.com/"),
    ("https://example.com?", "https://example.com/"),
    ("https://example.com?a=1", "https://example.com/?a=1"),
    ("http://example.com:80/", "http://example.com/"),
    ("https://example.com:443/", "https://example.com/"),
    ("http://example.com:/", "http://example.com/"),
    ("http://example.com:0008080/", "http://example.com:8080/"),
    ("http://example.com:443/", "http://example.com:443/"),
    ("http://example.com./", "http://example.com/"),
    ("http://ex%61mple.com/", "http://example.com/"),
    ("http://example。com/", "http://example.com/"),
    # dot segments
    ("http://h/a/./b/../c", "http://h/a/c"),
    ("http://h/a/%2e%2E/c", "http://h/c"),
    ("http://h/../../c", "http://h/c"),
    ("http://h/a/..", "http://h/"),
    ("http://h/a/b/.", "http://h/a/b/"),
    ("http://h/a//../b", "http://h/a/b"),
    ("http://h/...", "http://h/..."),
    ("http://h/.hidden", "http://h/.hidden"),
    ("http://h/a//b", "http://h/a//b"),
    # percent-encoding
    ("http://h/%7euser/%41", "http://h/~user/A"),
    ("http://h/a%2fb%3f", "http://h/a%2Fb%3F"),
    ("http://h/中文", "http://h/%E4%B8%AD%E6%96%87"),
    ("http://h/%d6%d0?q=%d6%d0", "http://h/%D6%D0?q=%D6%D0"),
    ("http://h/100%", "http://h/100%25"),
    ("http://h/%zz%4", "http://h/%25zz%254"),
    ("http://h/%%341", "http://h/%2541"),
    ('http://h/a b"<>^`{|}', "http://h/a%20b%22%3C%3E%5E%60%7B%7C%7D"),
    ("http://h/?a[]=1", "http://h/?a%5B%5D=1"),
    ("http://h/it's?it's", "http://h/it's?it%27s"),
    ("http://h/?q=a+b c", "http://h/?q=a+b%20c"),
    ("http://h/\x00\x1f\x7f", "http://h/%00%1F%7F"),
    ("http://h/\ud800", "http://h/%EF%BF%BD"),
    # fragments, blanks, backslashes
    ("http://h/a#b", "http://h/a"),
    ("http://h/#!/a?b", "http://h/"),
    ("  \n http://h/a \t\x00", "http://h/a"),
    ("ht\ntp://h\t/a\r\nb", "http://h/ab"),
    ("http:\\\\h\\a\\b?c\\d", "http://h/a/b?c%5Cd"),
    ("http:///h/a", "http://h/a"),
    ("http:h/a", "http://h/a"),
    # names and addresses
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
    ("http://XN--BCHER-KVA.example/", "http://xn--bcher-kva.example/"),
    ("http://中国.cn/", "http://xn--fiqs8s.cn/"),
    ("http://faß.de/", "http://xn--fa-hia.de/"),
    ("http://💩.la/", "http://xn--ls8h.la/"),
    ("http://xn--ls8h.la/", "http://xn--ls8h.la/"),
    ("http://under_score.example/", "http://under_score.example/"),
    ("http://r3---sn-ab.example/", "http://r3---sn-ab.example/"),
    ("http://127.1/", "http://127.0.0.1/"),
    ("http://0x7F.0.0.0x1./", "http://127.0.0.1/"),
    ("http://0177.0.0.01/", "http://127.0.0.1/"),
    ("http://2130706433/", "http://127.0.0.1/"),
    ("http://１２７.0.0.1/", "http://127.0.0.1/"),
    ("http://[0:0::0:1]:80/", "http://[::1]/"),
    ("http://[::FFFF:7f00:1]/", "http://[::ffff:127.0.0.1]/"),
    # tracking and session parameters
    ("http://h/?utm_source=a&id=1&UTM_Medium=b", "http://h/?id=1"),
    ("http://h/?gclid=1&fbclid=2", "http://h/"),
    ("http://h/?amp;utm_source=a&id=1", "http://h/?id=1"),
    ("http://h/?%75tm_source=a", "http://h/"),
    ("http://h/?spm=a2h0c.8166622.1.dtitle&id=1", "http://h/?id=1"),
    ("http://h/?spm=5", "http://h/?spm=5"),
    ("http://h/?PHPSESSID=abc&t=5", "http://h/?t=5"),
    ("http://h/a.jsp;jsessionid=1A2B.node?x=1", "http://h/a.jsp?x=1"),
    ("http://h/a;v=1;JSESSIONID=1A/b", "http://h/a;v=1/b"),
    ("http://h/;jsessionid=1", "http://h/"),
    ("http://h/a/..;jsessionid=1/b", "http://h/a/..;jsessionid=1/b"),
    ("http://h/t.php?s=0123456789abcdef0123456789abcdef&t=5", "http://h/t.php?t=5"),
    ("http://h/?s=thresher", "http://h/?s=thresher"),
    ("http://h/?sid=12345", "http://h/?sid=12345"),
    ("http://h/?sid=d41d8cd98f00b204e9800998ecf8427e", "http://h/"),
    ("http://h/?sid=20261115083000123456789", "http://h/?sid=20261115083000123456789"),
    ("http://h/?a=1&&b=2&", "http://h/?a=1&b=2"),
    ("http://h/?&", "http://h/"),
    ("http://h/?b=2&a=1&b=1", "http://h/?b=2&a=1&b=1"),
    ("http://h/?ref=a&from=b&source=c&page=2", "http://h/?ref=a&from=b&source=c&page=2"),
    ("http://h/?u=http://x/?y", "http://h/?u=http://x/?y"),
]


@pytest.mark.parametrize(("spelled", "meant"), SAME)
def test_each_spelling_has_its_canonical_form(spelled: str, meant: str) -> None:
    assert urls.canonical(spelled) == meant
    assert urls.canonical(meant) == meant


REFUSED = [
    "",
    " ",
    "#",
    "/relative",
    "example.com/x",
    "//example.com/",
    "ftp://example.com/",
    "javascript:alert(1)",
    "mailto:a@example.com",
    "data:text/html,x",
    "file:///etc/passwd",
    "http://",
    "http:///",
    "http://?x",
    "http://user@example.com/",
    "http://user:secret@example.com/",
    "http://@example.com/",
    "http://example.com%40evil.example/",
    "http://exa mple.com/",
    "http://exa\x01mple.com/",
    "http://a..b/",
    "http://.a/",
    "http://a../",
    "http://./",
    "http://%00/",
    "http://%ff.example/",
    "http://ex%2fample.com/",
    "http://example.com:0/",
    "http://example.com:65536/",
    "http://example.com:80a/",
    "http://example.com:-1/",
    "http://example.com:٣/",
    "http://a:1:2/",
    "http://[::1/",
    "http://[::1]x/",
    "http://[]/",
    "http://[::g]/",
    "http://[1:2:3]/",
    "http://[fe80::1%25eth0]/",
    "http://[::1]:99999/",
    "http://256.1.1.1/",
    "http://1.2.3.4.5/",
    "http://1.2.3.08/",
    "http://example.1/",
    "http://xn--/",
    "http://xn--a/",
    "http://xn--99999999/",
    "http://\u0301a.example/",
    "http://a\u00adb\ufffd.example/",
    "http://\ud800.example/",
    "http://" + "a" * 64 + ".example/",
    "http://" + "a." * 130 + "example/",
    "http://example.com/" + "a" * urls.MAX_LENGTH,
    "http://example.com/" + "中" * 400,
    "http://" + "é" * 5_000 + "/",
]


@pytest.mark.parametrize("url", REFUSED, ids=lambda url: ascii(url)[:40])
def test_what_is_no_http_url_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        urls.canonical(url)


# RFC 3986 §5.4, as browsers read it (fragments dropped, "http:g" relative).
RFC_EXAMPLES = """
    g g|./g g|g/ g/|/g /g|//g http://g/|?y d;p?y|g?y g?y|#s d;p?q|g#s g|g?y#s g?y|;x ;x|g;x g;x|. ./|./ ./
    .. ../|../g ../g
    ../.. ../../|../../g ../../g|../../../g ../../g|/./g /g|/../g /g|g. g.|..g ..g|./../g ../g|./g/. g/|g/./h g/h
    g/../h h|g;x=1/./y g;x=1/y|g;x=1/../y y|g?y/./x g?y/./x|http:g g
"""


def test_references_are_resolved_as_the_standard_shows() -> None:
    base = "http://a/b/c/d;p?q"
    for pair in RFC_EXAMPLES.replace("\n", "|").split("|"):
        if pair.strip():
            reference, meant = pair.split()
            assert urls.canonical(reference, base) == urls.canonical(urljoin(base, meant)), reference
    assert urls.canonical("", base) == base


def test_references_that_browsers_read_their_own_way() -> None:
    base = "https://h/a/b"
    assert urls.canonical("http:x/y", base) == "http://x/y"
    assert urls.canonical("https:x/y", base) == "https://h/a/x/y"
    assert urls.canonical("\\\\other\\x", base) == "https://other/x"
    assert urls.canonical("////other/x", base) == "https://other/x"
    assert urls.canonical("http://other/", "not a base") == "http://other/"
    with pytest.raises(UsageError):
        urls.canonical("x", "not a base")
    with pytest.raises(UsageError):
        urls.canonical("x", "http://user:secret@h/")


def test_a_query_is_sent_in_the_encoding_of_its_page() -> None:
    assert urls.canonical("http://h/中?q=中&r=a%E9", encoding="gb18030") == "http://h/%E4%B8%AD?q=%D6%D0&r=a%E9"
    assert urls.canonical("?q=中", "http://h/a", encoding="big5") == "http://h/a?q=%A4%A4"
    assert urls.canonical("http://h/?q=中é", encoding="cp1252") == "http://h/?q=%26%2320013%3B%E9"
    assert urls.canonical("http://h/?q=中", encoding="utf-16-le") == "http://h/?q=%E4%B8%AD"


def test_a_refusal_shows_no_password() -> None:
    for url in ("http://user:secret@h/", "ftp://user:secret@h/", "http:\\\\u:secret@h:99999", "http:u:x@secret@h"):
        with pytest.raises(UsageError) as refusal:
            urls.canonical(url)
        assert "secret" not in str(refusal.value)


def test_hostile_lengths_cost_next_to_nothing() -> None:
    hostile = ("http://h/" + "../" * 33_000, "http://" + "a." * 50_000, "http://h/?" + "&" * 100_000, "%" * 100_000)
    near = (
        "http://h/" + "../" * 5_000,
        "http://h/" + "a/" * 5_000,
        "http://h/?" + "&" * 16_000,
        "http://h/" + "%" * 16_000,
    )
    names = ("http://" + "xn--" * 4_000, "http://" + "é." * 500, "http://[" + ":" * 16_000, "http://" + "0." * 8_000)
    started = time.process_time()
    for url in (*hostile, *near, *names):
        with suppress(UsageError):
            urls.canonical(url)
    assert time.process_time() - started < 1


NASTY = st.sampled_from(
    [
        *("http:", "https:", "HTTP://", "ftp://", "/", "//", "\\", "?", "#", "&", "=", ";", ":", "@", "%", "%2", "%2e"),
        *(
            "..",
            ".",
            "%2E%2e",
            "%00",
            "%41",
            "%c3%a9",
            "%7E",
            "[",
            "]",
            "[::1]",
            "127.1",
            "0x7f",
            "xn--",
            "xn--bcher-kva",
        ),
        *(
            "example.com",
            "EXAMPLE",
            "é",
            "ß",
            "中",
            "。",
            "\u200d",
            "\u0301",
            "\ud800",
            "\t",
            "\n",
            "\x00",
            " ",
            "\x7f",
        ),
        *("utm_source=1", "sid=", "PHPSESSID=1", ";jsessionid=1", "a=1", ":80", ":443", ":99999", "a", "0", "-", "_"),
    ]
)
ANYTHING = st.one_of(
    st.text(max_size=60),
    st.lists(NASTY, max_size=14).map("".join),
    st.lists(st.one_of(NASTY, st.characters()), max_size=10).map(lambda parts: "http://h" + "".join(parts)),
    st.lists(st.one_of(NASTY, st.characters()), max_size=6).map(lambda parts: "http://" + "".join(parts) + "/"),
)


@settings(max_examples=1_500, deadline=None)
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


@settings(max_examples=400, deadline=None)
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


@settings(max_examples=300, deadline=None)
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


def test_names_derived_from_a_url() -> None:
    url = "https://example.com:8443/a?b"
    assert urls.host_of(url) == "example.com:8443"
    assert urls.origin_of(url) == "https://example.com:8443"
    assert urls.key_of(url) != urls.key_of("https://example.com:8443/a?c")
    assert len(urls.key_of(url)) == 32


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("www.example.com", "example.com"),
        ("example.com:8080", "example.com"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("me.github.io", "me.github.io"),
        ("a.me.blogspot.com", "me.blogspot.com"),
        ("www.ck", "www.ck"),
        ("a.b.ck", "a.b.ck"),
        ("x.a.b.ck", "a.b.ck"),
        ("co.uk", "co.uk"),
        ("foo.xn--55qx5d.cn", "foo.xn--55qx5d.cn"),
        ("www.xn--fiqs8s", "www.xn--fiqs8s"),
        ("host.nosuchsuffix", "host.nosuchsuffix"),
        ("localhost", "localhost"),
        ("localhost:8000", "localhost"),
        ("127.0.0.1:8000", "127.0.0.1"),
        ("[::1]:8000", "[::1]"),
    ],
)
def test_a_site_is_the_registrable_domain_or_the_host(host: str, site: str) -> None:
    assert urls.site_of(f"http://{host}/x") == site


def test_sites_agree_with_the_library_that_brings_the_list() -> None:
    reader = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
    rules = random.Random(7).sample(sorted(reader.tlds), 400)
    for rule in rules:
        host = urls.host_of(urls.canonical(f"http://a.b.{rule.removeprefix('!').replace('*', 'c')}/"))
        found = reader(host)
        expected = f"{found.domain}.{found.suffix}" if found.domain and found.suffix else host
        assert urls.site_of(f"http://{host}/") == expected


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("http://h/calendar/2026/11/15?view=day", "/calendar/#/#/#?view"),
        ("http://h/calendar/2026-11-15?view=day&a=1", "/calendar/#?a&view"),
        ("http://h/2026/nov/15-story", "/#/#/#-story"),
        ("http://h/15-Nov-2026", "/#"),
        ("http://h/thread-12-3-1.html", "/thread-#.html"),
        ("http://h/p/550e8400-e29b-41d4-a716-446655440000", "/p/#"),
        ("http://h/p/d41d8cd98f00b204", "/p/#"),
        ("http://h/p/x7Yb2mQ9kLw3Zt8v", "/p/#"),
        ("http://h/decade/marching", "/decade/marching"),
        ("http://h/%E4%B8%AD/7", "/%E4%B8%AD/#"),
        ("http://h/?p1=2&p2=3&q", "/?p#&q"),
        ("http://h/", "/"),
    ],
)
def test_pages_of_one_template_share_a_shape(url: str, shape: str) -> None:
    assert urls.shape_of(url) == shape


@given(ANYTHING)
@example("://.xn--\x80")
def test_names_of_any_string_are_given_without_complaint(url: str) -> None:
    for name_of in (urls.host_of, urls.origin_of, urls.key_of, urls.site_of, urls.shape_of, urls.shown):
        assert isinstance(name_of(url), str)


def test_importing_urls_loads_no_suffix_list_and_no_idna() -> None:
    code = "import sys, thresher.urls; assert not {'idna', 'tldextract', 'requests'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


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
