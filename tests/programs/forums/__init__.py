"""Forum programs written in Django: each in an environment of its own, filled by a script that runs inside it."""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.programs.content import Changes, Talk, talks
from tests.programs.environments import environment
from tests.programs.site import HOST, Item, Said, Site, running
from thresher.lab.servers import free_port, new_database, own_postgresql

INSIDE = Path(__file__).parent / "inside"  # what runs in the environments of the programs


class Forum:
    """A forum that runs, and its own models to change what is in it."""

    def __init__(self, site: Site, fill: Sequence[str], folder: Path, env: dict[str, str]) -> None:
        self.site = site
        self._fill, self._folder, self._env = fill, folder, env

    def change(self, changes: Changes[Talk]) -> None:
        """Let these changes happen, by the script that runs inside; the site's items are read anew."""
        done = subprocess.run(
            self._fill,
            input=json.dumps(asdict(changes), default=str),
            capture_output=True,
            text=True,
            cwd=self._folder,
            env=self._env,
        )
        if done.returncode:
            raise RuntimeError(f"{self._fill}: {done.stderr[-2000:]}")
        self.site.hold([self._item(row) for row in json.loads(done.stdout.splitlines()[-1])])

    def _item(self, row: dict[str, Any]) -> Item:
        posts = tuple(
            Said(post["author"], datetime.fromisoformat(post["published"]), post["text"]) for post in row["posts"]
        )
        return Item(
            key=row["key"],
            url=self.site.url + row["path"],
            kind="thread",
            title=row["title"],
            author=posts[0].author,
            published=posts[0].published,
            text="\n".join(post.text for post in posts),
            posts=posts,
            visible=row["visible"],
        )


@contextmanager
def spirit(folder: Path, *, few: bool = False) -> Iterator[Forum]:
    """Run Spirit, filled, until the block ends."""
    home = environment("spirit", "django-spirit==0.14.3")
    env = {**os.environ, "PATH": f"{home / 'bin'}:{os.environ['PATH']}", "DJANGO_SETTINGS_MODULE": "board.settings.dev"}
    subprocess.run(["spirit", "startproject", "board"], cwd=folder, env=env, check=True, capture_output=True)
    project = folder / "board"
    with (project / "board" / "settings" / "dev.py").open("a", encoding="utf-8") as settings:
        settings.write((INSIDE / "spirit_settings.py").read_text("utf-8"))
    subprocess.run(["python", "manage.py", "spiritinstall"], cwd=project, env=env, check=True, capture_output=True)
    with _served("Spirit", folder, project, home, env, talks(few=few)) as forum:
        yield forum


@contextmanager
def machina(folder: Path, *, few: bool = False) -> Iterator[Forum]:
    """Run a Django site with machina's forum, filled, until the block ends."""
    home = environment("machina", "django-machina==1.3.1")
    env = {**os.environ, "PATH": f"{home / 'bin'}:{os.environ['PATH']}", "DJANGO_SETTINGS_MODULE": "machina_site"}
    project = folder / "board"
    project.mkdir()
    for name in ("machina_site.py", "machina_urls.py", "manage.py"):
        (project / name).write_text((INSIDE / name).read_text("utf-8"), "utf-8")
    subprocess.run(["python", "manage.py", "migrate"], cwd=project, env=env, check=True, capture_output=True)
    with _served("Machina", folder, project, home, env, talks(few=few)) as forum:
        yield forum


@contextmanager
def misago(folder: Path, *, few: bool = False) -> Iterator[Forum]:
    """Run Misago with a PostgreSQL of its own, filled, until the block ends."""
    home = environment("misago", "misago==0.39.6")
    project = folder / "board"
    project.mkdir()
    for name in ("misago_site.py", "manage.py"):
        (project / name).write_text((INSIDE / name).read_text("utf-8"), "utf-8")
    with own_postgresql() as server:
        env = {
            **os.environ,
            "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
            "DJANGO_SETTINGS_MODULE": "misago_site",
            "SITE_DATABASE": new_database(server, "misago"),
        }
        subprocess.run(["python", "manage.py", "migrate"], cwd=project, env=env, check=True, capture_output=True)
        with _served("Misago", folder, project, home, env, talks(few=few)) as forum:
            yield forum


@contextmanager
def _served(
    name: str, folder: Path, project: Path, home: Path, env: dict[str, str], threads: Sequence[Talk]
) -> Iterator[Forum]:
    address = f"{HOST}:{free_port()}"
    site = Site(name, f"http://{address}", folder / "requests.log", zone=UTC)
    python = str(home / "bin" / "python")
    forum = Forum(
        site, [python, "-P", str(INSIDE / f"{name.lower()}_fill.py")], project, {**env, "PYTHONPATH": str(project)}
    )
    forum.change(Changes(insert=tuple(threads)))
    command = [python, "-P", str(INSIDE / "serve.py"), address]
    with running(
        command, log=site.log, url=f"{site.url}/robots.txt", cwd=project, env={**env, "PYTHONPATH": str(project)}
    ):
        yield forum
