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
    "forum-login": "a forum's form to log in or register",
    "forum-posting": "for writing, quoting or reporting in a forum",
    "forum-print": "a forum page once more, to be printed",
    "forum-search": "a search in a forum",
    "forum-order": "a forum's list once more, in another order",
    "forum-last-post": "a post of a thread that is followed by its title",
    "forum-feed": "the feed of a single thread",
    "forum-calendar": "a forum's calendar",
    "forum-attachment": "a file attached to a post",
    "forum-service": "a forum's help and settings",
    "forum-member": "a member of a forum",
    "nofollow": "the page asks not to follow this link",
    "noindex": "the page asks not to be kept",
    "not-a-page": "its name says that it is no page (image, archive …)",
    "bad-url": "no URL that can be fetched",
    "robots-disallowed": "the site's robots.txt forbids it",
    "robots-unavailable": "the site's robots.txt could not be read, so nothing there is fetched for now",
    "address-refused": "a private or reserved address; --allow-address permits it",
    "port-refused": "not a port of the web nor of a start; --allow-port permits it",
    "dns": "the host's name was not found",
    "connection": "the server cannot be reached",
    "proxy-failed": "the proxy cannot be reached, or did not let the request through",
    "timeout": "the server took too long to answer (timeout_s)",
    "tls": "the server's certificate or encryption is not in order",
    "truncated": "the connection broke in the middle of the page",
    "too-large": "larger than the limit (max_body_bytes)",
    "bad-answer": "the server's answer is not HTTP",
    "bad-encoding": "the answer cannot be decompressed",
    "fetch-error": "it could not be fetched",
    "thread-page": "a further page of a thread; its posts are kept with the thread",
    "copy": "the same page under another URL, by a parameter that changes nothing on this site",
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
    "site-full": "the site has reached its number of hosts (site_hosts)",
    "host-bytes": "its host had sent as many bytes as it may in a run (host_bytes)",
    "trap": "many pages of this URL shape held no document (barren_pages)",
    "lost-leases": "workers that held it died again and again",
    "extract-timeout": "extraction took too long",
    "extract-memory": "extraction took too much memory",
    "extract-crash": "extraction crashed",
    "extract-start": "no extraction process could be started",
    "worker-error": "what the server sent, or what came of it, made the worker fail; the log says how",
}
NOT_PERMITTED = frozenset({"address-refused", "port-refused", "robots-disallowed"})
UNREACHABLE = frozenset(
    {"dns", "connection", "proxy-failed", "timeout", "truncated", "bad-answer", "robots-unavailable"}
)

# Pages that came, or did not, in a way that nobody wants; what a site forbids or has nothing of is no failure.
_FAULTY = frozenset({"bad-redirect", "redirected-to-itself", "too-many-redirects", "unreadable", "too-large"})


def is_failure(state: str, reason: str) -> bool:
    """Say whether a URL with this fate failed: given up, answered with an error, or impossible to read."""
    return state == "buried" or (state == "skipped" and (reason.startswith("http-") or reason in _FAULTY))


def meaning_of(reason: str) -> str:
    """Return what a reason means; empty for one that nobody has explained."""
    if reason.startswith("http-"):
        return f"the server answered with status {reason.removeprefix('http-')}"
    return MEANING.get(reason, "")
