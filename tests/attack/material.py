"""What hostile hosts send: robots.txt files, answers, pages, feeds and titles, each with what may become of it."""

import gzip
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from tests.crawl.hostile import SENTENCE, TRAPS, WRONG, article, links, page, redirect, trap
from tests.fetch.loopback import Behaviour, Route, answer

STORED = frozenset({"stored"})
ANY: frozenset[str] = frozenset()  # whatever becomes of it, as long as something does
HONEST = 3  # articles on every host
SLOW = ("/short", "/silent")  # of hostile.WRONG: they last until our patience is over
NO_DATES = (
    "Mon, 01 Jan 2024 00:00:00 +99999999999999",
    "Mon, 01 Jan 2024 00:00:00 -99999999999999",
    "Fri, 31 Dec 9999 23:59:59 -2359",
    "Mon, 01 Jan 0001 00:00:00 +2359",
    "Mon, 99 Foo 99999 99:99:99 GMT",
    "-1",
    "1e400",
    "٣٣٣",
    "nan",
    "=" * 60_000,
)
CONTROLS = "\x1b]0;owned\x07\x1b[31m\x9b2J\u202e\u2066\u200f"
FORMULAS = ('=HYPERLINK("http://x.test","click")', "+1+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "@SUM(1+1)*cmd")
ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha" * 50}">' for n in range(12))
LAUGHS = f"<!DOCTYPE feed [{ENTITIES}]>"
DIGITS = "7" * 5_000


@dataclass(frozen=True)
class Host:
    """A host of its own that tries one thing, with honest articles among what it sends."""

    attack: str
    expected: str
    pages: Mapping[str, tuple[Route, frozenset[str]]] = field(default_factory=dict)  # and the reasons that are right
    robots: Callable[[str], Route] | None = None  # of its origin and of the address that is forbidden
    hrefs: tuple[str, ...] = ()  # that its front page links to besides
    otherwise: Callable[[str], Route] | None = None

    def routes(self, origin: str, forbidden: str) -> dict[str, Route]:
        """Return what the host answers by path, its front page included."""
        routes = {path: _with(route, origin, forbidden) for path, (route, _) in self.pages.items()} | honest()
        routes["/"] = page(links(*routes, *self.hrefs), self.attack)
        if self.robots:
            routes["/robots.txt"] = _with(self.robots(origin), origin, forbidden)
        return routes


def honest() -> dict[str, Route]:
    """Return articles that nothing is wrong with."""
    return {
        f"/honest/{word}": article(f"The ferry is late again, {word} time") for word in ("first", "second", "third")
    }


def poisoned(inside: str = "", *, head: str = "", title: str = "The ferry carries something") -> bytes:
    """Write an article that holds something bad; lone surrogates become what UTF-8 does not know."""
    body = "".join(f"<p>{SENTENCE * 2}</p>" for _ in range(6))
    whole = f"<html><head><title>{title}</title>{head}</head><body><article><h1>{title}</h1>{body}{inside}</article>"
    return answer(whole.encode("utf-8", "surrogatepass"), content_type="text/html; charset=utf-8")


def closing(data: bytes) -> Behaviour:
    """Send something and hang up."""

    def send(connection: socket.socket) -> None:
        connection.sendall(data)

    return send


def endless(head: bytes, piece: bytes) -> Behaviour:
    """Send something, and then something else until the client hangs up."""

    def send(connection: socket.socket) -> None:
        with suppress(OSError):
            connection.sendall(head)
            while True:
                connection.sendall(piece)

    return send


def drip(connection: socket.socket) -> None:
    """Send a page so slowly that it never ends."""
    with suppress(OSError):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while True:
            connection.sendall(b"<p>")
            time.sleep(0.5)


def hosts(*, short: bool) -> list[Host]:
    """Return every host that one crawl can meet and end by itself."""
    found = [*_robots(), _headers(), _bodies(short=short), _links(), _addresses_in_text()]
    return [*found, _markup(short=short), _metadata(), _feeds(short=short), _titles(), _traps()]


def _robots() -> list[Host]:
    agents = "".join(f"User-agent: a{number}\n" for number in range(2_000))
    rules = "".join(f"Disallow: /{number}\n" for number in range(2_000))
    long_rules = "".join(f"Disallow: /{number:050}\n" for number in range(8_000))
    stars = "User-agent: *\nDisallow: /" + "*a" * 500 + "$\n"
    sitemaps = ("http://-1.1.1.1/", "http://1_27.0.0.1/", "http://[::1", "http://a:b@h/", "http://h:99999/", "\x00", "")
    texts = {
        "2,000 agents × 2,000 rules": f"{agents}{rules}",
        "500 KB of rules": f"User-agent: *\n{long_rules}",
        "wildcards made to backtrack": stars,
        "Sitemap lines that are no URLs": "".join(f"Sitemap: {url}\n" for url in sitemaps),
        "Crawl-delay of 1e308, -1, nan, 5,000 digits": "".join(
            f"User-agent: *\nCrawl-delay: {value}\n" for value in ("1e308", "-1", "nan", DIGITS)
        ),
        "controls, NUL and UTF-16": f"{CONTROLS}\0User-agent\0:*\n\ufeffDisallow\x9b: /x\n" * 100,
    }
    answers = {
        f"Retry-After {value[:45]!r}": answer(b"", content_type="text/plain", retry_after=value)
        for value in NO_DATES[:4]
    }
    answers |= {
        name: answer(text.encode("utf-8", "replace"), content_type="text/plain") for name, text in texts.items()
    }
    answers |= {
        "a redirect to itself": redirect("/robots.txt"),
        "a redirect to http://-1.1.1.1/": redirect("http://-1.1.1.1/"),
    }
    return [
        Host(f"robots.txt: {name}", "its host's pages are stored", robots=_always(sent))
        for name, sent in answers.items()
    ]


def _always(route: Route) -> Callable[[str], Route]:
    return lambda _: route


def _headers() -> Host:
    """Headers that are many, long, doubled or full of controls; a page with them is stored or refused for a reason."""
    good = article("The ferry has odd headers").partition(b"\r\n\r\n")[2]
    sized = f"Content-Length: {len(good)}\r\n".encode()

    def heads(*lines: bytes) -> Behaviour:
        return closing(b"HTTP/1.1 200 OK\r\n" + b"".join(line + b"\r\n" for line in lines) + sized + b"\r\n" + good)

    html = b"Content-Type: text/html"
    sent: dict[str, Route] = {
        "many": heads(html, *(b"X-%d: y" % number for number in range(10_000))),
        "long": heads(html, b"X-Long: " + b"y" * 1_000_000),
        "controls": heads(b"Content-Type: text/html\x1b[31m\x9b2J; charset=\xe2\x80\xae\xe2\x81\xa6utf-8"),
        "type": heads(f"Content-Type: application/x{CONTROLS}".encode()),
        "folded": heads(html, b" and on", b"\tand on"),
        "nameless": heads(html, b": nothing", b"no colon at all", b"\x00: \x00"),
        "types": heads(html, b"Content-Type: application/pdf", b"Content-Type: \xff\xfe"),
        "endless": endless(b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"y" * 4_000 + b"\r\n"),
        "robots-tag": heads(html, b"X-Robots-Tag: " + b"a: " * 50_000),
        "modified": heads(html, b"Last-Modified: " + NO_DATES[0].encode(), b"ETag: " + b'"' * 60_000),
        "links": heads(html, b"Link: <http://-1.1.1.1/>; rel=next, " + b"<" * 50_000),
        "refresh": heads(html, b"Refresh: 0;url=http://-1.1.1.1/"),
        "cookies": heads(html, *(b"Set-Cookie: a%d=%s; Domain=.test" % (n, b"x" * 4_000) for n in range(300))),
    }
    sent |= {f"retry-{'abcdefghij'[n]}": answer(good, retry_after=value) for n, value in enumerate(NO_DATES)}
    return Host(
        "headers: 10,000, endless, 1 MB, folded, nameless, controls, absurd dates",
        "each page has a fate; honest ones are stored",
        {f"/head/{name}": (route, ANY) for name, route in sent.items()},
    )


def _bodies(*, short: bool) -> Host:
    """Bombs, floods and lengths that lie."""
    chunked = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    plain = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    nested = b"<p>bomb"
    for _ in range(40):
        nested = gzip.compress(nested)
    known = {
        path: (route, frozenset({reason})) for path, (route, reason) in WRONG.items() if not (short and path in SLOW)
    }
    sent: dict[str, Route] = {
        "chunks-endless": endless(chunked, b"fff\r\n" + b"x" * 0xFFF + b"\r\n"),
        "chunk-huge": closing(chunked + b"FFFFFFFFFFFFFFFFFF\r\nx"),
        "chunk-negative": closing(chunked + b"-5\r\nhello\r\n0\r\n\r\n"),
        "chunk-extension": closing(chunked + b"5;" + b"e" * 1_000_000 + b"\r\nhello\r\n0\r\n\r\n"),
        "chunk-trailers": closing(chunked + b"0\r\n" + b"X-T: y\r\n" * 50_000 + b"\r\n"),
        "body-endless": endless(plain + b"\r\n", b"<p>" * 4_000),
        "length-negative": closing(plain + b"Content-Length: -1\r\n\r\n<p>hello"),
        "length-huge": closing(plain + b"Content-Length: " + b"9" * 30 + b"\r\n\r\n<p>hello"),
        "lengths-two": closing(plain + b"Content-Length: 3\r\nContent-Length: 8\r\n\r\n<p>hello"),
        "length-cut": closing(plain + b"Content-Length: 9999\r\n\r\n<p>hello"),
        "gzip-nested": answer(nested, content_encoding=", ".join(["gzip"] * 40)),
        "gzip-lie": answer(b"<p>no gzip at all", content_encoding="gzip"),
        "encodings": answer(b"<p>x", content_encoding=",".join(["x"] * 20_000)),
        "nothing": closing(b""),
        "not-http": closing(b"SSH-2.0-OpenSSH_9.9\r\n" + b"\xff" * 1_000),
        "informed": closing(b"HTTP/1.1 100 Continue\r\n\r\n" * 5_000),
    }
    pages: dict[str, tuple[Route, frozenset[str]]] = {f"/body/{name}": (route, ANY) for name, route in sent.items()}
    if not short:
        pages["/body/drip"] = (drip, frozenset({"timeout"}))
    return Host(
        "bodies: gzip, brotli and zstd bombs, endless chunks, lengths that lie, no HTTP"
        + ("" if short else "; silence and dripping"),
        "bombs are too-large, the rest has a reason",
        pages | known,
    )


def _links() -> Host:
    """Links and redirects that no parser agrees about."""
    bad = (
        *("http://-1.1.1.1/", "http://1_27.0.0.1/", "http://a_b.-c/", "http://[::1", "http://[v1.x]/", "http://%zz/"),
        *("http://h:99999999999999999999/", "http://h:-1/", "http://h:0x50/", "http://ann:s3cret@h/", "http://@/"),
        *("http://\u2488.test/", "http://xn--a/", "http://" + "a." * 300, "http://" + "é" * 300, "//", "///", "http:"),
        *(
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "http://h\x00/",
            "?" + "&" * 5_000,
            "\ud800",
        ),
        *("http://0x.0x.0/", "http://1.2.3.4.5/", "http://256.256.256.256/", "http://09.1.1.1/", "http://h/%" * 400),
    )
    pages: dict[str, tuple[Route, frozenset[str]]] = {}
    for number, href in enumerate(bad):
        name = f"{'abcdefghij'[number // 10]}{'abcdefghij'[number % 10]}"
        written = href.encode("utf-8", "surrogatepass").decode("latin-1").replace("\x00", "%00")
        pages[f"/comment/{name}"] = (poisoned(f'<p>A reader wrote: <a href="{href}">look</a></p>'), STORED)
        pages[f"/moved/{name}"] = (
            closing(b"HTTP/1.1 302 Found\r\nLocation: " + written.encode("latin-1") + b"\r\n\r\n"),
            ANY,
        )
        pages[f"/base/{name}"] = (poisoned(head=f'<base href="{href}"><link rel=canonical href="{href}">'), ANY)
    return Host(
        f"{len(bad)} bad URLs (http://-1.1.1.1/, 1_27.0.0.1, huge ports, logins …) in comments, Location, base",
        "every article with such a link is stored, every redirect has a reason",
        pages,
    )


def _addresses_in_text() -> Host:
    """Ways other than a link to make somebody ask another address."""
    system = '<!DOCTYPE x [<!ENTITY f SYSTEM "{0}/xxe"><!ENTITY % p SYSTEM "{0}/dtd">%p;]>'
    rss = "<rss><channel><title>&f;</title><item><link>{0}/item</link></item></channel></rss>"
    file = system.replace("{0}/xxe", "file:///etc/passwd")
    sent = {
        "feed": (f"{system}{rss}", "application/rss+xml"),
        "file": (f"{file}{rss}", "application/rss+xml"),
        "sitemap": (f"{system}<urlset><url><loc>{{0}}/loc</loc></url></urlset>", "application/xml"),
        "include": ('<x xmlns:i="http://www.w3.org/2001/XInclude"><i:include href="{0}/i"/></x>', "application/xml"),
        "style": ('<?xml-stylesheet href="{0}/xsl"?><rss><channel/></rss>', "application/rss+xml"),
        "page": ('<p><img src="{0}/a"><iframe src="{0}/b"></iframe><link rel=stylesheet href="{0}/c">', "text/html"),
        "refresh": ('<meta http-equiv=refresh content="0;url={0}/refresh"><p>gone', "text/html"),
    }
    pages: dict[str, tuple[Route, frozenset[str]]] = {
        f"/asks/{name}": (_Filled(text, kind), ANY) for name, (text, kind) in sent.items()
    }
    pages["/asks/moved"] = (
        _Filled("", "text/html", "{0}/moved"),
        frozenset({"off-host", "redirected", "bad-redirect"}),
    )
    return Host(
        "XXE, XInclude, DTDs, style sheets, frames, images, refresh and Location towards a forbidden address",
        "no connection to it",
        pages,
    )


@dataclass(frozen=True)
class _Filled:
    """A text that names the forbidden address; it is filled in when that is known."""

    text: str
    kind: str
    location: str = ""

    def __call__(self, connection: socket.socket) -> None:
        raise AssertionError("not filled in")

    def route(self, forbidden: str) -> bytes:
        if self.location:
            return redirect(self.location.replace("{0}", forbidden))
        return answer(self.text.replace("{0}", forbidden).encode(), content_type=self.kind)


def _with(route: Route, _origin: str, forbidden: str) -> Route:
    return route.route(forbidden) if isinstance(route, _Filled) else route


def _markup(*, short: bool) -> Host:
    """HTML that is deep, wide or never closed; the sizes of the short version are a tenth."""
    size = 20_000 if short else 200_000
    off_host = " ".join(f"<a href=//o{number % 50}.test/{number}>" for number in range(10_000))
    sent = {
        "deep": "<div>" * size,
        "deep-inline": "<b><i>" * size,
        "deep-table": "<table><tr><td>" * (size // 10),
        "deep-list": "<ul><li>" * size,
        "deep-form": "<form><select><option>" * (size // 10),
        "svg": "<svg><math>" * (size // 10) + "<style><!--",
        "template": "<template>" * size,
        "frames": "<iframe srcdoc='<p>" * size,
        "comment": "<!--" * size,
        "cdata": "<![CDATA[" * size,
        "attributes": "<p " + " ".join(f"a{number}=1" for number in range(size)) + ">",
        "attribute": f'<a href="/{"x" * 10 * size}" title="{"y" * 10 * size}">',
        "entities": "&#x10FFFF;&#xD800;&#0;&" * size,
        "words": "w" * 10 * size,
        "spaces": "<p>" + " \n\u3000" * 3 * size,
        "unclosed": "<a href='" * size,
        "tags": "<p><br>" * size,
        "off-host": off_host,
        "numbers": " ".join(f"<a href='?page={number}'>{number}</a>" for number in range(5_000)),
        "marks": "\u0300" * size + "\u202e" * size,
        "classes": f'<p class="{"comment post article " * (size // 10)}">',
    }
    pages: dict[str, tuple[Route, frozenset[str]]] = {}
    for name, body in sent.items():
        pages[f"/markup/{name}"] = (answer(f"<html><title>{name}</title><body>{body}".encode("utf-8", "replace")), ANY)
    return Host(
        "HTML: nesting, attributes, comments, entities and tables without end; 10,000 links to other hosts",
        "each page has a fate; honest ones are stored",
        pages,
    )


def _metadata() -> Host:
    """Dates, ids, names and structured data that are out of every range, each in an article that is good."""
    times = (
        *("0001-01-01T00:00:00", "9999-12-31T23:59:59-23:59", "0000-00-00", "-0044-03-15", "12345678901234567890"),
        *(
            "2026-13-45T99:99:99",
            "1e400",
            f"{DIGITS}-01-01",
            "0001-01-01T00:00:00+23:59",
            "\u0662\u0660\u0662\u0666-01-01",
        ),
    )
    sent = {
        f"time-{'abcdefghij'[n]}": poisoned(f'<time datetime="{value}">then</time>') for n, value in enumerate(times)
    }
    for n, value in enumerate(times):
        head = f'<meta property="article:published_time" content="{value}">'
        sent[f"meta-{'abcdefghij'[n]}"] = poisoned(head=head)
        posts = "".join(
            f'<div class="comment" id="c{DIGITS[:20]}"><span class="author">Ann</span> '
            f'<time datetime="{value}">{value}</time>'
            f"<p>I waited, too, and nobody told us anything about it.</p></div>"
            for _ in range(5)
        )
        sent[f"posts-{'abcdefghij'[n]}"] = poisoned(f'<section id="comments">{posts}</section>')
    data = {
        "deep": "[" * 100_000,
        "digits": f'{{"@type":"NewsArticle","identifier":{DIGITS},"datePublished":{DIGITS},"commentCount":1e400}}',
        "surrogates": '{"@type":"NewsArticle","headline":"\\ud800 The ferry","author":{"name":"\\udfff"}}',
        "types": '{"@type":["NewsArticle",7,null],"author":[[[["x"]]]],"datePublished":{"a":[1]},"headline":{"x":1}}',
        "loop": '{"@id":"#a","@type":"NewsArticle","author":{"@id":"#a"},"mainEntity":{"@id":"#a"}}',
        "many": '{"@type":"NewsArticle","comment":[' + ",".join(['{"@type":"Comment","text":"yes"}'] * 20_000) + "]}",
        "nan": '{"@type":"NewsArticle","datePublished":NaN,"position":Infinity,"dateModified":-Infinity}',
    }
    for name, text in data.items():
        sent[f"json-{name}"] = poisoned(head=f'<script type="application/ld+json">{text}</script>')
    sent["surrogate"] = poisoned("<p>\ud800 and \udfff</p>", title="The ferry \ud83d is late")
    sent["controls"] = poisoned(f"<p>{CONTROLS}</p>", title=f"The ferry {CONTROLS} is late")
    sent["author"] = poisoned(head=f'<meta name="author" content="{"Ann " * 20_000}">')
    sent["language"] = poisoned(head=f'<meta http-equiv="content-language" content="{"xx-" * 5_000}">')
    sent["charset"] = poisoned(head=f'<meta charset="{"utf" * 5_000}\x01">')
    pages: dict[str, tuple[Route, frozenset[str]]] = {f"/data/{name}": (sent_, STORED) for name, sent_ in sent.items()}
    return Host(
        "articles with dates of year 1 and 9999, ids of 5,000 digits, surrogates, JSON-LD deep, looped or wrong",
        f"all {len(pages)} articles are stored",
        pages,
    )


def _feeds(*, short: bool) -> Host:
    """Feeds and sitemaps that never end, explode, or list 100,000 entries."""
    entries = 20_000 if short else 100_000
    items = "".join(f"<item><title>t{n}</title><link>/honest/first#{n}</link></item>" for n in range(entries))
    locs = "".join(f"<url><loc>/honest/second#{n}</loc><lastmod>0001-01-01</lastmod></url>" for n in range(entries))
    bad = "".join(
        f"<url><loc>{url}</loc></url>" for url in ("http://-1.1.1.1/", "http://1_27.0.0.1/", "\x01", "", "//")
    )
    texts = {
        "laughs": (f"{LAUGHS}<rss><channel><title>&e11;</title></channel></rss>", "application/rss+xml"),
        "laughs-atom": (f'{LAUGHS}<feed xmlns="http://www.w3.org/2005/Atom"><title>&e11;</title></feed>', "text/xml"),
        "laughs-sitemap": (f"{LAUGHS}<urlset><url><loc>&e11;</loc></url></urlset>", "application/xml"),
        "many-items": (f"<rss><channel>{items}</channel></rss>", "application/rss+xml"),
        "many-locs": (f"<urlset>{locs}</urlset>", "application/xml"),
        "bad-locs": (f"<urlset>{bad}</urlset>", "application/xml"),
        "deep": ("<rss>" + "<channel>" * 100_000, "application/rss+xml"),
        "own-index": ("<sitemapindex><sitemap><loc>/feeds/own-index</loc></sitemap></sitemapindex>", "application/xml"),
        "dates": (
            f"<rss><channel><item><link>/honest/third</link><pubDate>{NO_DATES[0]}</pubDate></item></channel></rss>",
            "application/rss+xml",
        ),
        "prolog": ("<?xml version='1.0'?>" + "<!-- -->" * 100_000, "application/xml"),
        "names": (f"<urlset><{'n' * 1_000_000}/></urlset>", "application/xml"),
    }
    pages: dict[str, tuple[Route, frozenset[str]]] = {
        f"/feeds/{name}": (answer(text.encode(), content_type=kind), ANY) for name, (text, kind) in texts.items()
    }
    bomb = gzip.compress(b"<urlset>" + b" " * 100_000_000, 9)
    pages["/feeds/bomb.xml.gz"] = (answer(bomb, content_type="application/gzip"), ANY)
    return Host(
        f"feeds and sitemaps: entity bombs, {entries:,} entries, depth, gzip bomb, an index of itself",
        "each has a fate; what they list is stored once",
        pages,
        robots=lambda origin: answer("".join(f"Sitemap: {origin}{path}\n" for path in pages).encode()),
    )


def _titles() -> Host:
    """Titles that a terminal or a spreadsheet would obey."""
    titles = [f"{formula} the ferry is late" for formula in FORMULAS]
    titles += [f"{CONTROLS} the ferry is late", "\t=1+1 the ferry is late", "\u200b=1+1 the ferry is late"]
    pages: dict[str, tuple[Route, frozenset[str]]] = {
        f"/title/{'abcdefghij'[n]}": (poisoned(title=title.replace("<", "&lt;")), STORED)
        for n, title in enumerate(titles)
    }
    return Host("titles with terminal escapes, turned writing and formulas", "the articles are stored", pages)


def _traps() -> Host:
    """Calendars, sessions, redirects and mazes without end."""
    known = {path: (route, STORED if path == "/article" else ANY) for path, route in TRAPS.items() if path != "/"}
    starts = ("/calendar/2026/1", "/deeper/", "/shop?item=0", "/hop/0", "/feed/0", "/refresh", "/words/begin")
    return Host(
        "traps: calendar, ever deeper paths, session ids, redirect loops, refresh, feeds and mazes without end",
        "the crawl ends; the article among them is stored",
        known,
        robots=lambda origin: answer(f"Sitemap: {origin}/sitemap/0.xml".encode()),
        hrefs=starts,
        otherwise=trap,
    )
