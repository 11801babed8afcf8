"""The canonical form of a URL, spelling by spelling."""

from urllib.parse import urljoin

import pytest

from thresher import urls
from thresher.errors import UsageError

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
    ("http://@example.com/", "http://example.com/"),
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
    ("http://[::FFFF:7f00:1]/", "http://[::ffff:7f00:1]/"),
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


def test_hostile_lengths_are_refused_or_read() -> None:
    long = ("http://h/" + "../" * 33_000, "http://" + "a." * 50_000, "http://h/?" + "&" * 100_000, "%" * 100_000)
    names = ("http://" + "xn--" * 4_000, "http://" + "é." * 500, "http://[" + ":" * 16_000, "http://" + "0." * 8_000)
    users = ("http://" + "a@" * 8_000 + "h", "http://" + "9" * 16_000, "http://h:" + "9" * 16_000)
    for url in (*long, *names, *users, "http://h/" + "a/" * 5_000, "http://h/" + "%" * 16_000):
        with pytest.raises(UsageError):
            urls.canonical(url)
    for url in ("http://h/" + "../" * 5_000, "http://h/?" + "&" * 16_000, "http://h/#" + "a" * 100_000):
        assert urls.canonical(url) == "http://h/"


@pytest.mark.parametrize("encoding", ["no-such-codec", "idna", "hex", "rot13", "undefined", "iso2022_kr", ""])
def test_a_query_in_an_encoding_that_cannot_be_is_sent_as_utf8(encoding: str) -> None:
    assert urls.canonical("http://h/?q=\u20ac中\ud800", encoding=encoding).startswith("http://h/?q=%")
