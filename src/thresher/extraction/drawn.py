"""Blocks of a page's own text or of its posts: links and formatting are read only where they are kept."""

from dataclasses import replace
from datetime import datetime

from thresher.extraction.contract import CHOSEN, COMMENTS, HEADED, OWN, Content
from thresher.extraction.discussion import Posts, are_sought, with_posts, without_thread
from thresher.extraction.fields.found import Found
from thresher.extraction.kind import Judged
from thresher.extraction.learned.insets import paragraphs_of
from thresher.extraction.learned.kept import drafts
from thresher.extraction.learned.table import Table
from thresher.extraction.paths import Paths
from thresher.html import Tree
from thresher.model import Kind


def draw(
    tree: Tree, judged: Judged, table: Table, content: Content, *, posts: Posts, fetched_at: datetime | None
) -> tuple[Content, Found[Kind]]:
    """Return content, of which only the choice is known, and kind of a page, with its posts where these are wanted."""
    own, confidence = content.facts[OWN]
    paths, kind = Paths(), judged.kind
    if posts == "never" and kind.value is Kind.THREAD:
        kind = without_thread(judged, "posts that are comments", kind.evidence.confidence)
    if are_sought(judged, posts):
        draft = drafts(table, content.facts[CHOSEN], paths)
        named, headed = (
            frozenset(paths.of(table.nodes[element]) for element in content.facts[name]) for name in (COMMENTS, HEADED)
        )
        seen = replace(content, blocks=draft)
        content, kind = with_posts(tree, judged, seen, posts=posts, fetched_at=fetched_at, named=named, headed=headed)
        if content.blocks is not draft:
            return content, kind
    blocks = paragraphs_of(table, own, base_url=tree.base_url, paths=paths)
    return replace(content, blocks=blocks, confidence=confidence), kind
