"""A crawl: workers that lease links, fetch them, keep what they hold, and settle."""
