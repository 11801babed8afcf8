"""Options that several commands share, and the settings that they lead to."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from thresher import config, urls
from thresher.errors import UsageError

if TYPE_CHECKING:
    from thresher.crawling.corpus import Corpus

STYLES = ("auto", "bar", "lines", "json", "none")  # of showing progress
UNITS = {"K": 10**3, "M": 10**6, "G": 10**9}  # bytes
STORE_HELP = "Store of documents: postgresql://, mysql://, mongodb://, opensearch:// or elasticsearch://HOST/DATABASE."
F = TypeVar("F", bound=Callable[..., Any])
# Flags, and the fields of a query that they mean.
FILTERS = {"site": "site", "source": "source", "tag": "tag", "lang": "lang", "kind": "is"}


class Sizes(click.ParamType[int]):
    """A number of bytes, such as 800M or 1.5G."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes; fail for anything else."""
        text = str(value).strip().upper().removesuffix("B").removesuffix("I")
        factor = UNITS.get(text[-1:], 1)
        with suppress(ValueError, OverflowError):
            count = int(float(text.rstrip("KMG")) * factor)
            if count > 0:
                return count
        return self.fail(f"{value!r} is not a size; write 800M or 1.5G", param, ctx)


def data_option(function: F) -> F:
    """Add --data; `thresher --data DIR COMMAND` and `thresher COMMAND --data DIR` are the same."""
    return click.option("--data", help="Folder of the corpus (default thresher-data).")(function)


def server_options(function: F) -> F:
    """Add --frontier, --store and --index, for those who do not keep them in the settings."""
    frontier = click.option("--frontier", metavar="URL", help="Shared queue of links: redis://HOST:PORT/NUMBER.")
    store = click.option("--store", metavar="URL", help=STORE_HELP)
    index = click.option("--index", metavar="URL", help="Search server: opensearch://HOST:PORT/NAME.")
    return frontier(store(index(data_option(function))))


def work_options(function: F) -> F:
    """Add the options of a process that works for long."""
    options = (
        click.option(
            "--max-pages", type=click.IntRange(min=1), help="Restart in a fresh process after this many pages."
        ),
        click.option("--max-memory", type=Sizes(), help="Restart when the process uses this much memory, e.g. 1G."),
        click.option(
            "--concurrency", type=click.IntRange(min=1, max=1000), help="Requests in flight across all hosts."
        ),
        click.option(
            "--allow-address",
            "allowed_addresses",
            multiple=True,
            help="Private address or network to allow (repeatable).",
        ),
        click.option(
            "--progress", type=click.Choice(STYLES), default="auto", show_default=True, help="How to show progress."
        ),
    )
    function = server_options(function)
    for option in reversed(options):
        function = option(function)
    return function


def catalog_options(function: F) -> F:
    """Add --catalog and --store, for those who do not keep them in the settings."""
    words = "Database for sources (default: that of the documents): postgresql://… or mysql://USER@HOST/DATABASE."
    catalog = click.option("--catalog", metavar="URL", help=words)
    store = click.option("--store", metavar="URL", help=STORE_HELP)
    return catalog(store(data_option(function)))


def csv_option(function: F) -> F:
    """Add --raw-csv."""
    words = "Do not escape CSV cells that begin with = + - @; a spreadsheet may run them."
    return click.option("--raw-csv", is_flag=True, help=words)(function)


def filter_options(function: F) -> F:
    """Add the flags that narrow a query; `query_of` puts them into it."""
    options = (
        click.option("--since", help="Published on or after this date (2026-11-01)."),
        click.option("--until", help="Published on or before this date."),
        click.option("--site", help="Only this site and its subdomains."),
        click.option("--source", metavar="NAME", help="Only what this source brought."),
        click.option("--tag", help="Only what sources with this tag brought."),
        click.option("--lang", help="Only this language, e.g. zh."),
        click.option("--kind", type=click.Choice(["article", "thread"]), help="Only documents of this kind."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def query_of(words: tuple[str, ...], flags: dict[str, Any]) -> str:
    """Put the words and the flags of `filter_options` into one query."""
    given = {field: flags[name] for name, field in FILTERS.items() if flags[name]}
    filters = [f'{field}:"{value}"' if " " in value else f"{field}:{value}" for field, value in given.items()]
    if flags["since"] or flags["until"]:
        filters.append(f"date:{flags['since'] or ''}..{flags['until'] or ''}")
    typed = " ".join(words)
    return " ".join([f"({typed})", *filters]) if filters and typed.strip() else typed or " ".join(filters)


def places_in(flags: dict[str, Any]) -> dict[str, Any]:
    """Return what the flags of `server_options` say."""
    return {name: flags.get(name) for name in ("data", "frontier", "store", "index")}


@contextmanager
def corpus_in(ctx: click.Context, flags: dict[str, Any]) -> "Iterator[Corpus]":
    """Give the corpus that the flags of `server_options` name; raise NothingCollected where there is none."""
    from thresher import wiring

    corpus = wiring.open_corpus(settings(ctx, **places_in(flags)), create=False)
    try:
        yield corpus
    finally:
        corpus.close()


def request_options(function: F) -> F:
    """Add --proxy, --header, --auth and --cookies: what requests carry, and to whom."""
    proxy = click.option("--proxy", metavar="URL", help="HTTP proxy for all requests: http://HOST:PORT.")
    header = click.option(
        "--header",
        "headers",
        multiple=True,
        metavar="TEXT",
        help="'Name: value' to send to the hosts of the URLs, or @FILE.",
    )
    auth = click.option("--auth", metavar="USER:PASSWORD", help="Login for the hosts of the URLs, or @FILE.")
    cookies = click.option("--cookies", metavar="FILE", help="A cookies.txt; each cookie goes to its own host.")
    return proxy(header(auth(cookies(function))))


def requests_in(ctx: click.Context, flags: dict[str, Any], wanted: Sequence[str]) -> dict[str, Any]:
    """Return what the flags of `request_options` say as settings: headers and login are for the `wanted` URLs' hosts.

    They come on top of those in the settings, which have their hosts with them. Raise UsageError.
    """
    origins = list(dict.fromkeys(urls.origin_of(url) for url in wanted))
    headers = [line for text in flags["headers"] for line in _secret_lines("--header", text)]
    logins = _secret_lines("--auth", flags["auth"]) if flags["auth"] else []
    if (headers or logins) and not origins:
        raise UsageError(
            "--header and --auth apply to the hosts of the URLs: give a URL, or put them into the settings"
        )
    given: dict[str, Any] = {"proxy": flags["proxy"] or None}
    if headers or logins:
        known = settings(ctx)
        given["headers"] = [*known.headers, *(f"{origin} {line}" for origin in origins for line in headers)]
        given["logins"] = [*known.logins, *(f"{origin} {line}" for origin in origins for line in logins)]
    if flags["cookies"]:
        given["cookies"] = _read("--cookies", flags["cookies"])
    return {name: value for name, value in given.items() if value is not None}


def _secret_lines(option: str, text: str) -> list[str]:
    """Return what was typed, or the lines of the file that @FILE names: secrets need not be seen by other users."""
    if not text.startswith("@"):
        return [text]
    return [line for line in map(str.strip, _read(option, text[1:]).splitlines()) if line]


def _read(option: str, path: str) -> str:
    try:
        return Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"{option}: cannot read {path}: {why}") from None


def loaded(ctx: click.Context, **flags: Any) -> config.Loaded:
    """Merge flags (those that are not None) with the environment, the settings file and the defaults."""
    shared = ctx.find_root().obj or {}
    flags["data"] = flags.get("data") or shared.get("data")
    return config.load(flags, file=shared.get("config_file"))


def settings(ctx: click.Context, **flags: Any) -> config.Settings:
    """Return just the settings."""
    return loaded(ctx, **flags).settings
