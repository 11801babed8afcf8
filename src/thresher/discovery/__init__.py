"""Discovery: from pages, feeds and sitemaps to the Links worth fetching."""
