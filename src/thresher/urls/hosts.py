"""One spelling of a URL's host and port: names (IDN by UTS 46), IPv4 and IPv6 literals, default ports."""

import ipaddress
import re
from contextlib import suppress
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from thresher.errors import UsageError

MAX_HOST_LENGTH = 253  # octets, of DNS
MAX_AUTHORITY_LENGTH = 1_024  # characters as spelled; bounds the cache too
DEFAULT_PORTS = {"http": "80", "https": "443"}
# Underscores and odd hyphens are no host names by the book, but they resolve and sites use them.
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_BRACKETED = re.compile(r"\[([0-9A-Fa-f:.]{2,45})\](?::([0-9]*))?")
_PORT = re.compile(r"0*([0-9]{0,5})")


@lru_cache(maxsize=4_096)
def canonical_authority(authority: str, scheme: str) -> str:
    """Return host[:port] in its one spelling; raise UsageError when it names no host or a user as well."""
    if "@" in authority:
        raise UsageError("the URL carries a user name or password; give it without")
    if len(authority) > MAX_AUTHORITY_LENGTH:
        raise UsageError("the URL's host is too long")
    if authority.startswith("["):
        bracketed = _BRACKETED.fullmatch(authority)
        if not bracketed:
            raise UsageError("the URL's host is no IPv6 address")
        host, port = _ipv6(bracketed[1]), bracketed[2] or ""
    else:
        name, _, port = authority.partition(":")
        host = _host(name)
    return host + _port(port, scheme)


def _port(port: str, scheme: str) -> str:
    digits = _PORT.fullmatch(port)
    if not digits or (port and not 0 < int(digits[1] or "0") < 65_536):
        raise UsageError("the URL's port is not between 1 and 65535")
    return "" if digits[1] in ("", DEFAULT_PORTS[scheme]) else ":" + digits[1]


def _ipv6(address: str) -> str:
    try:
        parsed = ipaddress.IPv6Address(address)
    except ValueError:
        raise UsageError("the URL's host is no IPv6 address") from None
    # Python versions differ in how they print mapped addresses.
    mapped = parsed.ipv4_mapped
    return f"[::ffff:{mapped}]" if mapped else f"[{parsed.compressed}]"


def _host(name: str) -> str:
    try:
        text = unquote_to_bytes(name).decode("utf-8") if "%" in name else name
        ascii_name = text.lower() if text.isascii() and "xn--" not in text.lower() else _idn(text)
    except ValueError:  # IDNAError, UnicodeError
        raise UsageError("the URL's host is no valid name") from None
    ascii_name = ascii_name.removesuffix(".")
    labels = ascii_name.split(".")
    if len(ascii_name) > MAX_HOST_LENGTH or not all(map(_LABEL.fullmatch, labels)):
        raise UsageError("the URL's host is no valid name")
    return _ipv4(labels) if _NUMBER.fullmatch(labels[-1]) else ascii_name


def _idn(name: str) -> str:
    import idna  # 30 ms that few URLs need

    mapped = idna.uts46_remap(name, std3_rules=False)
    return ".".join(_a_label(label) for label in mapped.split("."))


def _a_label(label: str) -> str:
    """Return the ASCII form of a mapped label, checked both ways; raise ValueError when it has none."""
    import idna

    if label.isascii() and not label.startswith("xn--"):
        return label
    meant = label[4:].encode("ascii").decode("punycode") if label.startswith("xn--") else label
    if meant.isascii() or idna.uts46_remap(meant, std3_rules=False) != meant:
        raise ValueError(label)
    # Symbols such as emoji are none of IDNA 2008's; UTS 46, which has checked them above, and browsers allow them.
    with suppress(idna.InvalidCodepoint):
        idna.check_label(meant)
    return "xn--" + meant.encode("punycode").decode("ascii")


def _ipv4(labels: list[str]) -> str:
    """Return the dotted form of what browsers and resolvers read as an address: 0x7f.1, 0177.0.0.1, 2130706433."""
    try:
        *high, last = [_ipv4_number(label) for label in labels]
    except ValueError:
        raise UsageError("the URL's host is no IPv4 address") from None
    if len(high) > 3 or any(part > 255 for part in high) or last >= 256 ** (4 - len(high)):
        raise UsageError("the URL's host is no IPv4 address")
    value = last + sum(part << 8 * (3 - place) for place, part in enumerate(high))
    return str(ipaddress.IPv4Address(value))


def _ipv4_number(label: str) -> int:
    if label.startswith("0x"):
        return int(label[2:] or "0", 16)
    return int(label, 8) if label.startswith("0") else int(label)
