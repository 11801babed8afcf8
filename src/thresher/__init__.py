"""Thresher: crawl news sites, blogs and forums, keep the main text, search it.

Follow one URL by reading six files in this order:

1. discovery/links.py     a page, feed or sitemap → Links worth fetching
2. frontier/contract.py   Link → Lease: who may fetch what, when
3. crawl/worker.py        the spine: lease → fetch → discover → extract → save → index → settle
4. fetch/fetcher.py       Lease → Page, through Scrapy: one polite, safe request
5. extraction/extractor.py   Page → Document: article or thread, then content, then fields
6. index/contract.py      Document → Hit: how it is found again
"""

from thresher.errors import ThresherError
from thresher.extraction.extractor import extract
from thresher.model import Document, Evidence, Post

__version__ = "0.1.0"

__all__ = ["Document", "Evidence", "Post", "ThresherError", "__version__", "extract"]
