"""JSON lines: a document a line, with every field, the text and the posts."""

import json
from collections.abc import Iterator
from typing import Any

from thresher.export.contract import Posts
from thresher.export.texts import whole_text
from thresher.model import Document
from thresher.model.document import fields_of

_FIRST = ("url", "kind", "title")  # the order in which Document.to_dict() gives them


def pieces_of(document: Document, posts: Posts) -> Iterator[str]:
    """Yield a line, which holds what Document.to_dict() gives, piece by piece: a long thread is never in memory."""
    fields = fields_of(document)
    first = {name: fields.pop(name) for name in _FIRST}
    yield _json(first)[:-1] + ', "text": "'
    for piece in whole_text(document, posts):
        yield _json(piece)[1:-1]
    yield '", ' + _json(fields)[1:-1] + ', "posts": ['
    for number, post in enumerate(posts()):
        yield (", " if number else "") + _json(post.to_dict())
    yield "]}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
