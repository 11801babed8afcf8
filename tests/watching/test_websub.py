"""WebSub: feeds that name a hub are asked as soon as it tells of something new, and only for what we asked it for."""

import hmac
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlencode
from urllib.request import Request, urlopen

import pytest

from tests.commands import Command
from tests.watching.site import NewsSite, serving
from tests.watching.test_watch import ENVIRON, stored, thresher, watch_once
from tests.web.browsers import serving as application
from thresher import services
from thresher.catalog.alerts import Subscription
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.errors import Unreachable
from thresher.fetch.post import Answer
from thresher.frontier.contract import Rules, Settlement
from thresher.lab.servers import free_port
from thresher.model import Endpoint, EndpointKind, Link, Outcome, Source, SourceKind, SourceState
from thresher.model.run import WATCH
from thresher.watching.websub import LEASE_S, RETRY_S, SIGNATURES, Hubs, Notice, is_signed

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)
FEED, HUB, CALLBACK = "https://news.test/feed", "https://hub.test/", "https://us.test/websub/"
DAY = timedelta(days=1)


class Asked(list[tuple[str, dict[str, str]]]):
    """What hubs were asked, by a post that answers as it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.away: set[str] = set()
        self.answer = Answer(202, "")

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        assert headers["Content-Type"] == "application/x-www-form-urlencoded"
        self.append((url, dict(parse_qsl(body.decode()))))
        if url in self.away:
            raise Unreachable("no answer from hub.test")
        return self.answer


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def hubs(corpus: Corpus, asked: Asked) -> Hubs:
    """Subscriptions of a corpus that follows one feed, which names one hub."""
    follow(corpus, "news", FEED, HUB)
    return Hubs(corpus, Rules(), CALLBACK, asked.post)


def follow(corpus: Corpus, name: str, url: str, *named: str) -> None:
    feed = Endpoint(source=name, url=url, kind=EndpointKind.FEED, hubs=named)
    corpus.catalog().add(Source(name=name, kind=SourceKind.FEED, address=url), [feed])


def only(corpus: Corpus) -> Subscription:
    (subscription,) = corpus.alerts().subscriptions()
    return subscription


def challenge(subscription: Subscription, **values: str) -> dict[str, str]:
    told = {"mode": "subscribe", "topic": subscription.topic, "challenge": "c123", "lease_seconds": "864000"}
    return {f"hub.{name}": value for name, value in {**told, **values}.items()}


def signed(subscription: Subscription, body: bytes = b"<feed/>", method: str = "sha256") -> Notice:
    digest = hmac.new(subscription.secret.encode(), body, method).hexdigest()
    return Notice(subscription.path, body, f"{method}={digest}")


def confirmed(hubs: Hubs, corpus: Corpus) -> Subscription:
    hubs.tend(NOW)
    assert hubs.confirm(only(corpus).path, challenge(only(corpus)), NOW) == "c123"
    return only(corpus)


def test_a_hub_is_asked_once_and_again_before_its_lease_ends(hubs: Hubs, corpus: Corpus, asked: Asked) -> None:
    subscription = confirmed(hubs, corpus)
    ((url, form),) = asked
    assert url == HUB
    assert form == {
        "hub.mode": "subscribe",
        "hub.topic": FEED,
        "hub.callback": CALLBACK + subscription.path,
        "hub.lease_seconds": str(LEASE_S),
        "hub.secret": subscription.secret,
    }
    assert min(len(subscription.path), len(subscription.secret)) >= 32
    assert subscription.until == NOW + 10 * DAY
    assert [hubs.tend(NOW + after) for after in (DAY, 7 * DAY, 7.6 * DAY, 7.6 * DAY)] == [0, 0, 1, 0]
    assert asked[-1][1] == form
    renewed = hubs.confirm(subscription.path, challenge(subscription), NOW + 8 * DAY)
    assert (renewed, only(corpus).until) == ("c123", NOW + 18 * DAY)


def test_only_what_was_asked_for_is_confirmed(hubs: Hubs, corpus: Corpus) -> None:
    hubs.tend(NOW)
    waiting = only(corpus)
    for wrong in ({"topic": "https://other.test/"}, {"mode": "unsubscribe"}, {"challenge": ""}, {"mode": "publish"}):
        assert hubs.confirm(waiting.path, challenge(waiting, **wrong), NOW) is None
    assert hubs.confirm("guessed", challenge(waiting), NOW) is None
    assert hubs.confirm(waiting.path, {}, NOW) is None
    assert only(corpus).until is None


@pytest.mark.parametrize(
    ("told", "days"),
    [("86400", 1.0), ("1", 300 / 86_400), ("9" * 30, 10.0), ("-5", 10.0), ("", 10.0), ("99999999", 90)],
)
def test_a_lease_is_counted_within_bounds(hubs: Hubs, corpus: Corpus, told: str, days: float) -> None:
    hubs.tend(NOW)
    hubs.confirm(only(corpus).path, challenge(only(corpus), lease_seconds=told), NOW)
    assert only(corpus).until == NOW + days * DAY


def test_a_hub_that_fails_is_asked_at_longer_intervals_and_once_for_all(
    hubs: Hubs, corpus: Corpus, asked: Asked
) -> None:
    follow(corpus, "second", "https://second.test/feed", HUB)
    asked.away.add(HUB)
    assert hubs.tend(NOW) == 1  # what else is wanted of it waits until it answers
    moments = [NOW + timedelta(seconds=RETRY_S * halves / 2) for halves in range(1, 7)]
    assert [hubs.tend(moment) for moment in moments] == [0, 1, 0, 1, 0, 1]
    assert {url for url, _ in asked} == {HUB}
    assert "no answer" in corpus.alerts().subscriptions()[0].detail
    asked.away.clear()
    asked.answer = Answer(400, "no such\ntopic")
    assert hubs.tend(NOW + DAY) == 2
    assert {one.detail for one in corpus.alerts().subscriptions()} == {"HTTP 400: no such topic"}
    assert hubs.tend(NOW + DAY + timedelta(seconds=RETRY_S / 2)) == 0


def test_a_hub_that_refuses_is_believed_and_asked_later(hubs: Hubs, corpus: Corpus) -> None:
    subscription = confirmed(hubs, corpus)
    assert hubs.confirm(subscription.path, challenge(subscription, mode="denied", reason="too many"), NOW) == ""
    assert (only(corpus).until, only(corpus).detail) == (None, "the hub refuses: too many")
    assert [hubs.tend(NOW + timedelta(seconds=after)) for after in (1, RETRY_S + 1)] == [0, 1]


def test_a_source_that_is_not_followed_any_more_leaves_its_hub(hubs: Hubs, corpus: Corpus, asked: Asked) -> None:
    subscription = confirmed(hubs, corpus)
    corpus.catalog().set_state("news", SourceState.PAUSED)
    assert [hubs.tend(NOW), hubs.tend(NOW)] == [1, 0]
    assert asked[-1][1]["hub.mode"] == "unsubscribe"
    assert not hubs.notice(signed(subscription), NOW)
    assert hubs.confirm(subscription.path, challenge(subscription), NOW) is None
    assert hubs.confirm(subscription.path, challenge(subscription, mode="unsubscribe"), NOW) == "c123"
    assert corpus.alerts().subscriptions() == []


def test_a_hub_that_does_not_let_us_go_is_forgotten(hubs: Hubs, corpus: Corpus) -> None:
    confirmed(hubs, corpus)
    corpus.catalog().remove("news")
    hubs.tend(NOW)
    assert len(corpus.alerts().subscriptions()) == 1
    hubs.tend(NOW + 2 * DAY)
    assert corpus.alerts().subscriptions() == []


def test_another_public_address_is_told_to_the_hub(hubs: Hubs, corpus: Corpus, asked: Asked) -> None:
    subscription = confirmed(hubs, corpus)
    moved = Hubs(corpus, Rules(), "https://moved.test/websub/", asked.post)
    assert [moved.tend(NOW), moved.tend(NOW)] == [1, 0]
    assert asked[-1][1]["hub.callback"] == f"https://moved.test/websub/{subscription.path}"


def test_a_feed_makes_us_call_two_hubs_at_most(corpus: Corpus, asked: Asked) -> None:
    follow(corpus, "greedy", FEED, *(f"https://hub{number}.test/" for number in range(50)))
    assert Hubs(corpus, Rules(), CALLBACK, asked.post).tend(NOW) == 2


@pytest.mark.parametrize("method", SIGNATURES)
def test_a_notice_is_signed_by_any_method_of_the_standard(method: str) -> None:
    body = "新聞".encode()
    digest = hmac.new(b"secret", body, method).hexdigest()
    assert is_signed(body, f"{method}={digest}", "secret")
    assert is_signed(body, f"{method}={digest.upper()}", "secret")
    for wrong in (f"{method}={digest[:-1]}", f"{method}={digest[::-1]}", digest, f"{method}=", "", f"{method}=ñ"):
        assert not is_signed(body, wrong, "secret")
    assert not is_signed(body + b" ", f"{method}={digest}", "secret")
    assert not is_signed(body, f"md5={hmac.new(b'secret', body, 'md5').hexdigest()}", "secret")


def resting(corpus: Corpus, clock: Callable[[], None] = lambda: None) -> None:
    """Let the feed have been asked, and be due in an hour."""
    frontier = corpus.frontier(WATCH, Rules(delay_s=0.0))
    frontier.offer([Link(FEED, source="news")])
    (lease,) = frontier.lease("w", 1)
    clock()
    frontier.settle([Settlement(lease, Outcome.DONE, "stored", fetched=True, again_in_s=3_600)])


def is_due(corpus: Corpus) -> bool:
    leases = corpus.frontier(WATCH, Rules(delay_s=0.0)).lease("w", 1)
    return [lease.link.url for lease in leases] == [FEED]


def test_a_signed_notice_makes_its_feed_due_and_another_does_not(hubs: Hubs, corpus: Corpus) -> None:
    subscription = confirmed(hubs, corpus)
    assert hubs.notice(signed(subscription), NOW)  # before anybody watches
    resting(corpus)
    later = NOW + timedelta(minutes=1)
    for signature in ("", "sha1=" + "0" * 40, "sha256=" + "0" * 64):
        assert hubs.notice(Notice(subscription.path, b"<feed/>", signature), later)
    assert not is_due(corpus)
    assert not hubs.notice(signed(subscription)._replace(path="guessed"), later)
    assert not is_due(corpus)
    assert hubs.notice(signed(subscription), later)
    assert only(corpus).pushed_at == later
    assert is_due(corpus)


def test_a_notice_that_comes_while_the_feed_is_asked_is_heeded_afterwards(hubs: Hubs, corpus: Corpus) -> None:
    subscription = confirmed(hubs, corpus)
    resting(corpus, lambda: assert_noticed(hubs, subscription))
    assert not is_due(corpus)
    hubs.tend(NOW + timedelta(seconds=5))
    assert not is_due(corpus)
    hubs.tend(NOW + timedelta(seconds=11))
    assert is_due(corpus)


def assert_noticed(hubs: Hubs, subscription: Subscription) -> None:
    assert hubs.notice(signed(subscription), NOW)


class LittleHub:
    """A hub as WebSub has it: it asks who subscribes whether that was meant, and signs what it distributes."""

    def __init__(self) -> None:
        self.url = ""
        self.subscribed: dict[str, dict[str, str]] = {}  # by callback
        self.asked = 0

    def subscribe(self, form: dict[str, str]) -> int:
        """Take a subscription; return the status of the answer."""
        self.asked += 1
        threading.Thread(target=self._verify, args=(form,), daemon=True).start()
        return 202

    def publish(self, topic: str) -> list[int]:
        """Tell who subscribed to a topic; return what they answered."""
        answers = []
        for callback, form in list(self.subscribed.items()):
            if form["hub.topic"] == topic:
                digest = hmac.new(form["hub.secret"].encode(), b"<rss/>", "sha256").hexdigest()
                sent = Request(callback, b"<rss/>", {"X-Hub-Signature": f"sha256={digest}"})
                with urlopen(sent, timeout=60) as answer:
                    answers.append(answer.status)
        return answers

    def _verify(self, form: dict[str, str]) -> None:
        told = {"mode": form["hub.mode"], "topic": form["hub.topic"], "challenge": "are you?", "lease_seconds": 3_600}
        query = urlencode({f"hub.{name}": value for name, value in told.items()})
        with urlopen(f"{form['hub.callback']}?{query}", timeout=60) as answer:
            if answer.read() == b"are you?" and answer.status == 200:
                self.subscribed[form["hub.callback"]] = form


@contextmanager
def running(hub: LittleHub) -> Iterator[LittleHub]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            form = dict(parse_qsl(self.rfile.read(int(self.headers["content-length"])).decode()))
            self.send_response(hub.subscribe(form))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.url = f"http://127.0.0.1:{server.server_port}/"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()


def test_a_hub_at_a_private_address_is_not_called(corpus: Corpus, tmp_path: Path) -> None:
    with running(LittleHub()) as hub:
        follow(corpus, "news", FEED, hub.url)
        services.hubs(corpus, Settings(data=str(tmp_path), public_url="https://us.test")).tend(NOW)
        assert hub.asked == 0
    assert "127.0.0.1, which is not public" in only(corpus).detail


def test_what_nobody_subscribed_to_is_refused_and_a_challenge_is_plain_text(
    hubs: Hubs, corpus: Corpus, tmp_path: Path
) -> None:
    hubs.tend(NOW)
    told = challenge(only(corpus), challenge="<script>alert(1)</script>")
    settings = Settings(data=str(tmp_path), public_url="https://us.test")
    with application(settings, users=False) as served:
        hub = served.browser()
        assert hub.get("/websub/guessed", params=told).status_code == 404
        assert hub.request("POST", "/websub/guessed", content=b"<feed/>").status_code == 410
        assert hub.get(f"/websub/{only(corpus).path}").status_code == 404
        echoed = hub.get(f"/websub/{only(corpus).path}", params=told)
        sent = hub.request("POST", f"/websub/{only(corpus).path}", content=b"<feed/>")
    assert (echoed.status_code, echoed.text) == (200, "<script>alert(1)</script>")
    assert echoed.headers["content-type"].startswith("text/plain")
    assert echoed.headers["x-content-type-options"] == "nosniff"
    assert (sent.status_code, only(corpus).pushed_at) == (202, None)  # not signed


class HubbedSite(NewsSite):
    """A news site whose feeds name a hub, and themselves by another address."""

    def __init__(self, hub: str) -> None:
        super().__init__()
        self._hub = hub

    def answer(self, path: str) -> tuple[int, dict[str, str], str]:
        """Return status, headers and body."""
        status, headers, body = super().answer(path)
        named = f'<link rel="hub" href="{self._hub}"/><link rel="self" href="{self.url}/own-name"/>'
        return status, headers, body.replace("<channel>", f"<channel>{named}") if path.endswith("/feed") else body


def wait_for(what: str, is_so: Callable[[], bool], *processes: Command) -> None:
    deadline_s = time.monotonic() + 120
    while not is_so():
        assert time.monotonic() < deadline_s, f"not so after two minutes: {what}"
        assert all(process.poll() is None for process in processes), processes[0].said()
        time.sleep(0.05)


@pytest.mark.long
def test_serve_subscribes_and_what_a_hub_tells_of_is_collected_at_once(corpus: Corpus, tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{free_port('127.0.0.1')}"
    environ = os.environ | ENVIRON | {"THRESHER_PUBLIC_URL": address, "THRESHER_DELAY_S": "0"}
    with running(LittleHub()) as hub, serving(HubbedSite(hub.url)) as site:
        site.publish("daily", "The ferry was late.")
        feed = f"{site.url}/daily/feed"
        corpus.catalog().add(Source(name="daily", kind=SourceKind.FEED, address=feed, frequency="1d"))
        watch_once(tmp_path, {"THRESHER_DELAY_S": "0"})
        port = address.rpartition(":")[2]
        server = Command("--data", str(tmp_path), "serve", "--watch", "--port", port, environ=environ)
        try:
            wait_for("subscribed", lambda: bool(hub.subscribed), server)
            site.publish("daily", "The bridge was closed.")
            assert hub.publish(f"{site.url}/own-name") == [202]
            wait_for("collected", lambda: stored(corpus) == {"daily/0", "daily/1"}, server)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(120)
    assert only(corpus).pushed_at is not None
    (told,) = json.loads(thresher(tmp_path, "sources", "show", "daily", "-f", "json"))["subscriptions"]
    assert (told["hub"], told["url"], told["problem"], bool(told["told_us"])) == (hub.url, feed, None, True)
    assert "Traceback" not in server.said()
