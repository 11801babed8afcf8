"""Models: what trained algorithms learned, as JSON files; the ones that are shipped lie beside this file."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from thresher.errors import UsageError

FORMAT = 1  # of the files; one of another number is refused
_SHIPPED = Path(__file__).parent
_FAULTS = (KeyError, TypeError, ValueError, IndexError)

T = TypeVar("T")
Build = Callable[[Mapping[str, Any]], T]


def read_model(algorithm: str, path: str | None, build: Build[T]) -> T:
    """Return what `build` makes of a model file, of the shipped one for None; the last ones read are remembered.

    Raise UsageError, naming the file, when it cannot be read or holds no model of this algorithm.
    """
    file = Path(path) if path is not None else _SHIPPED / f"{algorithm}.json"
    try:
        stat = file.stat()
    except OSError as error:
        raise UsageError(f"cannot read the model {file}: {error.strerror}") from error
    built: T = _read(algorithm, file, (stat.st_mtime_ns, stat.st_size), build)
    return built


def encode_model(algorithm: str, values: Mapping[str, Any]) -> bytes:
    """Return the content of a model file."""
    return (json.dumps({"format": FORMAT, "algorithm": algorithm, **values}, indent=1) + "\n").encode()


def decode_model(content: bytes, algorithm: str, file: str = "the model") -> dict[str, Any]:
    """Return the values of a model file's content; raise UsageError when it is no model of this algorithm."""
    try:
        values = json.loads(content)
    except ValueError as error:
        raise UsageError(f"{file} is not a model file: it is not JSON ({error})") from error
    if not isinstance(values, dict) or "algorithm" not in values:
        raise UsageError(f"{file} is not a model file: it does not name its algorithm")
    if values["algorithm"] != algorithm:
        raise UsageError(f"{file} is a model of {values['algorithm']}, not of {algorithm}")
    if values.get("format") != FORMAT:
        raise UsageError(f"{file} has model format {values.get('format')}; this version reads {FORMAT}; train it again")
    return values


@lru_cache(maxsize=16)
def _read(algorithm: str, file: Path, stamp: tuple[int, int], build: Build[Any]) -> Any:
    """Read and build; `stamp` makes a file that was written anew another one."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read the model {file}: {error.strerror}") from error
    values = decode_model(content, algorithm, str(file))
    try:
        return build(values)
    except _FAULTS as error:
        raise UsageError(f"{file} is a damaged model of {algorithm}: {type(error).__name__} {error}") from error
