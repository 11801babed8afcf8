"""The learned extractor's model and its file, which is plain numbers, packed: nothing in it is ever run."""

import json
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from thresher.errors import UsageError
from thresher.extraction.learned.descend import LEAF, Forest, chances

__all__ = ["Forest", "LearnedModel", "chances", "explain", "load", "save"]

MAGIC = b"thresher model 1\n"
MAX_BYTES = 64 * 2**20  # of the unpacked numbers; the shipped model has less than one hundredth of it
_COLUMNS = {"feature": "i", "threshold": "f", "left": "i", "value": "d", "roots": "i"}


@dataclass(frozen=True, slots=True)
class LearnedModel:
    """What was learned: for each stage the names of its features and a forest; settings, and where it comes from."""

    features: tuple[tuple[str, ...], ...]
    stages: tuple[Forest, ...]
    parameters: Mapping[str, float] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)


def save(model: LearnedModel) -> bytes:
    """Return the content of a model file; the same model gives the same bytes."""
    head = {
        "features": model.features,
        "parameters": dict(model.parameters),
        "about": dict(model.about),
        "stages": [{name: len(column) for name, column in asdict(stage).items()} for stage in model.stages],
    }
    text = json.dumps(head, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    numbers = b"".join(_packed(getattr(stage, name)) for stage in model.stages for name in _COLUMNS)
    return MAGIC + zlib.compress(len(text).to_bytes(4, "little") + text + numbers, 9)


def load(data: bytes) -> LearnedModel:
    """Return the model in a file's content; raise UsageError for anything that `save` does not write."""
    if not data.startswith(MAGIC):
        raise UsageError("not a model of the learned extractor, or one of another version")
    try:
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(data[len(MAGIC) :], MAX_BYTES)
        if not unpacker.eof or unpacker.unused_data:
            raise UsageError("broken model file: its end is missing, or more follows")
        size = 4 + int.from_bytes(plain[:4], "little")
        head = json.loads(plain[4:size])
        stages, end = _stages(plain, size, head["stages"])
        model = LearnedModel(tuple(map(tuple, head["features"])), stages, head["parameters"], head["about"])
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"broken model file: {error}") from error
    if end != len(plain) or len(model.features) != len(stages):
        raise UsageError("broken model file: its parts do not fit together")
    for names, stage in zip(model.features, stages, strict=True):
        _check(stage, len(names))
    return model


def explain(forest: Forest, row: Sequence[float]) -> list[tuple[int, float]]:
    """Return features and what each added on the row's ways through the trees, the weightiest first."""
    added: dict[int, float] = {}
    for root in forest.roots:
        node = root
        while (feature := forest.feature[node]) != LEAF:
            child = forest.left[node] + (row[feature] > forest.threshold[node])
            added[feature] = added.get(feature, 0.0) + forest.value[child] - forest.value[node]
            node = child
    return sorted(added.items(), key=lambda item: -abs(item[1]))


def _packed(column: "array[Any]") -> bytes:
    if sys.byteorder == "big":
        column = array(column.typecode, column)
        column.byteswap()
    return column.tobytes()


def _stages(plain: bytes, at: int, sizes: list[dict[str, int]]) -> tuple[tuple[Forest, ...], int]:
    stages = []
    for size in sizes:
        columns: dict[str, array[Any]] = {}
        for name, code in _COLUMNS.items():
            columns[name] = array(code)
            end = at + columns[name].itemsize * size[name]
            columns[name].frombytes(plain[at:end])
            if sys.byteorder == "big":
                columns[name].byteswap()
            at = end
        stages.append(Forest(**columns))
    return tuple(stages), at


def _check(stage: Forest, width: int) -> None:
    """Raise UsageError unless every way through the trees ends in a leaf and asks for features that there are."""
    size = len(stage.feature)
    if not len(stage.threshold) == len(stage.left) == len(stage.value) == size:
        raise UsageError("broken model file: columns of different length")
    for root, end in zip(stage.roots, [*stage.roots[1:], size], strict=True):
        if not 0 <= root < end <= size:
            raise UsageError("broken model file: a tree without nodes")
        for node in range(root, end):
            feature = stage.feature[node]
            if feature != LEAF and not (0 <= feature < width and node < stage.left[node] < end - 1):
                raise UsageError(f"broken model file: node {node} leads nowhere")
