"""A Redis that has lost its last seconds: whoever relied on them is told so, goes on, and leaves hosts in peace."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.contracts.frontier_words import QUICK, Clock, done, link, links
from tests.servers import Server as Process
from tests.servers import redis_server
from thresher.errors import RolledBack, Unreachable
from thresher.frontier.contract import Offered, Rules
from thresher.frontier.redis import RedisFrontier
from thresher.frontier.redis_overseer import RedisOverseer
from thresher.frontier.server import Server
from thresher.lab.rewind import cut, length


@dataclass
class Lossy:
    """A server that can lose what it was told since a moment."""

    process: Process
    clock: Clock = field(default_factory=Clock)
    servers: list[Server] = field(default_factory=list)

    def open(self, rules: Rules = QUICK) -> RedisFrontier:
        self.servers.append(Server(self.process.url))
        return RedisFrontier(self.servers[-1], "job", rules, clock=self.clock)

    def moment(self) -> int:
        return length(self.process.folder)

    def lose_since(self, moment: int) -> None:
        self.process.kill()
        cut(self.process.folder, moment)
        self.process.start()


@pytest.fixture(scope="module")
def process() -> Iterator[Process]:
    with redis_server("--appendfsync", "always") as running:  # else it may write a moment after it has answered
        yield running


@pytest.fixture
def lossy(process: Process) -> Iterator[Lossy]:
    server = Server(process.url)
    server.call("FLUSHALL")
    lossy = Lossy(process, servers=[server])
    yield lossy
    for each in lossy.servers:
        each.close()


def test_every_call_of_a_client_whose_last_step_is_lost_is_refused(lossy: Lossy) -> None:
    frontier = lossy.open()
    frontier.offer(links(5))
    moment = lossy.moment()
    lease, *_ = frontier.lease("w1", 2)
    lossy.lose_since(moment)
    calls = (
        lambda: frontier.offer([link("new")]),
        lambda: frontier.lease("w1", 1),
        lambda: frontier.renew([lease]),
        lambda: frontier.settle([done(lease)]),
        lambda: frontier.exchange([done(lease)], "w1", 1),
        lambda: frontier.release("w1"),
        frontier.due_in_s,
        lambda: frontier.find(lease.link.url),
    )
    for call in calls:
        with pytest.raises(RolledBack, match="has lost its last seconds"):
            call()
    assert (frontier.census().pending, frontier.census().leased) == (5, 0)


def test_after_it_has_recovered_a_client_goes_on_from_what_is_left(lossy: Lossy) -> None:
    frontier = lossy.open()
    frontier.offer(links(3))
    moment = lossy.moment()
    frontier.offer(links(6))
    leases = frontier.lease("w1", 2)
    lossy.lose_since(moment)
    with pytest.raises(RolledBack):
        frontier.due_in_s()
    assert (frontier.recover(), frontier.recover()) == (True, False)
    assert frontier.settle([done(lease) for lease in leases]) == [False, False]
    assert frontier.offer(links(6)) == [Offered.SEEN] * 3 + [Offered.ACCEPTED] * 3
    assert len(frontier.lease("w1", 9)) == 6


def test_a_second_loss_is_noticed_like_the_first(lossy: Lossy) -> None:
    frontier = lossy.open()
    moment = lossy.moment()
    for _ in range(3):
        frontier.offer(links(5))
        lossy.lose_since(moment)
        with pytest.raises(RolledBack):
            frontier.due_in_s()
        assert frontier.recover()
    assert frontier.offer(links(5)) == [Offered.ACCEPTED] * 5


def test_who_heard_that_a_link_is_known_is_told_when_it_no_longer_is(lossy: Lossy) -> None:
    one, two = lossy.open(), lossy.open()
    two.offer([link("other")])
    moment = lossy.moment()
    one.offer([link("1")])
    assert two.offer([link("1")]) == [Offered.SEEN]
    lossy.lose_since(moment)
    with pytest.raises(RolledBack):
        two.due_in_s()


def test_who_has_lost_nothing_is_not_disturbed(lossy: Lossy) -> None:
    old, young = lossy.open(), lossy.open()
    old.offer(links(3))
    (lease,) = old.lease("w1", 1)
    moment = lossy.moment()
    young.offer(links(9))
    lossy.lose_since(moment)
    assert old.renew([lease]) == [True]
    assert old.settle([done(lease)]) == [True]
    assert len(lossy.open().lease("w2", 9)) == 2


def test_a_loss_is_noticed_however_much_others_have_done_since(lossy: Lossy) -> None:
    one, two = lossy.open(), lossy.open()
    one.offer(links(3))
    moment = lossy.moment()
    one.offer(links(5))
    lossy.lose_since(moment)
    for number in range(20):
        two.offer([link(f"more-{number}")])
    with pytest.raises(RolledBack):
        one.due_in_s()


def test_two_threads_of_one_client_give_no_false_alarm(lossy: Lossy) -> None:
    frontier = lossy.open()
    with ThreadPoolExecutor(4) as threads:
        answers = threads.map(lambda number: frontier.offer([link(str(number % 50))]), range(400))
        assert sum(answer == [Offered.ACCEPTED] for answer in answers) == 50


def test_hosts_rest_once_after_a_loss(lossy: Lossy) -> None:
    rules = Rules(delay_s=2.0)
    frontier = lossy.open(rules)
    frontier.offer([*links(3), *links(3, "b.example")])
    moment = lossy.moment()
    assert len(frontier.lease("w1", 9)) == 2
    lossy.lose_since(moment)
    with pytest.raises(RolledBack):
        frontier.lease("w2", 9)
    frontier.recover()
    assert lossy.open(rules).lease("w2", 9) == []
    lossy.clock.advance(1.9)
    assert frontier.lease("w1", 9) == []
    lossy.clock.advance(0.1)
    assert len(frontier.lease("w1", 9)) == 2


def test_all_workers_hear_of_a_loss_until_it_is_made_good(lossy: Lossy) -> None:
    one, two = lossy.open(), lossy.open()
    moment = lossy.moment()
    one.offer(links(3))
    lossy.lose_since(moment)
    assert (one.recover(), one.loss()) == (True, 1)
    assert not two.has_lost()
    two.offer(links(3))
    two.lease("w2", 1)
    assert (two.has_lost(), two.loss()) == (True, 1)
    two.make_good(1)
    one.lease("w1", 1)
    assert (one.has_lost(), one.loss()) == (False, 0)


def test_who_only_looks_is_not_told(lossy: Lossy) -> None:
    moment = lossy.moment()
    lossy.open().offer(links(3))
    kept = lossy.moment()
    overseer = RedisOverseer(lossy.servers[0], "job", QUICK)
    overseer.pause("a.example")
    lossy.lose_since(kept)
    assert kept > moment
    assert [host.paused for host in overseer.hosts()] == [False]
    assert overseer.beat("w1", "{}") == ""


def test_marks_of_clients_that_are_gone_do_not_pile_up(lossy: Lossy) -> None:
    for _ in range(120):
        lossy.open().offer([link()])
    lossy.clock.advance(2 * 86_400)
    frontier = lossy.open()
    frontier.offer([link("2")])
    overseer = RedisOverseer(lossy.servers[0], "job", QUICK, lossy.clock)
    for _ in range(40):  # each looks at eight, of which five at the most are to stay
        overseer.beat("w1", "{}")
    assert lossy.servers[0].call("HLEN", "thresher:{jobs}:clock") <= 5
    assert frontier.due_in_s() == 0.0


def test_a_server_that_goes_away_again_is_recovered_from_later(lossy: Lossy, monkeypatch: pytest.MonkeyPatch) -> None:
    frontier = lossy.open()
    moment = lossy.moment()
    frontier.offer(links(6))
    lossy.lose_since(moment)
    run = frontier._run

    def away(step: str, *terms: Any) -> Any:
        if step == "recover":
            raise Unreachable("gone")
        return run(step, *terms)

    with monkeypatch.context() as patch:
        patch.setattr(frontier, "_run", away)
        with pytest.raises(Unreachable):
            frontier.recover()
    with pytest.raises(RolledBack):
        frontier.due_in_s()
    assert frontier.recover()
