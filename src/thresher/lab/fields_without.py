"""Pages without one source of evidence, as sites of other makes have them: does what remains still tell the fields?"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from thresher.lab.fields_gold import GoldFields

_JSON_LD = re.compile(r"<script[^>]*ld\+json.*?</script>", re.DOTALL | re.IGNORECASE)
_META = re.compile(r"<meta\b(?![^>]*charset)[^>]*>", re.IGNORECASE)
_TIME = re.compile(r"<(/?)time\b[^>]*>", re.IGNORECASE)
_VALUE = r"""\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)"""
_NAMES = re.compile(rf"\s(?:class|id|rel|itemprop|property|itemtype|data-[\w-]+){_VALUE}")
_LINKS = re.compile(rf"\s(?:href|rel){_VALUE}")

SOURCES: Mapping[str, Callable[[str], str]] = {
    "json-ld": lambda html: _JSON_LD.sub("", html),
    "meta": lambda html: _META.sub("", html),
    "time": lambda html: _TIME.sub(r"<\1span>", html),
    "names": lambda html: _NAMES.sub("", html),  # of elements: classes, ids, microdata
    "links": lambda html: _LINKS.sub("", html),
}


def without(pages: Iterable[GoldFields], sources: Iterable[str]) -> Iterator[GoldFields]:
    """Yield the pages with these sources of evidence taken out of their markup."""
    removals = [SOURCES[name] for name in sources]
    for page in pages:
        html = page.html
        for remove in removals:
            html = remove(html)
        yield replace(page, html=html)
