"""Virtual environments of the programs' own, made once and kept outside the repository."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "thresher-programs"


def environment(name: str, *requirements: str) -> Path:
    """Return the folder of an environment with these packages; raise CalledProcessError when they cannot be had."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    folder = CACHE / f"{name}-{python}"
    CACHE.mkdir(parents=True, exist_ok=True)
    stamp = folder / ".complete"
    wanted = "\n".join(requirements)
    with (CACHE / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests in several processes make it once
        if not stamp.exists() or stamp.read_text("utf-8") != wanted:
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
            pip = [str(folder / "bin" / "pip"), "install", "-q", "--disable-pip-version-check"]
            subprocess.run([*pip, *requirements], check=True)
            stamp.write_text(wanted, "utf-8")
    return folder
