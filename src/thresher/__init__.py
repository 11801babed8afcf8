"""Thresher: crawl news sites, blogs and forums, keep the main text, search it."""

__version__ = "0.1.0"
