"""What a worker tells of itself, and what it is told."""

from thresher.crawling.heartbeat import FRESH_S, Heart, Limits, doing_of, is_fresh, memory_bytes
from thresher.crawling.landing import Landing
from thresher.frontier.contract import Settlement
from thresher.frontier.overseer import Beat, Overseer
from thresher.model import Lease, Link, Outcome


class Board:
    """An overseer that remembers what was said."""

    def __init__(self, order: str = "") -> None:
        self.said: list[tuple[str, str]] = []
        self.order = order

    def beat(self, worker: str, doing: str) -> str:
        self.said.append((worker, doing))
        return self.order

    def retire(self, worker: str) -> None:
        self.said.append((worker, "gone"))


def heart(board: Board, limits: Limits | None = None, clock: list[float] | None = None) -> Heart:
    overseer: Overseer = board  # type: ignore[assignment]
    times = clock if clock is not None else [0.0]
    return Heart(overseer, "w1", limits or Limits(), clock=lambda: times[0])


def landing(number: int) -> Landing:
    lease = Lease(Link(f"http://a.test/{number}"), token=number, worker="w1", expires_at=0.0)
    return Landing(Settlement(lease, Outcome.DONE, "stored", fetched=True))


def test_a_worker_tells_what_it_is_doing() -> None:
    board, clock = Board(), [100.0]
    ours = heart(board, clock=clock)
    for number in range(30):
        ours.landed(landing(number))
    clock[0] += 20.0
    ours.beat("running", 5)
    said = doing_of(Beat("w1", 0.0, board.said[0][1], 5))
    assert (said["state"], said["pages"], said["in_flight"], said["up_s"]) == ("running", 30, 5, 20)
    assert said["per_min"] == 90.0
    assert said["last_url"] == "http://a.test/29"
    assert said["memory_bytes"] > 1_000_000


def test_the_rate_is_that_of_the_last_minute() -> None:
    board, clock = Board(), [0.0]
    ours = heart(board, clock=clock)
    for number in range(600):
        ours.landed(landing(number))
    for _ in range(30):
        clock[0] += 5.0
        ours.beat("running", 0)
    assert doing_of(Beat("w1", 0.0, board.said[-1][1], 0))["per_min"] == 0.0


def test_an_order_is_heard_with_a_beat() -> None:
    board = Board(order="drain")
    ours = heart(board)
    assert ours.order == ""
    ours.beat("running", 0)
    assert ours.order == "drain"


def test_an_order_that_came_at_the_last_moment_is_heard_on_leaving() -> None:
    board = Board(order="stop")
    ours = heart(board)
    ours.retire()
    assert ours.order == "stop"
    assert board.said[-1] == ("w1", "gone")


def test_pages_and_memory_make_a_worker_begin_anew() -> None:
    counted = heart(Board(), Limits(pages=2))
    counted.landed(landing(1))
    assert counted.order == ""
    counted.landed(landing(2))
    assert counted.order == "recycle"
    heavy, light = heart(Board(), Limits(memory_bytes=1)), heart(Board(), Limits(memory_bytes=10**15))
    heavy.beat("running", 0)
    assert heavy.order == "", "it has done nothing yet"
    for each in (heavy, light):
        each.landed(landing(1))
        each.beat("running", 0)
    assert (heavy.order, light.order) == ("recycle", "")


def test_somebodys_order_goes_before_the_limits() -> None:
    ours = heart(Board(order="stop"), Limits(memory_bytes=1))
    ours.landed(landing(1))
    ours.beat("running", 0)
    assert ours.order == "stop"


def test_only_who_was_heard_of_just_now_is_fresh() -> None:
    assert is_fresh(Beat("w1", FRESH_S, "", 0))
    assert not is_fresh(Beat("w1", FRESH_S + 1, "", 0))
    assert doing_of(Beat("w1", 0.0, "in other words", 0)) == {}
    assert memory_bytes() > 1_000_000
