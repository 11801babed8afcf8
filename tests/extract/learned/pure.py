"""The learned extractor's modules as they stand in their sources, also where Python would take compiled ones."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from thresher.extract.learned import captions, one_article, table

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
    names = {name: f"{PACKAGE}.{name}" for name in (*COMPILED, *NAMES)}
    kept = {full: sys.modules.pop(full) for full in names.values() if full in sys.modules}
    for name in COMPILED:
        sys.modules[names[name]] = None  # type: ignore[assignment]  # Python's way to say that there is none
    try:
        return {name: _load(names[name], FOLDER / f"{name}.py") for name in NAMES}
    finally:
        for full in names.values():
            sys.modules.pop(full, None)
        sys.modules.update(kept)


def _load(full: str, path: Path) -> ModuleType:
    spec = spec_from_file_location(full, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[full] = module
    spec.loader.exec_module(module)
    return module
