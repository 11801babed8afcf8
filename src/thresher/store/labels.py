"""Labels: pages whose main text and fields people have marked, kept as training data in a folder, a file for each.

labels/KEY.jsonl.gz       one record, as `thresher train` and `thresher bench` read them
labels/KEY.jsonl.gz.gone  one that was removed, until its page is labelled again
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from thresher.errors import BackendError
from thresher.urls import key_of, site_of

FOLDER = "labels"  # in the data folder
DATASET = "labels"
SUFFIX = ".jsonl.gz"
GONE = ".gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPost:
    """What somebody says is in one post of a thread; the numbers are those of blocks in the page."""

    text: str
    blocks: tuple[int, ...]
    author: str = ""
    author_block: int | None = None
    time: str = ""  # as the page shows it
    time_block: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What somebody says is in a page."""

    url: str
    html: str
    text: str  # the main text, a line for each block
    blocks: tuple[int, ...]  # those that were marked, by their number in the page
    posts: tuple[LabelledPost, ...] = ()  # of a thread; its main text is theirs, one after the other
    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""  # as it was written down: a day, or a day and a time
    language: str = ""
    by: str = ""
    at: datetime


class Labels:
    """Keeps labels; a page has one at most, the last one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, label: Label) -> None:
        """Keep a label in place of the one that its page has; raise BackendError where that cannot be."""
        path = self._path(label.url)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            written = path.with_suffix(".new")
            written.write_bytes(gzip.compress(json.dumps(_record(label), ensure_ascii=False).encode() + b"\n", mtime=0))
            written.replace(path)
            self._gone(label.url).unlink(missing_ok=True)
        except OSError as error:
            raise BackendError(f"cannot keep a label in {self._folder}: {error.strerror}") from error

    def get(self, url: str) -> Label | None:
        """Look the label of a page up."""
        path = self._path(url)
        return _label(path) if path.is_file() else None

    def all(self) -> Iterator[Label]:
        """Yield all labels, the last made first."""
        found = [_label(path) for path in self._folder.glob(f"*{SUFFIX}")]
        yield from sorted(found, key=lambda label: label.at, reverse=True)

    def remove(self, url: str) -> bool:
        """Forget a label, so that it can be restored; False when there is none."""
        path = self._path(url)
        if not path.is_file():
            return False
        path.replace(self._gone(url))
        return True

    def restore(self, url: str) -> bool:
        """Take the removal of a label back; False when there is nothing to restore."""
        path = self._gone(url)
        if not path.is_file() or self._path(url).exists():
            return False
        path.replace(self._path(url))
        return True

    def _path(self, url: str) -> Path:
        return self._folder / f"{key_of(url)}{SUFFIX}"

    def _gone(self, url: str) -> Path:
        return self._path(url).with_name(self._path(url).name + GONE)


def _record(label: Label) -> dict[str, Any]:
    return {
        "id": key_of(label.url),
        "dataset": DATASET,
        "site": site_of(label.url),
        "lang": label.language,
        "url": label.url,
        "title": label.title,
        "authors": list(label.authors),
        "date": label.published,
        "text": label.text,
        "blocks": list(label.blocks),
        "posts": [asdict(post) for post in label.posts],
        "by": label.by,
        "at": label.at.isoformat(),
        "html": label.html,
    }


def _label(path: Path) -> Label:
    try:
        record = json.loads(gzip.decompress(path.read_bytes()))
        return Label(
            url=record["url"],
            html=record["html"],
            text=record["text"],
            blocks=tuple(record["blocks"]),
            posts=tuple(LabelledPost(**{**post, "blocks": tuple(post["blocks"])}) for post in record.get("posts", ())),
            title=record["title"],
            authors=tuple(record["authors"]),
            published=record["date"],
            language=record["lang"],
            by=record["by"],
            at=datetime.fromisoformat(record["at"]),
        )
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise BackendError(
            f"{path} is no label: {type(error).__name__} {error}; remove it, and mark the page anew"
        ) from error
