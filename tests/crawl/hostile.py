"""Sites that do everything wrong: traps that never end, and answers and links made to break a crawler."""

import gzip
import hashlib
import re
import time
from itertools import count

import brotli  # type: ignore[import-untyped]
import zstandard

from tests.fetch.loopback import Route, answer

SENTENCE = (
    "The ferry to the islands was late again on Tuesday, and the people stood in the rain for more than an hour. "
)
CHINESE = "开往群岛的渡轮星期二又晚点了，等船的人们在雨中站了一个多小时，公司表示将尽快购买一艘新船。"
BOMB = bytes(50_000_000)
LINKS = 100_000  # on one page
_TURN = count()


def page(body: str, title: str = "A list of links", **headers: str) -> bytes:
    """Write a page."""
    return answer(f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode(), **headers)


def article(title: str, text: str = SENTENCE, charset: str = "utf-8", **headers: str) -> bytes:
    """Write an article in a charset, whatever its headers say."""
    body = "".join(f"<p>{text * 2}</p>" for _ in range(6))
    markup = f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{body}</article></body></html>"
    return answer(markup.encode(charset), **headers)


def links(*hrefs: str) -> str:
    """Write a link to each."""
    return " ".join(f'<a href="{href}">link {number}</a>' for number, href in enumerate(hrefs))


def redirect(location: str) -> bytes:
    """Send the client elsewhere."""
    return answer(b"", "302 Found", location=location)


def trap(path: str) -> Route:
    """Answer any path of a site that never ends."""
    token = hashlib.md5(f"{path} {next(_TURN)}".encode()).hexdigest()
    number = int((re.findall("[0-9]+", path) or ["0"])[-1])
    if path.startswith("/calendar/"):
        year, month = (int(part) for part in path.split("/")[2:4])
        return page(links(*(f"/calendar/{year + (month + n) // 12}/{(month + n) % 12}" for n in range(1, 4))))
    if path.startswith("/deeper/"):
        return page(links(f"{_letters(token[:6])}/"))
    if path.startswith(("/shop", "/basket")):  # a session for every visitor, under names known and unknown
        return page(links(*(f"/shop?item={n}&PHPSESSID={token}" for n in range(3)), f"/basket/{token}?token={token}"))
    if path.startswith("/hop/"):
        return redirect(f"/hop/{number + 1}")
    if path.startswith("/sitemap/"):
        onward = f"<sitemap><loc>/sitemap/{number + 1}.xml</loc></sitemap>"
        return answer(f"<sitemapindex>{onward}</sitemapindex>".encode(), content_type="application/xml")
    if path.startswith("/feed/"):
        onward = f'<link rel="next" href="/feed/{number + 1}"/>'
        return answer(
            f'<feed xmlns="http://www.w3.org/2005/Atom">{onward}</feed>'.encode(), content_type="application/atom+xml"
        )
    if path.startswith("/refresh"):
        return page(f'<meta http-equiv="refresh" content="0;url=/refresh?turn={number + 1}">')
    if path.startswith("/words/"):  # no two pages are alike, in form or content
        return page(links(*(f"/words/{_letters(token[n:])}" for n in range(4))))
    return answer(b"none", "404 Not Found")


TRAPS = {
    "/": page(
        links(
            "/calendar/2026/1",
            "/deeper/",
            "/shop?item=0",
            "/hop/0",
            "/feed/0",
            "/refresh",
            "/loop/a",
            "/self",
            "/article",
        )
    ),
    "/loop/a": redirect("/loop/b"),
    "/loop/b": redirect("/loop/a"),
    "/self": redirect("/self?PHPSESSID=d41d8cd98f00b204e9800998ecf8427e"),
    "/article": article("The ferry is late again"),
}
WRONG: dict[str, tuple[Route, str]] = {  # what is sent, and what becomes of it
    "/gzip-bomb": (answer(gzip.compress(BOMB), content_encoding="gzip"), "too-large"),
    "/br-bomb": (answer(brotli.compress(BOMB, quality=5), content_encoding="br"), "too-large"),
    "/zstd-bomb": (answer(zstandard.compress(BOMB), content_encoding="zstd"), "too-large"),
    "/zstd-parts": (answer(zstandard.compress(b"") * 100_000, content_encoding="zstd"), "bad-encoding"),
    "/status": (answer(b"hi", "99999999999999999999 OK"), "bad-answer"),
    "/short": (answer(b"<p>short", content_length="90000"), "timeout"),
    "/silent": (lambda connection: time.sleep(60), "timeout"),
    "/to-script": (redirect("javascript:alert(1)"), "bad-redirect"),
    "/to-file": (redirect("file:///etc/passwd"), "bad-redirect"),
    "/to-user": (redirect("http://ann:s3cret@127.0.0.1/"), "bad-redirect"),
    "/to-nowhere": (redirect("http://[::1"), "bad-redirect"),
    "/to-very-long": (redirect("/" + "x" * 15_000), "bad-redirect"),
}
RIGHT: dict[str, Route] = {
    "/says-utf-8-is-gbk": article("渡轮又晚点了", CHINESE, "gbk", content_type="text/html; charset=utf-8"),
    "/says-latin-1-is-utf-8": article("渡轮还是晚点了", CHINESE, content_type="text/html; charset=iso-8859-1"),
    "/says-nonsense": article("The ferry is on time", content_type="text/html; charset=\x01\x7f☃"),
}
MANY_LINKS = page(" ".join(f"<a href=//o.test/{n}>" for n in range(LINKS)))
BAD_LINKS = {  # what a page links to, and why it is not followed; None: it is passed over
    "http://" + "a" * 100_000 + ".test/": "bad-url",
    "/" + "x" * 100_000: "bad-url",
    "/" + "x" * 1_500: "too-long",
    "http://ann:s3cret@127.0.0.1/": "bad-url",
    "http://exa\x01mple.test/": "bad-url",
    "http://xn--/": "bad-url",
    "http://127.0.0.1:99999/": "bad-url",
    "/a/b/a/b/a/b/a/b/": "trap-repeating",
    "/" + "/".join("abcdefghijklmnopqrstuvwxyz"): "trap-path-depth",
    "/?" + "&".join(f"p{n}={n}" for n in range(40)): "trap-parameters",
    "http://bücher.test/": "off-host",
    "http://2130706433:1/": "off-host",
}


def same_page(origin: str) -> list[str]:
    """Spell one address in many ways."""
    host = origin.partition("//")[2]
    spellings = [
        "/same",
        "/same#top",
        "/a/../same",
        "/./same",
        "/%73ame",
        "/%2e%2e/same",
        "\\same",
        "/same?",
        " /same\t",
    ]
    spellings += ["/same?utm_source=a", "/same?fbclid=1&gclid=2", "/same;jsessionid=1A2B", "/sa\nme"]
    return [*spellings, f"HTTP://{host}/same", f"//{host}/same", f"http://{host.replace('127.0.0.1', '127.1')}/same"]


def front_page(origin: str) -> bytes:
    """Link to everything that the site does wrong, and to what it does right."""
    bad = [href.replace("\x01", "&#1;") for href in BAD_LINKS]
    return page(
        links("/many-links", *WRONG, *RIGHT, *same_page(origin), *bad, "mailto:ann@o.test", "javascript:void(0)")
    )


def _letters(digits: str) -> str:
    return re.sub("[0-9]", lambda digit: chr(ord("g") + int(digit[0])), digits)
