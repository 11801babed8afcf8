"""A tiny crawler for the tests: follows links of the sample web without any network."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin

from lxml import html

from thresher import urls
from thresher.sample import ExpectedUrls, SampleWeb
from thresher.sample.answer import Answer


@dataclass
class Walk:
    """What was found: the depth of each address, and the answers' status."""

    depths: dict[str, int] = field(default_factory=dict)
    status: dict[str, int] = field(default_factory=dict)
    unfollowed: set[str] = field(default_factory=set)


def walk(web: SampleWeb) -> Walk:
    """Follow every link that a polite crawler follows, redirects included, breadth first."""
    expected = web.expected_urls()
    found = Walk()
    wave = [urls.canonical(start) for start in expected.starts]
    for url in wave:
        found.depths[url] = 0
    while wave:
        following: list[str] = []
        for url in wave:
            answer = web.answer(url)
            found.status[url] = answer.status
            for target, step in _targets(answer, url, expected, found):
                if target not in found.depths:
                    found.depths[target] = found.depths[url] + step
                    following.append(target)
        wave = following
    return found


def links(answer: Answer, url: str) -> Iterator[tuple[str, bool]]:
    """Yield the canonical http(s) targets of an HTML answer, and whether they may be followed."""
    if not answer.content_type.startswith("text/html") or not answer.body:
        return
    for anchor in html.fromstring(answer.body).iterfind(".//a[@href]"):
        target = urljoin(url, (anchor.get("href") or "").strip())
        if target.startswith("http"):
            yield urls.canonical(target), "nofollow" not in (anchor.get("rel") or "")


def _targets(answer: Answer, url: str, expected: ExpectedUrls, found: Walk) -> Iterator[tuple[str, int]]:
    if "Location" in answer.headers:
        yield urls.canonical(answer.headers["Location"], url), 0
    for target, followed in links(answer, url):
        if not followed:
            found.unfollowed.add(target)
        elif not target.startswith(expected.disallowed_prefixes + expected.trap_prefixes):
            yield target, 1
