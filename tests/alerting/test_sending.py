"""Deliveries arrive: signed, tried again while the other side fails, and never at a private address by chance."""

import base64
import hmac
import json
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from tests.alerting.words import NOW
from thresher import wiring
from thresher.alerting.mail import Mail, message_of, read_server
from thresher.alerting.sending import RETRY_S, Senders, send_due
from thresher.alerting.webhook import Webhook, new_secret
from thresher.catalog.alerts import Alerts
from thresher.config import Settings
from thresher.errors import NotPermitted, Unreachable, UsageError
from thresher.fetch.guard import Guard
from thresher.fetch.post import Poster
from thresher.lab.servers import free_port
from thresher.model.alert import AlertHit, Delivery, DeliveryState, Notice, secret_key

LOOPBACK = "127.0.0.0/8"
HOSTILE = AlertHit(
    key="k",
    url='https://evil.test/"><script>alert(1)</script>',
    title="Harbour\r\nBcc: victim@example.org\x1b]0;x\x07 <img src=x onerror=alert(1)>",
    seen_at=NOW,
    site="evil.test<script>",
    snippet="</p><script>alert(2)</script> 港口",
)


def delivery(target: str, id: str = "d1", **values: Any) -> Delivery:
    notice = Notice(
        alert="harbour", kind="every", at=NOW, message=f"harbour: {HOSTILE.title}", hits=(HOSTILE,), total=3
    )
    given = {"alert": "harbour", "created_at": NOW, "due_at": NOW, "notice": notice}
    return Delivery(id=id, target=target, **{**given, **values})


@dataclass
class Received:
    """What a web server was sent, and what it answers: a status, or nothing at all."""

    answers: list[int] = field(default_factory=list)
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def web_server() -> Iterator[tuple[str, Received]]:
    """Run a web server that keeps what it is sent."""
    received = Received()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            received.requests.append((self.path, headers, body))
            status = received.answers.pop(0) if received.answers else 204
            self.send_response(status)
            if status in (301, 503):
                self.send_header(
                    "Location" if status == 301 else "Retry-After", "http://other.test/" if status == 301 else "1000"
                )
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook?a=1", received
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def web() -> Iterator[tuple[str, Received]]:
    with web_server() as server:
        yield server


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Alerts]:
    with closing(wiring.open_alerts(Settings(data=str(tmp_path)))) as opened:
        yield opened


SECRET, OLD_SECRET = new_secret(), new_secret()
KEYS = [key for word in (SECRET, OLD_SECRET) if (key := secret_key(word))]


def senders(*allowed: str, mail: Mail | None = None) -> Senders:
    return Senders(Webhook(Poster(Guard(allowed), user_agent="test"), KEYS), mail or Mail(None))


def test_a_webhook_is_signed_so_that_the_other_side_can_tell(book: Alerts, web: tuple[str, Received]) -> None:
    url, received = web
    received.requests.clear()
    book.add_delivery(delivery(url))
    assert send_due(book, senders(LOOPBACK), "one", NOW) == 1
    ((path, headers, body),) = received.requests
    assert path == "/hook?a=1"
    signed = f"d1.{headers['webhook-timestamp']}.".encode() + body
    keys = [base64.b64decode(word.removeprefix("whsec_")) for word in (SECRET, OLD_SECRET)]
    expected = ["v1," + base64.b64encode(hmac.new(key, signed, sha256).digest()).decode() for key in keys]
    assert headers["webhook-signature"].split() == expected
    assert (headers["webhook-id"], headers["content-type"]) == ("d1", "application/json")
    told = json.loads(body)
    assert (told["type"], told["timestamp"]) == ("alert.every", NOW.isoformat())
    assert told["data"]["hits"][0]["url"] == HOSTILE.url
    assert book.deliveries()[0].state is DeliveryState.SENT
    assert [attempt.detail for attempt in book.attempts("d1")] == ["HTTP 204"]


def test_what_fails_is_tried_again_later_and_later_with_the_same_id(book: Alerts, web: tuple[str, Received]) -> None:
    url, received = web
    received.requests.clear()
    received.answers[:] = [500, 301, 503, 204]
    book.add_delivery(delivery(url))
    at, tried = NOW, []
    while (one := book.deliveries()[0]).state is DeliveryState.WAITING:
        at = one.due_at
        tried.append((at - NOW).total_seconds())
        early = [send_due(book, senders(LOOPBACK), "one", moment) for moment in (at - timedelta(seconds=1), at)]
        assert early == [0, 1]
    assert tried == [0, 5, 65, 1065]  # after a 503 as long as it asks for
    assert {headers["webhook-id"] for _, headers, _ in received.requests} == {"d1"}
    assert [attempt.ok for attempt in book.attempts("d1")] == [False, False, False, True]


def test_what_nobody_takes_is_given_up_after_days_and_can_be_replayed(book: Alerts, web: tuple[str, Received]) -> None:
    url, received = web
    received.answers[:] = [500] * (len(RETRY_S) + 1)
    book.add_delivery(delivery(url))
    while (one := book.deliveries()[0]).state is DeliveryState.WAITING:
        send_due(book, senders(LOOPBACK), "one", one.due_at)
    assert one.state is DeliveryState.FAILED
    assert one.attempts == len(RETRY_S) + 1
    assert one.due_at - NOW > timedelta(days=4)
    book.replay("d1", one.due_at)
    send_due(book, senders(LOOPBACK), "one", one.due_at)
    assert book.deliveries()[0].state is DeliveryState.SENT


def test_a_webhook_that_is_gone_is_not_asked_again(book: Alerts, web: tuple[str, Received]) -> None:
    web[1].answers[:] = [410]
    book.add_delivery(delivery(web[0]))
    send_due(book, senders(LOOPBACK), "one", NOW)
    assert book.deliveries()[0].state is DeliveryState.FAILED


def test_private_addresses_are_refused_unless_they_are_allowed(book: Alerts, web: tuple[str, Received]) -> None:
    url, received = web
    received.requests.clear()
    for number, target in enumerate(
        (url, url.replace("127.0.0.1", "localhost"), url.replace("127.0.0.1", "2130706433"))
    ):
        book.add_delivery(delivery(target, f"d{number}"))
    assert send_due(book, senders(), "one", NOW) == 3
    assert {one.state for one in book.deliveries()} == {DeliveryState.FAILED}
    assert all("is not public" in one.detail for one in book.deliveries())
    assert received.requests == []


def test_the_address_that_was_checked_is_the_one_that_is_called(web: tuple[str, Received]) -> None:
    """A name that changes its address between a look and the call gains nothing by it."""
    answers = iter([["127.0.0.1"], ["127.0.0.2"]])
    poster = Poster(Guard(["127.0.0.1"]), user_agent="test", look_up=lambda host: next(answers))
    target = web[0].replace("127.0.0.1", "rebinding.test")
    assert poster.post(target, b"{}", {}).ok
    with pytest.raises(NotPermitted, match=r"127\.0\.0\.2"):
        poster.post(target, b"{}", {})


def test_nobody_there_is_no_reason_to_give_up() -> None:
    poster = Poster(Guard([LOOPBACK]), user_agent="test", look_up=lambda host: [])
    with pytest.raises(Unreachable, match="cannot be resolved"):
        poster.post("https://nowhere.test/", b"{}", {})
    outcome = senders(LOOPBACK).send(delivery("http://127.0.0.1:1/"), NOW)
    assert (outcome.ok, outcome.again) == (False, True)


def test_what_cannot_be_sent_as_the_settings_are_is_said_beforehand() -> None:
    nobody = Senders(Webhook(Poster(Guard(), user_agent="test"), []), Mail(None))
    with pytest.raises(UsageError, match="webhook_secret_file"):
        nobody.check(["https://hooks.test/"])
    with pytest.raises(UsageError, match="set smtp"):
        nobody.check(["mailto:ann@example.org"])
    for wrong in ("whsec_", "whsec_c2hvcnQ=", new_secret()[6:]):
        with pytest.raises(UsageError, match="a secret is whsec_"):
            Settings(webhook_secret=wrong)


def test_a_message_holds_nothing_that_a_page_put_there(tmp_path: Path) -> None:
    message = message_of(delivery("mailto:ann@example.org"), "thresher@example.org", NOW)
    read: EmailMessage = message_from_bytes(bytes(message), policy=default)
    assert read["To"] == "ann@example.org"
    assert read["Bcc"] is None
    assert read["Subject"].strip() == "harbour: Harbour Bcc: victim@example.org]0;x <img src=x onerror=alert(1)>"
    assert read["Message-ID"] == "<d1@example.org>"
    text, html = (part.get_content() for part in read.iter_parts())
    assert "港口" in text
    assert "\x1b" not in text
    assert "<script" not in html
    assert "<img" not in html
    assert 'href="https://evil.test/&quot;&gt;&lt;script&gt;' in html
    assert "and 2 more" in html


class Mailbox:
    """Keeps the messages that an SMTP server takes, unless it is told to refuse them."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, list[str], bytes, bool]] = []
        self.refusals: list[str] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.refusals:
            return self.refusals.pop(0)
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        self.messages.append((envelope.mail_from or "", envelope.rcpt_tos, content, session.ssl is not None))
        return "250 OK"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of localhost that nobody but the tests trusts."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key), "-out", str(cert)]
    subject = ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*made, *subject], check=True, capture_output=True)
    return cert, key


@pytest.fixture(scope="module")
def mailbox(certificate: tuple[Path, Path]) -> Iterator[tuple[int, Mailbox]]:
    """An SMTP server with STARTTLS and a login, and what it has taken."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    box = Mailbox()

    def login(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        return AuthResult(success=(data.login, data.password) == (b"ann", b"s3cret"), handled=False)

    options: dict[str, Any] = {"require_starttls": True, "auth_required": True, "authenticator": login}
    controller = Controller(box, hostname="127.0.0.1", port=free_port(), tls_context=context, **options)
    controller.start()
    yield controller.port, box
    controller.stop()


def mail(port: int, certificate: tuple[Path, Path], password: str = "s3cret", trusts: bool = True) -> Mail:
    server = read_server(f"smtp://ann@localhost:{port}", password=password, sender="thresher@example.org")
    trusted: Callable[[], ssl.SSLContext] = lambda: ssl.create_default_context(cafile=str(certificate[0]))  # noqa: E731
    return Mail(server, trusted if trusts else ssl.create_default_context)


def test_mail_goes_out_encrypted_and_is_tried_again(
    book: Alerts, mailbox: tuple[int, Mailbox], certificate: tuple[Path, Path]
) -> None:
    port, box = mailbox
    box.refusals[:] = ["451 greylisted, come back"]
    book.add_delivery(delivery("mailto:bob@example.org"))
    sending = senders(mail=mail(port, certificate))
    send_due(book, sending, "one", NOW)
    assert "451" in book.deliveries()[0].detail
    send_due(book, sending, "one", book.deliveries()[0].due_at)
    assert book.deliveries()[0].state is DeliveryState.SENT
    ((sender, to, content, encrypted),) = box.messages
    assert (sender, to, encrypted) == ("thresher@example.org", ["bob@example.org"], True)
    assert b"Message-ID: <d1@example.org>" in content


@pytest.mark.parametrize(
    ("password", "trusts", "words", "again"), [("wrong", True, "535", False), ("s3cret", False, "certificate", True)]
)
def test_a_wrong_password_or_an_unknown_certificate_is_said(
    mailbox: tuple[int, Mailbox], certificate: tuple[Path, Path], password: str, trusts: bool, words: str, again: bool
) -> None:
    sending = senders(mail=mail(mailbox[0], certificate, password, trusts))
    outcome = sending.send(delivery("mailto:bob@example.org"), NOW)
    assert not outcome.ok
    assert outcome.again is again
    assert words in outcome.detail
    assert password not in outcome.detail


def test_a_server_without_encryption_gets_nothing() -> None:
    box = Mailbox()
    controller = Controller(box, hostname="127.0.0.1", port=free_port())
    controller.start()
    port = controller.port
    outcome = Mail(read_server(f"smtp://127.0.0.1:{port}"))
    with pytest.raises(NotPermitted, match="offers no STARTTLS"):
        outcome.send(delivery("mailto:bob@example.org"), NOW)
    assert box.messages == []
    plain = Mail(read_server(f"smtp+plain://127.0.0.1:{port}"))
    assert plain.send(delivery("mailto:bob@example.org"), NOW) == "accepted by 127.0.0.1"
    controller.stop()


@pytest.mark.parametrize("wrong", ["http://x", "smtp://", "smtp://h/path", "smtp://h:x"])
def test_the_url_of_a_mail_server_is_checked(wrong: str) -> None:
    with pytest.raises(UsageError, match="smtp"):
        read_server(wrong)


def test_two_senders_do_not_send_the_same(book: Alerts, web: tuple[str, Received]) -> None:
    url, received = web
    received.requests.clear()
    for number in range(20):
        book.add_delivery(delivery(url, f"d{number:02}"))
    sending = senders(LOOPBACK)

    def send(worker: str, at: datetime) -> None:
        while send_due(book, sending, worker, at):
            continue

    for worker in ("one", "two"):
        send(worker, NOW)
    ids = [headers["webhook-id"] for _, headers, _ in received.requests]
    assert sorted(ids) == sorted(set(ids))
    assert len(ids) == 20


def test_a_delivery_keeps_what_it_was_about(book: Alerts) -> None:
    one = delivery("https://hooks.test/")
    book.add_delivery(one)
    assert book.delivery("d1") == replace(one)
