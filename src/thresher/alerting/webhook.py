"""Webhooks: a notice as signed JSON, in the manner of Standard Webhooks (https://www.standardwebhooks.com).

webhook-id: the delivery's id, the same in every attempt    webhook-timestamp: seconds since 1970
webhook-signature: "v1," and the base64 of HMAC-SHA256 over "ID.TIMESTAMP.BODY"; one for each secret
"""

import base64
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from thresher.alerting.notices import payload
from thresher.errors import UsageError
from thresher.fetch.post import Answer, Poster
from thresher.model.alert import SECRET, Delivery


def new_secret() -> str:
    """Make a secret to sign with."""
    return SECRET + base64.b64encode(secrets.token_bytes(32)).decode()


def signature(key: bytes, id: str, at: datetime, body: bytes) -> str:
    """Return the signature of a body that is sent at a time."""
    signed = f"{id}.{int(at.timestamp())}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, sha256).digest()).decode()


@dataclass(frozen=True, slots=True)
class Webhook:
    """Sends notices to URLs."""

    poster: Poster
    keys: Sequence[bytes]

    def check(self) -> None:
        """Raise UsageError where nothing can be signed."""
        if not self.keys:
            raise UsageError("webhooks are signed: set webhook_secret_file (`thresher alerts secret` makes a secret)")

    def send(self, delivery: Delivery, at: datetime) -> Answer:
        """Send a delivery once; raise what `Poster.post` raises, UsageError where there is no secret."""
        self.check()
        body = json.dumps(payload(delivery.notice), ensure_ascii=False, separators=(",", ":")).encode()
        headers = {
            "Content-Type": "application/json",
            "webhook-id": delivery.id,
            "webhook-timestamp": str(int(at.timestamp())),
            "webhook-signature": " ".join(signature(key, delivery.id, at, body) for key in self.keys),
        }
        return self.poster.post(delivery.target, body, headers)
