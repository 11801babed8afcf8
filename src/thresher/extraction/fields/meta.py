"""What the page says of itself: site name, description, image, canonical URL."""

from thresher.extraction.blocks import absolute
from thresher.extraction.fields.clues import Clues
from thresher.extraction.fields.found import Found, found
from thresher.extraction.fields.json_ld import texts_of
from thresher.html import Tree

_SITE_NAME = ("og:site_name", "application-name", "apple-mobile-web-app-title", "al:android:app_name")
_DESCRIPTION = ("og:description", "description", "twitter:description", "dc.description")
_IMAGE = ("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src")


def find_site_name(clues: Clues) -> Found[str] | None:
    """Return the site's name as the page gives it."""
    if named := _first_meta(clues, _SITE_NAME, 0.9):
        return named
    names = texts_of(clues.article.get("publisher")) if clues.article else []
    return found(names[0], "json-ld publisher", 0.8, names[0]) if names else None


def find_description(clues: Clues) -> Found[str] | None:
    """Return the summary that the page gives."""
    return _first_meta(clues, _DESCRIPTION, 0.9)


def find_image(tree: Tree, clues: Clues) -> Found[str] | None:
    """Return the absolute URL of the page's picture."""
    told = [(clues.meta[name], f"meta {name}") for name in _IMAGE if name in clues.meta]
    if clues.article:
        told += [(text, "json-ld image") for text in texts_of(clues.article.get("image"))[:1]]
    for address, source in told:
        if url := _absolute(address, tree.base_url):
            return found(url, source, 0.9, address)
    return None


def find_canonical_url(tree: Tree, clues: Clues) -> Found[str] | None:
    """Return the absolute URL under which the page wants to be known."""
    if url := _absolute(clues.canonical, tree.base_url):
        return found(url, "link canonical", 0.9, clues.canonical)
    told = clues.meta.get("og:url")
    url = _absolute(told, tree.base_url)
    return found(url, "meta og:url", 0.7, told or "") if url else None


def _absolute(address: str | None, base_url: str | None) -> str | None:
    """Return an absolute URL; one that is absolute already is not taken apart for it."""
    is_plain = address and address.startswith(("https://", "http://")) and len(address.split()) == 1
    return address.strip() if address and is_plain else absolute(address, base_url)


def _first_meta(clues: Clues, names: tuple[str, ...], confidence: float) -> Found[str] | None:
    for name in names:
        if text := clues.meta.get(name):
            return found(text, f"meta {name}", confidence, text)
    return None
