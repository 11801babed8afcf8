"""Sending: takes deliveries that are due, tries each once, and says when it is tried again.

A delivery is tried for some five days, at longer and longer intervals, then given up; it can be replayed. It is marked
as sent after the other side took it: a process that is killed in between sends it again, with the same id, by which
the other side can tell.
"""

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta

from thresher.alerting.mail import Mail
from thresher.alerting.webhook import Webhook
from thresher.catalog.alerts import Alerts
from thresher.errors import ThresherError
from thresher.fetch.post import Answer
from thresher.model.alert import MAIL, Attempt, Delivery, DeliveryState

RETRY_S = (5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400)
LEASE_S = 180.0
AT_ONCE = 8  # deliveries
GONE = 410  # of a webhook that wants no more
log = logging.getLogger("thresher.alerts")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one attempt went."""

    ok: bool
    detail: str
    again: bool = True  # whether trying again may help
    wait_s: float = 0.0  # that the other side asks for


@dataclass(frozen=True, slots=True)
class Senders:
    """Who delivers to which kind of target."""

    webhook: Webhook
    mail: Mail

    def check(self, targets: Sequence[str]) -> None:
        """Raise UsageError for targets that nothing can be sent to as the settings are."""
        for target in targets:
            (self.mail if target.startswith(MAIL) else self.webhook).check()

    def send(self, delivery: Delivery, at: datetime) -> Outcome:
        """Try once; what goes wrong is the outcome."""
        try:
            if delivery.target.startswith(MAIL):
                return Outcome(True, self.mail.send(delivery, at))
            return _of(self.webhook.send(delivery, at))
        except ThresherError as error:
            return Outcome(False, str(error).splitlines()[0], again=error.retry)


def send_due(book: Alerts, senders: Senders, worker: str, now: datetime) -> int:
    """Send what is due, some at a time; return how many attempts were made. Raise BackendError of the book."""
    taken = book.lease_deliveries(worker, now + timedelta(seconds=LEASE_S), now, limit=AT_ONCE)
    if not taken:
        return 0
    with ThreadPoolExecutor(len(taken), "send") as pool:
        outcomes = list(pool.map(lambda delivery: senders.send(delivery, now), taken))
    for delivery, outcome in zip(taken, outcomes, strict=True):
        _settle(book, worker, delivery, outcome, now)
    return len(taken)


def _settle(book: Alerts, worker: str, delivery: Delivery, outcome: Outcome, now: datetime) -> None:
    number = delivery.attempts + 1
    attempt = Attempt(number=number, at=now, ok=outcome.ok, detail=outcome.detail)
    if outcome.ok:
        book.settle(delivery.id, worker, attempt, DeliveryState.SENT)
        return
    if not outcome.again or number > len(RETRY_S):
        log.warning("alert %s: given up sending to %s: %s", delivery.alert, delivery.target, outcome.detail)
        book.settle(delivery.id, worker, attempt, DeliveryState.FAILED)
        return
    wait_s = max(float(RETRY_S[number - 1]), outcome.wait_s)
    book.settle(delivery.id, worker, attempt, DeliveryState.WAITING, now + timedelta(seconds=wait_s))


def _of(answer: Answer) -> Outcome:
    said = " ".join(answer.text.split())[:200]
    detail = f"HTTP {answer.status}" + (f": {said}" if said and not answer.ok else "")
    asked = answer.retry_after
    wait_s = float(min(int(asked), 86_400)) if asked.isascii() and asked.isdigit() and len(asked) < 9 else 0.0
    return Outcome(answer.ok, detail, again=answer.status != GONE, wait_s=wait_s)
