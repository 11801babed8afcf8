"""KindPage: a page and its kind, read from labelled corpora; and the groups that are held out together."""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thresher.errors import UsageError
from thresher.lab.corpora import RECORDS
from thresher.model import Kind

PAGE_TYPES = {
    "article": Kind.ARTICLE,
    "forum": Kind.THREAD,
    "listing": Kind.LISTING,
    "collection": Kind.LISTING,
    "service": Kind.OTHER,
    "product": Kind.OTHER,
    "documentation": Kind.OTHER,
}
# Pages of any kind whose readable text was marked, and pages whose labels are a tool's own: none tells its kind.
UNTOLD = frozenset(
    {"canola", "cleaneval", "cleanportaleval", "readability", "newspaper4k_tests", "webmainbench_sample"}
)
_FAMILY_NAMES = {"invision": "ipb"}
# Single messages, articles with comments and a search page among the pages collected as forums.
NO_THREADS = frozenset(
    ["x.com", "weibo.com", "imgur.com", "livejournal.com", "lucianne.com", "learnku.com", "nim-lang.org", "paopao.info"]
)
FAMILIES = re.compile(
    "phpbb|xenforo|discuz|fluxbb|discourse|drupal|vbulletin|flarum|wpforo|bbpress|stackexchange|mybb|vanilla|ipb"
    "|invision|nodebb|phpwind"
)


@dataclass(frozen=True, slots=True)
class KindPage:
    """A page of a known kind; pages of one group, a site or a family of forum engines, are held out together.

    A page of a live installation was made for the purpose: it is learned from, and counted apart.
    """

    id: str
    dataset: str
    group: str
    kind: Kind
    html: str
    url: str | None = None
    site: str = ""
    engine: str = ""  # empty where no label tells it

    @property
    def is_live(self) -> bool:
        """Say whether the page is of an installation made for the purpose."""
        return self.engine.startswith("live_")


def load_kinds(folder: Path) -> Iterator[KindPage]:
    """Yield the pages of a file or folder whose kind is known; raise UsageError when there is none."""
    if not folder.exists():
        raise UsageError(f"{folder}: no such file or folder of labelled pages")
    none_yet = True
    for file in [folder] if folder.is_file() else sorted(folder.rglob(RECORDS)):
        dataset = file.name.removesuffix(RECORDS[1:])
        if dataset in UNTOLD:
            continue
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                page = _page(json.loads(line), dataset)
                if page is not None:
                    none_yet = False
                    yield page
    if none_yet:
        raise UsageError(f"{folder}: holds no page of a known kind in {RECORDS} files")


def _page(record: dict[str, Any], dataset: str) -> KindPage | None:
    engine = record.get("engine") or ""
    site = record.get("site") or ""
    page_type = record.get("page_type")
    if engine:
        kind = Kind.BOARD if record.get("kind") == "board" else Kind.THREAD
    elif page_type:
        kind = PAGE_TYPES[page_type]
        dataset = f"{dataset} {page_type}" if kind is not Kind.ARTICLE else dataset
    elif dataset == "magic_forum":
        if any(site.endswith(name) for name in NO_THREADS):
            return None
        kind = Kind.THREAD
    elif record.get("text"):
        kind = Kind.ARTICLE
    else:
        return None
    family = _family(engine, record["html"]) if kind in (Kind.THREAD, Kind.BOARD) else ""
    url = record.get("url") or None
    url = url if url and url.startswith(("http://", "https://")) and not record.get("url_guessed") else None
    family = _FAMILY_NAMES.get(family, family)
    return KindPage(record["id"], dataset, family or site, kind, record["html"], url, site, engine)


def _family(engine: str, html: str) -> str:
    """Return the family of a forum page's engine, by its label or by what the page names; empty where neither tells."""
    if engine == "se":
        return "stackexchange"
    named = FAMILIES.search(engine) or (None if engine else FAMILIES.search(html.lower()))
    return named[0] if named else engine
