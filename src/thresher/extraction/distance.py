"""Edit distance of two sequences: how many insertions, deletions and substitutions turn one into the other."""

from collections.abc import Hashable, Sequence


def edit_distance(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return the Levenshtein distance, in O(len(other)) steps on integers of len(one) bits (Myers 1999, Hyyrö 2003)."""
    if not one:
        return len(other)
    # Bit i is for one[i]: where it equals a symbol, and where the distance column rises or falls by one.
    places: dict[Hashable, int] = {}
    for index, symbol in enumerate(one):
        places[symbol] = places.get(symbol, 0) | 1 << index
    full = (1 << len(one)) - 1
    last = 1 << len(one) - 1
    rises, falls, distance = full, 0, len(one)
    for symbol in other:
        match = places.get(symbol, 0)
        diagonal = (((match & rises) + rises) ^ rises) | match | falls
        up = falls | (full & ~(diagonal | rises))
        down = rises & diagonal
        distance += bool(up & last) - bool(down & last)
        up = (up << 1 | 1) & full
        down = (down << 1) & full
        rises = down | (full & ~(diagonal | up))
        falls = up & diagonal
    return distance
