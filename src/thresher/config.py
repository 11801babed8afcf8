"""Settings: flags over THRESHER_* variables over one TOML file over defaults, each with its origin."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from thresher import __version__
from thresher.errors import UsageError

FILE_NAME = "thresher.toml"


def _setting(default: Any, help: str, *, secret: bool = False, least: float = 0) -> Any:
    return field(default=default, metadata={"help": help, "secret": secret, "least": least})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; the help texts are what `thresher init` and docs/settings.md print."""

    data: str = _setting("thresher-data", "folder of the embedded database")
    store: str = _setting("", "URL of the database, e.g. postgresql://…; empty: sqlite in the data folder", secret=True)
    frontier: str = _setting(
        "", "URL of the links that wait, shared by workers, e.g. redis://…; empty: in the data folder", secret=True
    )
    seen: str = _setting("exact", "how Redis remembers known links: exact, or bloom for a third of the memory")
    bloom_capacity: int = _setting(1_000_000, "links that a Bloom filter is first made for; it grows", least=1)
    bloom_error_rate: float = _setting(1e-5, "share of new links that a Bloom filter takes for known ones", least=1e-9)
    contact: str = _setting("", "address or URL at which site owners reach you; part of the User-Agent")
    delay_s: float = _setting(1.0, "seconds between two requests to one host")
    concurrency: int = _setting(16, "requests in flight over all hosts", least=1)
    host_concurrency: int = _setting(1, "requests in flight to one host", least=1)
    timeout_s: float = _setting(30.0, "seconds after which a request is given up", least=0.1)
    max_body_bytes: int = _setting(10_000_000, "largest page, after decompression", least=1)
    allowed_addresses: tuple[str, ...] = _setting((), "private addresses or networks that may be crawled")
    strict_addresses: bool = _setting(
        False, "refuse a host when any of its addresses is private, not only when all are"
    )
    allowed_ports: tuple[str, ...] = _setting((), "ports that may be crawled besides 80, 443 and those of the starts")
    crawl_delay_cap_s: float = _setting(60.0, "robots.txt Crawl-delay is honoured up to this")
    max_attempts: int = _setting(4, "failures after which a link is buried", least=1)
    max_failures: float = _setting(0.1, "share of failed pages above which a crawl ends with exit code 3; 0: any")
    backoff_s: float = _setting(5.0, "seconds before a link that failed is tried again; doubles with each failure")
    lease_s: float = _setting(120.0, "seconds after which the links of a silent worker go to others", least=1)
    host_pages: int = _setting(100_000, "most pages of one host in a crawl", least=1)
    site_hosts: int = _setting(1_000, "most hosts (subdomains) of one registrable domain in a crawl", least=1)
    barren_pages: int = _setting(40, "pages of one URL shape without a document after which it is a trap", least=1)
    extractors: int = _setting(0, "extraction processes; 0: one per core")
    extract_timeout_s: float = _setting(20.0, "seconds that one page may take to extract", least=0.1)
    extract_memory_bytes: int = _setting(1_500_000_000, "memory that one page may take to extract", least=1)
    require_date: bool = _setting(False, "store only documents that have a date")
    site_memory: bool = _setting(True, "tell a site's template by what earlier runs saw of its pages")

    @property
    def user_agent(self) -> str:
        """The name we give to servers."""
        return f"Thresher/{__version__} (+{self.contact})" if self.contact else f"Thresher/{__version__}"

    @property
    def store_url(self) -> str:
        """The store's URL with the default filled in."""
        return self.store or f"sqlite:///{Path(self.data) / 'corpus.db'}"


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


def colour_wanted(environ: Mapping[str, str] | None = None) -> bool:
    """Say whether NO_COLOR leaves colour to us."""
    return not (os.environ if environ is None else environ).get("NO_COLOR")


def shown(name: str, value: Any) -> str:
    """Return a setting's value as text, with a password in a URL masked."""
    text = ", ".join(value) if isinstance(value, tuple) else str(value)
    secret = next(item.metadata["secret"] for item in fields(Settings) if item.name == name)
    password = urlsplit(text).password if secret and "://" in text else None
    return text.replace(f":{password}@", ":***@") if password else text


def template() -> str:
    """Return a commented settings file with every setting at its default."""
    lines = ["# Settings of Thresher. Flags and THRESHER_* variables win over this file.", ""]
    for item in fields(Settings):
        lines += [f"# {item.metadata['help']}", f"# {item.name} = {_toml(item.default)}", ""]
    return "\n".join(lines)


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
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
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


def _types() -> dict[str, type]:
    return {item.name: type(item.default) for item in fields(Settings)}


def _convert(name: str, raw: Any, where: str) -> Any:
    kind = _types()[name]
    if kind in (int, float):
        return _number(name, raw, where)
    try:
        if kind is bool and not isinstance(raw, bool):
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[str(raw).lower()]
        if kind is tuple:
            parts = raw.split(",") if isinstance(raw, str) else raw
            return tuple(str(part).strip() for part in parts if str(part).strip())
        return kind(raw)
    except (KeyError, TypeError) as error:
        word = "true or false" if kind is bool else "a list"
        raise UsageError(f"{name} in {where}: {raw!r} is not {word}") from error


def _number(name: str, raw: Any, where: str) -> int | float:
    (setting,) = (item for item in fields(Settings) if item.name == name)
    whole = isinstance(setting.default, int)
    try:
        value = int(str(raw)) if whole else float(str(raw))
    except ValueError as error:
        raise UsageError(f"{name} in {where}: {raw!r} is not a {'whole ' if whole else ''}number") from error
    if not (setting.metadata["least"] <= value < float("inf")):
        raise UsageError(f"{name} in {where}: {raw!r} is less than {setting.metadata['least']:g} or has no end")
    return value


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
