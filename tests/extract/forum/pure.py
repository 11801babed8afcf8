"""The search for posts as it stands in its sources, also where Python would take compiled modules."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from thresher.extract.forum import words

FOLDER = Path(words.__file__).parent
PACKAGE = words.__name__.rpartition(".")[0]
# Each needs only those before it.
NAMES = (
    *("naming", "layout", "flat_tree", "flat", "stamps", "records", "families", "named", "single", "choice", "places"),
    *("bodies", "details", "own_text", "writers", "opening", "confidence", "thread"),
)


def load_pure() -> dict[str, ModuleType]:
    """Return the interpreted modules by name; they see one another, and nobody else sees them."""
    names = {name: f"{PACKAGE}.{name}" for name in ("_flat", *NAMES)}
    kept = {full: sys.modules.pop(full) for full in names.values() if full in sys.modules}
    sys.modules[names["_flat"]] = None  # type: ignore[assignment]  # Python's way to say that there is none
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
