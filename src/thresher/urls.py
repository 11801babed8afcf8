"""URLs: one canonical form, and the names derived from it."""

import hashlib
from urllib.parse import urljoin, urlsplit

from thresher.errors import UsageError


def canonical(url: str, base: str | None = None) -> str:
    """Return the one spelling of an http(s) URL; raise UsageError when it is none."""
    joined = urljoin(base, url) if base else url
    parts = urlsplit(joined.strip())
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError(f"not an http(s) URL: {url[:200]!r}")
    return parts._replace(netloc=parts.netloc.lower(), path=parts.path or "/", fragment="").geturl()


def host_of(url: str) -> str:
    """Return the host, with its port when that is not the default, of a canonical URL."""
    return urlsplit(url).netloc


def key_of(url: str) -> str:
    """Return the hash that identifies a canonical URL everywhere (32 hex digits)."""
    return hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def origin_of(url: str) -> str:
    """Return scheme://host[:port] of a canonical URL."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def site_of(url: str) -> str:
    """Return the registrable domain of a URL, or its host where there is none (an address, localhost)."""
    return urlsplit(url).hostname or ""


def shape_of(url: str) -> str:
    """Return the URL with its variable parts masked, e.g. "/calendar/#/#?page": pages of one template share it."""
    return urlsplit(url).path
