"""What was extracted and how it scored, kept in a file so that a second run costs nothing."""

import json
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from thresher.lab.metrics.overlap import Overlap
from thresher.lab.pages import Found, FoundPost
from thresher.sqlite import atomic, connect, migrate

_MIGRATIONS = (
    """
    CREATE TABLE outputs (key BLOB PRIMARY KEY, cpu_s REAL NOT NULL, error TEXT NOT NULL, found BLOB NOT NULL)
    WITHOUT ROWID;
    CREATE TABLE overlaps (key BLOB PRIMARY KEY, common REAL NOT NULL, found REAL NOT NULL, gold REAL NOT NULL)
    WITHOUT ROWID;
    CREATE TABLE models (key BLOB PRIMARY KEY, model BLOB NOT NULL) WITHOUT ROWID;
    """,
)


@dataclass(frozen=True, slots=True)
class Output:
    """What an extractor answered on a page: the CPU time it took, and the error when it raised or was killed."""

    found: Found
    cpu_s: float
    error: str = ""


def key_of(*parts: str | bytes) -> bytes:
    """Return a key that tells apart whatever differs in any part."""
    digest = sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(encoded).to_bytes(8) + encoded)
    return digest.digest()[:20]


class Cache:
    """The file `lab.db` of a folder; `None` as the folder keeps nothing beyond the run."""

    def __init__(self, folder: Path | None) -> None:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        self._connection = connect(folder / "lab.db" if folder else ":memory:")
        migrate(self._connection, "lab", _MIGRATIONS)

    def output(self, key: bytes) -> Output | None:
        """Return a kept output; None when there is none."""
        row = self._connection.execute("SELECT found, cpu_s, error FROM outputs WHERE key = ?", (key,)).fetchone()
        return Output(decode_found(zlib.decompress(row[0])), row[1], row[2]) if row else None

    def keep_output(self, key: bytes, output: Output) -> None:
        """Keep an output."""
        packed = zlib.compress(encode_found(output.found))
        with atomic(self._connection) as connection:
            connection.execute(
                "INSERT OR REPLACE INTO outputs (key, cpu_s, error, found) VALUES (?, ?, ?, ?)",
                (key, output.cpu_s, output.error, packed),
            )

    def overlap(self, key: bytes) -> Overlap | None:
        """Return a kept score; None when there is none."""
        row = self._connection.execute("SELECT common, found, gold FROM overlaps WHERE key = ?", (key,)).fetchone()
        return Overlap(*row) if row else None

    def keep_overlaps(self, overlaps: Iterable[tuple[bytes, Overlap]]) -> None:
        """Keep scores."""
        rows = [(key, overlap.common, overlap.found, overlap.gold) for key, overlap in overlaps]
        with atomic(self._connection) as connection:
            connection.executemany("INSERT OR REPLACE INTO overlaps VALUES (?, ?, ?, ?)", rows)

    def model(self, key: bytes) -> bytes | None:
        """Return a kept model; None when there is none."""
        row = self._connection.execute("SELECT model FROM models WHERE key = ?", (key,)).fetchone()
        return bytes(row[0]) if row else None

    def keep_model(self, key: bytes, model: bytes) -> None:
        """Keep a model."""
        with atomic(self._connection) as connection:
            connection.execute("INSERT OR REPLACE INTO models VALUES (?, ?)", (key, model))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def encode_found(found: Found) -> bytes:
    """Write what was found as JSON."""
    return json.dumps(asdict(found), ensure_ascii=False).encode("utf-8", "surrogatepass")


def decode_found(encoded: bytes) -> Found:
    """Read what `encode_found` wrote."""
    values = json.loads(encoded.decode("utf-8", "surrogatepass"))
    return Found(values["text"], tuple(FoundPost(**post) for post in values["posts"]), values["counts"])
