"""The report of a run as one HTML file that needs nothing else: no script, no style sheet, no image from elsewhere.

Everything that was crawled is escaped. A cached page is shown in a frame that runs no scripts, sends no forms and has
no address of its own, and the policy in the file's head keeps all of it from loading anything over the network.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

from thresher.analysis.report import HostCounts, Summary, Words, busiest
from thresher.html import decode
from thresher.model import Document, Page
from thresher.model.codec import storable
from thresher.text import strip_unseen

MAX_ROWS = 2_000  # pages listed in the file; a longer table makes browsers slow
MAX_EMBEDDED = 20_000_000  # characters of cached and cleaned pages inside the file
MAX_CACHED = 2_000_000  # characters of one cached page
SHOWN_HOSTS = 50
_GROUPS = (
    ("stored", "Stored"),
    ("skipped", "Not stored"),
    ("buried", "Given up"),
    ("refused", "Found, not followed"),
)
_STEPS = {
    "found": "links seen, the start URLs among them",
    "allowed": "within the scope of the crawl, robots.txt and the address rules",
    "fetched": "answered with a page (status 2xx)",
    "article": "articles and threads stored",
    "new": "not stored by an earlier run",
}
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
_STYLE = (Path(__file__).parent / "report.css").read_text("utf-8")


def opening(summary: Summary, words: Words, note: str = "") -> Iterator[str]:
    """Yield the file up to the list of pages; `note` says what this list leaves out."""
    run = summary.run
    yield head_of(f"Run {run.id}: {', '.join(run.starts)}")
    yield f"<h1>Run {run.id} <span class=soft>{escape(run.state.value)}</span></h1>"
    yield f"<p>{' '.join(link_to(start) for start in run.starts)}</p>"
    yield _cards(summary)
    yield "<h2>From link to document</h2>" + _bars(summary.funnel, _STEPS)
    if summary.waiting:
        yield f"<p class=soft>{summary.waiting:,} links are still in the queue.</p>"
    yield "<h2>What became of the links, and why</h2>" + "".join(_reasons(summary, words))
    yield "<h2>Hosts</h2>" + _hosts(summary)
    yield "<h2>Languages</h2>" + (_bars(summary.languages.most_common()) if summary.languages else _nothing())
    yield "<h2>Status codes</h2>"
    yield _bars([(str(status), n) for status, n in summary.statuses.most_common()]) if summary.statuses else _nothing()
    if summary.failed:
        yield f"<h2 id=failed>What failed: {summary.failed:,}</h2>" + _failures(summary, words)
    yield f"<h2 id=pages>Pages: {summary.pages:,}</h2>"
    yield f"<p class=soft>{escape(note)}</p>" if note else ""
    yield (
        "<table class=wide><thead><tr><th class=n>#<th class=n>Status<th>Page<th>What it is<th class=n>Size"
        "<th class=n>Links<th class=n>Images</tr></thead>\n"
    )


def row(number: int, facts: Mapping[str, Any], versions: Iterable[str]) -> str:
    """Return the row of a page; `versions` are links to what is stored of it, or that itself (see `inside_cached`)."""
    status = facts["status"]
    bad = " bad" if status is not None and status >= 400 else ""
    what = facts["kind"] if facts["state"] == "stored" and facts["kind"] else facts["reason"]
    about = " · ".join(filter(None, [what, facts["language"], "new" if facts["new"] else ""]))
    tools = "".join(versions)
    return (
        f"<tr><td class=n>{number:,}<td class='n{bad}'>{status if status is not None else '–'}"
        f"<td class=main>{_text(facts['title']) or '<span class=soft>no title</span>'}"
        f"<div class=url>{link_to(facts['url'])}</div>{f'<div class=tools>{tools}</div>' if tools else ''}"
        f"<td>{_text(about)}"
        f"<td class=n data-name=size>{size_of(facts['bytes'])}"
        f"<td class=n data-name=links>{_number(facts['outlinks'])}"
        f"<td class=n data-name=images>{_number(facts['images'])}</tr>\n"
    )


def closing(summary: Summary) -> str:
    """Return the end of the file."""
    made = f"{summary.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    number = summary.run.id
    return (
        f"</table><footer>made {made} by: thresher runs report {number} · the same as data: "
        f"thresher runs show {number} -f json|csv · one page: thresher why URL</footer></body></html>\n"
    )


def inside_cleaned(document: Document) -> str:
    """Return the cleaned version of a page to be opened inside the report."""
    return f"<details><summary>cleaned</summary>{document.html()}</details>"


def inside_cached(page: Page) -> str:
    """Return a cached page to be opened inside the report; empty for what is not text, or too long."""
    shown = _frame(page)
    return f"<details><summary>cached</summary>{shown}</details>" if shown else ""


def cleaned_file(document: Document) -> str:
    """Return the cleaned version as a file of its own."""
    return f"{head_of(document.title)}<p class=url>{link_to(document.url or '')}</p>{document.html()}</body></html>\n"


def cached_file(page: Page) -> str:
    """Return a cached page as a file of its own, as safe to open as the report; empty for what is not text."""
    shown = _frame(page)
    when = f"{page.fetched_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    about = f"<p class=url>{link_to(page.url)} as fetched on {when}; scripts do not run, and nothing is loaded</p>"
    return f"{head_of(page.url)}{about}{shown}</body></html>\n" if shown else ""


def version_link(href: str, name: str) -> str:
    """Return a link to a version in a file beside the report."""
    return f'<a href="{escape(href)}">{escape(name)}</a>'


def left_out(name: str) -> str:
    """Return what stands where a version has no room in the file."""
    return f"<span class=soft>{escape(name)}</span>"


def head_of(title: str) -> str:
    """Return the start of a file, up to the content of its body."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{_text(title)}</title><style>{_STYLE}</style></head><body>\n"
    )


def link_to(url: str) -> str:
    """Return a URL as a link; anything but http(s) is only shown."""
    shown = _text(url)
    if not url.lower().startswith(("http://", "https://")):
        return shown
    return f'<a href="{shown}" rel="noreferrer noopener">{shown}</a>'


def size_of(count: int | None) -> str:
    """Return a number of bytes as people read it."""
    if count is None:
        return "–"
    if count < 1_000:
        return f"{count} B"
    return f"{count / 1_000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def lasting(seconds: float) -> str:
    """Return a duration as people read it."""
    minutes, hours = int(seconds // 60), int(seconds // 3600)
    if hours:
        return f"{hours} h {minutes % 60:02} min"
    return f"{minutes} min {int(seconds % 60):02} s" if minutes else f"{seconds:.1f} s"


def _frame(page: Page) -> str:
    """Return what shows a page's text: HTML in a frame without rights, other text as it is; empty for anything else."""
    kind = page.content_type.split(";")[0].strip().lower()
    if not page.body or not (not kind or kind.startswith("text/") or kind.endswith(("xml", "json", "html"))):
        return ""
    text = strip_unseen(decode(page.body[: 4 * MAX_CACHED], page.content_type).text)
    if len(text) > MAX_CACHED:
        return ""
    if not kind or "html" in kind:
        return f'<iframe sandbox="" loading="lazy" title="cached page" srcdoc="{_text(text)}"></iframe>'
    return f"<pre>{_text(text)}</pre>"


def _text(text: str) -> str:
    return escape(storable(text))


def _number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _nothing() -> str:
    return "<p class=soft>none</p>"


def _moment(moment: datetime | None) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if moment else "not yet"


def _cards(summary: Summary) -> str:
    rate = summary.pages_per_s
    cards = (
        ("pages fetched", f"{summary.fetched:,}", f"{rate:.2g} per second" if rate is not None else ""),
        ("documents", f"{summary.documents:,}", f"{summary.new:,} new"),
        ("failed", f"{summary.failed:,}", "see below" if summary.failed else ""),
        ("received", size_of(summary.bytes), "decompressed"),
        (
            "duration",
            lasting(summary.duration_s),
            f"{_moment(summary.run.started_at)} – {_moment(summary.run.finished_at)}",
        ),
    )
    shown = (f"<div class=card>{name}<b>{value}</b><span class=soft>{note}</span></div>" for name, value, note in cards)
    return f"<div class=cards>{''.join(shown)}</div>"


def _bars(counts: Iterable[tuple[str, int]], notes: Mapping[str, str] | None = None) -> str:
    pairs = list(counts)
    most = max((count for _, count in pairs), default=0) or 1
    rows = []
    for name, count in pairs:
        note = f" <span class=soft>{escape(notes[name])}</span>" if notes else ""
        bar = f'<td class=bar><i style="width:{100 * count / most:.1f}%"></i>'
        rows.append(f"<tr><td>{_text(name)}{note}<td class=n>{count:,}{bar}</tr>")
    return f"<table>{''.join(rows)}</table>"


def _reasons(summary: Summary, words: Words) -> Iterator[str]:
    for state, name in _GROUPS:
        reasons = summary.reasons(state)
        if not reasons:
            continue
        total = sum(count for _, count in reasons)
        rows = (
            f"<tr><td>{_text(reason)}<td class=n>{count:,}<td class=soft>{_text(words.meaning_of(reason))}</tr>"
            for reason, count in reasons
        )
        yield f"<h3>{name}: {total:,}</h3><table class=reasons>{''.join(rows)}</table>"


def _hosts(summary: Summary) -> str:
    hosts = busiest(summary)
    columns = HostCounts.__slots__
    rows = (
        f"<tr><td class=main>{_text(host)}"
        + "".join(f"<td class=n data-name={name}>{getattr(counts, name):,}" for name in columns)
        for host, counts in hosts[:SHOWN_HOSTS]
    )
    more = len(hosts) - SHOWN_HOSTS
    note = f"<p class=soft>{more:,} more hosts with fewer links: thresher runs show {summary.run.id} -f json</p>"
    names = "<thead><tr><th>Host" + "".join(f"<th class=n>{name.capitalize()}" for name in columns) + "</thead>"
    return f"<table class=wide>{names}{''.join(rows)}</table>{note if more > 0 else ''}"


def _failures(summary: Summary, words: Words) -> str:
    rows = []
    for fate in (visit.fate for visit in summary.failures):
        why = f"{words.meaning_of(fate.reason)} {fate.detail[:300]}"
        rows.append(
            f"<tr><td class='n bad'>{fate.status or '–'}<td class=main>{link_to(fate.url)}"
            f"<td>{_text(fate.reason)}<td class=soft>{_text(why)}</tr>"
        )
    more = summary.failed - len(summary.failures)
    note = f"<p class=soft>{more:,} more are in thresher runs show {summary.run.id} -f csv</p>" if more > 0 else ""
    return f"<table class=wide>{''.join(rows)}</table>{note}"
