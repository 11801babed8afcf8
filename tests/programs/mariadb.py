"""A throw-away MariaDB for a program that is to be crawled."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thresher.lab.servers import new_mariadb_database, own_mariadb


@contextmanager
def mariadb(database: str) -> Iterator[Path]:
    """Run MariaDB with one empty database; yield its socket."""
    with own_mariadb() as server:
        new_mariadb_database(server, database)
        yield server.folder / "db.sock"
