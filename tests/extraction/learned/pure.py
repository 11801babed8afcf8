"""The learned extractor's modules as they stand in their sources, also where Python would take compiled ones."""

from pathlib import Path
from types import ModuleType

from tests.extraction.sources import load_sources
from thresher.extraction.learned import captions, one_article, table

_NEEDED = (captions, one_article)  # by those below; loaded here, they keep to the modules that all others use
FOLDER = Path(table.__file__).parent
PACKAGE = table.__name__.rpartition(".")[0]
COMPILED = ("_measure", "_inherit")  # that they would ask for
NAMES = (
    "measure_texts",
    "measure",
    "sheet",
    "surroundings",
    "nearby",
    "features",
    "mass",
    "second",
    "comments",
    "headed",
    "slides",
    "closing",
    "completion",
    "decide",
)  # each needs only those before it


def load_pure() -> dict[str, ModuleType]:
    """Return the interpreted modules by name; they see one another, and nobody else sees them."""
    return load_sources(PACKAGE, FOLDER, NAMES, missing=COMPILED)
