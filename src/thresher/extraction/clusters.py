"""K-means over points of the plane, from given centres: the same input always gives the same clusters."""

from collections import Counter
from collections.abc import Iterable, Sequence

MAX_ROUNDS = 30  # Lloyd rounds; pages settle in 5 to 15


def k_means(points: Iterable[complex], centres: Sequence[complex], *, fixed: int = 0) -> list[complex]:
    """Return where the centres come to rest; the first `fixed` ones never move, nor does one that nobody is near."""
    weights = Counter(points)
    now = list(centres)
    for _ in range(MAX_ROUNDS):
        sums = [0j] * len(now)
        counts = [0] * len(now)
        for point, weight in weights.items():
            index = nearest(point, now)
            sums[index] += point * weight
            counts[index] += weight
        moved = [total / count if count else old for total, count, old in zip(sums, counts, now, strict=True)]
        moved[:fixed] = now[:fixed]
        if moved == now:
            break
        now = moved
    return now


def nearest(point: complex, centres: Sequence[complex]) -> int:
    """Return the index of the nearest centre, of equals the first."""
    distances = [abs(point - centre) for centre in centres]
    return distances.index(min(distances))
