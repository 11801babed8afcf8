"""Posts found against posts labelled (CEVC thesis, §3.4.1, eq. 3-5 to 3-7), counts added up over pages.

A found post is a gold post when its element holds that one's text and time elements and those of no other. Where a
path is missing on either side, the texts decide: token F1 of .6 or more, the best pairs first, each post once.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from thresher.lab.metrics.overlap import Overlap, f1
from thresher.lab.metrics.tokens import tokens_of
from thresher.lab.pages import FoundPost, GoldPost

MIN_TEXT_F1 = 0.6


def post_overlap(found: Sequence[FoundPost], gold: Sequence[GoldPost]) -> Overlap:
    """Return how many gold posts were found, and how many posts both sides have."""
    labels = once(gold)
    return Overlap(len(matches(found, labels)), len(found), len(labels))


def once(posts: Iterable[GoldPost]) -> tuple[GoldPost, ...]:
    """Return gold posts without those that label the elements of one before again: they are one post."""
    met: dict[tuple[str, str] | int, GoldPost] = {}
    for number, post in enumerate(posts):
        met.setdefault((post.text_path, post.time_path) if post.text_path else number, post)
    return tuple(met.values())


def matches(found: Sequence[FoundPost], gold: Sequence[GoldPost]) -> dict[int, int]:
    """Map positions in `found` to positions in `gold`, one to one."""
    if gold and found and all(post.text_path for post in gold) and all(post.path for post in found):
        return _by_element(found, gold)
    return _by_text(found, gold)


def _by_element(found: Sequence[FoundPost], gold: Sequence[GoldPost]) -> dict[int, int]:
    pairs: dict[int, int] = {}
    for number, post in enumerate(found):
        roots = [_plain(path) for path in post.path.split("|")]
        touched = [n for n, label in enumerate(gold) if any(_holds(roots, path) for path in _paths(label))]
        if len(touched) != 1 or touched[0] in pairs.values():
            continue
        if all(_holds(roots, path) for path in _paths(gold[touched[0]])):
            pairs[number] = touched[0]
    return pairs


def _paths(post: GoldPost) -> list[str]:
    return [_plain(path) for path in (post.text_path, post.time_path) if path]


def _plain(path: str) -> str:
    """Spell a first or only child one way: `div[1]` and `div` are the same step."""
    return path.strip().replace("[1]", "")


def _holds(roots: Sequence[str], path: str) -> bool:
    return any(path == root or path.startswith(f"{root}/") for root in roots)


def _by_text(found: Sequence[FoundPost], gold: Sequence[GoldPost]) -> dict[int, int]:
    ours = [Counter(tokens_of(post.text)) for post in found]
    theirs = [Counter(tokens_of(post.text)) for post in gold]
    alike = [(_token_f1(a, b), -n, -m) for n, a in enumerate(ours) for m, b in enumerate(theirs)]
    pairs: dict[int, int] = {}
    for value, n, m in sorted(alike, reverse=True):
        if value < MIN_TEXT_F1:
            break
        if -n not in pairs and -m not in pairs.values():
            pairs[-n] = -m
    return pairs


def _token_f1(ours: Counter[str], theirs: Counter[str]) -> float:
    shared = Overlap((ours & theirs).total(), ours.total(), theirs.total())
    return f1(shared.precision, shared.recall)
