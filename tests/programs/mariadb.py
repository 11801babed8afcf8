"""A throw-away MariaDB that listens on a socket alone."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def mariadb(folder: Path, database: str) -> Iterator[Path]:
    """Run MariaDB in a folder, with one empty database; yield its socket."""
    data, socket = folder / "data", folder / "db.sock"
    folder.mkdir(parents=True)
    user = ["--user=root"] if os.geteuid() == 0 else []
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(
        ["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--auth-root-authentication-method=normal", *user],
        check=True,
        **quiet,  # type: ignore[call-overload]
    )
    server = shutil.which("mariadbd") or "/usr/sbin/mariadbd"
    command = [server, "--no-defaults", f"--datadir={data}", f"--socket={socket}", "--skip-networking", *user]
    process = subprocess.Popen([*command, f"--pid-file={folder / 'pid'}"], **quiet)  # type: ignore[call-overload]
    try:
        client = ["mariadb", "--no-defaults", f"--socket={socket}", "-uroot"]
        while subprocess.run([*client, "-e", "SELECT 1"], **quiet).returncode:  # type: ignore[call-overload]
            if process.poll() is not None:
                raise RuntimeError("mariadbd ended at once")
            time.sleep(0.1)
        subprocess.run([*client, "-e", f"CREATE DATABASE {database} CHARACTER SET utf8mb4"], check=True)
        yield socket
    finally:
        process.terminate()
        process.wait()
