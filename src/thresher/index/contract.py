"""Reading 6 of 6: Document → Hit, how it is found again."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from thresher.index.query import Query
from thresher.model import Document, HitPage


class Index(Protocol):
    """Finds documents by the one query language (index/query.py).

    Words of any language are found: Latin ones whatever their case and accents, Chinese, Japanese and Korean ones
    anywhere in a sentence. Adding the same document twice leaves one hit. No backend's error type leaves an index:
    what it raises is a BackendError.
    """

    def add(self, documents: Sequence[Document], seen_at: datetime) -> None:
        """Make documents findable under the key of their URL, replacing earlier versions."""

    def remove(self, keys: Sequence[str]) -> None:
        """Forget documents; unknown keys are ignored."""

    def search(self, query: Query, *, limit: int = 20, offset: int = 0, sort: str = "relevance") -> HitPage:
        """Find documents, best first ("relevance") or newest first ("date"), with highlighted snippets."""

    def count(self) -> int:
        """How many documents can be found."""
