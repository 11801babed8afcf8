"""A blog made by Pelican: pages written once, served as files."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from pathlib import Path

from tests.programs.content import Changes, Piece, paragraphs, pieces
from tests.programs.environments import environment
from tests.programs.site import HOST, Item, Site, running
from thresher.lab.servers import free_port

SETTINGS = """
SITENAME = "The Brackwater Gull"
SITEURL = "{url}"
AUTHOR = "The editors"
PATH = "content"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
DEFAULT_PAGINATION = 7
FEED_ALL_ATOM = "feeds/all.atom.xml"
CATEGORY_FEED_ATOM = "feeds/{{slug}}.atom.xml"
SLUGIFY_SOURCE = "basename"
ARTICLE_TRANSLATION_ID = PAGE_TRANSLATION_ID = None
"""
PAGE = """<html><head><title>{title}</title><meta name="date" content="{date}"><meta name="authors" content="{author}">
<meta name="category" content="{section}"><meta name="tags" content="{section} notes, {language}">
<meta name="status" content="{status}"></head><body>{body}</body></html>
"""
SERVE = """
import http.server, os, sys
class Logged(http.server.SimpleHTTPRequestHandler):
    def log_request(self, *args):
        os.write(1, f"{self.command} {self.path}\\n".encode())  # one line each
    def log_error(self, *args):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Logged).serve_forever()
"""


class Pelican:
    """A blog that is written anew after each change."""

    def __init__(self, site: Site, folder: Path, home: Path) -> None:
        self.site = site
        self._folder, self._home = folder, home
        self._pieces: dict[str, Piece] = {}

    def change(self, changes: Changes[Piece]) -> None:
        """Let these changes happen, and write the blog anew; nobody can answer here, and a section is no place."""
        self._pieces |= {piece.key: piece for piece in changes.insert}
        for key, text in changes.edit.items():
            self._pieces[key] = replace(self._pieces[key], parts=(paragraphs(text),), text=text)
        for key, section in changes.move.items():
            self._pieces[key] = replace(self._pieces[key], section=section)
        for key in changes.delete:
            piece = self._pieces.pop(key)
            self._source_of(piece).unlink()
            (self._folder / "output" / f"{key}.html").unlink()
        self.write()

    def write(self) -> None:
        """Write every article and page, and let Pelican make the site of them."""
        for piece in self._pieces.values():
            file = self._source_of(piece)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_source(piece), "utf-8")
        command = [str(self._home / "bin" / "pelican"), "-s", "settings.py", "-o", "output", "-d", "content"]
        subprocess.run(command, cwd=self._folder, check=True, capture_output=True)
        self.site.hold([self._item(piece) for piece in self._pieces.values()])

    def _source_of(self, piece: Piece) -> Path:
        return self._folder / "content" / ("pages" if piece.is_page else "posts") / f"{piece.key}.html"

    def _item(self, piece: Piece) -> Item:
        shown = None if piece.is_page else piece
        return Item(
            key=piece.key,
            url=f"{self.site.url}/{'pages/' if piece.is_page else ''}{piece.key}.html",
            kind="article",
            title=piece.title,
            author=shown.author if shown else None,
            published=shown.published if shown else None,
            text=piece.text,
            visible=piece.state == "published",
        )


def _source(piece: Piece) -> str:
    return PAGE.format(
        title=escape(piece.title),
        date=piece.published.isoformat(),
        author=escape(piece.author),
        section=piece.section or "Site",
        language=piece.language,
        status="published" if piece.state == "published" else "draft",
        body="\n".join(piece.parts),
    )


@contextmanager
def pelican(folder: Path, *, few: bool = False) -> Iterator[Pelican]:
    """Write the blog into a folder and serve it until the block ends."""
    home = environment("pelican", "pelican==4.12.0")
    port = free_port()
    site = Site("Pelican", f"http://{HOST}:{port}", folder / "requests.log")
    (folder / "settings.py").write_text(SETTINGS.format(url=site.url), "utf-8")
    (folder / "content").mkdir()
    blog = Pelican(site, folder, home)
    blog.change(Changes(insert=tuple(pieces(few=few))))
    command = [sys.executable, "-c", SERVE, str(port)]
    with running(command, log=site.log, url=f"{site.url}/robots.txt", cwd=folder / "output"):
        yield blog
