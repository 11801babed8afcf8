"""A page of our own that the tests of the learned extractor share, and its sheet."""

from thresher.extraction.fields.clues import gather
from thresher.extraction.learned.about import read_about
from thresher.extraction.learned.sheet import Sheet, lay_out
from thresher.extraction.learned.walk import walk
from thresher.html import parse

ARTICLE = """
<html><head><title>Ferry to the island is late again | The Harbour Post</title>
<meta name="description" content="Passengers waited for the ferry while a crew looked for a spare part."></head>
<body>
<nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></nav>
<div class="article-body">
<h1>Ferry to the island is late again</h1>
<p class="byline">By Edda Holm, 3 March 2024</p>
<p>Passengers waited on the pier for most of the morning, because the ferry had lost a part of its <b>rudder</b> in the
night and nobody on the mainland had another one to hand.</p>
<p>The crew found a spare in the old yard. It was rusty, but it did fit, and so the ship left with the noon tide.</p>
<p>On the island the shops had sold out of bread. The baker said that he would ask for a second boat this summer.</p>
</div>
<div id="comments"><h3>2 Comments</h3>
<div class="comment"><span>Ivo</span> 4 March 2024 <p>It was the same last year, and the year before that too.</p></div>
<div class="comment"><span>Rosa</span> 5 March 2024 <p>We should all be glad that the crew is so good at it.</p></div>
</div>
<footer><p>All rights reserved.</p></footer>
</body></html>
"""


def sheet_of(html: str = ARTICLE) -> Sheet:
    """Return the sheet of a page."""
    tree = parse(html)
    return lay_out(walk(tree.body), read_about(gather(tree)))


def place_of(sheet: Sheet, start: str) -> int:
    """Return the number of the block that starts so."""
    return next(place for place, text in enumerate(sheet.table.texts) if text.startswith(start))
