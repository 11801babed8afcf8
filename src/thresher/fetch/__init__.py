"""Fetching: a Lease becomes a Page, politely and safely, through Scrapy, which is known in this package alone."""
