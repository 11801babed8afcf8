"""Documents and links as plain JSON data, and back: what is stored and what passes between processes."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from itertools import repeat
from operator import attrgetter
from typing import Any

from thresher.model.content import Block, Evidence, Image, Kind, Post, Span
from thresher.model.document import Document, Verdict, fields_of
from thresher.model.link import Link

_SPAN_FLAGS = ("strong", "emphasis", "code")
_LINK_FIELDS = {field.name: field.default for field in fields(Link)}
_LINK_VALUES = attrgetter(*_LINK_FIELDS)


def document_to_dict(document: Document) -> dict[str, Any]:
    """Return a document as JSON data, every field under its own name."""
    return fields_of(document) | {
        "blocks": [block_to_dict(block) for block in document.blocks],
        "posts": [post.to_dict() for post in document.posts],
    }


def document_from_dict(data: Mapping[str, Any]) -> Document:
    """Return the document that `document_to_dict` described; a field that is missing gets its default."""
    return Document(
        url=data["url"],
        kind=Kind(data["kind"]),
        confidence=data["confidence"],
        title=data.get("title", ""),
        blocks=tuple(map(block_from_dict, data.get("blocks", ()))),
        authors=tuple(data.get("authors", ())),
        published=_moment_from_text(data.get("published")),
        language=data.get("language"),
        description=data.get("description"),
        image=data.get("image"),
        links=tuple(data.get("links", ())),
        posts=tuple(map(post_from_dict, data.get("posts", ()))),
        canonical_url=data.get("canonical_url"),
        site=data.get("site"),
        site_name=data.get("site_name"),
        algorithm=data.get("algorithm", ""),
        verdict=Verdict(tuple(data.get("verdict", ()))),
        evidence={name: Evidence(**evidence) for name, evidence in data.get("evidence", {}).items()},
        images=tuple(Image(**image) for image in data.get("images", ())),
        sources=tuple(data.get("sources", ())),
    )


def storable(text: str) -> str:
    """Return a text that every database takes: no NUL, no half surrogate pair."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def block_to_dict(block: Block) -> dict[str, Any]:
    """Return a block as JSON data; a span without formatting is its text alone, and an empty mark is left out."""
    data = {"tag": block.tag, "xpath": block.xpath, "spans": [_span_to_data(span) for span in block.spans]}
    return {**data, "mark": block.mark} if block.mark else data


def block_from_dict(data: Mapping[str, Any]) -> Block:
    """Return the block that `block_to_dict` described."""
    spans = tuple(Span(span) if isinstance(span, str) else Span(**span) for span in data["spans"])
    return Block(spans, data.get("tag", "p"), data.get("xpath", ""), data.get("mark", ""))


def post_from_dict(data: Mapping[str, Any]) -> Post:
    """Return the post that `Post.to_dict` described."""
    changed = {"published": _moment_from_text(data["published"]), "quotes": tuple(data["quotes"])}
    return Post(**{**data, **changed})


def links_to_dict(links: Sequence[Link]) -> dict[str, Any]:
    """Return links as JSON data: for each field the values in order, or the one that all of them share.

    A page has hundreds of links, found in one place for the same few reasons.
    """
    if not links:
        return {}
    data: dict[str, Any] = dict(zip(_LINK_FIELDS, zip(*map(_LINK_VALUES, links), strict=True), strict=True))
    shared = {name: values[0] for name, values in data.items() if values.count(values[0]) == len(links)}
    return {**data, **shared, "url": data["url"]}


def links_from_dict(data: Mapping[str, Any]) -> tuple[Link, ...]:
    """Return the links that `links_to_dict` described; a field that is missing gets its default."""
    if not data:
        return ()
    columns = (data.get(name, default) for name, default in _LINK_FIELDS.items())
    return tuple(map(Link, *(column if isinstance(column, list) else repeat(column) for column in columns)))


def _span_to_data(span: Span) -> dict[str, Any] | str:
    data: dict[str, Any] = {"href": span.href} if span.href is not None else {}
    data.update((flag, True) for flag in _SPAN_FLAGS if getattr(span, flag))
    return {"text": span.text, **data} if data else span.text


def _moment_from_text(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
