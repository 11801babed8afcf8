"""WordPress as Debian packages it, served by PHP's own server, with a MariaDB of its own."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.programs.content import Changes, Piece, paragraphs, pieces
from tests.programs.mariadb import mariadb
from tests.programs.site import HOST, Item, Site, running
from thresher.lab.servers import free_port

HERE = Path(__file__).parent
INSTALLED = Path("/usr/share/wordpress")
PLAIN, PRETTY = "", "/%year%/%monthnum%/%postname%/"


class WordPress:
    """A WordPress that runs, and its own functions to change what is in it."""

    def __init__(self, site: Site, root: Path, env: dict[str, str], *, links_pages: bool) -> None:
        self.site = site
        self._links_pages = links_pages
        self._root, self._env = root, env
        self._texts: dict[str, str] = {}

    def change(self, changes: Changes[Piece]) -> None:
        """Let these changes happen."""
        self._texts |= {piece.key: piece.text for piece in changes.insert} | dict(changes.edit)
        self.order(
            insert=[_order(piece) for piece in changes.insert],
            edit={key: {"post_content": paragraphs(text)} for key, text in changes.edit.items()},
            move=changes.move,
            trash=changes.delete,
            comment={key: [asdict(remark) for remark in remarks] for key, remarks in changes.reply.items()},
        )

    def order(self, **orders: Any) -> None:
        """Let fill.php carry out orders; the site's items are read anew."""
        done = subprocess.run(
            ["php", str(HERE / "fill.php")],
            input=json.dumps(orders, default=str),
            capture_output=True,
            text=True,
            env=self._env,
        )
        if done.returncode or not done.stdout.strip().startswith("["):
            raise RuntimeError(f"fill.php: {done.stderr}{done.stdout[-2000:]}")
        self.site.hold([self._item(row) for row in json.loads(done.stdout)])

    def _item(self, row: dict[str, Any]) -> Item:
        """Return what the database says of a post; of the site's own pages no theme shows author or time."""
        told = {"published": datetime.fromisoformat(row["published"]), "author": row["author"]}
        shown = {"published": None, "author": None} if row["key"].startswith("about-") else told
        if row["key"].startswith("about-") and not self._links_pages:
            row = row | {"visible": False}  # nobody comes there who does not know the address
        return Item(kind="article", text=self._texts[row["key"]], **row | shown)


@contextmanager
def wordpress(folder: Path, *, theme: str, permalinks: str, few: bool = False) -> Iterator[WordPress]:
    """Install WordPress in a folder, fill it, and serve it until the block ends."""
    name = f"WordPress, {theme}, {'pretty' if permalinks else 'plain'} permalinks"
    root = folder / "site"
    shutil.copytree(INSTALLED, root, symlinks=False, ignore=shutil.ignore_patterns("wp-config.php"))
    shutil.copy(HERE / "config.php", root / "wp-config.php")
    url = f"http://{HOST}:{free_port()}"
    with mariadb("wordpress") as socket:
        env = {
            **os.environ,
            "SITE_DATABASE": "wordpress",
            "SITE_SOCKET": str(socket),
            "SITE_URL": url,
            "SITE_ROOT": str(root),
            "PHP_CLI_SERVER_WORKERS": "3",
        }
        log = folder / "requests.log"
        # This theme links to no pages by itself, and without rewriting there is neither a robots.txt nor a sitemap.
        links_pages = bool(permalinks) or theme != "twentytwentyone"
        program = WordPress(Site(name, url, log), root, env, links_pages=links_pages)
        wanted = {
            "title": "The Brackwater Gull",
            "tagline": "Notes from the coast",
            "theme": theme,
            "permalinks": permalinks,
            "zone": "Europe/Dublin",
            "per_page": 7,
        }
        program.order(install=wanted)
        program.change(Changes(insert=tuple(pieces(few=few))))
        server = ["php", "-S", url.removeprefix("http://"), "-t", str(root), str(HERE / "router.php")]
        with running(server, log=log, url=f"{url}/wp-includes/js/wp-embed.min.js", env=env):
            yield program


def _order(piece: Piece) -> dict[str, Any]:
    return asdict(replace(piece, passages=())) | {"published": piece.published.isoformat()}
