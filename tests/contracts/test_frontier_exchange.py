"""What every frontier promises: settling and leasing in one step is as good as one after the other."""

from tests.contracts.frontier_words import Backend, Clock, buried, done, failed, link, links, paths, take
from thresher.frontier.contract import Rules, State


def test_what_is_settled_makes_room_for_what_is_leased(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer(links(5))
    first = frontier.lease("w1", 2)
    answers, leases = frontier.exchange([done(lease) for lease in first], "w1", 2)
    assert (answers, paths(leases)) == ([True, True], ["2", "3"])
    census = frontier.census()
    assert (census.pending, census.leased, census.done) == (1, 2, 2)


def test_an_exchange_may_settle_nothing_or_lease_nothing(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer(links(1))
    answers, leases = frontier.exchange([], "w1", 3)
    assert (answers, paths(leases)) == ([], ["0"])
    assert frontier.exchange([done(leases[0])], "w1", 0) == ([True], [])
    assert frontier.due_in_s() is None


def test_a_host_rests_after_what_was_settled_in_the_same_step(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=2.0))
    frontier.offer([*links(2), link("9", "b.example")])
    (lease,) = (each for each in frontier.lease("w1", 2) if each.link.host == "a.example")
    frontier_clock.advance(5.0)
    _, leases = frontier.exchange([done(lease)], "w1", 5)
    assert leases == []
    frontier_clock.advance(2.0)
    assert paths(frontier.exchange([], "w1", 5)[1]) == ["1"]


def test_a_late_worker_is_refused_and_still_gets_what_is_due(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, lease_s=30.0))
    frontier.offer([link("1"), link("2", "b.example")])
    late = frontier.lease("w1", 1)[0]
    frontier_clock.advance(31.0)
    frontier.reap()
    answers, leases = frontier.exchange([done(late)], "w1", 5)
    assert answers == [False]
    assert sorted(paths(leases)) == ["1", "2"]


def test_a_worker_that_ends_its_last_lease_may_take_a_suspect(frontiers: Backend) -> None:
    rules = Rules(delay_s=0.0, suspect_after=1)
    frontier = frontiers.open(rules)
    frontier.offer([link("1")])
    take(frontier, "killed")
    frontier.reap(["killed"])
    frontier.offer([link("2", "b.example")])
    other = take(frontier, "w1")
    assert other.link.host == "b.example"
    _, leases = frontier.exchange([done(other)], "w1", 5)
    assert [(lease.link.host, lease.lost) for lease in leases] == [("a.example", 1)]
    assert frontier.exchange([], "w1", 5)[1] == []
    assert frontier.exchange([done(leases[0])], "w1", 5)[0] == [True]


def test_failures_and_burials_are_settled_likewise(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer(links(3))
    one, two = frontier.lease("w1", 2)
    answers, leases = frontier.exchange([failed(one), buried(two)], "w1", 5)
    assert (answers, paths(leases)) == ([True, True], ["2"])
    states = [standing.state for each in (one, two) if (standing := frontier.find(each.link.url))]
    assert states == [State.DELAYED, State.DEAD]


def test_a_place_of_the_limit_that_is_given_back_is_taken_again(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, host_concurrency=9, limit=1))
    frontier.offer(links(3))
    (lease,) = frontier.lease("w1", 5)
    _, leases = frontier.exchange([buried(lease)], "w1", 5)
    assert paths(leases) == ["1"]
    assert frontier.exchange([done(leases[0])], "w1", 5) == ([True], [])
