"""Real site programs, filled with known content, crawled, and compared with what was put into them."""
