"""A document for people: Markdown, clean HTML and plain text; pure functions over blocks and posts."""
