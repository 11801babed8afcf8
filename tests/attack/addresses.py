"""Addresses that must not be asked: how they are spelled, who listens there, and a name server that lies."""

import socket
import struct
import threading
from collections import Counter
from types import TracebackType
from typing import Self

from tests.crawl.hostile import links, page
from tests.fetch.loopback import Route

SITE, FORBIDDEN, OTHER = "127.0.0.1", "127.0.0.2", "127.0.0.3"
SPELLINGS = (  # of a forbidden address, without the port; a browser and a resolver know most of them
    *(
        "127.0.0.2",
        "127.2",
        "127.0.2",
        "2130706434",
        "0x7f000002",
        "0X7F.0.0.2",
        "0x7f.2",
        "0177.0.0.2",
        "017700000002",
    ),
    *("0177.2", "127.0.0.02", "127.0.0.0x2", "127.0.0.2.", "127.0.00000002", "127.000.000.002", "00000177.0.0.2"),
    *("１２７.0.0.2", "127。0。0。2", "①②⑦.0.0.2", "%31%32%37.0.0.2", "127%2e0%2e0%2e2", "127.0.0\u00ad.2"),
    *("[::ffff:127.0.0.2]", "[::ffff:7f00:2]", "[0:0:0:0:0:ffff:127.0.0.2]", "[::127.0.0.2]", "[::7f00:2]", "[::1]"),
    *("[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:0:0]", "0.0.0.0", "0", "0x0", "1_27.0.0.2", "127.0.0.2\u200b"),
    *("ann:s3cret@127.0.0.2", "127.0.0.1@127.0.0.2", "127.0.0.1%40127.0.0.2", "127.0.0.1\\@127.0.0.2"),
    *("127.0.0.2%00", "127.0.0.2\t", "\n127.0.0.2", "4294967298.2130706434", "18446744073709551618"),
)
ROUNDABOUT = ("[64:ff9b::7f00:2]", "[2002:7f00:2::1]", "[::ffff:0:7f00:2]", "[fe80::1%25lo]", "[100::7f00:2]")
NAMES = ("flip.test", "flop.test", "both.test", "mapped.test", "short.flip.test", "inside.test", "inside.test.")
MAZE = "maze.test"
_A, _AAAA = 1, 28


def targets(port: int, closed: int, *, alone: bool) -> list[str]:
    """Return URLs that lead to forbidden addresses or a closed port; names only where there is nothing outside."""
    hosts = [*SPELLINGS, *(ROUNDABOUT + NAMES if alone else ())]
    found = [f"http://{host}:{port}/spelled" for host in hosts]
    found += [
        f"http:{FORBIDDEN}:{port}/",
        f"http:/\\{FORBIDDEN}:{port}/",
        f"//{FORBIDDEN}:{port}/",
        f"\\\\{FORBIDDEN}:{port}/",
    ]
    found += [f"http://{FORBIDDEN}:{port}#@{SITE}/", f"http://{SITE}:{port}@{FORBIDDEN}:{port}/"]
    return [*found, f"https://{FORBIDDEN}:{port}/", f"http://{SITE}:{closed}/", f"http://{SITE}:65536/"]


class Tripwires:
    """Listeners at addresses that must not be asked; they count who comes."""

    def __init__(self, places: list[tuple[str, int]]) -> None:
        self.hits: Counter[str] = Counter()
        self._listeners = [listener for place in places if (listener := _listen(*place))]
        self.ports = [int(listener.getsockname()[1]) for listener in self._listeners]

    def __enter__(self) -> Self:
        for listener in self._listeners:
            threading.Thread(target=self._watch, args=(listener,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        for listener in self._listeners:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()

    def _watch(self, listener: socket.socket) -> None:
        place = str(listener.getsockname()[:2])
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            self.hits[place] += 1
            connection.close()


def _listen(address: str, port: int) -> socket.socket | None:
    """Listen at an address; None where the machine has none such."""
    try:
        return socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET)
    except OSError:
        return None


class NameServer:
    """Answers for .test on port 53: with another address the second time, with several, or with any for any name."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()  # for IPv4 addresses
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def __enter__(self) -> Self:
        self._socket.bind((SITE, 53))
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self._socket.close()

    def forget(self) -> None:
        """Answer as if nobody had asked before."""
        self.asked.clear()

    def _serve(self) -> None:
        while True:
            try:
                query, peer = self._socket.recvfrom(4096)
                self._socket.sendto(self._answer(query), peer)
            except OSError:
                return

    def _answer(self, query: bytes) -> bytes:
        name, end = _name_in(query)
        (kind,) = struct.unpack(">H", query[end : end + 2])
        found = self._addresses(name, kind)
        known = name.endswith(".test")
        head = query[:2] + struct.pack(">HHHHH", 0x8580 if known else 0x8583, 1, len(found), 0, 0)
        rows = [b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, len(address)) + address for address in found]
        return head + query[12 : end + 4] + b"".join(rows)

    def _addresses(self, name: str, kind: int) -> list[bytes]:
        if kind == _AAAA and name == "mapped.test":
            return [socket.inet_pton(socket.AF_INET6, f"::ffff:{FORBIDDEN}")]
        if kind != _A or not name.endswith(".test"):
            return []
        self.asked[name] += 1
        first = self.asked[name] == 1
        shown = {"flip.test": [SITE if first else FORBIDDEN], "flop.test": [FORBIDDEN if first else SITE]}
        shown |= {"short.flip.test": [SITE if first else FORBIDDEN], "both.test": [FORBIDDEN, SITE]}
        here = SITE if name.endswith(f".{MAZE}") else FORBIDDEN
        return [socket.inet_aton(address) for address in shown.get(name, [here])]


def _name_in(query: bytes) -> tuple[str, int]:
    """Return the name that is asked for, and where it ends."""
    labels, place = [], 12
    while length := query[place]:
        labels.append(query[place + 1 : place + 1 + length].decode("latin-1").lower())
        place += 1 + length
    return ".".join(labels), place + 1


def maze(port: int, number: int) -> Route:
    """Return a page that leads to four more hosts of the maze."""
    onward = range(4 * number + 1, 4 * number + 5)
    return page(links(*(f"http://h{turn}.{MAZE}:{port}/maze-{turn}" for turn in onward)))
