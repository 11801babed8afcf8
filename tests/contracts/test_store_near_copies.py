"""What every store promises of copies that are not word for word, and of who published first."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import permutations

import pytest

from tests.contracts.store_words import NOW, document, fate, page
from thresher.model import Block, Span
from thresher.store.contract import Record, Store
from thresher.urls import key_of

WORDS = ("river", "harbour", "council", "vote", "bridge", "winter", "budget", "ferry", "market", "storm")


def article(seed: int, sentences: int = 12) -> list[str]:
    """Return the paragraphs of an article that no other seed shares."""
    dice = random.Random(seed)
    return [" ".join(f"{dice.choice(WORDS)}{dice.randrange(400)}" for _ in range(12)) + "." for _ in range(sentences)]


def save(store: Store, url: str, lines: Sequence[str], *, published: datetime | None = None, minutes: int = 0) -> str:
    """Save an article of some paragraphs; return its whole URL."""
    whole = f"https://{url}"
    blocks = tuple(Block((Span(line),)) for line in lines)
    made = document(whole, blocks=blocks, published=published, site=url.partition("/")[0])
    store.save(Record(fate(whole, at=NOW + timedelta(minutes=minutes)), page(whole), made))
    return whole


def test_a_text_that_was_cut_and_framed_is_a_copy(store: Store) -> None:
    lines = article(1)
    first = save(store, "a.example/1", lines)
    second = save(store, "b.example/1", ["Agency, 20 November.", *lines[:9], "Subscribe to our letter."], minutes=1)
    other = save(store, "a.example/2", article(2), minutes=2)
    assert store.copies(second) == [first, second]
    assert store.copies(other) == [other]


def test_chinese_texts_are_compared_by_characters(store: Store) -> None:
    dice = random.Random(3)
    lines = ["".join(chr(0x4E00 + dice.randrange(3000)) for _ in range(30)) + "。" for _ in range(6)]
    first = save(store, "a.example/zh", lines)
    second = save(store, "b.example/zh", [" ".join(lines[:5]), "（完）"], minutes=1)
    assert store.copies(first) == [first, second]


def test_the_first_publisher_is_named_whenever_it_arrives(store: Store) -> None:
    lines = article(4)
    late = save(store, "b.example/4", lines[:10], published=NOW - timedelta(hours=2))
    assert store.originals([key_of(late)]) == {key_of(late): key_of(late)}
    early = save(store, "a.example/4", lines, published=NOW - timedelta(hours=5), minutes=5)
    group = store.copy_groups([late])[late]
    assert (group.url, group.site, group.documents, group.sites) == (early, "a.example", 2, 2)
    assert store.copies(late) == [early, late]
    assert store.originals([key_of(early), key_of(late)]) == {key_of(early): key_of(early), key_of(late): key_of(early)}
    assert store.moved_copies([early], NOW + timedelta(minutes=4)) == [late]


def test_a_date_after_the_fetch_does_not_make_a_page_later_than_it_was_seen(store: Store) -> None:
    lines = article(5)
    seen_first = save(store, "a.example/5", lines, published=NOW + timedelta(days=3))
    save(store, "b.example/5", lines[1:], published=NOW + timedelta(minutes=2), minutes=3)
    assert store.copies(seen_first)[0] == seen_first


def test_any_order_gives_the_same_groups_and_originals(store: Store) -> None:
    lines = article(6, 20)
    versions = {"a": lines[:14], "b": lines[3:17], "c": lines[6:], "d": article(7, 20)}
    for number, order in enumerate(permutations(versions)):
        for name in order:
            save(store, f"{name}.example/{number}", [f"Number {number}.", *_marked(versions[name], number)])
        # a and c are alike only by way of b.
        group = {key_of(f"https://{name}.example/{number}") for name in "abc"}
        first = min(group)
        alone = key_of(f"https://d.example/{number}")
        assert store.originals([*sorted(group), alone]) == dict.fromkeys(group, first) | {alone: alone}


def _marked(lines: Sequence[str], number: int) -> list[str]:
    """Return lines that only those of the same number share."""
    return [" ".join(f"{word}x{number}" for word in line.split()) for line in lines]


def test_an_article_that_was_edited_keeps_its_copies(store: Store) -> None:
    lines = article(8, 16)
    first = save(store, "a.example/8", lines)
    copied = save(store, "b.example/8", lines, minutes=1)
    for minutes in (2, 3):  # the last version is like the one before, and that like the first
        lines = [*lines[4:], *article(80 + minutes, 4)]
        save(store, "a.example/8", lines, minutes=minutes)
    assert store.copies(copied) == [first, copied]


def test_a_document_that_gets_another_text_leaves_its_group(store: Store) -> None:
    lines = article(10)
    first = save(store, "a.example/10", lines)
    second = save(store, "b.example/10", lines, minutes=1)
    save(store, "a.example/10", article(11), minutes=2)
    assert store.copies(second) == [second]
    assert store.originals([key_of(second)]) == {key_of(second): key_of(second)}
    assert store.copies(first) == [first]


def test_saving_again_changes_nothing(store: Store) -> None:
    lines = article(12)
    for minutes in (0, 10):
        first = save(store, "a.example/12", lines, minutes=minutes)
        second = save(store, "b.example/12", lines[2:], minutes=minutes + 1)
    assert store.copies(first) == [first, second]
    assert store.moved_copies([first], NOW) == [second]
    assert store.moved_copies([first], NOW + timedelta(minutes=5)) == []


def test_short_texts_are_copies_only_word_for_word(store: Store) -> None:
    lines = article(13, 3)
    first = save(store, "a.example/13", lines)
    near = save(store, "b.example/13", [*lines, "More."], minutes=1)
    same = save(store, "c.example/13", lines, minutes=2)
    assert store.copies(first) == [first, same]
    assert store.copies(near) == [near]


@pytest.mark.parametrize("url", ["https://nobody.example/", "https://a.example/short"])
def test_what_has_no_copies_has_no_group(store: Store, url: str) -> None:
    save(store, "a.example/short", ["Too short."])
    assert store.copy_groups([url]) == {}
    assert store.copies(url) == []
    assert store.originals([key_of(url)]) == {key_of(url): key_of(url)}
