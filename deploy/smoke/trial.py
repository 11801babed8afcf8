"""What every trial does: crawl a sample web calmly for the truth, and compare the corpus of a hurt fleet with that."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from thresher import wiring
from thresher.config import Settings
from thresher.frontier.contract import Rules

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 900.0
CRAWLING = {
    "THRESHER_ALLOWED_ADDRESSES": "127.0.0.1",
    "THRESHER_BACKOFF_S": "0.5",
    "THRESHER_CONCURRENCY": "8",
    "THRESHER_DELAY_S": "0.2",
    "THRESHER_EXTRACTORS": "1",
    "THRESHER_LEASE_S": "15",
}
began = time.monotonic()


def say(text):
    print(f"{time.monotonic() - began:7.1f} s  {text}", flush=True)


def until(happened, what):
    deadline = time.monotonic() + PATIENCE_S
    while not happened():
        if time.monotonic() > deadline:
            sys.exit(f"smoke: not in time: {what}")
        time.sleep(0.3)


def command(settings, *words):
    places = {f"THRESHER_{name.upper()}": str(value) for name, value in settings.items()}
    line = [sys.executable, "-P", "-m", "thresher", *words]
    return subprocess.run(line, check=True, env=os.environ | CRAWLING | places, capture_output=True, text=True).stdout


def calm_crawl(folder, site):
    """Crawl the site by one process of this machine, and return the documents."""
    calm = {"data": str(folder / "calm")}
    command(calm | {"delay_s": "0"}, "crawl", *site.starts, "-q")
    found = documents(calm)
    say(f"a calm crawl by one local process: {len(found)} documents")
    return found


def documents(settings):
    corpus = wiring.open_corpus(Settings(**settings))
    try:
        return sorted((found.url or "", found.title, found.text) for found in corpus.store.documents())
    finally:
        corpus.close()


def more_requests(site, count):
    before = len(site.server.log())
    until(lambda: len(site.server.log()) >= before + count, f"{count} more requests")


def check(places, expected, site):
    """Compare store, index and the site's own log with the calm crawl; end with an error where they differ."""
    found = documents(places)
    corpus = wiring.open_corpus(Settings(**places))
    until(lambda: corpus.index.count() == len(found), f"{len(found)} documents in OpenSearch")
    urls = Counter(url for url, _, _ in found)
    missing = sorted(set(expected) - set(found))
    # A page that is no article may be left by one crawl and kept by another, as they come to know the site; it says so.
    left = [each for each in missing if "skipped (barren)" in command(places, "why", each[0])]
    asked = Counter(access.url for access in site.server.log())
    result = {
        "documents": len(found),
        "expected": len(expected),
        "lost": len(missing) - len(left),
        "left as a kind of page without documents": [url for url, _, _ in left],
        "other than expected": len(set(found) - set(expected)),
        "doubled": sum(count - 1 for count in urls.values()),
        "in_opensearch": corpus.index.count(),
        "requests": sum(asked.values()),
        "asked_again": sum(count - 1 for count in asked.values()),
    }
    corpus.close()
    print(json.dumps(result, indent=2))
    if result["lost"] or result["doubled"] or set(found) - set(expected) or result["in_opensearch"] != len(found):
        sys.exit("smoke: the corpus is not that of the calm crawl")
    say("nothing is lost, nothing is doubled")


def check_unfinished(places):
    """Look at what a fleet left behind that went before the end: no link is held, and no document doubled."""
    corpus = wiring.open_corpus(Settings(**places))
    found = Counter(found.url for found in corpus.store.documents())
    until(lambda: corpus.index.count() == len(found), f"{len(found)} documents in OpenSearch")
    leased = corpus.frontier("run-1", Rules()).census().leased
    corpus.close()
    if leased or found.total() != len(found):
        sys.exit(f"smoke: {leased} links are held, {found.total() - len(found)} documents doubled")
    say(f"{len(found)} documents, none doubled; no link is held")
