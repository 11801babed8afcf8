"""Fetching: a Lease becomes a Page, politely and safely, through Scrapy, which is known in this package alone."""

from thresher.fetch.contract import Crew, FetchOptions
from thresher.fetch.fetcher import fetch
from thresher.fetch.retry_after import retry_after_s

__all__ = ["Crew", "FetchOptions", "fetch", "retry_after_s"]
