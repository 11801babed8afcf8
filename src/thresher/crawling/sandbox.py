"""The sandbox of a pool process: before its first page it gives up what reading a page does not need.

    no network, no new programs   seccomp: the kernel refuses the calls (network namespace where seccomp cannot be had)
    no writing                    Landlock, and a limit of 0 bytes on every file
    not root                      the user nobody, or root without its powers where nobody cannot read code or models

Each stands for itself. What a kernel or a container refuses is left out: a page is read all the same, within the limits
of time and memory that always hold. `enter` answers what holds, and `thresher doctor` prints it.
"""

import ctypes
import os
import platform
import resource
import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

MAX_OPEN_FILES = 64  # models and tables are read when they are first needed
NOBODY = 65_534

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
_CLONE_NEWNET = 0x4000_0000
_CAPABILITY_VERSION = 0x2008_0522
_CAPSET = {"x86_64": 126, "aarch64": 91}

# Landlock, the same numbers on every machine: rights that are refused when they are "handled" and no rule grants them.
_CREATE_RULESET, _RESTRICT_SELF = 444, 446
_ASK_VERSION = 1
_EXECUTE_WRITE_REMOVE_MAKE = 0b1_1111_1111_0011  # bits 0, 1 and 4 to 12: all but reading files and folders
_REFER, _TRUNCATE = 1 << 13, 1 << 14  # since versions 2 and 3
_BIND_AND_CONNECT_TCP = 0b11  # since version 4

# Seccomp: a program for the kernel's packet filter, and the calls that it refuses, by number.
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER_AT, _MACHINE_AT = 0, 4  # in the data that the program sees
_ALLOW, _REFUSE = 0x7FFF_0000, 0x0005_0001  # refused: the call fails with EPERM
_X32 = 0x4000_0000  # the same calls by other numbers
_REFUSED_CALLS = {
    "x86_64": {
        "network": (41, 42, 43, 44, 46, 49, 50, 53, 288, 307),  # socket, connect, accept, sendto … sendmmsg
        "programs": (59, 322, 101, 310, 311, 438),  # execve, execveat, ptrace, memory of others, pidfd_getfd
        "files": (76, 82, 83, 84, 85, 86, 87, 88, 90, 92, 133, 165, 258, 259, 260, 263, 264, 265, 266, 268, 316),
        "kernel": (272, 298, 321, 323, 425),  # unshare, perf_event_open, bpf, userfaultfd, io_uring_setup
    },
    "aarch64": {
        "network": (198, 199, 200, 201, 202, 203, 206, 211, 242, 269),
        "programs": (221, 281, 117, 270, 271, 438),
        "files": (33, 34, 35, 36, 37, 38, 40, 45, 53, 54, 276),
        "kernel": (97, 241, 280, 282, 425),
    },
}
_MACHINES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def enter(reads: Sequence[Path] = ()) -> list[str]:
    """Give up what can be given up, for good, but the reading of some files; answer what holds from now on."""
    if not sys.platform.startswith("linux"):
        return []
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    filterable = platform.machine() in _MACHINES
    steps: list[tuple[str, Callable[[], bool]]] = [
        ("no writing (Landlock)", lambda: _landlock(libc)),
        ("no network (namespace)", lambda: not filterable and libc.unshare(_CLONE_NEWNET) == 0),
        ("user nobody", lambda: _become_nobody(reads)),
        ("no powers of root", lambda: os.geteuid() == 0 and _drop_powers(libc)),
        ("no data written (limit)", _limit_files),
        ("no network, no programs (seccomp)", lambda: filterable and _seccomp(libc)),
    ]
    return [name for name, step in steps if _holds(step)]


def _holds(step: Callable[[], bool]) -> bool:
    with suppress(OSError, ValueError, AttributeError):  # refused, or not there
        return step()
    return False


def _landlock(libc: ctypes.CDLL) -> bool:
    version = libc.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)
    if version < 1:
        return False
    files = _EXECUTE_WRITE_REMOVE_MAKE | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    handled = struct.pack("=QQ", files, _BIND_AND_CONNECT_TCP) if version >= 4 else struct.pack("=Q", files)
    rules = libc.syscall(_CREATE_RULESET, handled, len(handled), 0)
    if rules < 0:
        return False
    try:
        return bool(libc.syscall(_RESTRICT_SELF, rules, 0) == 0)
    finally:
        os.close(rules)


def _become_nobody(reads: Sequence[Path]) -> bool:
    """Change from root to nobody, who must be able to read our modules and other files: they are loaded when needed."""
    if os.geteuid() != 0:
        return False
    os.setgroups([])
    os.seteuid(NOBODY)
    modules = {*sys.path, str(Path(__file__).parents[1])}
    readable = all(_is_readable(Path(place)) for place in modules if place)
    readable = readable and all(os.access(file, os.R_OK, effective_ids=True) for file in reads)
    os.seteuid(0)
    if not readable:
        return False
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    return True


def _is_readable(place: Path) -> bool:
    """Say whether the user that we are can read a folder of modules; one that is not there needs no reading."""
    try:
        with os.scandir(place) as entries:
            return next((os.access(entry.path, os.R_OK, effective_ids=True) for entry in entries), True)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def _drop_powers(libc: ctypes.CDLL) -> bool:
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    return bool(libc.syscall(_CAPSET[platform.machine()], header, bytes(24)) == 0)


def _limit_files() -> bool:
    sys.dont_write_bytecode = True
    for limit, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_NOFILE, MAX_OPEN_FILES)):
        _, hard = resource.getrlimit(limit)
        lowered = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (lowered, lowered))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    return True


def _seccomp(libc: ctypes.CDLL) -> bool:
    program = _filter(platform.machine())
    loaded = _Program(len(program) // 8, program)
    return bool(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(loaded), 0, 0) == 0)


def _filter(machine: str) -> bytes:
    """Write the program: calls of another machine and those of the list are refused, all others are allowed."""
    numbers = sorted(number for group in _REFUSED_CALLS[machine].values() for number in group)
    steps = [(_LOAD, 0, 0, _MACHINE_AT), (_EQUAL, 1, 0, _MACHINES[machine]), (_RETURN, 0, 0, _REFUSE)]
    steps += [(_LOAD, 0, 0, _NUMBER_AT), (_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE)]
    for number in numbers:
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
