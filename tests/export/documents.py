"""An article and a thread to export, with what breaks careless writers in them."""

from datetime import UTC, datetime

from thresher.model import Block, Document, Kind, Post, Span

AT = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)

ARTICLE = Document(
    url="https://harbour.example/ferry",
    kind=Kind.ARTICLE,
    confidence=0.9,
    title='=HYPERLINK("x") The ferry, "late" again',
    blocks=(Block((Span("-1 is the tide.\tIt fell."),)), Block((Span('She said "no", 降准。'),))),
    authors=("+Ada", "Bo"),
    published=AT,
    language="en",
    site="harbour.example",
)
POSTS = tuple(
    Post(f"@writer{n}", AT, f'post {n} says "so",\nand again' if n != 2 else "", n, id=f"p{n}", quotes=("q\n1",))
    for n in range(1, 4)
)
# As the store gives it: the blocks are those of the first page, the posts come apart.
THREAD = Document(
    url="https://forum.example/t/1",
    kind=Kind.THREAD,
    confidence=0.8,
    title="Which rope?",
    blocks=(Block((Span('post 1 says "so",'),)), Block((Span("and again"),))),
    site="forum.example:8080",
)
