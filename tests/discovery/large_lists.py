"""Read feeds and sitemaps of 100,000 entries, sound and hostile; print what each gave, and the memory that it took.

python -m tests.discovery.large_lists [NAME …]
"""

import gzip
import json
import resource
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

from thresher.crawling.harvest import harvest
from thresher.model import Page

ENTRIES = 100_000
MEMORY_BYTES = 1_500_000_000  # that a process may take which reads pages (extract_memory_bytes)
ENTITIES = '<!ENTITY e0 "ha">' + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
LAUGHS = f"<!DOCTYPE x [{ENTITIES}]>"


def rows(row: str) -> str:
    """Return as many entries, each with a URL of its own."""
    return "".join(row.replace("@", f"https://e.test/{number}") for number in range(ENTRIES))


def rss(row: str, prolog: str = "") -> bytes:
    """Return a feed of such entries."""
    return f"{prolog}<rss><channel>{rows(row)}</channel></rss>".encode()


def json_feed() -> bytes:
    """Return a JSON Feed of as many entries."""
    items = [{"url": f"https://e.test/{number}"} for number in range(ENTRIES)]
    return json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": items}).encode()


ITEM = "<item><title>News</title><link>@</link><pubDate>Mon, 16 Nov 2026 10:00:00 GMT</pubDate></item>"
ENTRY = "<entry><link href='@'/></entry>"
LOC = "<url><loc>@</loc><lastmod>2026-11-16</lastmod></url>"
CASES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "rss": ("application/rss+xml", lambda: rss(ITEM)),
    "atom": (
        "application/atom+xml",
        lambda: f"<feed xmlns='http://www.w3.org/2005/Atom'>{rows(ENTRY)}</feed>".encode(),
    ),
    "json feed": ("application/feed+json", json_feed),
    "sitemap": ("application/xml", lambda: f"<urlset>{rows(LOC)}</urlset>".encode()),
    "sitemap, compressed": ("application/gzip", lambda: gzip.compress(f"<urlset>{rows(LOC)}</urlset>".encode(), 1)),
    "index of sitemaps": (
        "application/xml",
        lambda: f"<sitemapindex>{rows('<sitemap><loc>@</loc></sitemap>')}</sitemapindex>".encode(),
    ),
    "list of addresses": ("text/plain", lambda: rows("@\n").encode()),
    "no entry is closed": ("application/rss+xml", lambda: rss("<item><link>@</link>")),
    "no sitemap entry is closed": ("application/xml", lambda: f"<urlset>{rows('<url><loc>@</loc>')}".encode()),
    "every entry is an entity bomb": ("application/rss+xml", lambda: rss("<item><link>@&e11;</link></item>", LAUGHS)),
    "every loc is an entity bomb": (
        "application/xml",
        lambda: f"{LAUGHS}<urlset>{rows('<url><loc>@&e11;</loc></url>')}</urlset>".encode(),
    ),
    "utf-16 that says utf-8": (
        "application/rss+xml; charset=utf-8",
        lambda: rss(ITEM, '<?xml version="1.0" encoding="utf-8"?>').decode().encode("utf-16"),
    ),
    "utf-8 that says utf-16": (
        "application/xml; charset=utf-16",
        lambda: f'<?xml version="1.0" encoding="utf-16"?><urlset>{rows(LOC)}</urlset>'.encode(),
    ),
    "bytes of no encoding": ("application/rss+xml", lambda: rss(ITEM).replace(b"News", b"\xff\xc3\x28\x00")),
    "bare ampersands and angle brackets": (
        "application/rss+xml",
        lambda: rss("<item><title>a & b < c</title><link>@?a=1&b=2</link></item>"),
    ),
    "every entry deeper than the last": (
        "application/xml",
        lambda: f"<urlset>{rows('<d><url><loc>@</loc></url>')}".encode(),
    ),
    "a name of its own for each": (
        "application/rss+xml",
        lambda: b"<rss><channel>%s</channel></rss>" % b"".join(b"<n%d/>" % n for n in range(5 * ENTRIES)),
    ),
}


def main(names: list[str]) -> None:
    """Read each case; print it as a line of JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    for name in names or CASES:
        kind, make = CASES[name]
        body = make()
        began_s = time.process_time()
        page = Page("https://e.test/list", 200, body, datetime.now(UTC), {"content-type": kind})
        found = harvest(page, 0, None)
        took_s = time.process_time() - began_s
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        told = {"name": name, "bytes": len(body), "links": len(found.links), "medium": found.medium}
        print(json.dumps(told | {"fault": found.fault, "cpu_s": round(took_s, 2), "peak_bytes": peak}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
