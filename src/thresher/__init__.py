"""Thresher: crawl news sites, blogs and forums, keep the main text, search it.

Follow one URL from the command line to a search hit: read these files in this order, each called by one before it.

 1. cli/crawl.py                      a command line → a run
 2. wiring.py                         settings → frontier, store and index
 3. crawling/run.py                   one run: its starts, its workers, its end
 4. crawling/worker.py                the spine: lease → fetch → discover → extract → save → index → settle
 5. fetch/fetcher.py                  Lease → Page, through Scrapy: one polite, safe request
 6. crawling/harvest.py               Page → what it holds, in a process of its own
 7. discovery/links.py                a page, feed or sitemap → Links worth fetching
 8. extraction/extractor.py           a page → Document: article or thread, then content, then fields
 9. extraction/algorithms/thresher.py the blocks of a page → those that are main text
10. crawling/judge.py                 what came back → what becomes of the link
11. crawling/ledger.py                save, index, offer and settle, in one transaction
12. crawling/intake.py                Links found → Links offered
13. frontier/sqlite.py                Link → Lease: who may fetch what, and when
14. store/sql.py                      Documents, pages and fates, kept
15. index/sqlite.py                   Document → Hit: how it is found again
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from thresher.version import __version__

if TYPE_CHECKING:
    from thresher.api.corpus import Corpus, open
    from thresher.api.crawls import Crawl, CrawlReport, crawl
    from thresher.api.pages import extract
    from thresher.errors import ThresherError
    from thresher.model import Document, Evidence, Hit, HitPage, Post

__all__ = [
    "Corpus",
    "Crawl",
    "CrawlReport",
    "Document",
    "Evidence",
    "Hit",
    "HitPage",
    "Post",
    "ThresherError",
    "__version__",
    "crawl",
    "extract",
    "open",
]

_LOADED_WHEN_ASKED_FOR = {
    "Corpus": "thresher.api.corpus",
    "Crawl": "thresher.api.crawls",
    "CrawlReport": "thresher.api.crawls",
    "ThresherError": "thresher.errors",
    "crawl": "thresher.api.crawls",
    "extract": "thresher.api.pages",
    "open": "thresher.api.corpus",
    **dict.fromkeys(("Document", "Evidence", "Hit", "HitPage", "Post"), "thresher.model"),
}


def __getattr__(name: str) -> Any:
    """Load each name when it is first asked for: `import thresher` is quick, and a command hears Ctrl-C at once."""
    if name not in _LOADED_WHEN_ASKED_FOR:
        raise AttributeError(f"module 'thresher' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_LOADED_WHEN_ASKED_FOR[name]), name)
    return found
