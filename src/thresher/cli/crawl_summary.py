"""What a crawl prints when it ends: what was found, what was not and why, and how to go on."""

import shlex
from collections import Counter
from collections.abc import Sequence

from thresher import urls
from thresher.cli import exits, terminal
from thresher.cli.terminal import counted as counted
from thresher.cli.terminal import say as _say
from thresher.crawling.landing import Landing
from thresher.crawling.reasons import NOT_PERMITTED, UNREACHABLE, meaning_of
from thresher.crawling.report import Report
from thresher.model import RobotsRules, RunState
from thresher.model.robots import read_rules
from thresher.store.contract import Store

KNOWN = frozenset({"already-stored", "unchanged"})
GROUPS = ("not permitted", "already known", "no document", "given up", "not followed")


def show(report: Report, data: str, *, max_failures: float, again: Sequence[str] = ()) -> None:
    """Print the summary and the next commands to standard error; `again` are options to be given with them again."""
    further = {"further thread page": report.thread_pages, "further article page": report.article_pages}
    more = "".join(f" and {counted(number, what)}" for what, number in further.items() if number)
    found = f"{counted(report.documents, 'document')}{more} from {counted(report.fetched, 'page')}"
    _say(f"\nrun {report.run.id} {report.run.state}: {found}")
    for group in GROUPS:
        reasons = Counter({reason: n for (state, reason), n in report.tally.items() if _group(state, reason) == group})
        if reasons:
            listed = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common(8))
            _say(f"  {group}: {reasons.total()} ({listed})")
    show_failings(report, max_failures, indent="  ")
    if report.run.state is RunState.INTERRUPTED:
        left = report.census.pending + report.census.delayed + report.census.leased
        _say(f"  left in the queue: {left}")
    listed = f" (with the same {', '.join(again)}, unless they are in the settings)" if again else ""
    _say(f"\nnext{listed}:")
    option = data_option(data)
    if report.run.state is RunState.INTERRUPTED:
        _say(f"  thresher{option} crawl --resume")
    if report.fetched:
        _say(f"  thresher{option} search WORDS")
    _say(f"  thresher{option} why URL")


def show_failings(report: Report, max_failures: float, indent: str = "thresher: ") -> None:
    """Print to standard error why the crawl ends with the code of a failure, if it does."""
    code = exit_code(report, max_failures)
    if code in (exits.FAILED, exits.UNREACHABLE, exits.NOT_PERMITTED):
        for reason in sorted(_failings(report)):
            _say(f"{indent}{reason}: {meaning_of(reason)}")
    elif code == exits.SOME_FAILED:
        for start, reason in report.failed_starts.items():
            _say(f"{indent}the start URL {start} failed: {reason}: {meaning_of(reason)}")
        if _too_many_failed(report, max_failures):
            limit = f"more than max_failures = {max_failures:g}"
            _say(f"{indent}{report.failures} of {counted(report.asked, 'page')} failed, {limit}")


def exit_code(report: Report, max_failures: float) -> int:
    """Choose the exit code; when not one page came, the one that says what stood in the way.

    A dead link here and there is no failure of the crawl: only a start that failed is, or a share of failures above
    `max_failures`.
    """
    if report.run.state is RunState.INTERRUPTED:
        return exits.INTERRUPTED
    something_came = report.fetched or ("skipped", "unchanged") in report.tally
    failings = set() if something_came else _failings(report)
    if failings:
        permitted = exits.UNREACHABLE if failings <= UNREACHABLE else exits.FAILED
        return exits.NOT_PERMITTED if failings <= NOT_PERMITTED else permitted
    failed = report.failed_starts or _too_many_failed(report, max_failures)
    return exits.SOME_FAILED if failed else exits.DONE


def _too_many_failed(report: Report, max_failures: float) -> bool:
    """Say whether more pages failed than may; a single one only counts where none may."""
    is_single = report.failures == 1 and max_failures > 0
    return report.failures > max_failures * report.asked and not is_single


def data_option(data: str) -> str:
    """Return --data as it must be repeated in a command; empty for the default folder."""
    return "" if data == "thresher-data" else f" --data {shlex.quote(data)}"


def show_plan(landings: Sequence[Landing], store: Store, name: str) -> int:
    """Print what became of the starts, which links they lead to, and which of those would not be followed.

    `name` is the one that robots.txt knows us by.
    """
    wanted, robots = 0, _Robots(store, name)
    for landing in landings:
        if landing.fate:
            terminal.show(f"{landing.fate.state}\t{landing.fate.reason}\t{landing.fate.url}")
        for url, reason in landing.skipped:
            terminal.show(f"skip\t{reason}\t{url}")
        for link in landing.links:
            refusal = next((fate.reason for fate in store.fates(link.url) if fate.state == "refused"), None)
            refusal = refusal or ("robots-disallowed" if robots.forbids(link.url) else None)
            wanted += refusal is None
            terminal.show(f"{'skip' if refusal else 'fetch'}\t{refusal or link.why}\t{link.url}")
    _say(f"would follow {counted(wanted, 'link')}; nothing was stored")
    if robots.unasked:
        _say(f"robots.txt of {counted(len(robots.unasked), 'further host')} was not checked")
    return exits.DONE if any(landing.settlement.fetched for landing in landings) else exits.FAILED


class _Robots:
    """The robots.txt that a run has stored, and the origins of which it has none."""

    def __init__(self, store: Store, name: str) -> None:
        self.unasked: set[str] = set()
        self._store = store
        self._name = name
        self._rules: dict[str, RobotsRules | None] = {}

    def forbids(self, url: str) -> bool:
        origin = urls.origin_of(url)
        if origin not in self._rules:
            kept = self._store.robots(origin)
            self._rules[origin] = read_rules(kept.body, self._name) if kept else None
            self.unasked |= set() if kept else {origin}
        rules = self._rules[origin]
        return rules is not None and not rules.permits(url)


def _group(state: str, reason: str) -> str:
    if state == "skipped":
        return "not permitted" if reason in NOT_PERMITTED else "already known" if reason in KNOWN else "no document"
    return {"buried": "given up", "refused": "not followed"}.get(state, state)


def _failings(report: Report) -> set[str]:
    """The reasons for which pages did not come; that they are known already or lie elsewhere is none."""
    return {reason for state, reason in report.tally if state != "refused"} - KNOWN - {"redirected", "stored"}
