"""Admission: which hosts of a site may have links, for one that makes up ever new subdomains would never end."""

from collections.abc import Callable, Sequence
from typing import Any

from thresher import urls
from thresher.model import Link

REMEMBERED = 100_000  # hosts
_HOST_AT = len("https://")


class Admission:
    """Asks once for each host that this process meets; those that were admitted stay so."""

    def __init__(self, run: Callable[..., Any]) -> None:
        """`run` runs a step in lua/."""
        self._run = run
        self._admitted: set[str] = set()  # origins

    def refused(self, links: Sequence[Link]) -> set[str]:
        """Return the hosts of these links that are one too many for their sites; the first ones are admitted."""
        met = {link.url[: link.url.find("/", _HOST_AT)] for link in links}  # origins, faster than their hosts
        unknown = met - self._admitted
        if not unknown:
            return set()
        new = list(dict.fromkeys(origin for link in links if (origin := urls.origin_of(link.url)) in unknown))
        if len(self._admitted) > REMEMBERED:
            self._admitted.clear()
        pairs = [word for origin in new for word in (urls.site_of(origin), _packed(urls.host_of(origin)))]
        answers = self._run("admit", *pairs)
        refused = {origin for origin, answer in zip(new, answers, strict=True) if answer != 1}
        self._admitted.update(met - refused)
        return {urls.host_of(origin) for origin in refused}


def _packed(host: str) -> bytes:
    return host.encode("utf-8", "surrogatepass")
