"""Several sites on this machine, each at an address of its own (127.0.0.2 …), half of them Chinese, with a log.

nginx serves them where it is installed, each answer after a delay if wanted; else the server of the sample web does.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

from thresher.errors import MissingExtra
from thresher.lab.servers import OwnServer, dying_with_us, free_port, own_folder, running
from thresher.sample import SampleWeb, ServerProcess, serve_folder
from thresher.sample.editions import BLOG, CHINESE, ENGLISH
from thresher.sample.folder import FolderSite
from thresher.sample.press import article_page

SITES = 8
PER_INDEX = 100  # links on a page of links, as the sample's server makes them
ECHO = Path("/usr/lib/nginx/modules/ngx_http_echo_module.so")  # of Debian's libnginx-mod-http-echo
_PLAN_PER_PAGE = 5  # a sample web of so many times as many pages has enough articles in each edition
_EDITIONS = (ENGLISH, CHINESE, BLOG, CHINESE)
_NGINX = """\
{module}daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  default_type text/html;
  log_format short '$msec $request_time $scheme://$http_host$request_uri $status';
  access_log {folder}/access.log short;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
{servers}}}
"""
_SERVER = """\
  server {{
    listen {host}:{port} backlog=512;
    location / {{ {delay}root {root}; }}
    location /_pages/ {{ internal; alias {root}/; }}
  }}
"""
_direct = build_opener(ProxyHandler({}))  # loopback is never behind a proxy


@dataclass(frozen=True, slots=True)
class Asked:
    """One request that a site answered."""

    began_at: float  # seconds, on a clock that all sites share
    ended_at: float
    url: str
    status: int


@dataclass(frozen=True, slots=True)
class Sites:
    """Sites that are being served."""

    origins: tuple[str, ...]
    indexes: tuple[str, ...]  # pages of links to all others
    files: dict[str, Path]  # what is served at the URLs of the others
    nginx: OwnServer | None
    others: tuple[ServerProcess, ...] = ()

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where they listen."""
        return tuple(str(urlsplit(origin).hostname) for origin in self.origins)

    def log(self) -> list[Asked]:
        """Return what was asked for, oldest first."""
        if self.nginx:
            lines = (self.nginx.folder / "access.log").read_text().splitlines()
            asked = [_read(line) for line in lines]
        else:
            asked = [Asked(one.at, one.at, one.url, one.status) for each in self.others for one in each.log()]
        return sorted(asked, key=lambda one: one.began_at)

    def forget(self) -> None:
        """Empty the log."""
        if self.nginx:
            (self.nginx.folder / "access.log").write_text("")
        for each in self.others:
            each.forget()


def can_delay() -> bool:
    """Say whether sites can be given a latency here."""
    return shutil.which("nginx") is not None and ECHO.exists()


def least_gap_s(asked: Sequence[Asked]) -> float:
    """Return the shortest time between the beginnings of two requests to one site; infinite when none had two."""
    by_site: dict[str, list[float]] = {}
    for one in asked:
        by_site.setdefault(urlsplit(one.url).netloc, []).append(one.began_at)
    gaps = [later - sooner for times in by_site.values() for sooner, later in pairwise(sorted(times))]
    return min(gaps, default=float("inf"))


def write_site(folder: Path, number: int, pages: int) -> None:
    """Write the articles of one site to a folder, as files; sites of other numbers have other articles."""
    edition = _EDITIONS[number % len(_EDITIONS)]
    web = SampleWeb(pages=max(20, pages * _PLAN_PER_PAGE), seed=number + 1)
    (folder / "articles").mkdir(parents=True)
    for article in range(1, pages + 1):
        (folder / "articles" / f"{article}.html").write_bytes(article_page(web.plan, edition, article).body)


@contextmanager
def serve_sites(count: int, pages: int, *, latency_s: float = 0.0, nginx: bool | None = None) -> Iterator[Sites]:
    """Serve so many sites of so many pages each; without nginx (None: where it is not installed) with no latency.

    Raise MissingExtra when a latency is wanted and nginx or its echo module is not installed.
    """
    program = shutil.which("nginx") if nginx in (None, True) else None
    if latency_s and not (program and ECHO.exists()):
        raise MissingExtra("a latency needs nginx and its echo module: apt-get install nginx-light")
    with own_folder() as folder, ExitStack() as stack:
        folder.chmod(0o755)
        roots = [folder / f"site-{number}" for number in range(count)]
        for number, root in enumerate(roots):
            write_site(root, number, pages)
        hosts = [f"127.0.0.{number + 2}" for number in range(count)]
        if program:
            origins, server = _with_nginx(stack, folder, program, dict(zip(hosts, roots, strict=True)), latency_s)
            yield _sites(origins, roots, server, ())
        else:
            others = [stack.enter_context(serve_folder(root, host)) for host, root in zip(hosts, roots, strict=True)]
            yield _sites([each.origins[0] for each in others], roots, None, tuple(others))


def _sites(
    origins: Sequence[str], roots: Sequence[Path], nginx: OwnServer | None, others: tuple[ServerProcess, ...]
) -> Sites:
    files = {
        f"{origin}/articles/{file.name}": file
        for origin, root in zip(origins, roots, strict=True)
        for file in sorted((root / "articles").iterdir())
    }
    paths = _index_paths(len(files) // len(origins))
    return Sites(tuple(origins), tuple(o + path for o in origins for path in paths), files, nginx, others)


def _index_paths(pages: int) -> list[str]:
    """Return the paths of pages of links; where there are several, the first has two."""
    last = (pages - 1) // PER_INDEX + 1
    return ["/", *(f"/_index/{number}/" for number in range(1, last + 1) if last > 1)]


def _with_nginx(
    stack: ExitStack, folder: Path, program: str, roots: dict[str, Path], latency_s: float
) -> tuple[list[str], OwnServer]:
    """Start nginx; the indexes that the sample's server makes up are written for it."""
    servers, origins, port = "", [], free_port("0.0.0.0")  # one that is free at every address
    delay = f"echo_sleep {latency_s}; echo_exec /_pages$uri; " if latency_s else ""
    for host, root in roots.items():
        site = FolderSite(root)
        for path in _index_paths(len(site.paths)):
            (root / path[1:]).mkdir(parents=True, exist_ok=True)
            (root / path[1:] / "index.html").write_bytes(site.answer(path).body)
        servers += _SERVER.format(host=host, port=port, root=root, delay=delay)
        origins.append(f"http://{host}:{port}")
    conf = folder / "nginx.conf"
    module = f"load_module {ECHO};\n" if latency_s else ""
    conf.write_text(_NGINX.format(module=module, folder=folder, servers=servers))

    def ready(port: int) -> bool:
        return _answers(origins[-1], 1.0 + latency_s)

    command = [*dying_with_us(), program, "-e", f"{folder}/error.log", "-p", f"{folder}", "-c", f"{conf}"]
    return origins, stack.enter_context(running(OwnServer(command, folder, port=port, url=origins[0], ready=ready)))


def _answers(origin: str, within_s: float) -> bool:
    try:
        with _direct.open(f"{origin}/", timeout=within_s):
            return True
    except OSError:
        return False


def _read(line: str) -> Asked:
    ended, took, url, status = line.split(" ")
    return Asked(float(ended) - float(took), float(ended), url, int(status))
