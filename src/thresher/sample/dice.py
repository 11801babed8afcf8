"""Chance that repeats: the same names give the same dice, and numbers are shuffled without a table."""

import math
import random
from collections.abc import Sequence


def dice(*names: object) -> random.Random:
    """Return a random generator that depends on the names alone, in every process and on every machine."""
    return random.Random("/".join(map(str, names)))


def shuffled(number: int, size: int, seed: int) -> int:
    """Return where `number` goes in a fixed shuffle of range(size): no two numbers share a place."""
    step = int(size * 0.618) + seed % 7
    while math.gcd(step, size) != 1:
        step += 1
    return (number * step + seed) % size


def picks(number: int, lists: Sequence[Sequence[str]], seed: int) -> list[str]:
    """Return one word of each list, a combination that only this number has (until the combinations run out)."""
    rest = shuffled(number, math.prod(map(len, lists)), seed)
    chosen = []
    for words in lists:
        rest, place = divmod(rest, len(words))
        chosen.append(words[place])
    return chosen
