"""Attack the real crawler with real hosts on loopback, and tell of each attack whether it held."""

import csv
import gzip
import io
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.attack.addresses import FORBIDDEN, MAZE, OTHER, SITE, NameServer, Tripwires, maze, targets
from tests.attack.ground import BAD_CHARS, Ground, spoken
from tests.attack.material import ANY, Host, endless, honest, hosts
from tests.commands import Command
from tests.crawl.hostile import BOMB, article, links, page, redirect
from tests.fetch.loopback import Route, Site, answer
from thresher.lab.servers import free_port

SECRETS = ("x-key", "authorization", "cookie")
SECRET_FLAGS = ("--header", "X-Key: s3cret", "--auth", "me:s3cret")
HELD = "held"
SITE_HOSTS = 12  # setting, where a site has subdomains without end
ALONE_S = 0.05  # between two looks at whether something has come


@dataclass
class Table:
    """What came of each attack, by where the links waited."""

    rows: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)  # attack → expected, results
    on: str = ""

    def note(self, attack: str, expected: str, faults: Sequence[str] = ()) -> None:
        """Write down what is wrong after an attack; nothing means that it held."""
        told = "; ".join(faults[:3]) + (f"; and {len(faults) - 3} more" if len(faults) > 3 else "")
        self.rows.setdefault(attack, (expected, {}))[1][self.on] = f"DID NOT HOLD: {told}" if faults else HELD

    @property
    def failed(self) -> int:
        """How many attacks did not hold somewhere."""
        return sum(any(result != HELD for result in results.values()) for _, results in self.rows.values())

    def lines(self) -> Iterator[str]:
        """Yield the table as Markdown."""
        places = list(dict.fromkeys(place for _, results in self.rows.values() for place in results))
        yield f"| attack | expected | {' | '.join(places)} |"
        yield f"|---|---|{'---|' * len(places)}"
        for attack, (expected, results) in self.rows.items():
            cells = [attack, expected, *(results.get(place, "not tried") for place in places)]
            yield f"| {' | '.join(cell.replace('|', '¦') for cell in cells)} |"


@dataclass(frozen=True)
class Siege:
    """What the attacks of one table share."""

    table: Table
    ground: Callable[[str], Ground]  # a new one, by name
    short: bool
    names: NameServer | None  # None: there may be something outside, and no name is looked up

    def all(self) -> None:
        """Try everything."""
        stages = [self.sites, self.addresses, self.waiting, *([] if self.short else [self.slow])]
        for stage in stages:
            stage()

    def sites(self) -> None:
        """Crawl every hostile host in one crawl, and look at what the other commands print about it."""
        ground, wanted = self.ground("sites"), hosts(short=self.short)
        with ExitStack() as stack, Tripwires([(FORBIDDEN, 0)]) as wires:
            met = {host.attack: (host, stack.enter_context(_site(host, wires))) for host in wanted}
            ended = ground.run("crawl", *(f"{site.origin}/" for _, site in met.values()), "--progress", "lines")
            for host, site in met.values():
                self.table.note(host.attack, host.expected, _wrong(ground, host, site.origin))
            self.table.note("all of these hosts in one crawl", "it ends by itself, exit code 0 or 3", spoken(ended))
            self.table.note(
                "the same, every link counted", "each has a fate or is counted, none is lost", ground.faults()
            )
            self._forbidden(wires)
            urls = [f"{site.origin}{path}" for host, site in met.values() for path in host.pages if "title" in path]
            self.output(ground, urls)

    def output(self, ground: Ground, urls: Sequence[str]) -> None:
        """Print what hostile titles came to."""
        said = [
            ground.run("search", "ferry", "--limit", "500").stdout,
            *(ground.run("why", url).stdout for url in urls),
        ]
        said.append(ground.run("show", urls[0]).stdout)
        bad = [f"prints {found[0]!r}" for text in said if (found := BAD_CHARS.search(text))]
        silent = ["a command printed nothing"] if not all(said) else []
        self.table.note("the titles in search, why and show", "no escape, no turned writing", bad + silent)
        rows = list(csv.reader(io.StringIO(ground.run("export", "-f", "csv").stdout)))
        cells = [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
        none = [] if len(rows) > len(urls) else ["too few rows"]
        self.table.note(
            "the formulas in a CSV export", "no cell is a formula", [f"cell {cell[:30]!r}" for cell in cells] + none
        )

    def addresses(self) -> None:
        """Send the crawler to forbidden addresses in every spelling, with secrets that belong to one host."""
        ground = self.ground("addresses")
        ground = replace(ground, more={**ground.more, "THRESHER_SITE_HOSTS": f"{SITE_HOSTS}"})
        with ExitStack() as stack:
            site = stack.enter_context(Site({}))
            other = stack.enter_context(Site({"/": article("The other host is honest")}, OTHER))
            closed = free_port()
            places = [(FORBIDDEN, site.port), ("::1", site.port), (SITE, closed)]
            wires = stack.enter_context(Tripwires(places))
            urls = targets(site.port, closed, alone=self.names is not None)
            site.routes.update(_leading_to(site, urls, other))
            if self.names:  # its pages lead to names
                site.routes |= {f"/maze-{number}": maze(site.port, number) for number in range(400)}
            cookies = ground.folder.with_name(f"{ground.folder.name}-cookies")
            cookies.write_text(f"{SITE}\tFALSE\t/\tFALSE\t0\tsession\ts3cret\n")
            line = ["crawl", f"{site.origin}/", "--any-host", *SECRET_FLAGS, "--cookies", str(cookies)]
            line += ["--allow-address", SITE, "--allow-address", OTHER, "--allow-port", str(other.port)]
            if self.names:
                self.names.forget()
            faults = spoken(ground.run(*line, "--progress", "lines"))
            told = ground.reasons([url for url in urls if url.startswith("http://")])
            faults += [f"{url} has no fate" for url, reason in told.items() if not reason]
            faults += [f"connection to {place}" for place in wires.hits]
            self.table.note(
                f"{len(urls)} spellings of forbidden addresses and ports in links, Location, sitemap, feed and refresh",
                "no connection, each has a fate",
                faults + _not_stored(ground, site.origin),
            )
            self.table.note("links and redirects to another host, with secrets", "it gets none", _leaks(site, other))
            if self.names:
                self._subdomains(site)
                self._rebound(ground, site, wires, line)

    def _subdomains(self, site: Site) -> None:
        asked = {visit.headers["host"] for visit in site.visits if MAZE in visit.headers.get("host", "")}
        few = [] if 0 < len(asked) <= SITE_HOSTS else [f"{len(asked)} hosts were asked"]
        self.table.note("subdomains without end", f"site_hosts (here {SITE_HOSTS}) are asked at most", few)

    def _rebound(self, ground: Ground, site: Site, wires: Tripwires, line: list[str]) -> None:
        """Crawl again, now that names have other addresses."""
        again = spoken(ground.run(*line, "--refresh", "--progress", "none"))
        hits = [f"connection to {place}" for place in wires.hits]
        self.table.note(
            "DNS rebinding: names that change, have several, or are IPv4 in IPv6", "no connection", again + hits
        )

    def _forbidden(self, wires: Tripwires) -> None:
        hits = [f"{number} connections to {place}" for place, number in wires.hits.items()]
        self.table.note("listeners at forbidden addresses, while all of this went on", "0 connections", hits)

    def waiting(self) -> None:
        """Let hosts ask for patience: their links wait, the others do not, and the run can be left and resumed."""
        ground = self.ground("waiting")
        plain = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
        wildcards = "".join(f"Disallow: /*a*b*c*{number}\n" for number in range(20_000))
        robots: dict[str, Route] = {
            "a stream without end": endless(plain, b"Disallow: /x\n" * 1_000),
            "too many wildcards": answer(f"User-agent: *\n{wildcards}".encode()),
            "status 503, Retry-After of 30 digits": answer(b"", "503 Busy", retry_after="9" * 30),
            "status 429": answer(b"", "429 Slow down", retry_after="Fri, 31 Dec 9999 23:59:59 GMT"),
        }
        robots["a gzip bomb"] = answer(gzip.compress(BOMB), content_type="text/plain", content_encoding="gzip")
        with ExitStack() as stack:
            good = stack.enter_context(Site(honest() | {"/": page(links(*honest()))}))
            bad = {
                name: stack.enter_context(Site(honest() | {"/": page(links(*honest())), "/robots.txt": sent}))
                for name, sent in robots.items()
            }
            starts = [f"{site.origin}/" for site in (good, *bad.values())]
            command = Command("crawl", *starts, "--progress", "none", environ=ground.environ)
            while command.poll() is None and not _all_met(good, bad.values()):
                time.sleep(ALONE_S)
            command.send_signal(signal.SIGINT)
            _, said = command.communicate(timeout=300)
            faults = ["a traceback"] if "Traceback" in said else []
            faults += [f"exit code {command.returncode}"] if command.returncode != 130 else []
            self.table.note("hosts that never let us in, beside an honest one", "Ctrl-C: resumable (130)", faults)
            self.table.note("the honest host beside them", "is stored", _not_stored(ground, good.origin))
            for name, site in bad.items():
                wrong = [f"{path} was asked for" for path in site.paths() if path != "/robots.txt"]
                told = ground.reasons([f"{site.origin}/"])[f"{site.origin}/"]
                wrong += [] if told in ("delayed", "pending") else [f"its link is {told or 'lost'}"]
                self.table.note(f"robots.txt: {name}", "nothing is fetched for now, and not given up", wrong)

    def slow(self) -> None:
        """Send a page that takes longer to extract than it may."""
        ground = self.ground("slow")
        heavy = answer(b"<html><title>heavy</title>" + b"<p class=a><a href=/x>word</a> and <b>more</b>" * 900_000)
        with Site({"/": page(links("/heavy", *honest())), "/heavy": heavy, **honest()}) as site:
            slow = {"THRESHER_EXTRACT_TIMEOUT_S": "3", "THRESHER_MAX_BODY_BYTES": "100000000"}
            ended = replace(ground, more=slow).run("crawl", f"{site.origin}/", "-q")
            told = ground.reasons([f"{site.origin}/heavy"])[f"{site.origin}/heavy"]
            right = ("extract-timeout", "extract-memory", "too-large")
            faults = spoken(ended) + _not_stored(ground, site.origin)
            faults += [] if told in right else [f"it is {told}"]
            self.table.note("a page of 40 MB that takes too long to extract", "it alone is given up", faults)


@contextmanager
def _site(host: Host, wires: Tripwires) -> Iterator[Site]:
    site = Site({}, otherwise=host.otherwise) if host.otherwise else Site({})
    site.routes.update(host.routes(site.origin, f"http://{FORBIDDEN}:{wires.ports[0]}"))
    with site:
        yield site


def _wrong(ground: Ground, host: Host, origin: str) -> list[str]:
    """Say what became of a host's pages that should not have."""
    reasons = ground.reasons([f"{origin}{path}" for path in host.pages])
    wrong = []
    for path, (_, right) in host.pages.items():
        reason = reasons[f"{origin}{path}"]
        if not reason or (right != ANY and reason not in right) or reason in ("worker-error", "extract-crash"):
            wrong.append(f"{path} is {reason or 'never seen'}")
    return wrong + _not_stored(ground, origin)


def _not_stored(ground: Ground, origin: str) -> list[str]:
    """Say which honest pages of a host are not stored."""
    reasons = ground.reasons([f"{origin}{path}" for path in honest()])
    return [f"honest page {url}: {reason or 'never seen'}" for url, reason in reasons.items() if reason != "stored"]


def _leading_to(site: Site, urls: Sequence[str], other: Site) -> dict[str, Route]:
    """Return pages that lead to URLs in every way there is."""
    away = {f"/go/{_letters(number)}": _moved(url) for number, url in enumerate(urls)}
    away["/go/other"] = redirect(f"{other.origin}/")
    escaped = [url.replace("&", "&amp;").replace("<", "&lt;") for url in urls]
    locs = "".join(f"<url><loc>{url}</loc></url>" for url in escaped)
    items = "".join(f"<item><link>{url}</link></item>" for url in escaped)
    refresh = "".join(f'<meta http-equiv=refresh content="0;url={url}">' for url in escaped)
    kinds: dict[str, Route] = {
        "/locs.xml": answer(f"<urlset>{locs}</urlset>".encode(), content_type="application/xml"),
        "/items": answer(f"<rss><channel>{items}</channel></rss>".encode(), content_type="application/rss+xml"),
        "/refresh": page(refresh),
        "/same": article("The same host under another name"),
    }
    named = (f"http://localhost:{site.port}/same", f"http://0x7f.1:{site.port}/same", f"{other.origin}/")
    front = page(links("/items", "/refresh", "/maze-0", *away, *honest(), *named, *urls))
    sitemaps = "".join(f"Sitemap: {url}\n" for url in (f"{site.origin}/locs.xml", *urls))
    return {"/": front, "/robots.txt": answer(sitemaps.encode(), content_type="text/plain")} | away | kinds | honest()


def _moved(location: str) -> bytes:
    return b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + location.strip().encode() + b"\r\n\r\n"


def _letters(number: int) -> str:
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def _leaks(site: Site, other: Site) -> list[str]:
    """Say who got a secret that is not theirs; the host itself must get its own."""
    own = f"{SITE}:{site.port}"
    visits = [("the other host", visit) for visit in other.visits]
    visits += [(visit.headers.get("host", ""), visit) for visit in site.visits if visit.headers.get("host") != own]
    leaks = [f"{who} got {name}" for who, visit in visits for name in SECRETS if name in visit.headers]
    ours = [visit for visit in site.visits if visit.headers.get("host") == own]
    kept = [f"the host itself got no {name}" for name in SECRETS if not any(name in visit.headers for visit in ours)]
    return leaks + kept + ([] if other.visits else ["the other host was not asked"])


def _all_met(good: Site, bad: Iterable[Site]) -> bool:
    """Say whether the honest host has given everything and the others their robots.txt."""
    wanted = {"/", *honest()}
    return wanted <= set(good.paths()) and all("/robots.txt" in site.paths() for site in bad)


def grounds(
    folder: Path, frontier: str, store: Callable[[str], str], more: Mapping[str, str]
) -> Callable[[str], Ground]:
    """Return what makes a new ground for each stage."""
    numbers: list[str] = []

    def make(name: str) -> Ground:
        numbers.append(name)
        place = f"{frontier.rpartition('/')[0]}/{len(numbers)}" if frontier else ""
        return Ground(folder / name, place, store(name), more)

    return make
