"""DokuWiki as Debian packages it, served by PHP's own server: pages that show who changed them last, and when."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.programs.content import Changes, Piece, pieces
from tests.programs.site import HOST, Item, Site, running
from thresher.lab.servers import free_port
from thresher.sample.passages import Passage, plain

HERE = Path(__file__).parent
INSTALLED = Path("/usr/share/dokuwiki")
FOLDERS = ["attic", "cache", "index", "locks", "log", "media", "media_attic", "media_meta", "meta", "pages", "tmp"]
LISTED = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)  # the time of the page that lists the others
SETTINGS = """<?php
$conf['title'] = 'The Brackwater Book';
$conf['lang'] = 'en';
$conf['useacl'] = 0;
$conf['savedir'] = '%s';
$conf['sepchar'] = '_';
$conf['updatecheck'] = 0;
$conf['indexdelay'] = 0;  // by itself it asks crawlers for five days not to keep what was edited
$conf['deaccent'] = 0;
$conf['fnencode'] = 'url';
"""


class DokuWiki:
    """A wiki that runs."""

    def __init__(self, site: Site, env: dict[str, str], cache: Path) -> None:
        self.site = site
        self._env, self._cache = env, cache
        self._written: dict[str, Piece] = {}
        self._saves = 0

    def change(self, changes: Changes[Piece]) -> None:
        """Let these changes happen; moved is what is saved under another name and deleted under the old one.

        A page shows the time of its last change.
        """
        now = datetime.now(UTC).replace(microsecond=0)
        edited = [
            replace(self._written[key], text=text, passages=_passages(text), published=now)
            for key, text in changes.edit.items()
        ]
        moved = [replace(self._written[key], key=f"moved-{key}") for key in changes.move]
        removed = [*changes.delete, *changes.move]
        wanted = [*changes.insert, *edited, *moved]
        self._written |= {piece.key: piece for piece in wanted}
        for key in removed:
            del self._written[key]
        orders = [_order(piece) for piece in wanted]
        orders += [{"id": _id(key), "text": None, "author": "editor", "time": 0} for key in removed]
        self._save([*orders, self._start()])

    def _save(self, orders: list[dict[str, Any]]) -> None:
        command = ["php", "-d", "error_reporting=0", str(HERE / "fill.php")]
        done = subprocess.run(command, input=json.dumps(orders), capture_output=True, text=True, env=self._env)
        if not done.stdout.endswith("done"):
            raise RuntimeError(f"fill.php: {done.stdout[-1000:]}{done.stderr[-1000:]}")
        shutil.rmtree(self._cache)  # it is newer than the pages, whose times lie in the past
        self._cache.mkdir()
        self.site.hold([self._item(piece) for piece in self._written.values()])

    def _start(self) -> dict[str, Any]:
        lines = [f"  * [[{_id(item.key)}|{item.title}]]" for item in self._written.values()]
        text = "====== The Brackwater Book ======\n\n" + "\n".join(lines)
        self._saves += 1
        return {"id": "start", "text": text, "author": "editor", "time": int(LISTED.timestamp()) + self._saves}

    def _item(self, piece: Piece) -> Item:
        return Item(
            key=piece.key,
            url=f"{self.site.url}/doku.php?id={_id(piece.key)}",
            kind="article",
            title=piece.title,
            author=piece.author,  # shown as the one who changed it last
            published=piece.published,
            text=piece.text,
        )


@contextmanager
def dokuwiki(folder: Path, *, few: bool = False) -> Iterator[DokuWiki]:
    """Install DokuWiki in a folder, fill it, and serve it until the block ends."""
    root = folder / "site"
    shutil.copytree(INSTALLED, root, symlinks=False, ignore_dangling_symlinks=True)
    shutil.copytree("/etc/dokuwiki", root / "conf", symlinks=False, ignore_dangling_symlinks=True)
    (root / "inc" / "preload.php").unlink(missing_ok=True)  # Debian's, which points to the machine's own wiki
    shutil.rmtree(root / "install.php", ignore_errors=True)
    data = folder / "data"
    for name in FOLDERS:
        (data / name).mkdir(parents=True)
    (root / "conf" / "local.php").write_text(SETTINGS % data, "utf-8")
    address = f"{HOST}:{free_port()}"
    env = {**os.environ, "SITE_ROOT": str(root), "SITE_HOST": address, "PHP_CLI_SERVER_WORKERS": "3"}
    site = Site("DokuWiki", f"http://{address}", folder / "requests.log", zone=UTC)
    wiki = DokuWiki(site, env, data / "cache")
    shown = [piece for piece in pieces(few=few) if piece.state == "published" and not piece.is_page]
    wiki.change(Changes(insert=tuple(shown)))
    server = ["php", "-S", address, "-t", str(root), str(HERE / "router.php")]
    with running(server, log=site.log, url=f"{site.url}/robots.txt", env=env):
        yield wiki


def _passages(text: str) -> tuple[Passage, ...]:
    return tuple(plain("p", [line]) for line in text.split("\n"))


def _id(key: str) -> str:
    return key.replace("-", ":", 1)  # a namespace for each series


def _order(piece: Piece) -> dict[str, Any]:
    body = "\n\n".join(map(_wiki_markup, piece.passages))
    return {
        "id": _id(piece.key),
        "text": f"====== {piece.title} ======\n\n{body}",
        "author": piece.author,
        "time": int(datetime.timestamp(piece.published)),
    }


def _wiki_markup(passage: Passage) -> str:
    lines = ["".join(span.text for span in line) for line in passage.lines]
    if passage.kind == "list":
        return "\n".join(f"  * {line}" for line in lines)
    if passage.kind == "table":
        rows = [lines[start : start + passage.columns] for start in range(0, len(lines), passage.columns)]
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)
    return {"h2": "===== {} =====", "quote": "> {}"}.get(passage.kind, "{}").format(lines[0])
