"""Our own method for threads by itself: the posts of a page, whatever kind of page it looks like.

Idea. Every post tells when it was written, at the same place of its markup. Times (in text, attributes, against now)
are grouped by place into families; neighbours of a family part at the highest element that holds one and not the other,
so that posts may be elements, runs of rows, or lie in one another. The family wins whose records hold most text that
was not read before, and whose times rise and stand alone; elements named as posts help where times are missing.
Inside the records, the place where new text comes again and again holds the words, and a place with names the author.

Where it fails. Posts without times and without names in their markup; a single post without either; authors that are
plain text in the middle of a line; quotations that nothing marks.

Cost. One walk over the page, and for each of up to 40 families one over its records.
"""

from thresher.extraction.contract import Content, Favour
from thresher.extraction.forum.thread import find_thread
from thresher.html import Tree


def extract_thresher_posts(tree: Tree, *, model: str | None = None, favour: Favour = "balance") -> Content:
    """Return the posts of a page in order, none where it has none; nothing is trained, and no balance is moved."""
    thread = find_thread(tree)
    return Content(thread.blocks, thread.confidence, posts=thread.posts, facts=thread.facts)
