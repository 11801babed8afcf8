"""A Kafka topic as a destination: each document is a message under its key, as JSON, one that has gone a tombstone."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from thresher.errors import BackendError, MissingExtra, Unreachable, UsageError
from thresher.model.codec import document_to_dict
from thresher.store.contract import Change
from thresher.store.destination import RawPage
from thresher.store.packing import json_text

TIMEOUT_S = 30.0  # for a batch to be acknowledged


class KafkaDestination:
    """Sends documents to a topic; what is acknowledged by all replicas is delivered."""

    def __init__(self, url: str) -> None:
        """Take kafka://HOST:PORT,HOST:PORT/TOPIC; raise MissingExtra without the library. Connect later."""
        parts = urlsplit(url)
        self._topic = parts.path.strip("/")
        if not parts.netloc or not self._topic or "@" in parts.netloc:
            raise UsageError("a sink in Kafka is given as kafka://HOST:PORT/TOPIC")
        try:
            import confluent_kafka
        except ImportError as error:
            raise MissingExtra(f"a sink in Kafka needs a library ({error}): pip install 'thresher[kafka]'") from error
        settings = {"bootstrap.servers": parts.netloc, "acks": "all", "enable.idempotence": True}
        settings |= {"message.timeout.ms": int(TIMEOUT_S * 1000), "compression.type": "zstd", "client.id": "thresher"}
        self._producer: Any = confluent_kafka.Producer(settings, logger=_silent())
        self._failed: list[str] = []

    def deliver(self, changes: Sequence[Change], page: RawPage) -> None:
        """Send a batch, and wait until it is acknowledged."""
        self._failed.clear()
        for change in changes:
            try:
                self._producer.produce(self._topic, key=change.key, value=_message(change), on_delivery=self._told)
            except BufferError:
                self._producer.flush(TIMEOUT_S)
                self._producer.produce(self._topic, key=change.key, value=_message(change), on_delivery=self._told)
        left = self._producer.flush(TIMEOUT_S + 5)
        if left or self._failed:
            why = self._failed[0] if self._failed else f"{left} messages were not acknowledged"
            if "MSG_SIZE_TOO_LARGE" in why:
                raise BackendError(f"Kafka refused a document: {why}; raise message.max.bytes of the topic")
            raise Unreachable(f"Kafka does not take documents for now: {why}; trying again may help")

    def close(self) -> None:
        """Send what is left."""
        self._producer.flush(TIMEOUT_S)

    def _told(self, error: Any, _message: Any) -> None:
        if error is not None:
            self._failed.append(f"{error.name()} {error.str()}")


def _message(change: Change) -> bytes | None:
    stored = change.stored
    if stored is None:
        return None
    seen = {"first_seen": stored.first_seen.isoformat(), "last_seen": stored.last_seen.isoformat()}
    facts = {"key": change.key, "number": change.number, "run": stored.run, **seen}
    return json_text(facts | document_to_dict(stored.document)).encode("utf-8", "replace")


def _silent() -> Any:
    import logging

    logger = logging.getLogger("thresher.kafka")
    logger.setLevel(logging.CRITICAL)
    return logger
