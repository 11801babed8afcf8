"""The data card: what an export holds, for whoever finds the file later."""

import json
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from thresher.model import Document
from thresher.version import __version__

MOST = 20  # sites and sources that are listed
LICENCE = (
    "The texts are their authors' and publishers'. Thresher gives no licence to them and has looked for none: before "
    "you pass this file on, or train on it, see what each site allows (terms of use, robots.txt, marks of licences on "
    "the pages) and what the law where you are says of text and data mining. Documents name the site and the URL that "
    "they are from. Posts name people as the pages do: personal data."
)


class Card:
    """Counts the documents of an export, and writes the card beside it."""

    def __init__(self, query: str, format_: str) -> None:
        self._query, self._format = query, format_
        self.clear()

    def clear(self) -> None:
        """Count from the beginning."""
        self._counts: dict[str, Counter[str]] = {name: Counter() for name in ("kind", "language", "site", "source")}
        self._first: str | None = None
        self._last: str | None = None
        self._documents = self._characters = 0

    def count(self, document: Document) -> None:
        """Count a document."""
        self._documents += 1
        self._counts["kind"][document.kind.value] += 1
        self._counts["language"][document.language or "unknown"] += 1
        self._counts["site"][document.site or "unknown"] += 1
        self._counts["source"].update(document.sources)
        if document.published:
            day = document.published.date().isoformat()
            self._first, self._last = min(self._first or day, day), max(self._last or day, day)

    def write(self, path: Path, sha256: str) -> Path:
        """Write the card beside a file; return where."""
        place = path.with_name(f"{path.name}.card.md")
        place.write_text(self.text(path.name, sha256, datetime.now(UTC)), "utf-8")
        return place

    def text(self, name: str, sha256: str, at: datetime) -> str:
        """Return the card: its facts as front matter (YAML), then the same in words."""
        facts: Mapping[str, Any] = {
            "file": name,
            "format": self._format,
            "documents": self._documents,
            "sha256": sha256,
            "query": self._query,
            "created": at.isoformat(timespec="seconds"),
            "published_first": self._first,
            "published_last": self._last,
            "kinds": dict(self._counts["kind"].most_common()),
            "languages": dict(self._counts["language"].most_common()),
            "sites": len(self._counts["site"]),
            "software": f"Thresher {__version__}",
        }
        lines = ["---", *(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items()), "---", ""]
        wanted = f"what the query `{self._query}` found" if self._query else "the whole corpus"
        lines += [f"# {name}", "", f"{self._documents:,} documents, {wanted} on {at:%d %B %Y}.", ""]
        for title, key in (("Sites", "site"), ("Sources", "source")):
            found = self._counts[key].most_common(MOST)
            rest = len(self._counts[key]) - len(found)
            lines += [f"## {title}", "", *(f"- {label}: {count:,}" for label, count in found)]
            lines += [f"- and {rest:,} more"] if rest else []
            lines += ["" if found else "None.", ""]
        return "\n".join([*lines, "## Licence", "", LICENCE, ""])
