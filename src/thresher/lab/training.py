"""Trainer: what turns labelled pages into an algorithm's model; and the models, kept so that none is made twice."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from thresher.errors import UsageError
from thresher.extraction.lines import Layout
from thresher.lab.cache import Cache, key_of
from thresher.lab.ours import fingerprint
from thresher.lab.pages import LabelledPage
from thresher.lab.train.anypage import AnyPageTrainer
from thresher.lab.train.learned import LearnedTrainer
from thresher.lab.train.trainers import LINE_TRAINERS


class Trainer(Protocol):
    """One algorithm's training; it needs no more than the pages it is given, and the same pages give the same model."""

    def train(self, pages: Sequence[LabelledPage]) -> bytes:
        """Return the content of a model file; raise UsageError when the pages hold nothing to learn from."""

    def describe(self, model: bytes) -> Mapping[str, str]:
        """Return what a person may want to know of a model, by column: its rules, the mean number of lines."""


TRAINERS: dict[str, Trainer] = {
    "thresher": LearnedTrainer(),
    "thresher-any": AnyPageTrainer(),
    **LINE_TRAINERS,
}  # by the name of the algorithm


def trainer_of(name: str, layout: Layout | None = None) -> Trainer:
    """Return an algorithm's trainer, for lines of a layout where one is given; raise UsageError when there is none."""
    if name not in TRAINERS:
        known = ", ".join(TRAINERS) or "none so far"
        raise UsageError(f"{name} is not trained; those that are: {known}")
    if layout is None:
        return TRAINERS[name]
    if name not in LINE_TRAINERS:
        raise UsageError(f"{name} reads no lines, so it has no layout of them; {', '.join(LINE_TRAINERS)} have")
    return replace(LINE_TRAINERS[name], layout=layout)


class Models:
    """Trained models as files in a folder, made when first asked for."""

    def __init__(self, folder: Path, cache: Cache) -> None:
        self._folder = folder
        self._cache = cache

    def path(self, name: str, pages: Sequence[LabelledPage], layout: Layout | None = None) -> Path:
        """Return the file of the model that these pages give."""
        model = self.bytes(name, pages, layout)
        path = self._folder / f"{name}-{key_of(model).hex()[:16]}.model"
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(model)
        return path

    def bytes(self, name: str, pages: Sequence[LabelledPage], layout: Layout | None = None) -> bytes:
        """Return the content of the model that these pages give."""
        trainer = trainer_of(name, layout)
        version = fingerprint(Path(inspect.getfile(type(trainer)))) + (layout or "")
        key = key_of(name, version, *(key_of(page.id, page.html, page.text) for page in pages))
        model = self._cache.model(key)
        if model is None:
            model = trainer.train(pages)
            self._cache.keep_model(key, model)
        return model
