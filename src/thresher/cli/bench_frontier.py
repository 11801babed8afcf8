"""`thresher bench frontier`."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from thresher.cli import exits
from thresher.frontier.redis import Seen
from thresher.frontier.server import Server
from thresher.lab import frontier_bench as ours
from thresher.lab.frontier_peer import Peer, peer_bytes
from thresher.lab.servers import own_redis
from thresher.lab.tables import table
from thresher.lab.watch import Watch

PROBES = 100_000  # new links that a filter is asked about
ROUND = 20_000  # links per round and contender

COUNT = click.IntRange(min=1000)


@click.command("frontier")
@click.option("--links", type=COUNT, default=1_000_000, show_default=True, help="Links that memory is measured with.")
@click.option("--peer-links", type=COUNT, default=100_000, show_default=True, help="The same for scrapy-redis.")
@click.option("--rounds", type=click.IntRange(1, 100), default=5, show_default=True, help="Of the rates, in turn.")
@click.option("--long", "long_queue", type=COUNT, default=10_000_000, show_default=True, help="Links of a long queue.")
@click.option("--short", "short_queue", type=COUNT, default=10_000, show_default=True, help="Links of a short one.")
@click.option("--server", default="redis-server", show_default=True, help="The server program to run.")
def command(links: int, peer_links: int, rounds: int, long_queue: int, short_queue: int, server: str) -> int:
    """Measure memory and speed of the Redis frontier beside scrapy-redis, on a server of its own.

    Our frontier dedups, schedules politely, leases and settles; scrapy-redis dedups, queues and pops.
    """
    with own_redis(server, "--appendonly", "no") as redis:
        click.echo(_memory(redis.url, links, peer_links))
        click.echo(_rates(redis.url, rounds))
        click.echo(_growth(redis.url, short_queue, long_queue), nl=False)
    return exits.DONE


def _memory(url: str, links: int, peer_links: int) -> str:
    filter_of = Seen("bloom", capacity=links)
    exact, bloom = (ours.bytes_per_link(url, seen, links) for seen in (Seen(), filter_of))
    peer = peer_bytes(url, ours.links(), peer_links)
    wrong = ours.false_positives(url, filter_of, links, PROBES)
    lines = [
        ["exact (default)", f"{links:,}", f"{exact.seen:.1f}", f"{exact.whole:.0f}", "0"],
        [f"Bloom filter set to {filter_of.error_rate:g}", f"{links:,}", *_bytes(bloom), f"{wrong:.1e}"],
        ["scrapy-redis", f"{peer_links:,}", f"{peer.seen:.1f}", f"{peer.whole:.0f}", "0"],
    ]
    return table(["", "links", "seen, B/link", "pending, B/link", "wrongly known"], lines)


def _bytes(measured: ours.Bytes) -> list[str]:
    return [f"{measured.seen:.1f}", f"{measured.whole:.0f}"]


def _rates(url: str, rounds: int) -> str:
    """Let exact set, Bloom filter and scrapy-redis take turns, so that a busy moment hits all."""
    sources = {name: ours.links() for name in ("exact", "bloom", "peer")}
    jobs = {kind: ours.job(url, kind, Seen(kind, capacity=rounds * ROUND)) for kind in ("exact", "bloom")}
    peer, rates = Peer(url), {name: ours.Rates() for name in sources}
    for _ in range(rounds):
        for kind, frontier in jobs.items():
            with _watched(url, rates[kind].put) as watch:
                ours.fill(frontier, sources[kind], ROUND, watch)
        with _watched(url, rates["peer"].put) as watch:
            peer.push(sources["peer"], ROUND, watch)
        for kind, frontier in jobs.items():
            with _watched(url, rates[kind].got) as watch:
                ours.drain(frontier, ROUND, watch)
        with _watched(url, rates["peer"].got) as watch:
            peer.pop(ROUND, watch)
    Server(url).call("FLUSHALL")
    labels = {"exact": "exact (default)", "bloom": "Bloom filter", "peer": "scrapy-redis"}
    puts, gots = ({name: rates[name].medians()[at] for name in labels} for at in (0, 1))
    columns = ["links/s", "×", "CPU µs/link", "×"]
    lines = [[label, *_figures(puts, name)] for name, label in labels.items()]
    more = [[label, *_figures(gots, name)] for name, label in labels.items()]
    offered = table(["offered or pushed", *columns], lines)
    return offered + "\n" + table(["leased and settled, or popped", *columns], more)


@contextmanager
def _watched(url: str, rounds: list[tuple[float, float]]) -> Iterator[Watch]:
    watch = Watch(Server(url))
    yield watch
    rounds.append(ours.rate(watch, ROUND))


def _figures(rates: dict[str, tuple[float, float]], name: str) -> list[str]:
    (speed, cpu_us), (peer_speed, peer_cpu_us) = rates[name], rates["peer"]
    return [f"{speed:,.0f}", f"{speed / peer_speed:.1f}", f"{cpu_us:.1f}", f"{cpu_us / peer_cpu_us:.2f}"]


def _growth(url: str, short_queue: int, long_queue: int) -> str:
    short_us, long_us = ours.lease_us(url, (short_queue, long_queue))
    lines = [
        [f"{short_queue:,}", f"{short_us:.1f}", "1.00"],
        [f"{long_queue:,}", f"{long_us:.1f}", f"{long_us / short_us:.2f}"],
    ]
    return table(["pending links", "lease, µs/link", "×"], lines)
