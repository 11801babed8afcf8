"""Modules of a package as they stand in its sources, also where Python would take compiled ones."""

import sys
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType


def load_sources(package: str, folder: Path, names: Sequence[str], missing: Sequence[str]) -> dict[str, ModuleType]:
    """Return the interpreted modules by name; they see one another and none `missing`, and nobody else sees them.

    Each may need only those named before it.
    """
    full_names = {name: f"{package}.{name}" for name in (*missing, *names)}
    kept = {full: sys.modules.pop(full) for full in full_names.values() if full in sys.modules}
    for name in missing:
        sys.modules[full_names[name]] = None  # type: ignore[assignment]  # Python's way to say that there is none
    try:
        return {name: _load(full_names[name], folder / f"{name}.py") for name in names}
    finally:
        for full in full_names.values():
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
