"""Read labelled pages: a folder of `*.jsonl.gz` files, or a folder of `name.html` beside `name.txt`."""

import gzip
import heapq
import json
import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha1
from pathlib import Path
from typing import Any

from thresher.errors import UsageError
from thresher.html.decode import decode
from thresher.lab.pages import GoldPost, LabelledPage

RECORDS = "*.jsonl.gz"
MIXED = "_other"  # how the name of a dataset ends that holds pages of several types
_SITE_AND_HASH = re.compile(r"(.+)-[0-9a-f]{32}")  # how the CEVC thesis names its files: site-MD5.html


def load(path: Path) -> Iterator[LabelledPage]:
    """Yield the labelled pages of a file or folder, one at a time; raise UsageError when there is none to read.

    Records without gold (no text and no posts) are left out.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder of labelled pages")
    files = [path] if path.is_file() else sorted(path.rglob(RECORDS))
    pairs = [] if files else sorted(path.rglob("*.html"))
    if not files and not pairs:
        raise UsageError(f"{path}: holds neither {RECORDS} files nor name.html beside name.txt")
    none_yet = True
    for page in (page for file in files for page in _records(file)):
        none_yet = False
        yield page
    for file in pairs:
        none_yet = False
        yield _pair(file)
    if none_yet:
        raise UsageError(f"{path}: no page in it has gold (`text` or `posts`)")


def select(pages: Iterable[LabelledPage], datasets: Collection[str] = ()) -> Iterator[LabelledPage]:
    """Yield the pages of these datasets, of all when none is named; raise UsageError for a name that is not there."""
    met: set[str] = set()
    for page in pages:
        met.add(page.dataset)
        if not datasets or page.dataset in datasets:
            yield page
    for name in sorted(set(datasets) - met):
        raise UsageError(f"no dataset {name!r}; there are {', '.join(sorted(met))}")


def sample(pages: Iterable[LabelledPage], limit: int) -> list[LabelledPage]:
    """Return `limit` pages of each dataset, spread over it and always the same ones: those of lowest id hash."""
    heaps: dict[str, list[tuple[int, str, LabelledPage]]] = {}
    for page in pages:
        heap = heaps.setdefault(page.dataset, [])
        rank = int.from_bytes(sha1(page.id.encode(), usedforsecurity=False).digest()[:8])
        heapq.heappush(heap, (-rank, page.id, page))
        if len(heap) > limit:
            heapq.heappop(heap)
    return [page for heap in heaps.values() for _, _, page in sorted(heap, key=lambda item: -item[0])]


def _records(file: Path) -> Iterator[LabelledPage]:
    number = 0
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                number += 1
                page = _page(json.loads(line), file.name.removesuffix(RECORDS[1:]))
                if page.text.strip():
                    yield page
    except (EOFError, OSError, zlib.error, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: no whole gzip file of UTF-8 lines after line {number}: {error}") from error
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{file}, line {number}: no labelled page: {type(error).__name__} {error}") from error


def _page(record: dict[str, Any], file_name: str) -> LabelledPage:
    posts = tuple(_post(post) for post in record.get("posts") or ())
    return LabelledPage(
        id=record["id"],
        dataset=_dataset(record, file_name),
        site=record.get("site") or "",
        language=record.get("lang") or "",
        html=record["html"],
        text=record.get("text") or "\n".join(post.text for post in posts),
        url=record.get("url") or None,
        title=record.get("title") or "",
        engine=record.get("engine") or "",
        posts=posts,
    )


def _dataset(record: dict[str, Any], file_name: str) -> str:
    """Return a page's dataset; pages of a mixed one, such as wcxb_other, are told apart by type: wcxb_listing."""
    dataset: str = record.get("dataset") or _forum_dataset(record, file_name)
    if dataset.endswith(MIXED) and record.get("page_type"):
        return f"{dataset.removesuffix(MIXED)}_{record['page_type']}"
    return dataset


def _forum_dataset(record: dict[str, Any], file_name: str) -> str:
    """Keep pages of installations made for the purpose apart from pages saved from the public web."""
    engine = str(record.get("engine") or "")
    if not engine:
        return file_name
    return f"{file_name}_{'live' if engine.startswith('live_') else 'saved'}"


def _post(record: dict[str, Any]) -> GoldPost:
    return GoldPost(
        text=record["text"] or "",
        author=record.get("author") or "",
        time=record.get("time") or "",
        text_path=record.get("text_xpath") or "",
        time_path=record.get("time_xpath") or "",
        time_attribute=record.get("time_attr") or "",
        own=record.get("text_noquote"),
    )


def _pair(file: Path) -> LabelledPage:
    gold = file.with_suffix(".txt")
    if not gold.is_file():
        raise UsageError(f"{file}: its main text is missing; put it into {gold.name} beside it")
    try:
        text = gold.read_text("utf-8-sig")
        html = decode(file.read_bytes()).text
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{gold}: cannot be read as UTF-8: {error}") from error
    named = _SITE_AND_HASH.fullmatch(file.stem)
    folder = file.parent.name
    return LabelledPage(
        id=f"{folder}/{file.stem}",
        dataset=folder,
        site=named[1] if named else folder,
        language="",
        html=html,
        text=text,
    )
