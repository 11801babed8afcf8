"""The simulated fleet: its model does what the real frontier does, and the trial on a real Redis would see a fault."""

from pathlib import Path

from tests.servers import Server
from thresher.frontier.server import Server as Client
from thresher.lab.simulation import Costs, Plan, course_of_model, course_of_redis, evenness, load_of, sizes_of
from thresher.lab.simulation_live import Trial, gaps, measure


def emptied(server: Server) -> str:
    client = Client(server.url)
    client.call("FLUSHALL")
    client.close()
    return server.url


def test_the_model_serves_the_hosts_that_the_real_frontier_serves_in_every_step(redis_process: Server) -> None:
    plan = Plan(urls=900, hosts=60, skew=1.0, host_pages=60)
    sizes = sizes_of(plan)
    real = course_of_redis(emptied(redis_process), sizes, workers=2, plan=plan)
    model = course_of_model(sizes, 32, 10_000, keep=True)
    assert real.served[0] == 32 > real.served[-1]  # more hosts than the workers can take at first, fewer in the end
    assert (real.hosts, real.served, real.ended, real.left) == (model.hosts, model.served, model.ended, model.left)
    fewest, most = evenness(model, sizes, 10)
    assert 0 < fewest <= most <= 10


def test_sizes_of_hosts_add_up_and_none_is_over_the_most() -> None:
    sizes = sizes_of(Plan(urls=10_000, hosts=100, skew=1.2, host_pages=500))
    assert sum(sizes) == 10_000
    assert max(sizes) == sizes[0] == 500
    assert sizes == sorted(sizes, reverse=True)


def test_a_course_tells_when_a_share_is_served_and_that_some_never_is() -> None:
    course = course_of_model([4, 1, 1], per_step=10, steps=3)
    assert course.served == [3, 1, 1]
    assert (course.steps_until(0.5), course.steps_until(1.0)) == (1, None)
    assert (course.ended, course.left) == ([0, 1, 1], [1, 0, 0])


def test_a_server_that_pays_more_serves_a_smaller_fleet() -> None:
    cost = Costs(10, 5, 60, 200, 100, 10, 1000, 80, 12)
    small, large = (load_of(Plan(workers=number), cost) for number in (100, 1_000))
    assert large.overhead == 10 * small.overhead
    assert small.most_pages_per_s > large.most_pages_per_s > 0


def test_the_judge_of_a_trial_sees_a_host_that_was_given_out_too_soon() -> None:
    assert gaps([(1, 10.0), (2, 10.5), (1, 12.0), (2, 12.6)], 2.0) == (0, 2.0)
    assert gaps([(1, 12.0), (1, 10.5)], 2.0) == (1, 1.5)


def test_workers_that_fetch_nothing_lease_and_settle_politely(redis_process: Server, tmp_path: Path) -> None:
    trial = Trial(20, 2, 2, hosts=40, links=4_000, delay_s=0.3, fetch_s=0.05, minutes=0.05, new_links=1)
    judged = measure(emptied(redis_process), trial, tmp_path)
    assert judged.leases_per_s > 0
    assert (judged.refused, judged.too_soon) == (0, 0)
    assert judged.shortest_gap_s >= trial.delay_s
    assert judged.p99_ms["beat"] >= judged.median_ms["beat"] > 0
