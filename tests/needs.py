"""Libraries that some tests need, looked for without importing them: every test process collects every test."""

from importlib.util import find_spec

import pytest


def need(*names: str) -> None:
    """Skip the module that calls it where one of these libraries is not installed."""
    if absent := [name for name in names if find_spec(name) is None]:
        pytest.skip(f"not installed: {', '.join(absent)}", allow_module_level=True)
