"""What every frontier promises: whatever happens in whatever order, no link is lost, doubled or fetched impolitely."""

from collections import Counter
from collections.abc import Callable
from itertools import count

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from tests.contracts.frontier_words import Backend, done
from thresher.frontier.contract import Offered, Rules, Settlement, State
from thresher.model import Lease, Link, Outcome

HOSTS = ("a.example", "b.example", "c.example")
WORKERS = ("w1", "w2", "w3")
RULES = Rules(delay_s=2.0, host_concurrency=2, lease_s=30.0, max_attempts=3, max_lost=4, suspect_after=2, limit=6)
JOBS = count()
EXAMPLES = {"sqlite": 60, "redis": 60}
OTHER_EXAMPLES = (
    20  # of backends that run the scripts of Redis too: on another server, or with another set of seen links
)

offered_links = st.builds(
    lambda host, page, depth, priority, replay: Link(
        f"https://{host}/{page}", depth=depth, priority=priority, replay=replay
    ),
    st.sampled_from(HOSTS),
    st.integers(0, 5),
    st.integers(0, 4),
    st.integers(-1, 1),
    st.sampled_from((False, False, False, True)),
)
workers = st.sampled_from(WORKERS)


class Crawl(RuleBasedStateMachine):
    """A crawl in which anything may happen, and what must hold of it all the same."""

    def __init__(self, backend: Backend) -> None:
        super().__init__()
        self.backend, self.clock = backend, backend.clock
        self.clock.advance(10_000)  # the hosts have rested from the job before
        self.frontier = backend.open(RULES, f"job-{next(JOBS)}")
        self.accepted: set[str] = set()
        self.held: dict[str, Lease] = {}  # by URL: the leases that the frontier must honour
        self.expiry: dict[str, float] = {}
        self.void: list[Lease] = []  # leases that it must refuse
        self.fetched: Counter[str] = Counter()
        self.touched_at: dict[str, float] = {}  # host → last lease or end of one

    @rule(links=st.lists(offered_links, min_size=1, max_size=5))
    def offer(self, links: list[Link]) -> None:
        for link, answer in zip(links, self.frontier.offer(links), strict=True):
            assert (answer is Offered.ACCEPTED) == (link.url not in self.accepted)
            self.accepted.add(link.url)

    @rule(worker=workers, number=st.integers(1, 5))
    def lease(self, worker: str, number: int) -> None:
        self._lose(lambda lease: self.expiry[lease.link.url] <= self.clock())
        self._granted(self.frontier.lease(worker, number), worker, number)

    def _granted(self, leases: list[Lease], worker: str, number: int) -> None:
        assert len(leases) <= number
        if any(lease.lost >= RULES.suspect_after for lease in leases):
            assert len(leases) == 1
            assert worker not in {lease.worker for lease in self.held.values()}
        for lease in leases:
            assert lease.link.url in self.accepted
            assert lease.link.url not in self.held
            if not lease.link.replay:
                assert self.clock() - self.touched_at.get(lease.link.host, 0.0) >= RULES.delay_s
                self.touched_at[lease.link.host] = self.clock()
            self.held[lease.link.url] = lease
            self.expiry[lease.link.url] = lease.expires_at

    @precondition(lambda self: self.held)
    @rule(
        data=st.data(),
        outcome=st.sampled_from(Outcome),
        fetched=st.booleans(),
        counted=st.booleans(),
        retry_after_s=st.sampled_from((None, None, 7.0)),
        more=st.integers(0, 3),
    )
    def settle(
        self,
        data: st.DataObject,
        outcome: Outcome,
        fetched: bool,
        counted: bool,
        retry_after_s: float | None,
        more: int,
    ) -> None:
        lease = data.draw(st.sampled_from(list(self.held.values())))
        fetched = fetched and not lease.link.replay
        ending = Settlement(lease, outcome, "because", fetched=fetched, counted=counted, retry_after_s=retry_after_s)
        answers, leases = self.frontier.exchange([ending], lease.worker, more)
        assert answers == [True]
        self.fetched[lease.link.url] += fetched and outcome is not Outcome.RETRY
        self._end(lease)
        self._lose(lambda lease: self.expiry[lease.link.url] <= self.clock())
        self._granted(leases, lease.worker, more)

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def settle_alone(self, data: st.DataObject) -> None:
        lease = data.draw(st.sampled_from(list(self.held.values())))
        assert self.frontier.settle([done(lease, fetched=not lease.link.replay)]) == [True]
        self.fetched[lease.link.url] += not lease.link.replay
        self._end(lease)

    @precondition(lambda self: self.void)
    @rule(data=st.data(), outcome=st.sampled_from(Outcome))
    def come_too_late(self, data: st.DataObject, outcome: Outcome) -> None:
        lease = data.draw(st.sampled_from(self.void))
        before = self.frontier.census()
        assert self.frontier.renew([lease]) == [False]
        assert self.frontier.settle([Settlement(lease, outcome, "late", fetched=True)]) == [False]
        assert self.frontier.census() == before

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def renew(self, data: st.DataObject) -> None:
        lease = data.draw(st.sampled_from(list(self.held.values())))
        assert self.frontier.renew([lease]) == [True]
        self.expiry[lease.link.url] = self.clock() + RULES.lease_s

    @rule(worker=workers)
    def stop(self, worker: str) -> None:
        assert self.frontier.release(worker) == self._lose(lambda lease: lease.worker == worker)

    @rule(dead=st.sets(workers))
    def reap(self, dead: set[str]) -> None:
        lost = self._lose(lambda lease: lease.worker in dead or self.expiry[lease.link.url] <= self.clock())
        assert self.frontier.reap(dead) == lost

    @rule(seconds=st.sampled_from((0.5, 2.0, 10.0, 40.0)))
    def wait(self, seconds: float) -> None:
        self.clock.advance(seconds)

    @invariant()
    def every_accepted_link_stands_somewhere(self) -> None:
        standings = [self.frontier.find(url) for url in sorted(self.accepted)]
        states = Counter(standing.state if standing else None for standing in standings)
        census = self.frontier.census()
        assert census.accepted == len(self.accepted)
        assert states == Counter({state: number for state in State if (number := getattr(census, state.value))})
        assert census.leased == len(self.held)
        assert self.frontier.workers() == sorted({lease.worker for lease in self.held.values()})

    @invariant()
    def hosts_are_not_crowded(self) -> None:
        crowd = Counter(lease.link.host for lease in self.held.values() if not lease.link.replay)
        assert all(number <= RULES.host_concurrency for number in crowd.values())

    @invariant()
    def the_limit_holds(self) -> None:
        assert RULES.limit is not None
        assert sum(self.fetched.values()) <= self.frontier.census().reserved <= RULES.limit
        assert all(times <= 1 for times in self.fetched.values())

    @invariant()
    def nothing_due_means_nothing_to_be_had(self) -> None:
        due_in_s = self.frontier.due_in_s()
        if due_in_s is None:
            assert not self.held
        if due_in_s != 0:
            assert self.frontier.lease("idle", 1) == []

    def teardown(self) -> None:
        self._finish()
        census = self.frontier.census()
        assert RULES.limit is not None
        assert census.leased == 0
        assert census.reserved == sum(self.fetched.values())
        assert census.done + census.dead == census.accepted or census.reserved == RULES.limit
        self.backend.audit()

    def _finish(self) -> None:
        """Fetch all that is left, as one last good worker."""
        self._lose(lambda _: True)
        self.frontier.reap(WORKERS)
        for _ in range(1000):
            due_in_s = self.frontier.due_in_s()
            if due_in_s is None:
                return
            self.clock.advance(due_in_s)
            leases = self.frontier.lease("last", 10)
            assert all(self.frontier.settle([done(one, fetched=not one.link.replay) for one in leases]))
            self.fetched.update(one.link.url for one in leases if not one.link.replay)
        raise AssertionError("the job does not come to its end")

    def _end(self, lease: Lease) -> None:
        del self.held[lease.link.url]
        self.void.append(lease)
        if not lease.link.replay:
            self.touched_at[lease.link.host] = self.clock()

    def _lose(self, is_lost: Callable[[Lease], bool]) -> int:
        lost = [lease for lease in self.held.values() if is_lost(lease)]
        for lease in lost:
            self._end(lease)
        return len(lost)


def test_no_link_is_lost_or_doubled_whatever_happens(frontiers: Backend, request: pytest.FixtureRequest) -> None:
    examples = EXAMPLES.get(request.node.callspec.params["frontiers"], OTHER_EXAMPLES)
    checks = list(HealthCheck)
    chaos = settings(max_examples=examples, stateful_step_count=40, suppress_health_check=checks)
    run_state_machine_as_test(lambda: Crawl(frontiers), settings=chaos)  # type: ignore[arg-type]  # any factory will do
