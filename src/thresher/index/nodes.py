"""The nodes of a parsed query: what a document must satisfy, in words that every index understands."""

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as field_
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Everything:
    """Any document."""


@dataclass(frozen=True, slots=True)
class Words:
    """A word, or several that follow each other, anywhere or in one field; with `prefix` the last one may go on."""

    text: str
    field: str | None = None  # title, body, author
    prefix: bool = False
    place: tuple[int, int] | None = field_(default=None, compare=False)  # in the query's text: start, end


@dataclass(frozen=True, slots=True)
class Near:
    """Both, in either order, with at most so many tokens between them; neither ends in a prefix."""

    left: Words
    right: Words
    distance: int


@dataclass(frozen=True, slots=True)
class Site:
    """On this host (with a port: exactly there) or one of its subdomains."""

    host: str


@dataclass(frozen=True, slots=True)
class Url:
    """Under exactly this canonical URL, or (`whole` is False) under one that holds these characters."""

    text: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Sources:
    """Brought by one of these sources, by their names."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Having this value in a field of fixed words: channel, tag, lang, is, has, run."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Dated:
    """Published (`date`) or first collected (`seen`) at `since` or later and before `until`; None is open."""

    field: str
    since: datetime | None
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Long:
    """Of at least `least` and at most `most` characters; None is open."""

    least: int | None
    most: int | None


@dataclass(frozen=True, slots=True)
class Not:
    """What does not satisfy the part."""

    part: "Node"


@dataclass(frozen=True, slots=True)
class And:
    """What satisfies every part; there are two or more."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """What satisfies any part; there are two or more."""

    parts: tuple["Node", ...]


POSTS = Labelled("is", "post")
Node = Everything | Words | Near | Site | Url | Sources | Labelled | Dated | Long | Not | And | Or


@dataclass(frozen=True, slots=True)
class Clause:
    """One of the parts that a query consists of, and its text."""

    text: str
    node: Node


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query, the text it was read from, and the parts that are joined by its outermost AND or OR."""

    root: Node
    text: str = ""
    clauses: tuple[Clause, ...] = ()

    @property
    def of_posts(self) -> bool:
        """True for a query that finds posts (`is:post`), not documents."""
        return wants_posts(self.root)

    def words(self) -> Iterator[Words]:
        """Yield the words that make a document a hit, not those that exclude it."""
        yield from _wanted_words(self.root)


def wants_posts(node: Node) -> bool:
    """Say whether all that satisfies a node are posts."""
    if isinstance(node, And):
        return any(map(wants_posts, node.parts))
    return node == POSTS


def _wanted_words(node: Node) -> Iterator[Words]:
    if isinstance(node, Words):
        yield node
    elif isinstance(node, Near):
        yield from (node.left, node.right)
    elif isinstance(node, And | Or):
        for part in node.parts:
            yield from _wanted_words(part)
