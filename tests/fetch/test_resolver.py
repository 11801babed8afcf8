"""What Twisted is told about a host."""

import asyncio
from collections.abc import Sequence

import pytest
from twisted.internet.address import IPv4Address, IPv6Address

from thresher.fetch import resolver as resolver_module
from thresher.fetch.guard import Guard
from thresher.fetch.resolver import GuardedResolver, Resolution, lookup

Told = list[IPv4Address | IPv6Address]


class Receiver:
    """Takes what a resolver says, as Twisted would."""

    def __init__(self) -> None:
        self.told: Told = []
        self.complete = asyncio.Event()

    def resolutionBegan(self, resolution: Resolution) -> None:  # noqa: N802 - Twisted's name
        resolution.cancel()

    def addressResolved(self, address: IPv4Address | IPv6Address) -> None:  # noqa: N802 - Twisted's name
        self.told.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802 - Twisted's name
        self.complete.set()


class NameServer:
    """Answers from a script, one answer after another, and writes down what it was asked."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        return self.answers.pop(0)


async def told_by(resolver: GuardedResolver, host: str, port: int = 80) -> Told:
    receiver = Receiver()
    resolver.resolveHostName(receiver, host, port)
    await asyncio.wait_for(receiver.complete.wait(), 5)
    return receiver.told


def test_a_host_with_one_internal_address_is_refused_by_the_strict() -> None:
    async def scenario() -> None:
        answers = ["93.184.215.14", "10.0.0.1"], ["93.184.215.14"]
        resolver = GuardedResolver(Guard(), NameServer(*answers), strict=True)
        assert await told_by(resolver, "mixed.test") == []
        assert resolver.refused("http://mixed.test/") == ("10.0.0.1",)
        assert await told_by(resolver, "public.test") == [IPv4Address("TCP", "93.184.215.14", 80)]

    asyncio.run(scenario())


def test_a_look_up_that_fails_is_told_as_none() -> None:
    def broken(host: str) -> Sequence[str]:
        raise RuntimeError("can't start new thread")

    async def scenario() -> None:
        resolver = GuardedResolver(Guard(), broken)
        assert await told_by(resolver, "a.test") == []
        assert resolver.refused("http://a.test/") == ()

    asyncio.run(scenario())


def test_only_admitted_addresses_are_told() -> None:
    async def scenario() -> None:
        resolver = GuardedResolver(Guard(), NameServer(["10.0.0.1", "93.184.215.14", "fe80::1", "2606:4700::1111"]))
        told = await told_by(resolver, "mixed.test", 8080)
        assert told == [IPv4Address("TCP", "93.184.215.14", 8080), IPv6Address("TCP", "2606:4700::1111", 8080)]
        assert resolver.refused("http://mixed.test:8080/") == ()

    asyncio.run(scenario())


def test_a_host_with_refused_addresses_only_is_remembered_as_refused() -> None:
    async def scenario() -> None:
        resolver = GuardedResolver(Guard(), NameServer(["169.254.169.254"], []))
        assert await told_by(resolver, "inside.test") == []
        assert await told_by(resolver, "nowhere.test") == []
        assert resolver.refused("https://inside.test/x") == ("169.254.169.254",)
        assert resolver.refused("https://nowhere.test/") == ()
        assert resolver.refused("http://[broken/") == ()

    asyncio.run(scenario())


def test_a_name_that_changes_its_address_is_not_looked_up_between_check_and_use() -> None:
    async def scenario() -> None:
        names = NameServer(["93.184.215.14"], ["127.0.0.1"])
        resolver = GuardedResolver(Guard(), names)
        first, second = await told_by(resolver, "rebind.test"), await told_by(resolver, "rebind.test", 443)
        assert (first[0].host, second[0].host, second[0].port) == ("93.184.215.14", "93.184.215.14", 443)
        assert names.asked == ["rebind.test"]

    asyncio.run(scenario())


def test_addresses_are_kept_for_a_while_and_checked_again_when_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        monkeypatch.setattr(resolver_module, "TTL_S", 0.0)
        resolver = GuardedResolver(Guard(), NameServer(["93.184.215.14"], ["127.0.0.1"]))
        assert len(await told_by(resolver, "rebind.test")) == 1
        assert await told_by(resolver, "rebind.test") == []

    asyncio.run(scenario())
    assert resolver_module.TTL_S <= 300


def test_the_oldest_hosts_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        monkeypatch.setattr(resolver_module, "MAX_HOSTS", 2)
        names = NameServer(*[["93.184.215.14"]] * 4)
        resolver = GuardedResolver(Guard(), names)
        for host in ("a.test", "b.test", "c.test", "c.test", "a.test"):
            await told_by(resolver, host)
        assert names.asked == ["a.test", "b.test", "c.test", "a.test"]

    asyncio.run(scenario())


def test_a_host_that_twisted_decoded_is_asked_for_in_ascii() -> None:
    async def scenario() -> None:
        names = NameServer(["10.0.0.1"])
        resolver = GuardedResolver(Guard(), names)
        await told_by(resolver, "bücher.例え.test")
        assert names.asked == ["xn--bcher-kva.xn--r8jz45g.test"]
        assert resolver.refused("http://xn--bcher-kva.xn--r8jz45g.test/") == ("10.0.0.1",)

    asyncio.run(scenario())


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "127.0.0.1"])
def test_every_spelling_of_an_address_is_looked_up_as_that_address(host: str) -> None:
    assert lookup(host) == ["127.0.0.1"]


@pytest.mark.parametrize("host", ["a" * 64 + ".test", "a..test", "\ud800.test", "", "no space.test"])
def test_what_cannot_be_a_host_has_no_address(host: str) -> None:
    assert lookup(host) in ([], lookup("localhost"))
