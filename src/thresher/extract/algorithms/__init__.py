"""The published methods, one a file, by name."""

from thresher.errors import UsageError
from thresher.extract.algorithms.cevc import extract_cevc
from thresher.extract.contract import Algorithm

DEFAULT = "cevc"
ALGORITHMS: dict[str, Algorithm] = {
    "cevc": extract_cevc,
}


def check_name(name: str | None) -> str:
    """Return the name of the algorithm that is meant, the default for None; raise UsageError for an unknown one."""
    if name is None:
        return DEFAULT
    if name not in ALGORITHMS:
        raise UsageError(f"no algorithm {name!r}; there are: {', '.join(ALGORITHMS)}")
    return name
