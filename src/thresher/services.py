"""Services: what runs beside a crawl, a watch or the pages, as the settings have it: alerts, sending, WebSub."""

import logging
import os
import socket
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import quote
from uuid import uuid4

from thresher import wiring
from thresher.alerting.lookout import Lookout, Means
from thresher.alerting.mail import Mail, read_server
from thresher.alerting.sending import Senders, send_due
from thresher.alerting.webhook import Webhook
from thresher.catalog.alerts import KEEP_DELIVERIES_DAYS
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.errors import ThresherError
from thresher.fetch.guard import Guard
from thresher.fetch.post import Poster
from thresher.model.alert import secret_key
from thresher.watching.websub import Hubs

LOOK_EVERY_S = 5.0
HUB_PATH = "/websub/"  # of the pages, followed by the secret part of a subscription
FORGET_EVERY_S = 3_600.0
MAX_WAIT_S = 60.0  # between attempts while a database is away
MAX_ROUNDS = 1_000  # of sending in one run; what is left comes the next time
log = logging.getLogger("thresher.alerts")


@dataclass(frozen=True, slots=True)
class Worked:
    """What one run of the alerts did."""

    notices: int
    attempts: int


def senders(settings: Settings) -> Senders:
    """Return who sends notices, as the settings have it."""
    server = None
    if settings.smtp:
        server = read_server(settings.smtp, password=settings.smtp_password, sender=settings.mail_from)
    keys = [key for word in settings.webhook_secret.split() if (key := secret_key(word))]
    return Senders(Webhook(poster(settings), keys), Mail(server))


def poster(settings: Settings) -> Poster:
    """Return who calls webhooks and hubs: through the address guard, as a crawl goes."""
    guard = Guard(settings.allowed_addresses)
    return Poster(guard, user_agent=settings.user_agent, strict=settings.strict_addresses)


def lookout(corpus: Corpus, settings: Settings, worker: str) -> Lookout:
    """Return who looks after the alerts of a corpus."""
    return Lookout(
        corpus, Means(worker, lambda: wiring.scratch_index(settings), lambda query: search_link(settings, query))
    )


def search_link(settings: Settings, query: str) -> str:
    """Return where the pages show what a query finds; empty where nobody knows their address."""
    if not settings.public_url or not query:
        return ""
    return f"{settings.public_url.rstrip('/')}/search?q={quote(query)}"


def new_worker() -> str:
    """Return a name for who holds leases in this process, unlike any other."""
    return f"{socket.gethostname()[:40]}/{os.getpid()}/{uuid4().hex[:8]}"


def run_alerts(corpus: Corpus, settings: Settings, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Worked:
    """Look once for every alert and send what is due, then give the leases back. Raise BackendError."""
    worker = new_worker()
    who, sending = lookout(corpus, settings, worker), senders(settings)
    notices = attempts = 0
    try:
        notices = who.look(now())
        for _ in range(MAX_ROUNDS):
            done = send_due(corpus.alerts(), sending, worker, now())
            attempts += done
            if not done:
                break
    finally:
        who.leave(now())
    return Worked(notices, attempts)


class AlertService:
    """Looks after alerts in a thread of its own, with a corpus of its own, until it is stopped."""

    def __init__(self, settings: Settings, *, every_s: float = LOOK_EVERY_S) -> None:
        self._settings = settings
        self._every_s = every_s
        self._worker = new_worker()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="alerts", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> None:
        """End soon: what is being sent is waited for a little, and its lease ends by itself."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        keep_working("alerts", self._settings, self._stopped, self._tend)

    def _tend(self, corpus: Corpus) -> None:
        """Work until stopped; raise ThresherError when a database is away."""
        who, sending = lookout(corpus, self._settings, self._worker), senders(self._settings)
        book = corpus.alerts()
        forgotten = datetime.min.replace(tzinfo=UTC)
        while not self._stopped.is_set():
            now = datetime.now(UTC)
            who.look(now)
            while not self._stopped.is_set() and send_due(book, sending, self._worker, datetime.now(UTC)):
                continue
            if (now - forgotten).total_seconds() >= FORGET_EVERY_S:
                book.forget_before(now - timedelta(days=KEEP_DELIVERIES_DAYS))
                forgotten = now
            self._stopped.wait(self._every_s)
        with suppress(ThresherError):
            who.leave(datetime.now(UTC))


class HubService:
    """Keeps the subscriptions at WebSub hubs in a thread of its own, until it is stopped; see watching/websub.py."""

    def __init__(self, settings: Settings, *, every_s: float = LOOK_EVERY_S) -> None:
        self._settings = settings
        self._every_s = every_s
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="websub", daemon=True)

    def start(self) -> None:
        """Begin, where the settings say under which address hubs reach us."""
        if self._settings.public_url:
            self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> None:
        """End soon; what a hub does not answer in time is asked again later."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        keep_working("subscriptions", self._settings, self._stopped, self._tend)

    def _tend(self, corpus: Corpus) -> None:
        subscriptions = hubs(corpus, self._settings)
        while not self._stopped.is_set():
            subscriptions.tend(datetime.now(UTC))
            self._stopped.wait(self._every_s)


def hubs(corpus: Corpus, settings: Settings) -> Hubs:
    """Return the subscriptions of a corpus at WebSub hubs."""
    callback = f"{settings.public_url.rstrip('/')}{HUB_PATH}"
    return Hubs(corpus, wiring.rules(settings), callback, poster(settings).post)


def keep_working(what: str, settings: Settings, stopped: threading.Event, work: Callable[[Corpus], None]) -> None:
    """Work on a corpus until stopped; a database that is away is asked again, at longer and longer intervals."""
    wait_s = LOOK_EVERY_S
    while not stopped.is_set():
        try:
            with closing(wiring.open_corpus(settings, lean=True)) as corpus:
                wait_s = LOOK_EVERY_S
                work(corpus)
        except ThresherError as error:
            log.warning("%s wait: %s", what, error)
            stopped.wait(wait_s)
            wait_s = min(2 * wait_s, MAX_WAIT_S)
