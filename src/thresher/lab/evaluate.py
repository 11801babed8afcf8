"""Run extractors over labelled pages, in parallel and through the cache, and score what they find."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from thresher.crawling.pool import PageKilled, Pool
from thresher.lab import job
from thresher.lab.cache import Cache, Output, key_of
from thresher.lab.extractors import Extractor
from thresher.lab.metrics.headline import title_of, without_headline
from thresher.lab.metrics.overlap import Overlap
from thresher.lab.metrics.registry import METRICS, metric_named
from thresher.lab.pages import Found, LabelledPage

Unit = tuple[LabelledPage, Extractor]
Heard = Callable[["Result"], None]


@dataclass(frozen=True, slots=True)
class Options:
    """How to measure; a page that takes an extractor longer than `timeout_s` counts as empty output."""

    metrics: tuple[str, ...] = ("shingles",)
    no_headline: bool = False
    folds: int = 10  # of a cross-validation
    jobs: int = 1
    timeout_s: float = 60.0
    memory_bytes: int = 4 * 2**30
    cache_folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One extractor on one page: time, error, and an Overlap for each metric that applies to the page."""

    page: str
    dataset: str
    site: str
    language: str
    engine: str
    extractor: str
    cpu_s: float
    error: str
    overlaps: Mapping[str, Overlap]
    counts: Mapping[str, float] = field(default_factory=dict)


def evaluate(
    pages: Iterable[LabelledPage], extractors: Sequence[Extractor], options: Options, heard: Heard | None = None
) -> list[Result]:
    """Return a result for each page and extractor, telling `heard` of each as it comes; raise MissingExtra early."""
    units = ((page, extractor) for page in pages for extractor in extractors)
    return run_units(units, options, heard, reads=models_of(extractors))


def models_of(extractors: Iterable[Extractor]) -> list[Path]:
    """Return the files of trained models that extractors name."""
    named = {str(extractor.parameters["model"]) for extractor in extractors if "model" in extractor.parameters}
    return [Path(name) for name in sorted(named)]


def run_units(
    units: Iterable[Unit], options: Options, heard: Heard | None = None, *, reads: Sequence[Path] = ()
) -> list[Result]:
    """Return a result for each unit, a page and what is to be run on it; `reads` are the models that they need."""
    _rehearse(options.metrics)
    cache = Cache(options.cache_folder)
    pool = Pool(job.answer, options.jobs, timeout_s=options.timeout_s, memory_bytes=options.memory_bytes, reads=reads)
    bench = _Bench(pool, cache, options)
    try:
        return asyncio.run(bench.run(iter(units), heard))
    finally:
        pool.close()
        cache.close()


def _rehearse(metrics: Sequence[str]) -> None:
    """Let a metric whose library is missing say so before the pages are run."""
    stub = LabelledPage(id="", dataset="", site="", language="", html="", text="one")
    for name in metrics:
        metric_named(name).measure(Found("one"), stub)


class _Bench:
    """A pool, a cache, and the workers between them."""

    def __init__(self, pool: Pool, cache: Cache, options: Options) -> None:
        self._pool = pool
        self._cache = cache
        self._options = options

    async def run(self, units: Iterator[Unit], heard: Heard | None) -> list[Result]:
        numbered = enumerate(units)
        results: dict[int, Result] = {}

        async def work() -> None:
            for number, (page, extractor) in numbered:
                results[number] = await self._result(page, extractor)
                if heard:
                    heard(results[number])

        await asyncio.gather(*(work() for _ in range(self._options.jobs)))
        return [results[number] for number in sorted(results)]

    async def _result(self, page: LabelledPage, extractor: Extractor) -> Result:
        key = key_of(_page_key(page), extractor.identity)
        output = self._cache.output(key)
        if output is None:
            output = await self._output(page, extractor)
            self._cache.keep_output(key, output)
        overlaps = await self._overlaps(page, output.found, key)
        return Result(
            page=page.id,
            dataset=page.dataset,
            site=page.site,
            language=page.language,
            engine=page.engine,
            extractor=extractor.name,
            cpu_s=output.cpu_s,
            error=output.error,
            overlaps=overlaps,
            counts=output.found.counts,
        )

    async def _output(self, page: LabelledPage, extractor: Extractor) -> Output:
        try:
            return job.read_output(await self._pool.ask(job.extraction_request(extractor, page)))
        except PageKilled as killed:
            took_s = self._options.timeout_s if str(killed) == "extract-timeout" else 0.0
            return Output(Found(""), took_s, str(killed))

    async def _overlaps(self, page: LabelledPage, found: Found, output_key: bytes) -> dict[str, Overlap]:
        page, found = self._prepared(page, found)
        names = [name for name in self._options.metrics if page.posts or not METRICS[name].needs_posts]
        both = key_of(output_key, _gold_key(page), found.text)
        keys = {name: key_of(both, name, str(METRICS[name].version)) for name in names}
        kept = {name: overlap for name in names if (overlap := self._cache.overlap(keys[name]))}
        missing = [name for name in names if name not in kept]
        if missing:
            fresh = dict(zip(missing, await self._measured(page, found, missing), strict=True))
            self._cache.keep_overlaps((keys[name], overlap) for name, overlap in fresh.items())
            kept |= fresh
        return kept

    def _prepared(self, page: LabelledPage, found: Found) -> tuple[LabelledPage, Found]:
        if not self._options.no_headline or page.posts:
            return page, found
        titles = (title_of(page.html), page.title)
        return (
            replace(page, text=without_headline(page.text, *titles)),
            replace(found, text=without_headline(found.text, *titles)),
        )

    async def _measured(self, page: LabelledPage, found: Found, metrics: list[str]) -> list[Overlap]:
        """Score an output; one that is too large to be compared counts as empty."""
        try:
            return job.read_overlaps(await self._pool.ask(job.measure_request(found, page, metrics)))
        except PageKilled:
            empty = job.measure_request(Found(""), page, metrics)
            return job.read_overlaps(await self._pool.ask(empty))


@lru_cache(maxsize=64)  # every extractor asks, one after the other
def _page_key(page: LabelledPage) -> bytes:
    return key_of(page.id, page.html, page.language)


def _gold_key(page: LabelledPage) -> bytes:
    return key_of(page.text, *(part or "" for post in page.posts for part in astuple(post)))
