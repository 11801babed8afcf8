"""Which addresses and ports may be contacted: public ones, and those that are allowed by name."""

from collections.abc import Collection, Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from thresher.errors import UsageError

GLOBAL_UNICAST = IPv6Network("2000::/3")  # all else in IPv6 is local, reserved or multicast
NAT64 = IPv6Network("64:ff9b::/96")
NEVER_PUBLIC = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "100.64.0.0/10",  # behind a carrier's NAT
        "192.0.0.0/24",  # protocol assignments
        "192.88.99.0/24",  # 6to4 relays
        "2001::/23",  # protocol assignments, Teredo among them
        "2002::/16",  # 6to4
        "2001:db8::/32",  # documentation
        "3fff::/20",
    )
)
# Where clouds serve credentials and settings to whatever runs in them: refused though a network around them is allowed.
PLATFORM = frozenset(
    ip_address(address)
    for address in (
        "169.254.169.254",  # AWS, Google, Azure, OpenStack, Oracle, DigitalOcean, Hetzner, IBM
        "fd00:ec2::254",
        "fd20:ce::254",  # Google
        "169.254.170.2",  # credentials of AWS containers
        "169.254.170.23",
        "fd00:ec2::23",
        "169.254.169.253",  # AWS name server and clock
        "fd00:ec2::253",
        "169.254.169.123",
        "fd00:ec2::123",
        "168.63.129.16",  # Azure's platform, among public addresses
        "100.100.100.200",  # Alibaba
        "192.0.0.192",  # Oracle's older cloud
        "169.254.0.23",  # Tencent
        "169.254.42.42",  # Scaleway
        "fd00:42::42",
    )
)
USUAL_PORTS = {"http": 80, "https": 443}


class Guard:
    """Says of each address and port whether it may be contacted."""

    def __init__(self, allowed: Iterable[str] = (), *, ports: Collection[int] | None = None) -> None:
        """Allow these addresses and networks besides public ones, and these ports; None: any."""
        self._ports = ports
        try:
            self._allowed = tuple(ip_network(network, strict=False) for network in allowed)
        except ValueError as error:
            raise UsageError(f"not an address or network to allow: {error}") from error

    def admits(self, text: str) -> bool:
        """Say whether an address may be contacted; what is not an address may not."""
        try:
            address = _unwrapped(ip_address(text.partition("%")[0]))
        except ValueError:
            return False
        if address in PLATFORM:
            return any(address in network and network.num_addresses == 1 for network in self._allowed)
        return any(address in network for network in self._allowed) or _is_public(address)

    def refused_port(self, url: str) -> int | None:
        """Return the port of a URL when it may not be contacted; None when it may."""
        if self._ports is None:
            return None
        port = port_of(url)
        return None if port in self._ports else port


def port_of(url: str) -> int:
    """Return the port that a URL leads to; 0 when it cannot be told."""
    try:
        parts = urlsplit(url)
        return parts.port or USUAL_PORTS.get(parts.scheme, 0)
    except ValueError:
        return 0


def _unwrapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that a mapped or translated IPv6 one leads to, any other as it is."""
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address) and address not in GLOBAL_UNICAST:
        return False
    special = address.is_multicast or address.is_reserved or address.is_unspecified or address.is_link_local
    return address.is_global and not special and not any(address in network for network in NEVER_PUBLIC)
