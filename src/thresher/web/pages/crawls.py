"""Crawls: runs as they go, started, stopped and resumed, and what each did."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.api.runs import progress_of, run_facts
from thresher.crawling.heartbeat import DRAIN, is_fresh
from thresher.crawling.opening import open_run, options_of, start_url
from thresher.crawling.reasons import meaning_of
from thresher.errors import UsageError
from thresher.extraction.algorithms import ALGORITHMS
from thresher.frontier.contract import Rules, State
from thresher.model import Run, RunState
from thresher.model.source import EndpointState
from thresher.web import reports
from thresher.web.access import noted
from thresher.web.corpora import OpenCorpus
from thresher.web.drawings import Figure, bar, scatter
from thresher.web.fragments import render_block
from thresher.web.frame import N_, wording_of
from thresher.web.live import sse
from thresher.web.problems import Refused
from thresher.web.site import site_of
from thresher.web.views import View, csv_pieces, csv_stream, page, redirect

SHOWN_RUNS = 50
SHOWN_PAGES = 100
DENSE = 50  # one page in so many that is wanted is found soon enough without looking it up
LOOK_EVERY_S = 1.0
LAST = 6  # titles that are shown
SOURCE_PAGES, SOURCE_STARTS = 100, 20  # of a crawl of what a source announces
REACHES = ("host", "subdomains", "any")
STEPS = {
    "found": N_("found"),
    "allowed": N_("allowed"),
    "fetched": N_("fetched"),
    "article": N_("articles"),
    "new": N_("new"),
}


async def crawls(request: Request) -> View:
    """List the runs, the newest first."""
    given = request.query_params.get("after", "")
    after = int(given) if given.isdecimal() and len(given) < 9 else 0
    found = await site_of(request).corpora.recent(("crawls", after), partial(_listed, after=after))
    rows = found[:SHOWN_RUNS]
    data = {
        "rows": rows,
        "running": [row for row in rows if row["state"] == "running"],
        "after": after + SHOWN_RUNS if len(found) > SHOWN_RUNS else None,
        "first": after > 0,
        "_cli": "thresher runs list",
    }
    flat = [{**row, "starts": " ".join(row["starts"])} for row in rows]
    return View("crawls.html", wording_of(request).gettext("Crawls"), data, rows=flat)


async def start(request: Request) -> View | Response:
    """Start a crawl with its options."""
    _ = wording_of(request)
    if request.method == "GET":
        given = {"starts": request.query_params.get("url", ""), "limit": "100"}
        return View("crawl_start.html", _.gettext("Start a crawl"), _form_data(given, ""))
    form = {name: str(value) for name, value in (await request.form()).items()}
    try:
        starts = list(dict.fromkeys(start_url(line) for line in form.get("starts", "").split()))
        if not starts:
            raise UsageError("give at least one address to start from")
        run = await begin(request, starts, wanted_options(form), leave=form.get("who") == "workers")
    except UsageError as error:
        return View("crawl_start.html", _.gettext("Start a crawl"), _form_data(form, str(error)), status=422)
    return redirect(request, "crawl", run=run.id)


def wanted_options(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of a run as a form names them; raise UsageError for what makes no sense."""
    options: dict[str, Any] = {}
    for name in ("limit", "max_depth"):
        text = form.get(name, "").strip()
        if text and not text.isdecimal():
            raise UsageError(f"{name}: {text!r} is not a whole number")
        options[name] = int(text) if text and (int(text) or name == "max_depth") else None
    if form.get("reach", "host") not in REACHES:
        raise UsageError(f"reach: takes one of {', '.join(REACHES)}")
    options["mode"] = form.get("reach", "host")
    options["since"] = form.get("since", "").strip() or None
    for name in ("include", "exclude"):
        options[name] = [line.strip() for line in form.get(name, "").splitlines() if line.strip()]
    options["algorithm"] = form.get("algorithm") or None
    options["refresh"] = bool(form.get("refresh"))
    delay = form.get("delay_s", "").strip()
    try:
        options["means"] = {"delay_s": float(delay)} if delay else {}
    except ValueError:
        raise UsageError(f"delay: {delay!r} is not a number of seconds") from None
    return options


async def begin(request: Request, starts: Sequence[str], options: Mapping[str, Any], *, leave: bool = False) -> Run:
    """Open a run, and start a process that works on it unless that is left to workers; return the run."""
    site = site_of(request)
    terms = options_of(starts, **options)
    run = await site.corpora.write(lambda corpus: open_run(corpus.parts, starts, terms))
    await noted(request, "crawl.start", f"run {run.id}: {' '.join(starts)[:300]}")
    if not leave:
        _work_on(request, run)
    return run


async def crawl(request: Request) -> View:
    """Show how a run goes, or what it did."""
    number = int(request.path_params["run"])
    told = await site_of(request).corpora.recent(("crawl", number), _progress, number)
    data = told | _figures(told, None) | _process(request, number) | {"_cli": f"thresher runs show {number}"}
    return View("crawl.html", wording_of(request).gettext("Crawl %(run)s", run=number), data, rows=data["errors"])


async def crawl_events(request: Request) -> Response:
    """Tell how a run goes, every second, until it goes no more."""
    number = int(request.path_params["run"])

    async def events() -> AsyncIterator[tuple[str, Any]]:
        began: tuple[float, int] | None = None
        while True:
            told = await site_of(request).corpora.recent(("crawl", number), _progress, number)
            began = began or (time.monotonic(), told["fetched"])
            data = told | _figures(told, began) | _process(request, number)
            yield "show", render_block(request, View("crawl.html", "", data), "going")
            if not data["going"]:
                yield "over", ""
                return
            await asyncio.sleep(LOOK_EVERY_S)

    return sse(request, events())


async def cancel(request: Request) -> Response:
    """Stop a run: what is in flight is finished, and it can be resumed."""
    number, site = int(request.path_params["run"]), site_of(request)
    told = await site.corpora.write(_cancelled, number)
    process = site.processes.get(f"run-{number}")
    if process and process.state not in ("ended", "draining"):
        site.processes.stop(process.name)
    await noted(request, "crawl.cancel", f"run {number}, {told} workers")
    notice = wording_of(request).gettext("The crawl finishes what is in flight, and stops.")
    return redirect(request, "crawl", notice=notice, run=number)


async def resume(request: Request) -> Response:
    """Go on with a run that was stopped, or try again what failed in it."""
    number, _ = int(request.path_params["run"]), wording_of(request)
    form = await request.form()
    run, revived = await site_of(request).corpora.write(_reopened, number, retry=bool(form.get("retry")))
    await noted(request, "crawl.resume", f"run {number}")
    _work_on(request, run)
    notice = _.ngettext("%(num)s link is tried again.", "%(num)s links are tried again.", revived) if revived else ""
    return redirect(request, "crawl", notice=notice, run=number)


async def crawl_source(request: Request) -> Response:
    """Crawl what a source announces now, without waiting for its turn."""
    name = request.path_params["name"]
    starts = await site_of(request).corpora.read(_asked_of, name)
    run = await begin(request, starts, {"limit": SOURCE_PAGES})
    return redirect(request, "crawl", run=run.id)


async def why(request: Request) -> View:
    """Tell what happened to an address, in every crawl, and where it waits."""
    asked = request.query_params.get("u", "").strip()
    data: dict[str, Any] = {"asked": asked, "rows": [], "waits": [], "_cli": f"thresher why {asked or 'URL'}"}
    if asked:
        data |= await site_of(request).corpora.read(_why, start_url(asked))
    return View("why.html", wording_of(request).gettext("What happened to a page"), data, rows=data["rows"])


async def report(request: Request) -> View:
    """Show what a run did: from links to documents, and why the rest is not there."""
    number, language = int(request.path_params["run"]), wording_of(request)
    counted = await reports.report_of(site_of(request), number)
    title, cli = language.gettext("Report of crawl %(run)s", run=number), {"_cli": f"thresher runs report {number}"}
    if counted is None or counted.value is None:
        why = counted.failed if counted else ""
        data = {"run": number, "working": counted is None, "_failed": why, **cli}
        headers = {"retry-after": str(reports.AGAIN_S)}
        return View("report_working.html", title, data, rows=[], status=503 if why else 202, headers=headers)
    found, zipf = counted.value, counted.value["zipf"]
    top = max(found["funnel"].values(), default=0) or 1
    funnel = [
        {
            "step": language.gettext(STEPS[name]),
            "count": n,
            "href": _pages_of(request, number, name),
            "bar": bar(n / top, 8),
        }
        for name, n in found["funnel"].items()
    ]
    axes = (language.gettext("rank of a word"), language.gettext("how often it occurs"))
    drawn = _zipf_drawn(zipf, language.gettext("Words by frequency (%(name)s)", name=zipf["language"]), axes)
    words = {"_zipf": drawn, "zipf_documents": zipf["documents"]}
    plain = {name: value for name, value in found.items() if name not in ("zipf", "summary")}
    rows = [{"state": s, "reason": r, "links": n, "meaning": m} for s, r, n, m in found["reasons"]]
    return View("report.html", title, {**plain, **words, "_funnel": funnel, **cli}, rows=rows)


async def report_words(request: Request) -> View | Response:
    """Give how often words occur in the documents of a run, as data; a page of them is that of the report."""
    number = int(request.path_params["run"])
    if not request.url.path.endswith((".json", ".csv")):
        return redirect(request, "crawl_report", run=number)
    counted = await reports.report_of(site_of(request), number)
    if counted is None or counted.value is None:
        return View("report_working.html", "", {"run": number}, rows=[], status=202)
    zipf = counted.value["zipf"]
    rows = [{"rank": rank, "count": count, "word": word} for rank, count, word in zipf["points"]]
    return View("report.html", "", {"run": number, "language": zipf["language"]}, rows=rows)


async def pages(request: Request) -> View | Response:
    """List the pages of a run with what became of each, and why."""
    number, asked = int(request.path_params["run"]), request.query_params
    after = int(asked.get("after", "0")) if asked.get("after", "0").isdecimal() else 0
    state, reason = asked.get("state", ""), asked.get("reason", "")
    if request.url.path.endswith(".csv"):
        await site_of(request).corpora.read(_run, number)
        lines = site_of(request).corpora.stream(partial(_csv_pages, number=number, state=state, reason=reason))
        return csv_stream(lines, f"crawl-{number}-pages")
    rows = await site_of(request).corpora.read(_page_of, number, state, reason, after)
    data = {
        "run": number,
        "rows": rows[:SHOWN_PAGES],
        "state": state,
        "reason": reason,
        "meaning": meaning_of(reason),
        "after": after + SHOWN_PAGES if len(rows) > SHOWN_PAGES else None,
        "first": after > 0,
        "_cli": f"thresher runs show {number} -f csv",
    }
    return View("crawl_pages.html", wording_of(request).gettext("Pages of crawl %(run)s", run=number), data, rows=rows)


def _asked_of(corpus: OpenCorpus, name: str) -> list[str]:
    found = [endpoint.url for endpoint in corpus.catalog.endpoints(name) if endpoint.state is EndpointState.ACTIVE]
    if not found:
        raise Refused(404, f"there is no source {name} that is asked anywhere")
    return found[:SOURCE_STARTS]


def _why(corpus: OpenCorpus, url: str) -> dict[str, Any]:
    names = ("run", "state", "reason", "detail", "status", "found_on", "at")
    fates = corpus.store.fates(url)
    rows = [{n: getattr(fate, n) for n in names} | {"meaning": meaning_of(fate.reason)} for fate in fates]
    waits = [
        f"{job}: {standing.state}" + (f", {meaning_of(standing.reason)}" if standing.reason else "")
        for job, standing in corpus.parts.standings(url).items()
        if standing.state not in (State.DONE, State.DEAD)
    ]
    return {"rows": rows, "waits": waits}


def _zipf_drawn(zipf: Mapping[str, Any], title: str, axes: tuple[str, str]) -> Figure | None:
    if not zipf["points"]:
        return None
    return scatter("zipf", title, zipf["points"], zipf["line"], axes=axes, write=lambda value: f"{value:g}")


def _listed(corpus: OpenCorpus, *, after: int) -> list[dict[str, Any]]:
    """Return the runs of one page of the list, and one more if there are more."""
    runs = corpus.store.runs(limit=after + SHOWN_RUNS + 1)[after:]
    return [run_facts(corpus.parts, run) | {"watch": run.is_watch} for run in runs]


def _run(corpus: OpenCorpus, number: int) -> Run:
    run = corpus.store.run(number)
    if run is None:
        raise Refused(404, f"there is no crawl {number}")
    return run


def _progress(corpus: OpenCorpus, number: int) -> dict[str, Any]:
    run = _run(corpus, number)
    return progress_of(corpus.parts, run, LAST)


def _figures(data: Mapping[str, Any], began: tuple[float, int] | None) -> dict[str, Any]:
    """Return rate and time left: by what was seen to come in, or by what the workers say of the last minute."""
    rate = data["per_s"]
    if began and time.monotonic() - began[0] >= 3 * LOOK_EVERY_S:
        rate = (data["fetched"] - began[1]) / (time.monotonic() - began[0])
    left = data["waiting"] if data["limit"] is None else min(data["waiting"], max(data["limit"] - data["fetched"], 0))
    total = data["fetched"] + left if data["limit"] is None else min(data["limit"], data["fetched"] + data["waiting"])
    return {"per_s": round(rate, 2), "eta_s": round(left / rate) if rate > 0 and left else None, "of": total}


def _process(request: Request, number: int) -> dict[str, Any]:
    process = site_of(request).processes.get(f"run-{number}")
    if process is None:
        return {"process": None, "said": []}
    said = list(process.lines)[-5:] if process.state == "ended" and process.code else []
    return {"process": process.state, "said": said}


def _work_on(request: Request, run: Run) -> None:
    site = site_of(request)
    process = site.processes.get(f"run-{run.id}")
    if process is None or process.state == "ended":
        site.processes.start(f"run-{run.id}", ["worker", "run", "--job", str(run.id), "--progress", "none"])


def _cancelled(corpus: OpenCorpus, number: int) -> int:
    """Tell the workers of a run to drain, and close it for others; return how many were told."""
    run, told = _run(corpus, number), 0
    if run.job in corpus.parts.jobs():
        overseer = corpus.parts.overseer(run.job, Rules())
        told = sum(overseer.tell(beat.worker, DRAIN) for beat in overseer.beats() if is_fresh(beat))
    if run.state is RunState.RUNNING:
        corpus.store.end_run(run.id, RunState.INTERRUPTED, datetime.now(UTC))
    return told


def _reopened(corpus: OpenCorpus, number: int, *, retry: bool) -> tuple[Run, int]:
    run = _run(corpus, number)
    if run.is_watch:
        raise UsageError("the watch is not a crawl; `thresher serve --watch` and `thresher watch` continue it")
    if run.job not in corpus.parts.jobs():
        raise UsageError(f"the queue of crawl {number} is not here; start a new crawl")
    revived = corpus.parts.overseer(run.job, Rules()).retry() if retry else 0
    corpus.store.end_run(run.id, RunState.RUNNING, run.started_at)
    return run, revived


def _page_of(corpus: OpenCorpus, number: int, state: str, reason: str, after: int) -> list[dict[str, Any]]:
    """Return the pages of a run in the order in which they were settled, one more than shown to know that there are."""
    return list(islice(_pages(corpus, number, state, reason), after, after + SHOWN_PAGES + 1))


def _csv_pages(corpus: OpenCorpus, *, number: int, state: str, reason: str) -> Iterator[bytes]:
    """Yield all pages of a run as lines of CSV, however many there are."""
    return csv_pieces(_pages(corpus, number, state, reason))


def _pages(corpus: OpenCorpus, number: int, state: str, reason: str) -> Iterator[dict[str, Any]]:
    run = _run(corpus, number)
    tally = corpus.store.tally(run.id)
    wanted = sum(n for (s, r), n in tally.items() if state in ("", s) and reason in ("", r))
    if wanted * DENSE >= sum(tally.values()):  # most are wanted: they are found on the way through all
        visits = corpus.store.visits(run.id, pages=False)
    else:  # few are: they are looked up, and put in order
        visits = corpus.store.visits(run.id, pages=False, state=state, reason=reason)
    for v in visits if wanted else ():
        if state not in ("", v.fate.state) or reason not in ("", v.fate.reason):
            continue
        yield {
            "url": v.fate.url,
            "state": v.fate.state,
            "reason": v.fate.reason,
            "meaning": meaning_of(v.fate.reason),
            "status": v.fate.status,
            "title": v.title,
            "kind": v.kind,
            "language": v.language,
            "length": v.length,
            "at": v.fate.at,
            "detail": v.fate.detail,
            "found_on": v.fate.found_on,
        }


def _pages_of(request: Request, number: int, step: str) -> str:
    paths = site_of(request).paths
    if step in ("article", "new"):
        return paths.of("search", q=f"run:{number}")
    return paths.of("crawl_pages", run=number)


def _form_data(given: Mapping[str, str], error: str) -> dict[str, Any]:
    return {
        "given": given,
        "error": error,
        "_algorithm_choices": [(name, name) for name in ALGORITHMS],
        "_cli": "thresher crawl URL --limit 100",
    }


ROUTES: list[Route] = [
    *page("/why", why, name="why"),
    *page("/sources/of/{name}/crawl", crawl_source, name="crawl_source", role="analyst", methods=("POST",)),
    *page("/crawls", crawls, name="crawls"),
    *page("/crawls/start", start, name="crawl_start", role="analyst", methods=("GET", "POST")),
    *page("/crawls/{run:int}/events", crawl_events, name="crawl_events"),
    *page("/crawls/{run:int}/cancel", cancel, name="crawl_cancel", role="analyst", methods=("POST",)),
    *page("/crawls/{run:int}/resume", resume, name="crawl_resume", role="analyst", methods=("POST",)),
    *page("/crawls/{run:int}/report", report, name="crawl_report"),
    *page("/crawls/{run:int}/report/words", report_words, name="crawl_report_words"),
    *page("/crawls/{run:int}/pages", pages, name="crawl_pages"),
    *page("/crawls/{run:int}", crawl, name="crawl"),
]
