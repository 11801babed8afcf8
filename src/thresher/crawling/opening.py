"""Open a run: what is written down of a crawl before its first request."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from thresher import urls
from thresher.crawling.corpus import Corpus
from thresher.discovery.scope import Mode, Scope
from thresher.errors import UsageError
from thresher.extraction.algorithms import check_name
from thresher.frontier.contract import Rules
from thresher.model import Run, RunState

_WORD = re.compile(r"[^.。．｡:/?#]+(?:[/?#]|\Z)")  # instead of a host: no dot of any script, no port


def start_url(text: str) -> str:
    """Return the URL that a person means who types a host without a scheme; raise UsageError when it is none.

    A single word is hardly ever a host, so it has to be written in full: nobody waits for a word to be looked up.
    """
    text = text.strip()
    if "://" in text:
        return urls.canonical(text)
    url = urls.canonical(f"https://{text}")
    if _WORD.match(text) and urls.host_of(url) != "localhost":
        word = urls.shown(text)
        raise UsageError(f"{word} is not a URL; for a host of this name, write https://{word}")
    return url


def options_of(  # noqa: PLR0913  # one word for each thing that a run remembers
    starts: Sequence[str],
    *,
    mode: Mode = "host",
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    max_depth: int | None = None,
    since: str | None = None,
    limit: int | None = None,
    refresh: bool = False,
    algorithm: str | None = None,
    means: Mapping[str, Any] | None = None,
    search: Mapping[str, Sequence[Any]] | None = None,
) -> dict[str, Any]:
    """Return a run's options as plain JSON data; `means` are settings that it remembers for when it is resumed.

    `search` says of each start that it is a page of results: engine, keyword and number.
    """
    if algorithm:
        check_name(algorithm)
    scope = Scope(
        hosts=frozenset(urls.host_of(url) for url in starts),
        mode=mode,
        include=tuple(include),
        exclude=tuple(exclude),
        max_depth=max_depth,
        since=since,
    )
    return {
        "scope": scope.as_json(),
        "limit": limit,
        "refresh": refresh,
        "algorithm": algorithm,
        "means": dict(means or {}),
    } | ({"search": dict(search)} if search else {})


def open_run(corpus: Corpus, starts: Sequence[str], options: Mapping[str, Any]) -> Run:
    """Write down a new run; raise UsageError where the frontier holds links of another one under its name."""
    corpus.jobs()  # a frontier that is away is found out before a run is written that nobody can work on
    run = corpus.store.start_run(starts, options, datetime.now(UTC))
    if corpus.frontier(run.job, Rules()).census().accepted:
        corpus.store.end_run(run.id, RunState.FINISHED, datetime.now(UTC))
        raise UsageError(
            f"the frontier holds links of a {run.job} that is not in this store; give each store its own frontier: "
            "another --data folder, or another number at the end of redis://HOST/NUMBER"
        )
    return run
