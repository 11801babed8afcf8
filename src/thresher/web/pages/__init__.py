"""The pages of the web application; each module has ROUTES, and this is the order in which they are matched."""

from types import ModuleType

from thresher.web.pages import (
    adding,
    alerts,
    corpus,
    crawls,
    document,
    label,
    logs,
    monitor,
    saved,
    search,
    settings,
    sources,
    start,
    stories,
    today,
    workers,
)

MODULES: tuple[ModuleType, ...] = (
    start,
    today,
    search,
    document,
    stories,
    adding,
    sources,
    crawls,
    monitor,
    workers,
    logs,
    corpus,
    label,
    saved,
    alerts,
    settings,
)
