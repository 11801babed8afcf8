"""The names derived from a URL: host, origin, key, site, shape."""

import random
import subprocess
import sys

import pytest
import tldextract
from hypothesis import example, given

from tests.urls.anything import ANYTHING
from thresher import urls


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
    for name_of in (urls.host_of, urls.origin_of, urls.key_of, urls.site_of, urls.shape_of, urls.kind_of, urls.shown):
        assert isinstance(name_of(url), str)


def test_importing_urls_loads_no_suffix_list() -> None:
    code = "import sys, thresher.urls; assert not {'tldextract', 'requests'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://example.com/", "/"),
        ("https://example.com/tag/old-boats/feed?page=2", "/tag/*/feed?page"),
        ("https://example.com/comment/19/publish/", "/comment/#/publish/"),
        ("https://example.com/author/ada.html", "/author/*.html"),
        ("https://example.com/index.php?do=diff&id=a:b", "/index.php?do&id"),
        ("https://example.com/2024/06/the-ferry/", "/#/#/*/"),
        ("https://example.com/archive2", "/archive#"),
        ("https://example.com/%E6%B1%82/topic-12/", "/*/*/"),
    ],
)
def test_links_of_one_kind_share_what_is_left_of_them(url: str, kind: str) -> None:
    assert urls.kind_of(url) == kind
