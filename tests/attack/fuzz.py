"""Fuzz the whole worker: a real site answers with changed material, and the real command crawls it, round after round.

Material keeps its structure: it is put together from parts that mean something to a reader of headers, URLs,
robots.txt, feeds, sitemaps, HTML or settings, and then some of it is damaged. After each round everything is counted.
"""

import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

import tomli_w

from tests.attack.ground import Ground, spoken
from tests.attack.material import CONTROLS, DIGITS, LAUGHS, NO_DATES, closing, honest, poisoned
from tests.crawl.hostile import links, page
from tests.fetch.loopback import Route, Site, answer
from thresher.config import template
from thresher.lab.servers import own_folder

PIECES = (
    *(
        "",
        " ",
        "\t",
        "\0",
        "\r\n",
        "\ud800",
        "\udfff",
        "\x9b",
        "\u202e",
        "é",
        "文",
        "٣",
        "%",
        "%00",
        "%zz",
        "&#0;",
        "&amp;",
    ),
    *(
        '"',
        "'",
        "<",
        ">",
        "/",
        "\\",
        ":",
        ";",
        ",",
        "=",
        "#",
        "?",
        "@",
        "[",
        "]",
        "*",
        "$",
        "-",
        "_",
        "..",
        "0x",
        "1e400",
    ),
    *(
        "nan",
        "-1",
        "0",
        "9" * 20,
        DIGITS,
        "a" * 3_000,
        CONTROLS,
        "null",
        "true",
        "[" * 2_000,
        "{",
        "}",
        "<!--",
        "<![CDATA[",
    ),
)
HOSTS = (
    "-1.1.1.1",
    "1_27.0.0.1",
    "127.1",
    "[::1]",
    "[::",
    "xn--",
    "xn--a",
    "a..b",
    "o.test",
    "O.TEST.",
    "é.test",
    "256.1.1.1",
)
SCHEMES = (
    "http://",
    "https://",
    "//",
    "http:",
    "HTTP:/\\",
    "javascript:",
    "data:",
    "mailto:",
    "file:///",
    "",
    "\thttp://",
)
ROUND = 150  # pieces of material
LARGE = 100_000  # entries
LARGE_A_ROUND = 3
HOSTS_A_ROUND = 24  # each with a robots.txt of its own


@dataclass
class Round:
    """What one round sends: pages of one host, robots.txt of others, and settings."""

    pages: dict[str, bytes] = field(default_factory=dict)
    robots: list[bytes] = field(default_factory=list)
    settings: str = ""

    @property
    def pieces(self) -> int:
        """How much material there is."""
        return len(self.pages) + len(self.robots) + bool(self.settings)


class Maker:
    """Makes material, the same from the same seed."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def pick(self, parts: Sequence[str]) -> str:
        """Return one of some parts."""
        return self._random.choice(parts)

    def damaged(self, text: str, *, share: float = 0.6) -> str:
        """Return a text with pieces put in, cut out, doubled and moved; sometimes as it is."""
        while text and self._random.random() < share:
            place = self._random.randrange(len(text) + 1)
            end = min(len(text), place + self._random.choice((1, 3, 20, 200)))
            kind = self._random.randrange(4)
            if kind == 0:
                text = text[:place] + self.pick(PIECES) + text[place:]
            elif kind == 1:
                text = text[:place] + text[end:]
            elif kind == 2:
                text = text[:end] + text[place:end] * self._random.choice((1, 3, 40)) + text[end:]
            else:
                text = text[:place] + self.pick(PIECES) + text[end:]
            share *= 0.9
        return text[:200_000]

    def url(self) -> str:
        """Return something that a page may link to; never the name of a host that is looked up."""
        host = self.damaged(self.pick(HOSTS), share=0.3)
        path = self.damaged(self.pick(("/", "/a/b?c=d&e=f#g", "/2026/01/02/news", "?page=2", "/%e4%f6", "/x;y=1")))
        whole = f"{self.pick(SCHEMES)}{host}{self.pick(('', ':80', ':99999', ':-1', ':0x50', ':' + '9' * 30))}{path}"
        return whole if self._random.random() < 0.7 else path

    def headers(self) -> Round:
        """Pages that are good, with headers that are not."""
        body = poisoned().partition(b"\r\n\r\n")[2]
        found = {}
        for number in range(ROUND):
            lines = [self._header() for _ in range(self._random.choice((0, 1, 3, 10, 200)))]
            status = self.damaged(
                self.pick(("HTTP/1.1 200 OK", "HTTP/1.0 200", "HTTP/1.1 301 Moved", "HTTP/1.1 404 No")), share=0.2
            )
            length = self.damaged(f"Content-Length: {len(body)}", share=0.1)
            head = "\r\n".join([status, "Content-Type: text/html", *lines, length])
            found[f"/head/{_word(number)}"] = _bytes(head) + b"\r\n\r\n" + body
        return Round(found)

    def _header(self) -> str:
        names: tuple[str, ...] = (
            "Content-Type",
            "Content-Encoding",
            "Transfer-Encoding",
            "Location",
            "Set-Cookie",
            "Link",
            "X-Robots-Tag",
        )
        names += ("Retry-After", "Last-Modified", "ETag", "Date", "Refresh", "Vary", "Content-Language", "Connection")
        name = self.pick(names)
        values: tuple[str, ...] = (
            "text/html; charset=utf-8",
            "gzip",
            "br, zstd",
            "chunked",
            "/honest/first",
            "a=b; Path=/",
            "noindex, none",
        )
        values += ('W/"x"', "Mon, 01 Jan 2024 00:00:00 GMT", "0;url=/x", "en-GB", "close", *NO_DATES[:9])
        # Nobody is to be waited for: what Retry-After asks for is in the past, or no sense.
        value = self.pick(NO_DATES[:9]) if name == "Retry-After" else self.damaged(self.pick(values))
        return f"{self.damaged(name, share=0.1)}{self.pick((':', ': ', ' : ', ''))}{value}"

    def urls(self) -> Round:
        """Articles with bad links, and redirects to them."""
        found = {}
        for number in range(ROUND // 2):
            hrefs = [self.url() for _ in range(self._random.choice((1, 5, 40)))]
            inside = "".join(f'<a href="{href}">x</a>' for href in hrefs)
            base = f'<base href="{self.url()}">' if self._random.random() < 0.2 else ""
            found[f"/links/{_word(number)}"] = poisoned(inside, head=base)
            head = f"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: {self.url()}\r\n\r\n"
            found[f"/moved/{_word(number)}"] = _bytes(head)
        return Round(found)

    def robots(self) -> Round:
        """Robots.txt files of some hosts."""
        names: tuple[str, ...] = (
            "User-agent: *",
            "User-agent: thresher",
            "Disallow: /x",
            "Allow: /honest",
            "Disallow: /*a$",
            "Crawl-delay: 1",
        )
        names += (
            "Sitemap: /feed",
            "Disallow:",
            "# words",
            "Disallow: /%2e%2e/é",
            "Host: o.test",
            "Noindex: /",
            "User-agent:",
        )
        files = []
        for _ in range(HOSTS_A_ROUND):
            lines = [self.damaged(self.pick(names), share=0.3) for _ in range(self._random.choice((1, 5, 30, 300)))]
            lines += [f"Sitemap: {self.url()}" for _ in range(self._random.choice((0, 3)))]
            text = self.pick(("\n", "\r\n", "\r")).join(lines)[:60_000]
            scarce = text if text.count("*") < 1_500 else text.replace("*", "")  # too many mean: wait, and nobody is to
            status = self.pick(("200 OK", "200 OK", "404 Not Found", "301 Moved", "204 None"))
            files.append(answer(_bytes(scarce), status, content_type=self.pick(("text/plain", "text/html", "x"))))
        return Round(robots=files)

    def feeds(self) -> Round:
        """Feeds in RSS and Atom."""
        heads = (
            "<rss><channel>{}</channel></rss>",
            '<feed xmlns="http://www.w3.org/2005/Atom">{}</feed>',
            "<RDF>{}</RDF>",
        )
        items = (
            "<item><title>t</title><link>{0}</link><pubDate>{1}</pubDate></item>",
            '<entry><title>t</title><link href="{0}"/><updated>{1}</updated></entry>',
            '<item><guid isPermaLink="true">{0}</guid><description><![CDATA[<p>{0}]]></description></item>',
            '<link rel="next" href="{0}"/>',
        )
        return self._listed(
            heads, items, ("application/rss+xml", "application/atom+xml", "text/xml", "text/html", "x/y")
        )

    def sitemaps(self) -> Round:
        """Sitemaps and indexes of them."""
        heads = ("<urlset>{}</urlset>", "<sitemapindex>{}</sitemapindex>", '<urlset xmlns="http://x">{}</urlset>', "{}")
        items = (
            "<url><loc>{0}</loc><lastmod>{1}</lastmod><priority>1e400</priority></url>",
            "<sitemap><loc>{0}</loc></sitemap>",
            "{0}\n",
            "<url><loc><![CDATA[{0}]]></loc></url>",
        )
        return self._listed(heads, items, ("application/xml", "text/xml", "text/plain", "application/gzip"))

    def _listed(self, heads: Sequence[str], items: Sequence[str], kinds: Sequence[str]) -> Round:
        found = {}
        for number in range(ROUND):
            rows = ""
            for _ in range(self._random.choice((1, 5, 60))):
                rows += self.pick(items).replace("{0}", self._target()).replace("{1}", self.pick(NO_DATES[:9]))
            prolog = self.pick(("", '<?xml version="1.0"?>', LAUGHS, '<?xml version="1.0" encoding="utf-16"?>'))
            text = prolog + self.damaged(self.pick(heads).replace("{}", rows), share=0.8)
            found[f"/feed/{_word(number)}"] = answer(_bytes(text), content_type=self.pick(kinds))
        return Round(found)

    def large(self) -> Round:
        """Feeds and sitemaps of 100,000 entries, damaged in many places and in any encoding."""
        shapes = (
            ("<rss><channel>{}</channel></rss>", "<item><link>@</link><pubDate>2026-11-16</pubDate></item>"),
            ('<feed xmlns="http://www.w3.org/2005/Atom">{}</feed>', '<entry><link href="@"/></entry>'),
            ("<urlset>{}</urlset>", "<url><loc>@</loc><lastmod>2026-11-16</lastmod></url>"),
            ("<sitemapindex>{}</sitemapindex>", "<sitemap><loc>@</loc></sitemap>"),
            ("{}", "@\n"),
        )
        found = {}
        for number in range(LARGE_A_ROUND):
            head, row = self._random.choice(shapes)
            rows = "".join(row.replace("@", f"http://o.test/{place}") for place in range(LARGE))
            prolog = self.pick(("", LAUGHS, '<?xml version="1.0" encoding="utf-16"?>', "<?xml encoding='gbk'?>"))
            text = self._spoiled(prolog + head.replace("{}", rows + "<loc>/honest/first</loc>"))
            sent = text.encode(self.pick(("utf-8", "utf-8", "utf-16", "gb18030", "utf-7")), "replace")
            kind = self.pick(("application/xml", "application/rss+xml", "text/xml; charset=utf-16", "text/plain"))
            found[f"/feed/{_word(number)}"] = answer(sent, content_type=kind)
        return Round(found)

    def _spoiled(self, text: str) -> str:
        """Return a long text with pieces put in and parts cut out, doubled, or ended early, all over it."""
        places = sorted(self._random.randrange(len(text)) for _ in range(self._random.choice((0, 1, 30, 3_000))))
        parts = [text[begin:end] for begin, end in pairwise((0, *places, len(text)))]
        for number in range(1, len(parts)):
            kind = self._random.randrange(4)
            if kind == 0:
                parts[number] = self.pick(PIECES) + parts[number]
            elif kind == 1:
                parts[number] = parts[number][self._random.choice((1, 10, 2_000)) :]
            elif kind == 2:
                parts[number] = parts[number][:50] * self._random.choice((1, 40)) + parts[number]
        return "".join(parts)[: self._random.choice((len(text), len(text), len(text) // 3)) + 1]

    def _target(self) -> str:
        return self.pick((self.url(), "/honest/first", "/honest/second", f"/none/{_word(self._random.randrange(99))}"))

    def html(self) -> Round:
        """Articles whose markup is damaged."""
        good = poisoned(head=self._head()).partition(b"\r\n\r\n")[2].decode("utf-8", "surrogatepass")
        parts: tuple[str, ...] = (
            "<table>",
            "</div>",
            "<template>",
            "<svg><p>",
            "<b>" * 500,
            "<!--",
            "<script>",
            "<base href=x>",
            "<frameset>",
        )
        parts += ('<div class=post id=c1><b>Ann</b> <time datetime="2026-01-02">then</time><p>I think so.</p></div>',)
        found = {}
        for number in range(ROUND):
            text = good
            for _ in range(self._random.choice((1, 3, 10))):
                place = self._random.randrange(len(text))
                text = text[:place] + self.damaged(self.pick(parts)) + text[place:]
            kind = self.pick(
                ("text/html", "text/html; charset=gbk", "text/html; charset=utf-16", "application/xhtml+xml", "")
            )
            found[f"/page/{_word(number)}"] = answer(_bytes(self.damaged(text)), content_type=kind)
        return Round(found)

    def _head(self) -> str:
        data = '{"@type":"NewsArticle","headline":"The ferry","datePublished":"2026-01-02","author":{"name":"Ann"}}'
        names = ("article:published_time", "og:title", "author", "robots", "og:url", "viewport")
        metas = "".join(f'<meta name="{name}" content="{self.damaged("2026-01-02")}">' for name in names)
        return f'<script type="application/ld+json">{self.damaged(data)}</script>{metas}'

    def settings(self) -> Round:
        """A settings file with a few changed values."""
        names = [line.partition(" ")[0] for line in template().replace("# ", "").splitlines() if " = " in line]
        kept = ("data", "store", "frontier", "allowed_addresses", "proxy")  # where things are is not for chance to say
        lines = []
        for name in self._random.sample([name for name in names if name not in kept], 3):
            lines.append(self.damaged(f"{name} = {self._value()}", share=0.2).replace("\n", " "))
        return Round(settings="\n".join(lines).encode("utf-8", "replace").decode())

    def _value(self) -> str:
        numbers = ("0", "1", "2", "-1", "0.5", "1e400", "nan", "inf", "9" * 30, "true", "false", "[]", "{}", "1_000")
        texts = ('""', '"x"', "'1'", '["a.test X: y"]', '["80", "x"]', '"exact"', '"bloom"', '"\\ud800"', "1979-05-27")
        return self.pick(numbers + texts)


AREAS: dict[str, Callable[[Maker], Round]] = {
    "headers": Maker.headers,
    "urls": Maker.urls,
    "robots": Maker.robots,
    "feeds": Maker.feeds,
    "sitemaps": Maker.sitemaps,
    "large": Maker.large,
    "html": Maker.html,
    "settings": Maker.settings,
}


def play(area: str, seed: int, folder: Path) -> tuple[int, list[str]]:
    """Play one round; answer how many pieces of material there were, and what went wrong."""
    turn = AREAS[area](Maker(Random(f"{area} {seed}")))
    with own_folder() as place:
        ground = Ground(place / "data", more={"THRESHER_TIMEOUT_S": "60", "THRESHER_BARREN_PAGES": "1000"})
        wrong, said = _crawled(turn, ground, place / "thresher.toml")
    if wrong:
        _save(turn, folder / f"{area}-{seed}", "\n".join([*wrong, said]))
    return turn.pieces, wrong


def _crawled(turn: Round, ground: Ground, file: Path) -> tuple[list[str], str]:
    """Crawl what a round sends; answer what went wrong, and what the command said."""
    with ExitStack() as stack:
        good = stack.enter_context(Site(honest() | {"/": page(links(*honest()))}))
        pages: dict[str, Route] = {path: closing(sent) for path, sent in turn.pages.items()}
        bad = [stack.enter_context(Site(pages | honest() | {"/": page(links(*pages, *honest()))}))] if pages else []
        bad += [
            stack.enter_context(Site(honest() | {"/": page(links(*honest())), "/robots.txt": closing(sent)}))
            for sent in turn.robots
        ]
        sites = [good, *bad]
        file.write_text(turn.settings or tomli_w.dumps({}), "utf-8")
        words = ["--config", str(file), "crawl", *(f"{site.origin}/" for site in sites), "--progress", "lines"]
        try:
            ended = ground.run(*words, *(["--limit", "4"] if turn.settings else []))
        except subprocess.TimeoutExpired:
            return ["the crawl did not end"], ""
        if turn.settings:
            return _settings_fault(ended), ended.stderr
        met = [
            site for site in bad if "/" in site.paths()
        ]  # robots.txt may forbid the front page, and nothing is found
        offered = [f"{site.origin}/" for site in bad]
        offered += [f"{site.origin}{path}" for site in met for path in (*turn.pages, *honest())]
        wrong = spoken(ended) + ground.faults()
        reasons = ground.reasons(offered)
        wrong += [f"{url} has no fate" for url, reason in reasons.items() if not reason]
        wrong += [f"{url}: {reason}" for url, reason in reasons.items() if reason in ("worker-error", "extract-crash")]
        trusted = [good, *(bad if turn.pages else [])]
        stored = ground.reasons([f"{site.origin}{path}" for site in trusted for path in honest()])
        wrong += [f"honest page {url}: {reason}" for url, reason in stored.items() if reason != "stored"]
    return wrong, ended.stderr


def _settings_fault(ended: "subprocess.CompletedProcess[str]") -> list[str]:
    """Settings are obeyed, or refused in one line."""
    if "Traceback" in ended.stderr:
        return ["a traceback"]
    if ended.returncode == 2:
        lines = ended.stderr.strip().splitlines()
        return [] if len(lines) == 1 else [f"{len(lines)} lines of refusal"]
    return [] if ended.returncode in (0, 1, 3, 5, 6) and ended.stderr.strip() else [f"exit code {ended.returncode}"]


def _save(turn: Round, folder: Path, said: str) -> None:
    """Keep what a round sent and what came of it."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, sent in turn.pages.items():
        (folder / path.strip("/").replace("/", "-")).write_bytes(sent)
    for number, sent in enumerate(turn.robots):
        (folder / f"robots-{number}").write_bytes(sent)
    (folder / "thresher.toml").write_text(turn.settings, "utf-8")
    (folder / "said").write_text(said, "utf-8", "replace")


def _word(number: int) -> str:
    return "".join("abcdefghij"[int(digit)] for digit in f"{number:03}")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
