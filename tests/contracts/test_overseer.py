"""What every overseer promises (frontier/overseer.py): what people see of a job, and may change in it."""

from dataclasses import replace

import pytest

from tests.contracts.frontier_words import QUICK, Backend, Clock, buried, done, drain, failed, link, links, paths, take
from thresher.errors import UsageError
from thresher.frontier.contract import Frontier, Rules, State
from thresher.frontier.overseer import Beat, HostState

ONE_AT_A_TIME = Rules(delay_s=0.0)


def bury(frontier: Frontier, number: int) -> None:
    for _ in range(number):
        frontier.settle([buried(take(frontier))])


def test_a_job_that_is_not_there_cannot_be_overseen(frontiers: Backend) -> None:
    frontiers.open(job="one")
    with pytest.raises(UsageError, match="no job 'two'"):
        frontiers.oversee(job="two")


def test_hosts_are_listed_by_what_waits_there(frontiers: Backend, frontier_clock: Clock) -> None:
    rules = Rules(delay_s=2.0)
    frontier = frontiers.open(rules)
    frontier.offer(links(3) + links(9, "b.example"))
    lease = next(one for one in frontier.lease("w1", 2) if one.link.host == "b.example")
    frontier.settle([replace(done(lease), crawl_delay_s=7.0, address="192.0.2.1")])
    frontier_clock.advance(1.0)
    busy, other = frontiers.oversee(rules).hosts()
    assert busy == HostState("b.example", 8, 0, 9, 7.0, 6.0, "192.0.2.1", paused=False, boosted=False)
    assert other == HostState("a.example", 2, 1, 3, 2.0, 1.0, None, paused=False, boosted=False)
    assert [host.name for host in frontiers.oversee(rules).hosts(1)] == ["b.example"]


def test_due_hosts_are_counted_not_their_links(frontiers: Backend, frontier_clock: Clock) -> None:
    rules = Rules(delay_s=2.0)
    frontier = frontiers.open(rules)
    frontier.offer(links(9) + links(1, "b.example") + links(1, "c.example"))
    overseer = frontiers.oversee(rules)
    assert overseer.due_hosts() == 3
    (lease,) = frontier.lease("w1", 1)
    assert overseer.due_hosts() == 2
    frontier.settle([done(lease)])
    assert overseer.due_hosts() == 2
    frontier_clock.advance(2.5)
    left = 3 if lease.link.host == "a.example" else 2
    assert overseer.due_hosts() == left
    overseer.boost("a.example")
    overseer.pause("b.example" if lease.link.host != "b.example" else "c.example")
    assert overseer.due_hosts() == left - 1
    overseer.pause()
    assert overseer.due_hosts() == 0


def test_the_host_that_waits_the_longest_says_how_old_the_queue_is(frontiers: Backend, frontier_clock: Clock) -> None:
    rules = Rules(delay_s=2.0)
    frontier = frontiers.open(rules)
    overseer = frontiers.oversee(rules)
    assert overseer.overdue_s() == 0.0
    frontier.offer(links(2))
    frontier_clock.advance(5.0)
    frontier.offer(links(1, "b.example"))
    assert overseer.overdue_s() == pytest.approx(5.0)
    (lease,) = frontier.lease("w1", 1)
    assert lease.link.host == "a.example"
    assert overseer.overdue_s() == pytest.approx(0.0)
    frontier.settle([done(lease)])
    frontier.lease("w1", 1)
    assert overseer.overdue_s() == 0.0, "one host rests, the other one is asked"
    frontier_clock.advance(3.0)
    assert overseer.overdue_s() == pytest.approx(1.0)
    overseer.boost("a.example")
    assert overseer.overdue_s() == pytest.approx(1.0)
    overseer.pause()
    assert overseer.overdue_s() == 0.0


def test_peeking_shows_what_is_leased_next_and_leases_nothing(frontiers: Backend) -> None:
    frontier = frontiers.open(ONE_AT_A_TIME)
    frontier.offer([link("1"), link("2", priority=5), link("3"), link("4", "b.example")])
    overseer = frontiers.oversee(ONE_AT_A_TIME)
    seen = [(one.link.host, one.link.url[-1]) for one in overseer.peek()]
    assert sorted(seen[:2]) == [("a.example", "2"), ("b.example", "4")]
    assert seen[2:] == [("a.example", "1"), ("a.example", "3")]
    assert [one.link.url[-1] for one in overseer.peek(2, host="a.example")] == ["2", "1"]
    assert overseer.peek(host="unknown.example") == []
    assert frontier.census().pending == 4


def test_a_paused_host_gives_nothing_until_it_is_resumed(frontiers: Backend) -> None:
    frontier, overseer = frontiers.open(), None
    frontier.offer(links(2) + links(1, "b.example"))
    overseer = frontiers.oversee()
    assert overseer.pause("a.example") is True
    assert [host.paused for host in overseer.hosts()] == [True, False]
    assert [lease.link.host for lease in drain(frontier)] == ["b.example"]
    assert frontier.due_in_s() == 30.0
    frontier.offer([link("3")])
    assert frontier.lease("w1", 10) == []
    assert overseer.resume("a.example") is True
    assert len(drain(frontier)) == 3
    assert frontier.due_in_s() is None


def test_a_paused_host_stays_paused_when_a_lease_of_it_ends(frontiers: Backend) -> None:
    frontier = frontiers.open(ONE_AT_A_TIME)
    frontier.offer(links(3))
    lease = take(frontier)
    frontiers.oversee().pause("a.example")
    assert frontier.settle([failed(lease)]) == [True]
    assert frontier.lease("w1", 10) == []


def test_a_paused_suspect_stays(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, suspect_after=1))
    frontier.offer([link()])
    take(frontier)
    frontier.reap(["w1"])
    overseer = frontiers.oversee()
    overseer.pause("a.example")
    assert (frontier.lease("w2", 1), frontier.due_in_s()) == ([], 30.0)
    overseer.resume("a.example")
    assert len(drain(frontier)) == 1


def test_a_host_that_is_not_known_can_be_neither_paused_nor_boosted(frontiers: Backend) -> None:
    frontiers.open()
    overseer = frontiers.oversee()
    for host in ("unknown.example", ""):
        assert (overseer.pause(host), overseer.resume(host), overseer.boost(host)) == (False, False, False)


def test_a_paused_job_gives_nothing_but_goes_on_with_what_is_leased(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, lease_s=60.0))
    frontier.offer([*links(3), link("replayed", replay=True)])
    lease = frontier.lease("w1", 1)[0]
    overseer = frontiers.oversee()
    assert (overseer.pause(), overseer.is_paused()) == (True, True)
    assert (frontier.lease("w2", 10), frontier.due_in_s()) == ([], 60.0)
    assert frontier.settle([done(lease)]) == [True]
    assert frontier.due_in_s() == 30.0
    assert (overseer.resume(), overseer.is_paused()) == (True, False)
    assert len(drain(frontier)) == 3
    overseer.pause()
    assert frontier.due_in_s() is None


def test_a_paused_host_does_not_keep_a_job_open_whose_limit_is_used_up(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, limit=1))
    frontier.offer(links(2) + links(1, "b.example"))
    frontiers.oversee().pause("a.example")
    assert len(drain(frontier)) == 1
    assert frontier.due_in_s() is None


def test_a_boosted_host_is_served_first(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(ONE_AT_A_TIME)
    frontier.offer([link(str(page), f"h{number}.example") for number in range(9) for page in range(9)])
    overseer = frontiers.oversee()
    assert overseer.boost("h7.example") is True
    served = []
    for _ in range(4):
        frontier_clock.advance(0.1)
        leases = frontier.lease("w1", 2)
        served.append({lease.link.host for lease in leases})
        frontier.settle([done(lease) for lease in leases])
    assert all("h7.example" in hosts for hosts in served)
    assert len(set().union(*served)) == 5
    assert overseer.boost("h7.example", on=False) is True
    assert frontier.lease("w1", 4)[0].link.host != "h7.example"


def test_a_boosted_host_is_as_polite_as_any_other(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=5.0, host_concurrency=2))
    frontier.offer(links(5))
    frontiers.oversee().boost("a.example")
    take(frontier)
    assert (frontier.lease("w1", 10), frontier.due_in_s()) == ([], 5.0)
    frontier_clock.advance(5)
    assert len(frontier.lease("w1", 10)) == 1


def test_a_preferred_link_goes_first(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(ONE_AT_A_TIME)
    frontier.offer([link("0", priority=3), *links(5, "a.example")[1:]])
    overseer = frontiers.oversee()
    assert overseer.prefer(link("3").url, 9) is True
    frontier.settle([failed(take(frontier))])
    assert overseer.prefer(link("3").url, -9) is True
    assert overseer.prefer(link("unknown").url, 1) is False
    frontier_clock.advance(1000)
    assert paths(drain(frontier, batch=1)) == ["0", "1", "2", "4", "3"]
    assert overseer.prefer(link("4").url, 1) is False


def test_dead_letters_can_be_tried_again(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, host_concurrency=1, max_attempts=1))
    frontier.offer(links(3))
    bury(frontier, 3)
    frontier.offer(links(2, "b.example"))
    bury(frontier, 2)
    overseer = frontiers.oversee()
    assert overseer.retry(url=link("1").url) == 1
    assert overseer.retry(url=link("1").url) == 0
    lease = take(frontier)
    assert (lease.link.url, lease.attempts, lease.lost) == (link("1").url, 0, 0)
    frontier.settle([failed(lease)])
    assert overseer.retry(host="b.example") == 2
    assert [one.link.host for one in overseer.peek()] == ["b.example"] * 2
    assert overseer.retry() == 3
    assert (overseer.census().dead, overseer.census().pending) == (0, 5)
    assert len(drain(frontier)) == 5
    assert frontier.census().reserved == 5


def test_a_dead_letter_that_was_lost_too_often_is_no_suspect_any_more(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, max_lost=1, suspect_after=1))
    frontier.offer([link()])
    for _ in range(2):
        take(frontier)
        frontier.reap(["w1"])
    assert frontiers.oversee().retry() == 1
    standing = frontier.find(link().url)
    assert standing is not None
    assert (standing.state, standing.lost) == (State.PENDING, 0)
    assert take(frontier).lost == 0


def test_a_worker_is_known_by_its_signs_of_life(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open()
    frontier.offer(links(3))
    overseer = frontiers.oversee()
    assert overseer.beats() == []
    overseer.beat("w1", "starting")
    frontier_clock.advance(5)
    overseer.beat("w2", "fetching")
    frontier.lease("w2", 2)
    frontier_clock.advance(1)
    assert frontiers.oversee().beats() == [Beat("w2", 1.0, "fetching", 2), Beat("w1", 6.0, "starting", 0)]
    overseer.beat("w1", "fetching 农业")
    overseer.retire("w2")
    assert overseer.beats() == [Beat("w1", 0.0, "fetching 农业", 0)]


def test_a_worker_that_is_silent_for_days_is_forgotten(frontiers: Backend, frontier_clock: Clock) -> None:
    frontiers.open()
    overseer = frontiers.oversee()
    overseer.beat("w1", "fetching")
    frontier_clock.advance(100_000)
    overseer.beat("w2", "fetching")
    assert [beat.worker for beat in overseer.beats()] == ["w2"]


def test_a_worker_hears_what_it_is_told_with_its_next_sign_of_life(frontiers: Backend) -> None:
    frontiers.open()
    overseer = frontiers.oversee()
    assert overseer.tell("w1", "drain") is False
    assert overseer.beat("w1", "fetching") == ""
    assert overseer.tell("w1", "drain") is True
    assert overseer.beat("w2", "fetching") == ""
    assert overseer.beat("w1", "fetching") == "drain"
    overseer.retire("w1")
    assert overseer.beat("w1", "starting again") == ""
