"""E-mail: a notice as a message of plain text and HTML, handed to one SMTP server over TLS."""

import smtplib
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from urllib.parse import unquote, urlsplit

from thresher.alerting.notices import html_of, subject_of, text_of
from thresher.errors import BackendError, NotPermitted, Unreachable, UsageError
from thresher.model.alert import MAIL, Delivery

TIMEOUT_S = 20.0
FORM = "smtps://USER@HOST:465, smtp://USER@HOST:587 (STARTTLS) or smtp+plain://HOST:25 (not encrypted)"
PORTS = {"smtps": 465, "smtp": 587, "smtp+plain": 25}
PERMANENT = 500  # and above: trying again does not help


@dataclass(frozen=True, slots=True)
class Server:
    """An SMTP server, and who we are there."""

    scheme: str  # of PORTS
    host: str
    port: int
    user: str = ""
    password: str = ""
    sender: str = ""  # address that messages come from


def read_server(url: str, *, password: str = "", sender: str = "") -> Server:
    """Read the URL of a server; raise UsageError that tells nothing of a password."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        raise UsageError(f"not a URL of the form {FORM}") from None
    if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise UsageError(f"not a URL of the form {FORM}")
    user = unquote(parts.username or "")
    return Server(
        scheme=parts.scheme,
        host=parts.hostname,
        port=port,
        user=user,
        password=password or unquote(parts.password or ""),
        sender=sender or (user if "@" in user else f"thresher@{parts.hostname}"),
    )


@dataclass(frozen=True, slots=True)
class Mail:
    """Sends notices as e-mail."""

    server: Server | None  # None: none is set
    context: Callable[[], ssl.SSLContext] = ssl.create_default_context

    def check(self) -> None:
        """Raise UsageError where there is no server."""
        if self.server is None:
            raise UsageError(f"set smtp to send e-mail: {FORM}")

    def send(self, delivery: Delivery, at: datetime) -> str:
        """Send a delivery once; return what the server said.

        Raise Unreachable when trying again may help, NotPermitted or BackendError when it does not.
        """
        if self.server is None:
            raise UsageError(f"set smtp to send e-mail: {FORM}")
        to = delivery.target.removeprefix(MAIL)
        message = message_of(delivery, self.server.sender, at)
        try:
            with self._connected(self.server) as smtp:
                if self.server.user:
                    smtp.login(self.server.user, self.server.password)
                smtp.send_message(message, self.server.sender, [to])
        except smtplib.SMTPRecipientsRefused as error:
            raise _refused(error.recipients[to][0], error.recipients[to][1]) from error
        except smtplib.SMTPResponseException as error:
            raise _refused(error.smtp_code, error.smtp_error) from error
        except (smtplib.SMTPException, OSError) as error:
            raise Unreachable(f"the mail server {self.server.host} does not take it: {error}") from error
        return f"accepted by {self.server.host}"

    def _connected(self, server: Server) -> smtplib.SMTP:
        if server.scheme == "smtps":
            return smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT_S, context=self.context())
        smtp = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_S)
        if server.scheme == "smtp":
            try:
                smtp.starttls(context=self.context())
            except smtplib.SMTPNotSupportedError as error:
                smtp.close()
                raise NotPermitted(f"{server.host} offers no STARTTLS; use smtps:// or smtp+plain://") from error
            except (smtplib.SMTPException, OSError):
                smtp.close()
                raise
        return smtp


def message_of(delivery: Delivery, sender: str, at: datetime) -> EmailMessage:
    """Return the message of a delivery; its id is the same in every attempt: a mail box may drop a second one."""
    message = EmailMessage(policy=SMTP)
    message["From"] = Address("Thresher", addr_spec=sender)
    message["To"] = Address(addr_spec=delivery.target.removeprefix(MAIL))
    message["Subject"] = subject_of(delivery.notice)
    message["Date"] = format_datetime(at)
    message["Message-ID"] = f"<{delivery.id}@{sender.partition('@')[2] or 'thresher'}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text_of(delivery.notice))
    message.add_alternative(html_of(delivery.notice), subtype="html")
    return message


def _refused(code: int, said: bytes | str) -> BackendError:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    words = f"the mail server answered {code}: {' '.join(text.split())[:300]}"
    return BackendError(words) if code >= PERMANENT else Unreachable(words)
