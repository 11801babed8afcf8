"""Which addresses may be contacted."""

import pytest

from thresher.errors import UsageError
from thresher.fetch.guard import Guard

PUBLIC = [
    "1.1.1.1",
    "93.184.215.14",
    "203.0.112.255",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    "::ffff:1.1.1.1",
    "64:ff9b::101:101",
]
NOT_PUBLIC = [
    "127.0.0.1",
    "127.255.255.254",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",  # where clouds keep their credentials
    "100.64.0.1",
    "100.127.255.255",
    "0.0.0.0",
    "0.1.2.3",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "3fff::1",
    "100::1",
    "5f00::1",
    "::127.0.0.1",  # IPv4-compatible
    "::ffff:127.0.0.1",  # IPv4-mapped
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",  # IPv4-translated
    "64:ff9b::7f00:1",  # NAT64
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1.1.1.1",  # NAT64 of the local network
    "2002:7f00:1::1",  # 6to4
    "2002:101:101::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",  # Teredo
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_admitted(address: str) -> None:
    assert Guard().admits(address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_all_others_are_refused(address: str) -> None:
    assert not Guard().admits(address)


@pytest.mark.parametrize("text", ["", "localhost", "127.1", "2130706433", "0x7f000001", "1.1.1.1:80", "[::1]"])
def test_what_is_not_an_address_is_refused(text: str) -> None:
    assert not Guard().admits(text)


def test_named_addresses_and_networks_are_admitted_and_their_neighbours_are_not() -> None:
    guard = Guard(["127.0.0.0/8", "10.1.2.3", "fd00::/8", "192.168.7.9/24"])
    assert all(map(guard.admits, ["127.0.0.9", "10.1.2.3", "fd00::5", "192.168.7.1", "::ffff:10.1.2.3", "1.1.1.1"]))
    assert not any(map(guard.admits, ["10.1.2.4", "192.168.8.1", "::1", "fc00::1", "2002:a01:203::1"]))


def test_a_network_that_is_none_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"10\.0\.0\.300"):
        Guard(["10.0.0.300"])


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",
        "168.63.129.16",
        "100.100.100.200",
        "fd00:ec2::254",
        "::ffff:169.254.169.254",
        "::ffff:168.63.129.16",
        "64:ff9b::a83f:8110",
        "169.254.170.2",
    ],
)
def test_where_clouds_keep_credentials_is_refused_unless_named_exactly(address: str) -> None:
    assert not Guard().admits(address)
    assert not Guard(["0.0.0.0/0", "::/0", "169.254.0.0/16", "168.63.129.0/24", "fd00::/8"]).admits(address)
    assert Guard(["169.254.169.254", "168.63.129.16/32", "100.100.100.200", "fd00:ec2::254", "169.254.170.2"]).admits(
        address
    )


def test_ports_are_those_allowed_and_the_usual_one_of_a_scheme_need_not_be_written() -> None:
    guard = Guard(ports={80, 443, 8080})
    allowed = (
        "http://a.test/",
        "https://a.test/",
        "https://a.test:80/",
        "http://a.test:8080/",
        "http://[::1]:443/x:22",
    )
    assert [guard.refused_port(url) for url in allowed] == [None] * 5
    assert guard.refused_port("http://a.test:22/") == 22
    assert guard.refused_port("https://[2606:4700::1111]:6379/") == 6379
    assert Guard().refused_port("http://a.test:22/") is None
