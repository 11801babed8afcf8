"""Extractor: one row of a table; an algorithm of ours with its parameters, or a peer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from thresher.errors import UsageError
from thresher.lab import ours, peers
from thresher.lab.pages import Found

Parameter = ours.Parameter


@dataclass(frozen=True, slots=True)
class Extractor:
    """What turns a page into text; `name` is how tables call it, `version` changes when its output may."""

    name: str
    origin: str  # the algorithm's or peer's own name
    version: str
    is_peer: bool = False
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        """What decides its output, for the cache: not the name it is shown by, nor the place of its model file."""
        rest = sorted((key, value) for key, value in self.parameters.items() if key != "model")
        return repr((self.origin, self.version, rest))

    def extract(self, html: str, url: str | None, language: str) -> Found:
        """Run it on a page; raise what it raises."""
        if self.is_peer:
            return Found(peers.PEERS[self.origin].extract(html, language))
        return ours.extract(self.origin, html, url, self.parameters)


def choose(algorithms: str, with_peers: bool) -> list[Extractor]:
    """Read `all`, `none` or names by comma, and add the peers; raise UsageError for a wrong name, MissingExtra."""
    wanted = list(ours.names()) if algorithms == "all" else [name for name in algorithms.split(",") if name != "none"]
    chosen = [named(name.strip()) for name in wanted if name.strip()]
    if with_peers:
        chosen += [named(name) for name in peers.PEERS if name not in wanted]
    if not chosen:
        raise UsageError("nothing to measure: name --algorithms, or add --peers")
    return chosen


def named(text: str) -> Extractor:
    """Read `cevc`, `cevc:alpha=0.3,…` or a peer's name; raise UsageError when there is no such thing."""
    origin, _, rest = text.partition(":")
    if origin in peers.PEERS and not rest:
        return Extractor(origin, origin, peers.version_of(origin), is_peer=True)
    parameters = dict(_parameter(piece) for piece in rest.split(";") if piece)
    return with_parameters(origin, parameters)


def with_parameters(origin: str, parameters: Mapping[str, Parameter], name: str = "") -> Extractor:
    """Return an algorithm with these parameters; raise UsageError for one that it does not have."""
    ours.check(origin, parameters)
    spelled = ";".join(f"{key}={value}" for key, value in parameters.items())
    version = ours.version_of(origin) + _version_of_model(parameters)
    return Extractor(name or (f"{origin}:{spelled}" if spelled else origin), origin, version, parameters=parameters)


def peer_names(extractors: Sequence[Extractor]) -> set[str]:
    """Return which of them are peers."""
    return {extractor.name for extractor in extractors if extractor.is_peer}


def _version_of_model(parameters: Mapping[str, Parameter]) -> str:
    """A model file counts by what is in it, wherever it lies."""
    path = parameters.get("model")
    return "+" + sha256(Path(str(path)).read_bytes()).hexdigest()[:12] if path else ""


def _parameter(piece: str) -> tuple[str, Parameter]:
    name, equals, value = piece.partition("=")
    if not equals:
        raise UsageError(f"{piece!r} is not a parameter; write name=value")
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            continue
    return name, {"true": True, "false": False}.get(value, value)
