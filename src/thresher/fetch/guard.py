"""Which addresses may be contacted: public ones, and those that are allowed by name."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

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


class Guard:
    """Says of each address whether it may be contacted."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
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
        return any(address in network for network in self._allowed) or _is_public(address)


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
