"""Reasons: what each fixed word of a fate means, for a person to read."""

MEANING = {
    "off-host": "another host; --subdomains or --any-host would follow it",
    "excluded": "matches an --exclude pattern",
    "not-included": "matches no --include pattern",
    "before-since": "older than the day of --since",
    "too-deep": "farther from the start URL than --max-depth",
    "too-long": "the URL is too long",
    "too-many-links": "the page that links to it has too many links",
    "trap-depth": "too many links away from the start URL",
    "trap-path-depth": "its path has too many parts",
    "trap-parameters": "the URL has too many parameters",
    "trap-repeating": "parts of its path repeat",
    "forum-login": "a forum's login or registration form",
    "forum-posting": "a forum's form to write, quote or report a post",
    "forum-print": "the print version of a forum page",
    "forum-search": "a forum search",
    "forum-order": "a forum list that is sorted differently",
    "forum-last-post": "a link to one post; the thread is followed through the link on its title",
    "forum-feed": "the feed of a single thread",
    "list-feed": "the feed of a list that is followed itself",
    "sitemap-of-lists": "a sitemap of tags, categories or authors, beside one of the articles that these list",
    "comment-feed": "a feed of comments; the setting comment_feeds lets it be followed",
    "forum-calendar": "a forum's calendar",
    "forum-attachment": "a file attached to a post",
    "forum-service": "a help or settings page of a forum",
    "forum-member": "a forum member's page",
    "same-thread": "another view of the thread that links to it, a single post for instance",
    "nofollow": "the page asks crawlers not to follow this link",
    "noindex": "the page asks crawlers not to keep it",
    "not-a-page": "not a web page, judging by the file name (image, archive …)",
    "bad-url": "not a URL that can be fetched",
    "robots-disallowed": "the site's robots.txt forbids it",
    "robots-unavailable": "the site's robots.txt could not be read, so nothing there is fetched for now",
    "address-refused": "a private or reserved address; --allow-address allows it",
    "port-refused": "neither a standard web port nor a port of a start URL; --allow-port allows it",
    "dns": "the host name was not found",
    "connection": "the server cannot be reached",
    "proxy-failed": "the proxy cannot be reached, or did not let the request through",
    "timeout": "the server took too long to answer (timeout_s)",
    "tls": "the server's certificate or encryption is not valid",
    "truncated": "the connection broke in the middle of the page",
    "too-large": "larger than the limit (max_body_bytes)",
    "bad-answer": "the server's response is not valid HTTP",
    "bad-encoding": "the response cannot be decompressed",
    "fetch-error": "it could not be fetched",
    "thread-page": "a further page of a thread; its posts are stored with the thread",
    "article-page": "a further page of an article; its text is stored with the first page",
    "copy": "a stored page under another URL: a parameter changes nothing here, or it is another version of it",
    "edition": "another version (AMP, mobile, print …) of a page that is stored",
    "already-stored": "stored by an earlier run; --refresh fetches it again",
    "resting": "a list that was read a short time ago, for how seldom it changes; its stored links were followed",
    "unchanged": "not changed since it was stored",
    "moved": "moved: its document is kept under another URL now",
    "redirected": "redirects to another URL",
    "sign-in": "a form that leads back to where it is linked from, to sign in for instance",
    "bad-redirect": "redirects to something that is not an http(s) URL",
    "redirected-to-itself": "redirects to itself: the server expects a cookie or a session, and a crawl keeps none",
    "too-many-redirects": "a chain or loop of redirects",
    "not-html": "not a web page: empty, or another content type",
    "unreadable": "the page cannot be parsed",
    "listing": "a list of links, followed but not stored",
    "board": "a list of threads, followed but not stored",
    "feed": "a feed, followed but not stored",
    "sitemap": "a sitemap, followed but not stored",
    "search": "a page of search results, followed but not stored",
    "other": "no article was found on the page",
    "short-text": "the main text is too short for an article",
    "short-title": "the title is too short for an article",
    "unsure": "its text is right with a lower probability than min_confidence",
    "no-date": "no plausible date, and require_date is set",
    "host-full": "the host has reached its limit of pages (host_pages)",
    "site-full": "the site has reached its limit of hosts (site_hosts)",
    "host-bytes": "the host has reached its limit of bytes in a run (host_bytes)",
    "barren": "links of this kind lead to no document on this site, as the first ones showed",
    "trap": "a trap: many pages with this URL pattern had no document (barren_pages)",
    "source-paused": "its source is paused; it is asked for when `thresher sources resume` lets it",
    "source-removed": "its source was removed from the catalog",
    "source-limit": "its source has given as many documents today as its limit allows",
    "lost-leases": "several workers died while they were working on it",
    "extract-timeout": "extraction took too long",
    "extract-memory": "extraction took too much memory",
    "extract-crash": "extraction crashed",
    "extract-start": "the extraction process could not be started",
    "render-failed": "the browser that was to render it died or took too long",
    "worker-error": "an unexpected error in the worker while it handled this page; see the log",
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


def advice_on(reason: str, url: str) -> str:
    """Say what to do about a page of search results that did not come; empty where nobody knows."""
    if reason == "http-403" and "format=json" in url:
        return (
            "a SearXNG instance answers 403 while its JSON format is off: in its settings.yml, add `- json` to "
            "`formats:` of `search:`, and restart it"
        )
    if reason == "robots-disallowed":
        return "if the search engine is yours, or its owner lets you ask it, set robots = false in its [engines.NAME]"
    if reason == "http-429":
        return "the search engine is asked too often: set a longer delay_s in its [engines.NAME]"
    return ""


def meaning_of(reason: str) -> str:
    """Return what a reason means; empty for one that nobody has explained."""
    if reason.startswith("http-"):
        return f"the server answered with status {reason.removeprefix('http-')}"
    return MEANING.get(reason, "")
