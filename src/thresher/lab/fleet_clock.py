"""The clock of "a distributed crawler" papers: from when a response has arrived to when it is parsed, for each page."""

import json
import os
import time
from datetime import datetime
from pathlib import Path

from thresher.crawling import harvest

_harvested = harvest.answer


def timed_answer(encoded: bytes) -> bytes:
    """Harvest as usual, in a pool process, and note the seconds since the response in a file of the current folder."""
    answer = _harvested(encoded)
    arrived = datetime.fromisoformat(json.loads(encoded.split(b"\n", 1)[0])["fetched_at"])
    with Path(f"clock-{os.getpid()}").open("a") as notes:
        notes.write(f"{time.time() - arrived.timestamp():.6f}\n")
    return answer


def total_s(folder: Path) -> float:
    """Return the sum of what the pool processes of a worker noted."""
    return sum(float(line) for notes in folder.glob("clock-*") for line in notes.read_text().split())
