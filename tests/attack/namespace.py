"""A network namespace of our own, which has nothing but loopback."""

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence

INSIDE = "--inside"  # said to ourselves
GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 0x1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP


def in_namespace(line: Sequence[str]) -> int | None:
    """Run a script of ours again where nothing but loopback can be reached; None when the system does not allow it."""
    unshare = shutil.which("unshare")
    if unshare is None or os.geteuid() != 0 or not shutil.which("mount"):
        return None
    apart = [unshare, "--net", "--mount", "--propagation", "private"]
    if subprocess.run([*apart, "true"], capture_output=True).returncode != 0:
        return None
    return subprocess.run([*apart, sys.executable, *line, INSIDE], check=False).returncode


def bring_up_loopback() -> None:
    """Do what `ip link set lo up` does."""
    with socket.socket() as any_socket:
        asked = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, GET_FLAGS, asked))[1]
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh14x", b"lo", flags | UP))
