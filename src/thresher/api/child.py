"""The other side of process.py: a process that fetches a page or conducts a crawl for the one that started it."""

import base64
import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from thresher import wiring
from thresher.api.corpus import read_settings
from thresher.crawling.harvest import KEPT_HEADERS
from thresher.crawling.landing import Landing
from thresher.crawling.opening import open_run, options_of, start_url
from thresher.crawling.run import conduct
from thresher.crawling.sights import Sample, Spot, Survey, source_of
from thresher.crawling.single import fetch_one
from thresher.crawling.survey import survey
from thresher.errors import ThresherError
from thresher.frontier.contract import Census
from thresher.html import decode
from thresher.model import Kind, Page, RunState
from thresher.model.source import source_from_dict, source_to_dict
from thresher.watching.exchange import add_listed, read_list

LOOK_EVERY_S = 1.0  # whether the parent is still there
GRACE_S = 45.0  # for the crawl to finish what is in flight
MAX_ORIGINAL = 500_000  # bytes of a page that is shown beside what was extracted

Tell = Callable[[dict[str, Any]], None]


def main() -> None:
    """Do the errand that standard input names; tell of it on standard output, which is closed to everything else."""
    tell = _teller()
    request = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    try:
        errands = {"fetch": _fetch, "crawl": _crawl, "survey": _survey, "import": _import}
        errands[request.pop("errand")](request, tell)
    except ThresherError as error:
        tell({"error": type(error).__name__, "words": str(error)})


def _teller() -> Tell:
    """Return what writes a message; whatever else prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def tell(message: dict[str, Any]) -> None:
        with suppress(OSError):  # nobody listens any more, and `_end_with` knows
            answers.write(json.dumps(message, default=str) + "\n")
            answers.flush()

    return tell


def _end_with(parent: int) -> None:
    """Ask this process to end when standard input does or the parent is gone; insist after a while."""
    while os.getppid() == parent:
        readable, _, _ = select.select([0], [], [], LOOK_EVERY_S)
        if readable and not os.read(0, 1024):
            break
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_S)
    os._exit(1)


def _fetch(request: dict[str, Any], tell: Tell) -> None:
    settings = read_settings(data=None, **request["settings"])
    page = fetch_one(start_url(request["url"]), wiring.fetch_options(settings))
    body = base64.b64encode(page.body).decode("ascii")
    facts = {
        "url": page.url,
        "content_type": page.content_type,
        "fetched_at": page.fetched_at.isoformat(),
        "status": page.status,
        "headers": {name: page.headers[name] for name in KEPT_HEADERS if name in page.headers},
        "crawl_delay_s": page.crawl_delay_s,
    }
    tell({"page": facts | {"body": body}})


def _crawl(request: dict[str, Any], tell: Tell) -> None:
    starts = list(dict.fromkeys(start_url(url) for url in request["starts"]))
    options = options_of(starts, **request["options"])  # checked before a folder is made
    settings = read_settings(data=request["data"], **request["settings"])
    corpus = wiring.open_corpus(settings)
    try:
        run = open_run(corpus, starts, options)
        report = conduct(corpus, run, wiring.means(settings, limit=options["limit"]), watcher=_Reporter(tell))
    finally:
        corpus.close()
    outcomes = {f"{state}: {reason}": count for (state, reason), count in report.tally.items()}
    facts = {"documents": report.documents, "pages": report.fetched, "failures": report.failures}
    finished = report.run.state is RunState.FINISHED
    tell({"report": {"run": report.run.id, "finished": finished, **facts, "outcomes": outcomes}})


def _survey(request: dict[str, Any], tell: Tell) -> None:
    """Look at an address, and tell of each page, endpoint and sample; at the end, of the source that it would be."""
    settings = read_settings(data=request["data"], **request.get("settings", {}))
    draft = source_from_dict({"name": "draft", "kind": "site", **request["draft"]})
    originals: dict[str, str] = {}

    def told(found: Page | Spot | Sample) -> None:
        if isinstance(found, Page):
            tell({"asked": found.url, "status": found.status, "bytes": len(found.body)})
            originals[found.url] = _shown(found)
        elif isinstance(found, Spot):
            tell({"spot": asdict(found)})
        else:
            tell({"sample": asdict(found) | {"original": originals.get(found.url, "")}})
            originals.clear()

    samples = request["samples"]
    (found,) = survey([draft.address], wiring.means(settings), samples=samples, wants=draft.wants, told=told)
    if isinstance(found, ThresherError):
        raise found
    source, endpoints = source_of(found, draft)
    facts = {"title": found.title, "language": found.language, "robots": found.robots, "moved": found.moved}
    places = [{"url": each.url, "kind": each.kind} for each in endpoints]
    tell({"source": source_to_dict(source), "endpoints": places, **facts})


def _import(request: dict[str, Any], tell: Tell) -> None:
    """Add the sources of a list, and tell what became of each line."""
    settings = read_settings(data=request["data"])
    wanted = read_list(base64.b64decode(request["body"]))
    tell({"lines": len(wanted)})

    def look(addresses: Sequence[str]) -> Sequence[Survey | ThresherError]:
        asked = iter(range(1, 100 * len(addresses)))
        return survey(addresses, wiring.means(settings), samples=0, told=lambda _: tell({"asked": next(asked)}))

    catalog = wiring.open_catalog(settings)
    try:
        rows = add_listed(catalog, wanted, request["tags"], look if request["probe"] else None)
    finally:
        catalog.close()
    tell({"rows": rows})


def _shown(page: Page) -> str:
    """Return a page as text, for a frame that runs nothing of it."""
    is_html = "html" in page.content_type.lower() or not page.content_type
    return decode(page.body[:MAX_ORIGINAL], page.content_type).text if is_html else ""


class _Reporter:
    """A watcher that names each document once it is stored."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def landed(self, landing: Landing) -> None:
        if landing.record and landing.document and landing.fate:
            is_thread = landing.document.kind is Kind.THREAD
            url = (landing.record.thread if is_thread else None) or landing.fate.url
            self._tell({"stored": url, "in_parts": is_thread or landing.record.thread is not None})

    def counted(self, census: Census) -> None:
        return

    def draining(self) -> None:
        return
