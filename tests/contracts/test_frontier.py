"""What every frontier promises (frontier/contract.py): links in, links out, and where each stands."""

from dataclasses import replace

import pytest

from tests.contracts.frontier_words import Backend, Clock, buried, done, drain, failed, link, links, paths, take
from thresher.frontier.contract import Census, Offered, Rules, State
from thresher.model import Link, Outcome


def test_a_new_link_is_accepted_and_waits(frontiers: Backend) -> None:
    frontier = frontiers.open()
    assert frontier.offer([link("1")]) == [Offered.ACCEPTED]
    standing = frontier.find(link("1").url)
    assert standing is not None
    assert (standing.state, standing.reason, standing.attempts, standing.worker) == (State.PENDING, "", 0, None)
    assert frontier.census() == Census(pending=1, delayed=0, leased=0, done=0, dead=0, reserved=0)


def test_a_url_that_was_never_accepted_is_not_found(frontiers: Backend) -> None:
    assert frontiers.open().find("https://a.example/nowhere") is None


def test_every_offered_link_has_its_own_answer(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([link("1")])
    answers = frontier.offer([link("1"), link("2"), link("2")])
    assert answers == [Offered.SEEN, Offered.ACCEPTED, Offered.SEEN]
    assert frontier.census().accepted == 2


def test_a_link_comes_out_as_it_went_in(frontiers: Backend) -> None:
    whole = Link("https://a.example/1", 3, "feed", "https://a.example/feed", 7, 2, False, '"abc"', "Sun, 15 Nov 2026")
    frontier = frontiers.open()
    frontier.offer([whole])
    assert take(frontier).link == whole


def test_a_lease_names_its_worker_and_its_end(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(lease_s=120.0))
    frontier.offer([link()])
    lease = take(frontier, "w7")
    assert (lease.worker, lease.expires_at, lease.attempts, lease.lost) == ("w7", frontier_clock() + 120.0, 0, 0)
    standing = frontier.find(lease.link.url)
    assert standing is not None
    assert (standing.state, standing.worker) == (State.LEASED, "w7")
    assert frontier.workers() == ["w7"]


def test_a_leased_link_is_given_to_nobody_else(frontiers: Backend) -> None:
    frontier, other = frontiers.open(), frontiers.open()
    frontier.offer([link()])
    take(frontier, "w1")
    assert other.lease("w2", 10) == []


def test_no_more_is_leased_than_was_asked_for(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer(links(10) + links(10, "b.example"))
    assert len(frontier.lease("w1", 7)) == 7
    assert frontier.lease("w1", 0) == []
    assert len(frontier.lease("w1", 100)) == 13


def test_a_done_link_is_never_leased_again(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open()
    frontier.offer([link()])
    assert frontier.settle([done(take(frontier))]) == [True]
    frontier_clock.advance(1e6)
    assert frontier.lease("w1", 10) == []
    assert frontier.census() == Census(pending=0, delayed=0, leased=0, done=1, dead=0, reserved=1)
    assert frontier.due_in_s() is None


def test_a_lease_is_settled_once(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([link()])
    lease = take(frontier)
    assert frontier.settle([done(lease), buried(lease)]) == [True, False]
    assert frontier.settle([failed(lease)]) == [False]
    assert frontier.census().done == 1


def test_higher_priority_goes_first_then_what_came_first(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0))
    frontier.offer([link("a"), link("b", priority=-1), link("c", priority=9), link("d"), link("e", priority=9)])
    assert paths(drain(frontier, batch=1)) == ["c", "e", "a", "d", "b"]


def test_jobs_side_by_side_never_mix(frontiers: Backend) -> None:
    one, two = frontiers.open(job="one"), frontiers.open(job="two")
    assert one.offer([link()]) == [Offered.ACCEPTED]
    assert two.lease("w1", 10) == []
    assert two.due_in_s() is None
    assert two.offer([link()]) == [Offered.ACCEPTED]
    lease = take(one)
    assert two.settle([done(lease)]) == [False]
    assert two.renew([lease]) == [False]
    assert (two.workers(), two.release("w1"), two.reap(["w1"])) == ([], 0, 0)
    assert one.settle([buried(lease)]) == [True]
    assert two.dead() == []
    assert paths([take(two)]) == ["1"]


def test_a_job_is_found_again_by_its_name(frontiers: Backend) -> None:
    frontiers.open(job="one").offer([link()])
    assert frontiers.open(job="one").offer([link()]) == [Offered.SEEN]


def test_replays_know_no_host(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=60.0, host_concurrency=1, limit=1))
    frontier.offer([replace(one, replay=True) for one in links(5)] + [link("fresh")])
    leases = frontier.lease("w1", 10)
    assert sorted(paths(leases)) == ["0", "1", "2", "3", "4", "fresh"]
    assert frontier.census().reserved == 1
    frontier.settle([done(lease, fetched=not lease.link.replay) for lease in leases])
    assert frontier.census() == Census(pending=0, delayed=0, leased=0, done=6, dead=0, reserved=1)


def test_a_host_takes_only_so_many_links(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(host_pages=3))
    accepted, full = Offered.ACCEPTED, Offered.HOST_FULL
    assert frontier.offer(links(4)) == [accepted, accepted, accepted, full]
    assert frontiers.open(Rules(host_pages=3)).offer([link("0"), link("5"), link("1", "b.example")]) == [
        Offered.SEEN,
        full,
        accepted,
    ]


def test_a_site_takes_only_so_many_hosts(frontiers: Backend) -> None:
    rules = Rules(site_hosts=2)
    accepted, full = Offered.ACCEPTED, Offered.SITE_FULL
    hosts = ("a.site.example", "b.site.example", "c.site.example", "site.example", "elsewhere.example")
    first = frontiers.open(rules).offer([link("1", host) for host in hosts] + [link("2", hosts[0])])
    assert first == [accepted, accepted, full, full, accepted, accepted]
    again = frontiers.open(rules)
    assert again.offer([link("1", hosts[1]), link("2", hosts[1]), link("1", hosts[2])]) == [
        Offered.SEEN,
        accepted,
        full,
    ]
    assert again.find(link("1", hosts[2]).url) is None
    assert again.census().accepted == 5
    assert frontiers.open(replace(rules, site_hosts=3)).offer([link("1", host) for host in hosts[2:4]]) == [
        accepted,
        full,
    ]


def test_a_url_shape_that_never_gives_a_document_becomes_a_trap(frontiers: Backend) -> None:
    rules = Rules(delay_s=0.0, barren_pages=3)
    frontier = frontiers.open(rules)
    for day in range(3):
        assert frontier.offer([link(f"calendar/{day}")]) == [Offered.ACCEPTED]
        frontier.settle([done(take(frontier), fruitful=False)])
    later = frontiers.open(rules)
    answers = later.offer([link("calendar/9"), link("calendar/1"), link("news/9"), link("calendar/9", "b.example")])
    assert answers == [Offered.TRAP, Offered.SEEN, Offered.ACCEPTED, Offered.ACCEPTED]
    assert later.find(link("calendar/9").url) is None


def test_one_document_keeps_a_url_shape_open(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, barren_pages=2))
    frontier.offer([link(f"day/{day}") for day in range(5)])
    for number in range(5):
        frontier.settle([done(take(frontier), fruitful=number == 0)])
    assert frontier.offer([link("day/9")]) == [Offered.ACCEPTED]


def test_a_listing_that_led_to_a_document_is_no_trap(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, barren_pages=1))
    frontier.offer([link("list/1")])
    frontier.settle([done(take(frontier), fruitful=False)])
    frontier.offer([replace(link("story"), found_on=link("list/1").url)])
    assert frontier.offer([link("list/2")]) == [Offered.TRAP]
    frontier.settle([done(take(frontier), fruitful=True)])
    assert frontier.offer([link("list/2")]) == [Offered.ACCEPTED]


def test_a_page_that_did_not_change_counts_for_its_shape(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, barren_pages=1))
    frontier.offer([link("day/1")])
    frontier.settle([replace(done(take(frontier), fetched=False, fruitful=False), unchanged=True)])
    assert frontier.offer([link("day/2")]) == [Offered.TRAP]


def test_a_replayed_document_keeps_its_shape_and_its_listing_open(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, barren_pages=1))
    frontier.offer([link("list/1")])
    frontier.settle([done(take(frontier), fruitful=False)])
    frontier.offer([replace(link("story/1", replay=True), found_on=link("list/1").url)])
    frontier.settle([done(take(frontier), fetched=False, fruitful=True)])
    assert frontier.offer([link("list/2")]) == [Offered.ACCEPTED]


@pytest.mark.parametrize(("replay", "fetched"), [(False, False), (True, True)])
def test_only_pages_from_the_network_make_a_trap(frontiers: Backend, replay: bool, fetched: bool) -> None:
    frontier = frontiers.open(Rules(barren_pages=1))
    frontier.offer([link("day/1", replay=replay)])
    frontier.settle([done(take(frontier), fetched=fetched, fruitful=False)])
    assert frontier.offer([link("day/2")]) == [Offered.ACCEPTED]


def test_each_outcome_has_its_state(frontiers: Backend) -> None:
    states = {Outcome.DONE: State.DONE, Outcome.RETRY: State.DELAYED, Outcome.BURY: State.DEAD}
    frontier = frontiers.open()
    for number, (outcome, state) in enumerate(states.items()):
        frontier.offer([link(str(number))])
        lease = take(frontier)
        frontier.settle([replace(done(lease, fetched=False), outcome=outcome, reason="because")])
        standing = frontier.find(lease.link.url)
        assert standing is not None
        assert (standing.state, standing.worker) == (state, None)
        assert standing.reason == "because" or state is State.DONE  # of done ones some backends keep less


def test_links_that_wait_when_their_shape_turns_out_to_be_a_trap_are_dropped(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, host_concurrency=3, barren_pages=3))
    frontier.offer([link(f"day/{number}") for number in range(500)])
    first, second, third = frontier.lease("w1", 3)
    frontier.offer([link("about"), link("day/7", "b.example")])
    assert frontier.settle([done(lease, fruitful=False) for lease in (first, second)]) == [True, True]
    assert frontier.weed() == []
    assert frontier.settle([done(third, fruitful=False)]) == [True]
    dropped = frontier.weed()
    assert (len(dropped), {each.host for each in dropped}) == (497, {"a.example"})
    assert frontier.weed() == []
    assert frontier.offer([dropped[0], link("day/500")]) == [Offered.SEEN, Offered.TRAP]
    assert sorted(paths(drain(frontier))) == ["7", "about"]
    assert frontier.due_in_s() is None
    assert (frontier.census().done, frontier.census().pending) == (502, 0)


def test_a_dropped_link_keeps_its_reason(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, barren_pages=1))
    frontier.offer([link("day/1"), link("day/2")])
    frontier.settle([done(take(frontier), fruitful=False)])
    (dropped,) = frontier.weed()
    standing = frontier.find(dropped.url)
    assert standing
    assert (standing.state, standing.reason) in ((State.DONE, "trap"), (State.DONE, ""))  # a Bloom filter keeps none


def test_all_that_waits_of_a_host_can_be_dropped(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, host_concurrency=2))
    frontier.offer([link(f"{number}/x") for number in range(300)] + [link("other", "b.example")])
    leased = next(lease for lease in frontier.lease("w1", 2) if lease.link.host == "a.example")
    dropped = frontier.drop(leased.link, "host-bytes")
    assert {each.host for each in dropped} == {"a.example"}
    assert len(dropped) >= 298  # one or two of the host are leased
    assert frontier.drop(leased.link, "host-bytes") == []
    assert frontier.offer([dropped[0]]) == [Offered.SEEN]
    frontier.release("w1")
    assert len(drain(frontier)) == 301 - len(dropped)
    assert frontier.due_in_s() is None


def test_what_is_picked_of_all_that_waits_of_a_host_can_be_dropped(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0))
    frontier.offer([link(f"{number}/x") for number in range(20)] + [link(f"{number}/y") for number in range(20)])
    leased = take(frontier).link
    dropped = frontier.drop(leased, "barren", lambda each: each.url.endswith("/y"))
    assert {each.url for each in dropped} == {link(f"{number}/y").url for number in range(20)} - {leased.url}
    assert frontier.drop(leased, "barren", lambda each: False) == []
