"""What is particular to the Redis frontier: its keys, its seen-sets, restarts, clusters, errors at the border."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from tests.contracts.frontier_words import QUICK, buried, done, failed, link, links
from tests.frontier.redis_backend import RedisBackend
from tests.servers import Server as Process
from tests.servers import oldest_redis_server, redis_server, valkey_server
from thresher.errors import BackendError, JobLost, Unreachable, UsageError
from thresher.frontier.contract import Offered, State
from thresher.frontier.keys import JOBS, KEYS, SHARED, STEMS, JobKeys
from thresher.frontier.redis import RedisFrontier, Seen
from thresher.frontier.scripts import STEPS, script
from thresher.frontier.server import Server
from thresher.model import Link

ENOUGH_TO_SPLIT = 60_000  # links: more than the first buckets of the exact seen-set are to hold


@pytest.fixture(scope="module", params=[redis_server, valkey_server, oldest_redis_server])
def process(request: pytest.FixtureRequest) -> Iterator[Process]:
    with request.param() as running:
        yield running


@pytest.fixture
def server(process: Process) -> Iterator[Server]:
    connection = Server(process.url)
    connection.call("FLUSHALL")
    yield connection
    connection.close()


def work_on(frontier: RedisFrontier) -> None:
    """Bring links into every state."""
    frontier.offer([*links(9), link("deep", depth=9), *links(3, "b.example"), link("replayed", replay=True)])
    first, second, third, *_ = frontier.lease("w1", 5)
    ended = replace(done(first), address="192.0.2.1", fruitful=False)
    frontier.settle([ended, failed(second), buried(third)])
    frontier.offer([replace(first.link, depth=0), link("deep", depth=2)])
    frontier.reap(["w1"])
    frontier.lease("w2", 2)


def test_every_key_is_named_and_names_its_job_and_all_carry_one_tag(server: Server) -> None:
    for job in ("one", "two words"):
        work_on(RedisFrontier(server, job, replace(QUICK, suspect_after=1)))
    polite = RedisFrontier(server, "one", replace(QUICK, delay_s=0.5))
    polite.offer(links(1, "c.example"))
    polite.settle([replace(done(lease), address="192.0.2.2") for lease in polite.lease("w3", 9)])
    keys = {key.decode() for key in server.call("KEYS", "*")} - {JOBS}
    assert all(key.startswith("thresher:{jobs}:") for key in keys)
    rest = {key.removeprefix("thresher:{jobs}:") for key in keys}
    assert {name for name in rest if ":" not in name} == set(SHARED)
    assert {name.split(":")[0] for name in rest - set(SHARED)} == {"one", "two words"}
    names = {name.split(":")[1] for name in rest - set(SHARED)}
    assert names <= {*KEYS, *STEMS}
    assert len(names) >= 13


def test_a_job_of_an_older_version_is_found_under_its_own_tag(server: Server) -> None:
    aged = JobKeys("run-7", aged=True)
    server.call("HSET", aged.of("job"), "kind", "exact 1000000 1e-05", "born", "0" * 32)
    server.call("SADD", JOBS, "run-7")
    for _ in range(2):
        RedisFrontier(server, "run-7", QUICK).offer(links(3))
    assert RedisFrontier(server, "run-7", QUICK).census().pending == 3
    assert server.call("HGET", aged.of("job"), "pending") == b"3"
    assert server.call("EXISTS", JobKeys("run-7").of("job")) == 0


@pytest.mark.parametrize("seen", ["exact", "bloom"])
def test_every_script_has_room_for_more_names(server: Server, seen: str) -> None:
    more = "local " + ", ".join(f"spare_{number}" for number in range(8)) + "\n"  # Lua takes 200 in one script
    for step in STEPS:
        server.call("SCRIPT", "LOAD", more + script(step, seen))


def test_every_key_is_explained_to_those_who_run_the_server() -> None:
    text = (Path(__file__).parents[2] / "docs" / "frontier.md").read_text("utf-8")
    assert [name for name in (*KEYS, *STEMS, *SHARED) if not re.search(rf"`{name}[:`]", text)] == []


@pytest.mark.parametrize("name", ["a}b", "{", "a:b", ""])
def test_a_name_that_would_be_taken_for_another_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="braces and colons"):
        JobKeys(name)


def test_time_is_the_servers(server: Server) -> None:
    frontier = RedisFrontier(server, "job", replace(QUICK, lease_s=100.0))
    frontier.offer([link()])
    seconds, _ = server.call("TIME")
    (lease,) = frontier.lease("w1", 1)
    assert seconds + 99 < lease.expires_at < seconds + 110


def test_a_server_that_forgot_its_last_tokens_gives_none_twice(server: Server) -> None:
    frontier = RedisFrontier(server, "job", QUICK)
    frontier.offer(links(2))
    late, _ = frontier.lease("w1", 2)
    frontier.release("w1")
    server.call("HDEL", JobKeys("job").of("job"), "token")
    assert min(lease.token for lease in frontier.lease("w2", 2)) > late.token
    assert frontier.settle([done(late)]) == [False]


def test_a_server_that_came_back_empty_is_told_from_a_job_that_is_over(server: Server) -> None:
    frontier = RedisFrontier(server, "job", QUICK)
    frontier.offer(links(5))
    (lease, *_) = frontier.lease("w1", 2)
    server.call("FLUSHALL")
    calls = (
        frontier.due_in_s,
        lambda: frontier.lease("w1", 2),
        lambda: frontier.offer([link("new")]),
        lambda: frontier.settle([done(lease)]),
        lambda: frontier.release("w1"),
    )
    for begun_anew in (False, True):
        for call in calls:
            with pytest.raises(JobLost, match="has lost the links of this run"):
                call()
        assert begun_anew or server.call("KEYS", "*") == []
        RedisFrontier(server, "job", QUICK).offer([link("another")])


@pytest.mark.parametrize("why", ["a restart", "a flush of its scripts"])
def test_scripts_are_sent_again_after(why: str) -> None:
    with redis_server("--appendfsync", "always") as process:
        frontier = RedisFrontier(Server(process.url), "job", QUICK)
        frontier.offer(links(5))
        leases = frontier.lease("w1", 2)
        before = frontier.census()
        if why == "a restart":
            process.kill()
            process.start()
        else:
            Server(process.url).call("SCRIPT", "FLUSH")
        assert frontier.census() == before
        assert frontier.settle([done(lease) for lease in leases]) == [True, True]
        assert len(frontier.lease("w2", 10)) == 3


def test_a_server_that_is_away_is_unreachable_for_now() -> None:
    with redis_server("--appendfsync", "always") as process:
        frontier = RedisFrontier(Server(process.url), "job", QUICK)
        frontier.offer([link()])
        process.kill()
        for call in (frontier.census, frontier.due_in_s, lambda: frontier.lease("w1", 1)):
            with pytest.raises(Unreachable, match="does not answer") as raised:
                call()
            assert raised.value.retry
        process.start()
        assert len(frontier.lease("w1", 1)) == 1


def test_a_server_that_is_full_takes_nothing_more_and_loses_nothing(process: Process, server: Server) -> None:
    backend = RedisBackend(process.url)
    frontier = backend.open()
    frontier.offer(links(10))
    server.call("CONFIG", "SET", "maxmemory", "1")
    try:
        with pytest.raises(Unreachable, match="maxmemory") as raised:
            frontier.offer(links(10, "b.example"))
        leases = frontier.lease("w1", 5)
        with pytest.raises(Unreachable, match="maxmemory"):
            frontier.settle([done(lease) for lease in leases])
        backend.audit()
    finally:
        server.call("CONFIG", "SET", "maxmemory", "0")
    assert raised.value.retry
    assert all(frontier.settle([done(lease) for lease in leases]))
    assert (frontier.census().pending, frontier.census().done) == (10 - len(leases), len(leases))
    backend.audit()
    backend.close()


def test_a_wrong_url_or_login_is_no_matter_of_waiting(process: Process) -> None:
    with pytest.raises(BackendError, match="not a Redis URL"):
        Server("http://127.0.0.1:1/")
    wrong = Server(process.url.replace("redis://", "redis://nobody:secret@"))
    with pytest.raises(BackendError, match="refuses the login") as raised:
        wrong.check()
    assert not raised.value.retry
    assert "secret" not in str(raised.value)


def test_a_key_of_another_kind_is_an_error_and_no_outage(server: Server) -> None:
    frontier = RedisFrontier(server, "job", QUICK)
    server.call("SET", JobKeys("job").of("hosts"), "nonsense")
    with pytest.raises(BackendError, match="WRONGTYPE") as raised:
        frontier.offer([link()])
    assert not raised.value.retry


def many(count: int, start: int = 0) -> list[Link]:
    return [Link(f"https://h{number % 50}.example/{number}", 1, "page") for number in range(start, start + count)]


def test_buckets_of_the_exact_seen_set_stay_packed_as_it_grows(server: Server) -> None:
    frontier = RedisFrontier(server, "job", QUICK)
    assert set(frontier.offer(many(ENOUGH_TO_SPLIT))) == {Offered.ACCEPTED}
    buckets = server.call("KEYS", "*:seen:*")
    assert len(buckets) > 256
    assert sum(server.call("HLEN", bucket) for bucket in buckets) == ENOUGH_TO_SPLIT
    assert max(server.call("HLEN", bucket) for bucket in buckets) <= 500
    assert {server.call("OBJECT", "ENCODING", bucket) for bucket in buckets} <= {b"listpack", b"ziplist"}
    assert set(frontier.offer(many(ENOUGH_TO_SPLIT))) == {Offered.SEEN}
    size = sum(server.call("MEMORY", "USAGE", bucket, "SAMPLES", 0) for bucket in buckets)
    assert size / ENOUGH_TO_SPLIT <= 12


def test_a_done_link_costs_little_more_than_its_fingerprint(server: Server) -> None:
    frontier = RedisFrontier(server, "job", QUICK)
    frontier.offer(many(20_000))
    while leases := frontier.lease("w1", 200):
        frontier.settle([done(lease) for lease in leases])
    used = sum(server.call("MEMORY", "USAGE", key, "SAMPLES", 0) for key in server.call("KEYS", "*"))
    assert used / 20_000 <= 16


def test_a_bloom_filter_grows_and_errs_no_more_than_it_may(server: Server) -> None:
    seen = Seen("bloom", capacity=3000, error_rate=0.01)
    frontier = RedisFrontier(server, "job", QUICK, seen=seen)
    answers = frontier.offer(many(20_000))
    assert 0 < answers.count(Offered.SEEN) <= 20_000 * 0.01
    assert set(frontier.offer(many(20_000))) == {Offered.SEEN}
    wrong = frontier.offer(many(5000, start=1_000_000)).count(Offered.SEEN)
    assert wrong / 5000 <= 0.015
    assert len(server.call("KEYS", "*:bloom:*")) == 4


def test_a_bloom_filter_knows_no_depths(server: Server) -> None:
    frontier = RedisFrontier(server, "job", QUICK, seen=Seen("bloom"))
    frontier.offer([link(depth=5), link("2", depth=5)])
    first, _ = frontier.lease("w1", 2)
    frontier.settle([done(first)])
    assert frontier.offer([link(depth=0), link("2", depth=0)]) == [Offered.SEEN, Offered.SEEN]
    standing = frontier.find(first.link.url)
    assert standing is not None
    assert (standing.state, standing.reason) == (State.DONE, "")


def test_a_job_keeps_the_seen_set_that_it_began_with(server: Server) -> None:
    RedisFrontier(server, "job", QUICK, seen=Seen("bloom", 500, 1e-4)).offer([link()])
    again = RedisFrontier(server, "job", QUICK, seen=Seen("exact"))
    assert again.offer([link(), link("2")]) == [Offered.SEEN, Offered.ACCEPTED]
    assert server.call("KEYS", "*:seen:*") == []


@pytest.mark.parametrize(
    "odd",
    [
        Link("http://a.example/1", 2, "page", "https://a.example/x"),
        Link("https://a.example:8443/1", 70_000, "feed", "http://b.example/", 40_000),
        Link("https://a.example/%E4%BD%A0?q=1", 0, "a word of its own", "ftp://odd"),
        Link("https://a.example/\udcff", 1, "next", None, -5, 3, False, "", 'W/"x"'),
    ],
)
def test_odd_links_come_out_as_they_went_in(server: Server, odd: Link) -> None:
    frontier = RedisFrontier(server, "job", QUICK)
    frontier.offer([odd])
    (lease,) = frontier.lease("w1", 1)
    expected = replace(odd, depth=min(odd.depth, 65_535), priority=min(odd.priority, 32_767))
    assert lease.link == expected
    assert frontier.settle([failed(lease)]) == [True]
    assert getattr(frontier.find(odd.url), "link", None) == expected


def test_hosts_of_many_shapes_do_not_take_ever_more_memory(server: Server) -> None:
    frontier = RedisFrontier(server, "job", replace(QUICK, barren_pages=5))
    calendar = [link(f"calendar/{day}") for day in range(5)]
    for part in range(6):
        frontier.offer([link(f"{chr(97 + part)}{chr(97 + n // 26)}{chr(97 + n % 26)}/7") for n in range(120)])
    frontier.offer(calendar)
    while leases := frontier.lease("w1", 64):
        frontier.settle([done(lease, fruitful="calendar" not in lease.link.url) for lease in leases])
    assert server.call("HLEN", f"{JobKeys('job').of('shapes')}:a.example") <= 564
    assert frontier.offer([link("calendar/99")]) == [Offered.TRAP]


def test_backends_of_the_contract_suite_find_their_own_faults(process: Process) -> None:
    backend = RedisBackend(process.url)
    frontier = backend.open()
    frontier.offer(list(islice(many(5), 5)))
    backend.audit()
    Server(process.url).call("HINCRBY", JobKeys("job").of("job"), "pending", 1)
    with pytest.raises(AssertionError):
        backend.audit()
    backend.close()
