"""Reasons: what each fixed word of a fate means, for a person to read."""

MEANING = {
    "off-host": "another host; --subdomains or --any-host would follow it",
    "excluded": "matches an --exclude pattern",
    "not-included": "matches no --include pattern",
    "too-deep": "farther from the start than --max-depth",
    "too-long": "the URL is too long",
    "too-many-links": "its page has too many links",
    "trap-depth": "too many links away from the start",
    "trap-path-depth": "its path has too many parts",
    "trap-parameters": "it has too many parameters",
    "trap-repeating": "parts of its path repeat",
    "nofollow": "the page asks not to follow this link",
    "noindex": "the page asks not to be kept",
    "not-a-page": "its name says that it is no page (image, archive …)",
    "bad-url": "no URL that can be fetched",
    "robots-disallowed": "the site's robots.txt forbids it",
    "robots-unavailable": "the site's robots.txt could not be read, so nothing there is fetched for now",
    "address-refused": "a private or reserved address; --allow-address permits it",
    "dns": "the host's name was not found",
    "connection": "the server cannot be reached",
    "timeout": "the server took too long to answer (timeout_s)",
    "tls": "the server's certificate or encryption is not in order",
    "truncated": "the connection broke in the middle of the page",
    "too-large": "larger than the limit (max_body_bytes)",
    "bad-answer": "the server's answer is not HTTP",
    "bad-encoding": "the answer cannot be decompressed",
    "fetch-error": "it could not be fetched",
    "thread-page": "a further page of a thread; its posts are kept with the thread",
    "already-stored": "stored by an earlier run; --refresh fetches it again",
    "unchanged": "not changed since it was stored",
    "redirected": "leads to another URL",
    "bad-redirect": "leads to what is no http(s) URL",
    "redirected-to-itself": "the server wants a cookie or a session, and a crawl carries none",
    "too-many-redirects": "a chain or loop of redirects",
    "not-html": "no page: empty, or another type of content",
    "unreadable": "the page cannot be parsed",
    "listing": "a list of links, followed but not stored",
    "board": "a list of threads, followed but not stored",
    "feed": "a feed, followed but not stored",
    "sitemap": "a sitemap, followed but not stored",
    "other": "no article was found on it",
    "short-text": "the main text is too short to be an article",
    "short-title": "the title is too short to be an article's",
    "no-date": "no plausible date (require_date is set)",
    "host-full": "the host has reached its number of pages (host_pages)",
    "trap": "many pages of this URL shape held no document (barren_pages)",
    "lost-leases": "workers that held it died again and again",
    "extract-timeout": "extraction took too long",
    "extract-memory": "extraction took too much memory",
    "extract-crash": "extraction crashed",
    "extract-start": "no extraction process could be started",
    "worker-error": "what came of it could not be written; the log says why",
}
NOT_PERMITTED = frozenset({"address-refused", "robots-disallowed"})
UNREACHABLE = frozenset({"dns", "connection", "timeout", "truncated", "bad-answer", "robots-unavailable"})


def meaning_of(reason: str) -> str:
    """Return what a reason means; empty for one that nobody has explained."""
    if reason.startswith("http-"):
        return f"the server answered with status {reason.removeprefix('http-')}"
    return MEANING.get(reason, "")
