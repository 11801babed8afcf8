"""Settings: flags over THRESHER_* variables over one TOML file over defaults, each with its origin."""

import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import tomli_w

from thresher.errors import UsageError
from thresher.model.alert import MAIL, check_target, is_secret
from thresher.model.credentials import HIDDEN, masked_header, masked_login, read_credentials
from thresher.model.engine import Engine, engines_from, engines_to
from thresher.urls.secrets import holds_hidden, masked, split_login
from thresher.version import __version__

FILE_NAME = "thresher.toml"
SQLITE = "sqlite:///"
POSTGRESQL = ("postgresql://", "postgres://")
MYSQL = ("mysql://", "mariadb://")
MONGODB = ("mongodb://", "mongodb+srv://")
_SQL_FORM = f"{SQLITE}PATH, postgresql://USER@HOST/DATABASE or mysql://USER@HOST/DATABASE"
SEARCH_SERVERS = ("opensearch://", "opensearchs://", "elasticsearch://", "elasticsearchs://")
REDIS = ("redis://", "rediss://", "valkey://", "valkeys://", "unix://")
SEEN = ("exact", "bloom")
SMTP = ("smtps", "smtp", "smtp+plain")
DOCUMENTS = (*MONGODB, *SEARCH_SERVERS)  # stores that speak no SQL
RENDER = ("off", "auto", "always")
LOG_FORMATS = ("text", "ecs")
MAX_PORT = 65_535
_ENGINE_EXAMPLE = (  # tables end the list of plain settings: they come last
    "# search engines that `crawl --search` asks, each in a table of its own, at the end of this file",
    "# [engines.example]",
    '# url = "https://www.example.org/search?q={keyword}&page={page}"',
    "# pages = 2",
)
MAX_RECHECK_H = 720
MAX_ERROR_RATE = 0.5  # a filter that errs every other time tells nothing


def _store(value: str) -> None:
    if value.startswith(MONGODB):
        return  # its addresses are lists of hosts, which its library reads
    if value.startswith(SEARCH_SERVERS):
        _index(value)
    elif value and not value.startswith(SQLITE):
        _server(value, (*POSTGRESQL, *MYSQL, *MONGODB, *SEARCH_SERVERS), _SQL_FORM)


def _catalog(value: str) -> None:
    if value and not value.startswith(SQLITE):
        _server(value, (*POSTGRESQL, *MYSQL), _SQL_FORM)


def _index(value: str) -> None:
    if value:
        _server(value, SEARCH_SERVERS, "opensearch://HOST:PORT/NAME or elasticsearch://HOST:PORT/NAME")
        name, _, terms = value.partition("://")[2].partition("/")[2].partition("?")
        if terms and not re.fullmatch(r"ca_certs=[^&]+", terms):
            raise UsageError("behind the name there may be ?ca_certs=/path/ca.pem, and nothing else")
        if name and not re.fullmatch(r"[a-z0-9][a-z0-9_.-]{0,200}", name):
            raise UsageError("the name behind the host consists of small letters, digits, - _ and .")


def _sinks(value: tuple[str, ...]) -> None:
    names = [each.partition("=")[0] for each in value]
    for each, name in zip(value, names, strict=True):
        if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,39}", name) or not each.partition("=")[2]:
            raise UsageError("a sink is given as NAME=URL; the name consists of small letters, digits, - and _")
    if len({*names}) < len(names):
        raise UsageError("two sinks have one name")


def _frontier(value: str) -> None:
    if value:
        _server(value, REDIS, "redis://HOST:PORT/NUMBER")


def _proxy(value: str) -> None:
    if value:
        _server(value, ("http://",), "http://HOST:PORT")
        parts = split_login(value)
        if parts is None or not parts.hostname or parts.path.strip("/") or parts.query:
            raise UsageError("a proxy is given as http://HOST:PORT or http://USER:PASSWORD@HOST:PORT")


def _server(value: str, schemes: tuple[str, ...], form: str) -> None:
    """Refuse a URL of another kind, and one that libraries would read in different ways; tell nothing of a password."""
    if not value.startswith(schemes):
        scheme, mark, _ = value.partition("://")
        what = f"{scheme}:// is not supported" if mark and scheme.isalnum() else "this is not a URL"
        raise UsageError(f"{what}; use {form}")
    if split_login(value) is None:
        raise UsageError(f"this is not of the form {form}; in a password, write @ / ? # [ ] as %40 %2F %3F %23 %5B %5D")
    if holds_hidden(value):
        raise UsageError(f"the password is {HIDDEN}, the mask that `thresher config show` prints; put in the real one")


def _stemming(value: tuple[str, ...]) -> None:
    for code in value:
        if not (code.isascii() and code.isalpha() and code.islower() and len(code) in (2, 3)):
            raise UsageError(f"{code!r} is not the code of a language, such as en or de")


def _public_url(value: str) -> None:
    if value:
        _server(value, ("https://", "http://"), "https://HOST or https://HOST/PATH")
        parts = split_login(value)
        if parts is None or not parts.hostname or parts.query or "@" in parts.netloc:
            raise UsageError("the address of the pages is given as https://HOST or https://HOST/PATH")


def _traces(value: str) -> None:
    if value:
        _server(value, ("https://", "http://"), "http://HOST:4318/v1/traces")


def _share(value: float) -> None:
    if value > 1:
        raise UsageError("a share is at most 1")


def _smtp(value: str) -> None:
    if value:
        _server(value, tuple(f"{scheme}://" for scheme in SMTP), "smtps://USER@HOST:465 or smtp://USER@HOST:587")


def _mail_from(value: str) -> None:
    if value:
        check_target(f"{MAIL}{value}")


def _webhook_secret(value: str) -> None:
    if not all(map(is_secret, value.split())):
        raise UsageError("a secret is whsec_ and the base64 of 24 to 64 bytes; `thresher alerts secret` makes one")


def _seen(value: str) -> None:
    if value not in SEEN:
        raise UsageError(f"{value!r} is neither {SEEN[0]} nor {SEEN[1]}")


def _render(value: str) -> None:
    if value not in RENDER:
        raise UsageError(f"{value!r} is not one of {', '.join(RENDER)}")


def _host_and_port(value: str) -> None:
    if value:
        host, _, port = value.rpartition(":")
        is_port = port.isascii() and port.isdigit() and 1 <= int(port[:6]) <= MAX_PORT
        if not is_port or not re.fullmatch(r"[\w.-]+|\[[0-9A-Fa-f:.]+\]", host):
            raise UsageError(f"{value!r} is not HOST:PORT, such as 127.0.0.1:9464")


def _log_format(value: str) -> None:
    if value not in LOG_FORMATS:
        raise UsageError(f"{value!r} is neither {LOG_FORMATS[0]} nor {LOG_FORMATS[1]}")


def _error_rate(value: float) -> None:
    if value >= MAX_ERROR_RATE:
        raise UsageError("a filter that is wrong every other time is useless; 0.00001 is a good rate")


def _networks(value: tuple[str, ...]) -> None:
    for network in value:
        try:
            ip_network(network, strict=False)
        except ValueError as error:
            raise UsageError(f"{network!r} is not an address or network, such as 10.0.0.0/8") from error


def _ports(value: tuple[str, ...]) -> None:
    for port in value:
        if not (port.isascii() and port.isdigit() and 1 <= int(port[:6]) <= MAX_PORT):
            raise UsageError(f"{port!r} is not a port; give numbers from 1 to {MAX_PORT}")


def _hours(value: str) -> None:
    for hours in value.split(",") if value.strip() else ():
        try:
            if not 0 < float(hours) <= MAX_RECHECK_H:
                raise ValueError
        except ValueError:
            raise UsageError(
                f"{hours!r} is not a number of hours up to {MAX_RECHECK_H}; give 1, 24 for instance"
            ) from None


def _setting(
    default: Any,
    help: str,
    *,
    secret: bool = False,
    least: float = 0,
    check: Callable[[Any], object] = lambda _: None,
) -> Any:
    metadata = {"help": help, "secret": secret, "least": least, "check": check}
    return field(default=default, repr=not secret, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; the help texts are what `thresher init` and docs/settings.md print."""

    data: str = _setting("thresher-data", "folder of the corpus")
    store: str = _setting(
        "",
        "URL of the database: postgresql://…, mysql://…, mongodb://…, opensearch://… or elasticsearch://…; "
        "empty: SQLite in the data folder",
        secret=True,
        check=_store,
    )
    catalog: str = _setting(
        "",
        "URL of the database of sources: sqlite:///PATH, postgresql://… or mysql://…; empty: in the store's database, "
        "or in the data folder where that is no SQL database",
        secret=True,
        check=_catalog,
    )
    index: str = _setting(
        "",
        "URL of a search server, opensearch://HOST:PORT/NAME or elasticsearch://…; empty: search the store's database",
        secret=True,
        check=_index,
    )
    sinks: tuple[str, ...] = _setting(
        (),
        "places that documents are carried to as well, NAME=URL: a store, index:opensearch://…, "
        "kafka://HOST:PORT/TOPIC, or files (PATH, s3://…, hdfs://…, with ?format=parquet, jsonl or warc)",
        secret=True,
        check=_sinks,
    )
    frontier: str = _setting(
        "",
        "URL of the queue of links that workers share, e.g. redis://…; empty: in the data folder",
        secret=True,
        check=_frontier,
    )
    stemming: tuple[str, ...] = _setting(
        (), "languages whose words are also found by their stems, e.g. en, de; empty: as written", check=_stemming
    )
    search_timeout_s: float = _setting(10.0, "seconds after which a search is given up", least=0.1)
    seen: str = _setting(
        "exact", "how Redis remembers known links: exact, or bloom for a third of the memory", check=_seen
    )
    bloom_capacity: int = _setting(1_000_000, "initial capacity of the Bloom filter, in links; it grows", least=1)
    bloom_error_rate: float = _setting(
        1e-5, "share of new links that the Bloom filter mistakes for known ones", least=1e-9, check=_error_rate
    )
    contact: str = _setting("", "e-mail address or URL where site owners can reach you; part of the User-Agent")
    delay_s: float = _setting(1.0, "seconds between requests to one host")
    concurrency: int = _setting(16, "requests in flight across all hosts", least=1)
    host_concurrency: int = _setting(1, "requests in flight to one host", least=1)
    timeout_s: float = _setting(30.0, "seconds before a request times out", least=0.1)
    max_body_bytes: int = _setting(10_000_000, "size limit of a page, after decompression", least=1)
    allowed_addresses: tuple[str, ...] = _setting(
        (), "private addresses or networks that may be crawled", check=_networks
    )
    strict_addresses: bool = _setting(False, "refuse a host if any of its addresses is private, not only if all are")
    allowed_ports: tuple[str, ...] = _setting(
        (), "ports that may be crawled besides 80, 443 and those of the start URLs", check=_ports
    )
    proxy: str = _setting(
        "", "HTTP proxy for all requests, http://USER:PASSWORD@HOST:PORT; empty: none", secret=True, check=_proxy
    )
    headers: tuple[str, ...] = _setting(
        (),
        'extra request headers, each for the host it names: "[http://][*.]HOST[:PORT] Name: value"',
        secret=True,
        check=lambda value: read_credentials(headers=value),
    )
    logins: tuple[str, ...] = _setting(
        (),
        'HTTP basic logins, each for the host it names: "[http://][*.]HOST[:PORT] USER:PASSWORD"',
        secret=True,
        check=lambda value: read_credentials(logins=value),
    )
    cookies: str = _setting(
        "",
        "cookies in the cookies.txt format, each for the host it names",
        secret=True,
        check=lambda value: read_credentials(cookies=value),
    )
    crawl_delay_cap_s: float = _setting(60.0, "upper limit for the Crawl-delay of a robots.txt, in seconds")
    max_attempts: int = _setting(4, "failed attempts after which a link is given up", least=1)
    max_failures: float = _setting(
        0.1, "share of failed pages above which a crawl ends with exit code 3; 0: any failure"
    )
    backoff_s: float = _setting(5.0, "seconds before a failed link is tried again; doubles with each failure")
    lease_s: float = _setting(120.0, "seconds after which the links of a silent worker go to other workers", least=1)
    host_pages: int = _setting(100_000, "maximum number of pages of one host in a crawl", least=1)
    site_hosts: int = _setting(
        1_000, "maximum number of hosts (subdomains) of one registrable domain in a crawl", least=1
    )
    barren_pages: int = _setting(
        40, "pages of one URL pattern without a document after which the pattern counts as a trap", least=1
    )
    extractors: int = _setting(0, "extraction processes; 0: one per core")
    extract_timeout_s: float = _setting(20.0, "time limit for extracting one page, in seconds", least=0.1)
    extract_memory_bytes: int = _setting(1_500_000_000, "memory limit for extracting one page, in bytes", least=1)
    require_date: bool = _setting(False, "store only documents that have a date")
    min_confidence: float = _setting(
        0.0, "store only documents whose text is right with at least this probability (0 to 1)", least=0
    )
    comment_feeds: bool = _setting(False, "follow feeds of comments as well")
    host_bytes: int = _setting(0, "page bytes to accept from one host in a run; 0: no limit")
    run_bytes: int = _setting(0, "page bytes after which a run ends cleanly; 0: no limit")
    disk_reserve_bytes: int = _setting(
        500_000_000,
        "free disk space below which a crawl waits, capped at 5 % of the disk of the data folder; 0: never wait",
    )
    shortest_interval_s: float = _setting(
        300.0, "seconds that `thresher watch` leaves a feed or listing alone at least", least=10
    )
    longest_interval_s: float = _setting(
        86_400.0, "seconds after which `thresher watch` asks a feed or listing again, however quiet it is", least=60
    )
    recheck_h: str = _setting(
        "1, 24, 168",
        "hours after which `thresher watch` looks at a new article for edits; empty: never",
        check=_hours,
    )
    watch_speed: float = _setting(
        1.0, "how many times as fast as the clock the schedules of `thresher watch` go; for trials", least=0.001
    )
    site_memory: bool = _setting(True, "recognise a site's template from the pages that earlier runs saw")
    render: str = _setting(
        "off",
        "render with Chromium: off, auto (pages that are empty until a script fills them) or always",
        check=_render,
    )
    render_pages: int = _setting(2, "pages that Chromium renders at the same time", least=1)
    render_timeout_s: float = _setting(20.0, "time limit for rendering one page, in seconds", least=1)
    log_format: str = _setting(
        "text",
        "what crawls, workers, watch and serve write to standard error: text, or ecs (JSON lines for log collectors)",
        check=_log_format,
    )
    metrics: str = _setting(
        "",
        "HOST:PORT at which crawls, workers and watch answer Prometheus; empty: not at all (serve does, at /metrics)",
        check=_host_and_port,
    )
    traces: str = _setting(
        "",
        "where to send traces: http://HOST:4318/v1/traces of an OpenTelemetry collector (OTLP); empty: nowhere",
        check=_traces,
    )
    traces_share: float = _setting(1.0, "share of the pages that are traced, from 0 to 1", check=_share)
    public_url: str = _setting(
        "",
        "where others reach the pages of `thresher serve`, https://HOST/PATH: for links in messages and WebSub; empty: "
        "nowhere",
        check=_public_url,
    )
    smtp: str = _setting(
        "",
        "mail server: smtps://USER@HOST:465, smtp://USER@HOST:587 (STARTTLS) or smtp+plain://HOST:25; empty: no e-mail",
        secret=True,
        check=_smtp,
    )
    smtp_password: str = _setting("", "password of the mail server", secret=True)
    mail_from: str = _setting("", "sender of e-mail; empty: the user of the mail server", check=_mail_from)
    webhook_secret: str = _setting(
        "",
        "secret that webhooks are signed with (`thresher alerts secret` makes one); several with blanks between",
        secret=True,
        check=_webhook_secret,
    )
    engines: tuple[Engine, ...] = _setting((), "search engines that `crawl --search` asks, a table [engines.NAME] each")

    def __post_init__(self) -> None:
        """Refuse values that nothing could be done with: here, so that every command refuses the same ones."""
        for item in fields(self):
            _check(item.name, getattr(self, item.name))
        if self.proxy and self.render != "off":
            raise UsageError(
                'render and proxy cannot be combined: Chromium would not use the proxy; set render = "off"'
            )

    @property
    def user_agent(self) -> str:
        """The name we give to servers."""
        return f"Thresher/{__version__} (+{self.contact})" if self.contact else f"Thresher/{__version__}"

    @property
    def metrics_place(self) -> tuple[str, int] | None:
        """Where to answer Prometheus; None where nobody asked for that."""
        host, _, port = self.metrics.rpartition(":")
        return (host.strip("[]"), int(port)) if self.metrics else None

    @property
    def store_url(self) -> str:
        """The store's URL with the default filled in."""
        return self.store or f"sqlite:///{Path(self.data) / 'corpus.db'}"

    @property
    def catalog_url(self) -> str:
        """The catalog's URL with the default filled in: the store's, or a file where that speaks no SQL."""
        if not self.catalog and self.store.startswith(DOCUMENTS):
            return f"sqlite:///{Path(self.data) / 'catalog.db'}"
        return self.catalog or self.store_url


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings, and for each name where its value came from."""

    settings: Settings
    origin: Mapping[str, str]


def load(flags: Mapping[str, Any], *, file: Path | None = None, environ: Mapping[str, str] | None = None) -> Loaded:
    """Merge all sources; raise UsageError for an unknown name or a value of the wrong type."""
    values: dict[str, Any] = {}
    origin = dict.fromkeys(_types(), "default")
    for layer, where in _layers(flags, file, os.environ if environ is None else environ):
        for name, raw in layer.items():
            values[name] = _convert(name, raw, where)
            origin[name] = where
    return Loaded(Settings(**values), origin)


def environment_of(settings: Settings, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment in which another process of ours has the same settings, whatever file it reads."""
    mine = dict(os.environ if environ is None else environ)
    for item in fields(Settings):
        mine[f"THRESHER_{item.name.upper()}"] = _as_variable(item.name, getattr(settings, item.name))
        mine.pop(f"THRESHER_{item.name.upper()}_FILE", None)
    return mine


def colour_wanted(environ: Mapping[str, str] | None = None) -> bool:
    """Say whether NO_COLOR leaves colour to us."""
    return not (os.environ if environ is None else environ).get("NO_COLOR")


def shown(name: str, value: Any) -> Any:
    """Return a setting's value as TOML and JSON have it, with everything masked that is secret."""
    if name in ("store", "catalog", "index", "frontier", "proxy", "smtp"):
        return masked(value)
    if name in ("headers", "logins"):
        return [(masked_header if name == "headers" else masked_login)(line) for line in value]
    if name in ("cookies", "smtp_password", "webhook_secret"):
        return HIDDEN if value else ""
    if name == "engines":
        return engines_to(value)
    return list(value) if isinstance(value, tuple) else value


def toml_line(name: str, value: Any) -> str:
    """Return `name = value` as TOML, or the tables that a value consists of, which must come last in a file."""
    return tomli_w.dumps({name: value}).rstrip("\n")


def template() -> str:
    """Return a commented settings file with every setting at its default."""
    lines = ["# Settings of Thresher. Flags and THRESHER_* variables override this file.", ""]
    for item in fields(Settings):
        if item.name == "engines":
            continue
        default = list(item.default) if isinstance(item.default, tuple) else item.default
        lines += [f"# {item.metadata['help']}", f"# {toml_line(item.name, default)}", ""]
    return "\n".join([*lines, *_ENGINE_EXAMPLE, ""])


def _layers(
    flags: Mapping[str, Any], file: Path | None, environ: Mapping[str, str]
) -> list[tuple[dict[str, Any], str]]:
    path = file or Path(environ.get("THRESHER_CONFIG", FILE_NAME))
    if not path.exists() and (file or "THRESHER_CONFIG" in environ):
        raise UsageError(f"no settings file at {path}")
    from_file = _read(path) if path.exists() else {}
    prefix = "THRESHER_"
    from_env = {name[len(prefix) :].lower(): value for name, value in environ.items() if name.startswith(prefix)}
    from_env.pop("config", None)
    given = {name: value for name, value in flags.items() if value is not None}
    return [
        (_secrets_read(from_file, str(path)), str(path)),
        (_secrets_read(from_env, "environment"), "environment"),
        (given, "flag"),
    ]


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))  # editors of Windows begin a file with a mark
    except (ValueError, RecursionError) as error:  # also of numbers and lists that are beyond Python's own limits
        raise UsageError(f"{path} is not valid TOML: {error}") from error
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error


def _secrets_read(layer: dict[str, Any], where: str) -> dict[str, Any]:
    """Replace each `secret_file = PATH` by `secret = (the file's content)`, and check the names."""
    known = {item.name: bool(item.metadata["secret"]) for item in fields(Settings)}
    result: dict[str, Any] = {}
    for name, value in layer.items():
        plain = name.removesuffix("_file")
        if name not in known and known.get(plain):
            try:
                result[plain] = Path(str(value)).read_text("utf-8").strip()
            except OSError as error:
                raise UsageError(f"{name} in {where}: cannot read {value}: {error.strerror}") from error
        elif name in known:
            result[name] = value
        else:
            raise UsageError(f"unknown setting {name!r} in {where}; `thresher config show` lists them all")
    return result


def _as_variable(name: str, value: Any) -> str:
    if name == "engines":
        return json.dumps(engines_to(asdict(engine) for engine in value))
    if isinstance(value, tuple):
        return ("\n" if name in ("headers", "logins") else ",").join(value)
    return str(value)


def _types() -> dict[str, type]:
    return {item.name: type(item.default) for item in fields(Settings)}


def _convert(name: str, raw: Any, where: str) -> Any:
    value = _typed(name, raw, where)
    _check(name, value, f" in {where}")
    return value


def _check(name: str, value: Any, where: str = "") -> None:
    (setting,) = (item for item in fields(Settings) if item.name == name)
    try:
        setting.metadata["check"](value)
    except UsageError as error:
        raise UsageError(f"{name}{where}: {error}") from None  # the cause may tell a password


def _typed(name: str, raw: Any, where: str) -> Any:
    kind = _types()[name]
    if name == "engines":
        return _engines(raw, where)
    if kind in (int, float):
        return _number(name, raw, where)
    if kind is str and not isinstance(raw, str):
        raise UsageError(f"{name} in {where}: not a string in quotes")
    try:
        if kind is bool and not isinstance(raw, bool):
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[str(raw).lower()]
        if kind is tuple:
            parts = raw.split("\n" if name in ("headers", "logins") else ",") if isinstance(raw, str) else raw
            return tuple(str(part).strip() for part in parts if str(part).strip())
        return kind(raw)
    except (KeyError, TypeError) as error:
        word = "true or false" if kind is bool else "a list"
        given = "the value" if name in ("headers", "logins") else repr(raw)
        raise UsageError(f"{name} in {where}: {given} is not {word}") from error


def _engines(raw: Any, where: str) -> tuple[Engine, ...]:
    """Read tables of engines; in a variable of the environment they are JSON."""
    if isinstance(raw, str):
        try:
            raw = json.loads(raw)
        except ValueError:
            raw = None
    if not isinstance(raw, Mapping):
        raise UsageError(f"engines in {where}: not a table for each engine, such as [engines.NAME] with url = …")
    try:
        return engines_from(raw)
    except UsageError as error:
        raise UsageError(f"{error} (engines in {where})") from None


def _number(name: str, raw: Any, where: str) -> int | float:
    (setting,) = (item for item in fields(Settings) if item.name == name)
    whole = isinstance(setting.default, int)
    try:
        value = int(str(raw)) if whole else float(str(raw))
    except ValueError as error:
        raise UsageError(f"{name} in {where}: {raw!r} is not a {'whole ' if whole else ''}number") from error
    if not (setting.metadata["least"] <= value < float("inf")):
        raise UsageError(f"{name} in {where}: {raw!r} is less than {setting.metadata['least']:g} or not finite")
    return value
