"""Hit and HitPage: how a Document is found again."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Hit:
    """One found Document with the passage that matched."""

    key: str
    url: str
    title: str
    snippet: str  # plain text around the matches
    marks: tuple[tuple[int, int], ...]  # where in the snippet the matches are: start, end
    score: float
    site: str
    kind: str
    language: str | None = None
    published: datetime | None = None
    authors: tuple[str, ...] = ()
    copies: int = 0  # other documents that match and have the same text; this is the first that was seen


@dataclass(frozen=True, slots=True)
class HitPage:
    """Some hits, to iterate over, and how many there are in all; copies of one text are one hit."""

    hits: tuple[Hit, ...]
    total: int

    def __iter__(self) -> Iterator[Hit]:
        """Iterate over the hits of this page."""
        return iter(self.hits)

    def __len__(self) -> int:
        """Count the hits of this page."""
        return len(self.hits)
