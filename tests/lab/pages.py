"""Small labelled pages, made up for the tests."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from thresher.lab.pages import LabelledPage

SENTENCE = "This is the text of the page and it is long enough to be the main text of it."


def html_of(*paragraphs: str, title: str = "A title") -> str:
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    menu = "".join(f'<a href="/{n}">menu {n}</a>' for n in range(20))
    return f"<html><head><title>{title}</title></head><body><nav>{menu}</nav><div>{body}</div></body></html>"


def labelled(number: int, site: str = "a.example", dataset: str = "news", **fields: Any) -> LabelledPage:
    values = {"id": f"{dataset}/{number}", "dataset": dataset, "site": site, "language": "en"}
    values |= {"html": html_of(f"{SENTENCE} {number}"), "text": f"{SENTENCE} {number}"}
    return LabelledPage(**(values | fields))


def write_records(file: Path, records: Iterable[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(file, "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def record(number: int, **fields: Any) -> dict[str, Any]:
    page = labelled(number)
    values = {"id": page.id, "dataset": "news", "site": page.site, "lang": "en", "html": page.html, "text": page.text}
    return values | fields
