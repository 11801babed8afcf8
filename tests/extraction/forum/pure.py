"""The search for posts as it stands in its sources, also where Python would take compiled modules."""

from pathlib import Path
from types import ModuleType

from tests.extraction.sources import load_sources
from thresher.extraction.forum import words

FOLDER = Path(words.__file__).parent
PACKAGE = words.__name__.rpartition(".")[0]
# Each needs only those before it.
NAMES = (
    *("naming", "layout", "flat_tree", "flat", "stamps", "records", "families", "named", "single", "choice", "places"),
    *("bodies", "details", "own_text", "writers", "opening", "confidence", "thread"),
)


def load_pure() -> dict[str, ModuleType]:
    """Return the interpreted modules by name; they see one another, and nobody else sees them."""
    return load_sources(PACKAGE, FOLDER, NAMES, missing=("_flat",))
