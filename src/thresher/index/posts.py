"""Posts in the embedded index: where each stands in the text of its document, and what else is known of it."""

import json
import sqlite3
from typing import NamedTuple

from thresher.index.entry import Entry

_FACTS = ("position", "start", "stop", "length", "author", "published", "published_at", "permalink")
_PUT = f"""
    INSERT INTO entry_posts (entry, name, seen_at, {", ".join(_FACTS)}) VALUES (?, ?, ?, {", ".join("?" * len(_FACTS))})
    ON CONFLICT (entry, name) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _FACTS)}
    RETURNING id
"""
_GONE = "DELETE FROM entry_posts WHERE entry = ? AND id NOT IN (SELECT value FROM json_each(?))"


class PostTexts(NamedTuple):
    """What the words of a post are made of."""

    id: int
    text: str
    author: str
    language: str | None  # of its document


def posts_of(connection: sqlite3.Connection, id: int, text: str, language: str | None) -> tuple[PostTexts, ...]:
    """Return the posts of an entry as they stand in its text."""
    rows = connection.execute("SELECT id, start, stop, author FROM entry_posts WHERE entry = ?", (id,)).fetchall()
    return tuple(PostTexts(row[0], text[row[1] : row[2]], row[3], language) for row in rows)


def put_posts(connection: sqlite3.Connection, id: int, entry: Entry) -> tuple[PostTexts, ...]:
    """Write the posts of an entry, and forget those that it has no more."""
    found = []
    for post in entry.posts:
        facts = [post.stop - post.start if name == "length" else getattr(post, name) for name in _FACTS]
        (post_id,) = connection.execute(_PUT, (id, post.name, entry.facts["seen_at"], *facts)).fetchone()
        found.append(PostTexts(post_id, entry.text[post.start : post.stop], post.author, entry.language))
    connection.execute(_GONE, (id, json.dumps([post.id for post in found])))
    return tuple(found)
