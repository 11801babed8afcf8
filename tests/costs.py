"""What work costs, told in work of this machine at this moment: no test depends on how fast or busy a machine is."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from thresher.extraction.compiled import TIMES_SLOWER, interpreted_parts

YARDSTICK_S = 0.02  # CPU time of the yardstick on a machine whose seconds are the unit of all limits
ROUNDS = 10


def _yardstick_s() -> float:
    """Return the CPU time that a fixed piece of work takes now."""
    started_s = time.process_time()
    words: dict[str, int] = {}
    for number in range(60_000):
        word = str(number % 977)
        words[word] = words.get(word, 0) + len(word)
    return time.process_time() - started_s


@contextmanager
def costing_at_most(limit: float) -> Iterator[None]:
    """Fail where the block takes more CPU time than `limit` seconds of a machine that does the yardstick in its time.

    Limits are many times what is needed, and far below what work that grows with the square of its input would need;
    where nothing is compiled, all is allowed to be as much slower as it is said to be.
    """
    before_s = _yardstick_s()
    started_s = time.process_time()
    yield
    spent_s = time.process_time() - started_s
    second_s = max(before_s, _yardstick_s(), YARDSTICK_S / 2) / YARDSTICK_S
    allowed_s = limit * second_s * (TIMES_SLOWER if interpreted_parts() else 1)
    assert spent_s < allowed_s, f"{spent_s:.2f} s of CPU, of which {allowed_s:.2f} s were allowed"


def assert_grows_at_most(times: float, small: Callable[[], object], large: Callable[[], object]) -> None:
    """Fail unless the large piece of work takes at most so many times the CPU time of the small one.

    Both are done in turn, and the least time of each counts: whatever else the machine does only adds to them.
    """
    least_small = least_large = float("inf")
    for _ in range(ROUNDS):
        least_small = min(least_small, _cpu_s(small))
        least_large = min(least_large, _cpu_s(large))
        if least_large <= times * least_small:
            return
    raise AssertionError(f"{least_large / least_small:.1f} times the CPU time, of which {times} were allowed")


def _cpu_s(work: Callable[[], object]) -> float:
    started_s = time.process_time()
    work()
    return max(time.process_time() - started_s, 1e-6)
