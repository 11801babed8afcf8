"""Disk: notice that it is about to be full, so that a crawl can wait for room instead of failing half-way."""

import os
import shutil
from pathlib import Path

MOST_SHARE = 0.05  # of a small disk: what is kept free there, where the reserve would be more


def shortage(folder: Path, reserve_bytes: int) -> str:
    """Say what is short when less than the reserve is free on the folder's disk; empty when there is room.

    The reserve is never more than a twentieth of the disk. A disk that cannot be asked counts as one with room.
    """
    try:
        disk = shutil.disk_usage(_nearest(folder))
    except OSError:
        return ""
    wanted = min(reserve_bytes, int(disk.total * MOST_SHARE))
    if disk.free >= wanted:
        return ""
    return f"only {disk.free / 1e6:,.0f} MB are free on the disk of {folder}; {wanted / 1e6:,.0f} MB are kept free"


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest of those above it that exists."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if os.path.exists(path))
