"""What helps to better a query: how many documents each of its parts finds, and what a misspelt word may have meant."""

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from thresher.index import tokens
from thresher.index.contract import Index
from thresher.index.nodes import POSTS, And, Node, Not, Or, Query, Words, wants_posts
from thresher.model import ClauseCount

MIN_CHARS = 4  # of a word that is put right: shorter ones are one letter away from too many others
MAX_CHARS = 24
MAX_WORDS = 3  # of a query that are put right
_LATIN = re.compile(f"[a-z]{{{MIN_CHARS},{MAX_CHARS}}}")


def clause_counts(index: Index, query: Query) -> tuple[ClauseCount, ...]:
    """Count what each part of a query finds by itself or, if it excludes, takes away from what the others find."""
    posts = query.of_posts
    if isinstance(query.root, Or):
        return tuple(ClauseCount(part.text, _total(index, [part.node], posts=posts)) for part in query.clauses)
    wanted: list[Node] = [part.node for part in query.clauses if not isinstance(part.node, Not)]
    return tuple(
        ClauseCount(part.text, _total(index, [*wanted, part.node.part], posts=posts), excludes=True)
        if isinstance(part.node, Not)
        else ClauseCount(part.text, _total(index, [part.node], posts=posts))
        for part in query.clauses
    )


def _total(index: Index, parts: Sequence[Node], *, posts: bool) -> int:
    """Count what satisfies every part, among posts where the whole query is about posts."""
    if posts and not any(map(wants_posts, parts)):
        parts = [POSTS, *parts]
    return index.total(Query(And(tuple(parts)) if len(parts) > 1 else parts[0]))


def suggestion(index: Index, query: Query) -> str | None:
    """Return the query with Latin words that no document holds replaced by the most frequent ones like them.

    None if every word is known, or nothing is like it: one letter missing, too many, wrong, or swapped with the next.
    """
    text = query.text
    unknown = list(_unknown_words(index, query))[:MAX_WORDS]
    for words, token in sorted(unknown, key=lambda found: found[0].place or (0, 0), reverse=True):
        counts = index.known(sorted(_alike(token)))
        if words.place and counts:
            best = min(counts, key=lambda word: (-counts[word], word))
            text = text[: words.place[0]] + best + text[words.place[1] :]
    return text if text != query.text else None


def _unknown_words(index: Index, query: Query) -> Iterator[tuple[Words, str]]:
    for words in query.words():
        found = tokens.tokens(words.text)
        if len(found) == 1 and not words.prefix and words.place and _LATIN.fullmatch(found[0]):
            plain = query.text[words.place[0] : words.place[1]]
            if plain == words.text and not index.known(found):
                yield words, found[0]


def _alike(word: str) -> set[str]:
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    missing = {left + right[1:] for left, right in cuts if right}
    swapped = {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
    wrong = {left + letter + right[1:] for left, right in cuts if right for letter in ascii_lowercase}
    extra = {left + letter + right for left, right in cuts for letter in ascii_lowercase}
    return (missing | swapped | wrong | extra) - {word}
