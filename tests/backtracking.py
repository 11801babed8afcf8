"""A slow matcher for regular expressions that counts its steps: growth can be told without a clock.

It tries what CPython's matcher tries, in the same order, for the constructs that the source uses.
"""

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

sre: Any = import_module("re._constants")  # without types, whatever the checker knows of these modules
_parser: Any = import_module("re._parser")
Goal = Callable[[int], bool]
MAX_STEPS = 1_000_000
POSSESSIVE = {"POSSESSIVE_REPEAT", "ATOMIC_GROUP"}


def operators_of(pattern: str | bytes, flags: int = 0) -> set[str]:
    """Return the names of all operators in a pattern; raise re.error for what is none."""
    return set(_names_in(_parser.parse(pattern, flags)))


def _names_in(tree: Any) -> Iterable[str]:
    if isinstance(tree, _parser.SubPattern):
        for operator, operand in tree:
            yield str(operator)
            yield from _names_in(operand)
    elif isinstance(tree, list | tuple):
        for part in tree:
            yield from _names_in(part)


class Counted:
    """One match of a pattern at the start of a text, and how many steps it took."""

    def __init__(self, pattern: "re.Pattern[str] | re.Pattern[bytes]", text: str | bytes, *, full: bool) -> None:
        self._codes = [ord(char) for char in text] if isinstance(text, str) else list(text)
        self._folds = bool(pattern.flags & re.IGNORECASE)
        self.steps = 0
        ends = len(self._codes)
        tree = list(_parser.parse(pattern.pattern, pattern.flags))
        self.matched = self._sequence(tree, 0, lambda at: not full or at == ends)

    def _sequence(self, tree: list[Any], at: int, goal: Goal) -> bool:
        if not tree:
            return goal(at)
        self.steps += 1
        assert self.steps < MAX_STEPS, "the pattern takes more steps than anybody has time for"
        (operator, operand), rest = tree[0], tree[1:]
        name = str(operator)
        if name in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
            return self._is_one(operator, operand, at) and self._sequence(rest, at + 1, goal)
        if name == "BRANCH":
            return any(self._sequence(list(branch) + rest, at, goal) for branch in operand[1])
        if name == "SUBPATTERN":
            return self._sequence(list(operand[3]), at, lambda end: self._sequence(rest, end, goal))
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, body = operand
            is_greedy = name == "MAX_REPEAT"
            return self._repeat((least, most, list(body)), is_greedy, at, lambda end: self._sequence(rest, end, goal))
        if name in ("ASSERT", "ASSERT_NOT"):
            start = at if operand[0] > 0 else at - operand[1].getwidth()[0]
            holds = start >= 0 and self._sequence(list(operand[1]), start, lambda end: operand[0] > 0 or end == at)
            return holds == (name == "ASSERT") and self._sequence(rest, at, goal)
        assert name == "AT", f"the counter does not know {name}"
        return self._is_at(operand, at) and self._sequence(rest, at, goal)

    def _repeat(self, loop: tuple[int, Any, list[Any]], is_greedy: bool, at: int, goal: Goal) -> bool:
        """Try one round more and the rest, or the other way round; simple loops take no recursion."""
        least, most, body = loop
        if len(body) == 1 and str(body[0][0]) in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
            return self._simple_repeat(least, most, body[0], is_greedy, at, goal)

        def again(end: int) -> bool:
            room = most if most is sre.MAXREPEAT else most - 1
            return (end > at or least > 0) and self._repeat((max(0, least - 1), room, body), is_greedy, end, goal)

        may_again = most is sre.MAXREPEAT or most > 0
        if least > 0:
            return self._sequence(body, at, again)
        if is_greedy:
            return (may_again and self._sequence(body, at, again)) or goal(at)
        return goal(at) or (may_again and self._sequence(body, at, again))

    def _simple_repeat(self, least: int, most: Any, one: Any, is_greedy: bool, at: int, goal: Goal) -> bool:
        end, longest = at, len(self._codes) if most is sre.MAXREPEAT else at + int(most)
        while end < longest and self._is_one(one[0], one[1], end):
            end += 1
            self.steps += 1
        tries = range(at + least, end + 1)
        for place in reversed(tries) if is_greedy else tries:
            self.steps += 1
            if goal(place):
                return True
        return False

    def _is_one(self, operator: Any, operand: Any, at: int) -> bool:
        if at >= len(self._codes):
            return False
        code = self._codes[at]
        codes = {
            code,
            *(ord(fold) for fold in (chr(code).lower(), chr(code).upper()) if self._folds and len(fold) == 1),
        }
        name = str(operator)
        if name == "ANY":
            return True
        if name == "IN":
            negated = str(operand[0][0]) == "NEGATE"
            return any(self._is_in(member, code) for member in operand for code in codes) != negated
        return (operand in codes) == (name == "LITERAL")

    @staticmethod
    def _is_in(member: Any, code: int) -> bool:
        name, what = str(member[0]), member[1]
        if name == "LITERAL":
            return bool(code == what)
        if name == "RANGE":
            return bool(what[0] <= code <= what[1])
        if name == "CATEGORY":
            classes = {"CATEGORY_SPACE": r"\s", "CATEGORY_DIGIT": r"\d", "CATEGORY_WORD": r"\w"}
            return re.match(classes[str(what)], chr(code)) is not None
        return False

    def _is_at(self, where: Any, at: int) -> bool:
        assert str(where) in ("AT_END_STRING", "AT_BEGINNING"), where
        return at == len(self._codes) if str(where) == "AT_END_STRING" else at == 0
