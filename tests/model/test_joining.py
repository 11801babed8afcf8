"""Which pages are of one article, and what they say together."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from thresher.model import Block, Document, Kind, Span
from thresher.model.content import Image
from thresher.model.joining import is_page_of, joined

NOW = datetime(2026, 11, 1, 8, tzinfo=UTC)
FIRST = Document("https://example.com/a", Kind.ARTICLE, 0.9, title="The long walk", authors=("Ann Lee",), published=NOW)


def page(*texts: str, tag: str = "p", **values: object) -> Document:
    blocks = tuple(Block((Span(text),), tag, f"/html/body/{tag}[{n}]") for n, text in enumerate(texts, start=1))
    return replace(FIRST, blocks=blocks, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The long walk", "The long walk"),
        ("The long walk", "THE LONG WALK"),
        ("The long walk", "The long walk – Page 2"),
        ("The long walk", "The long walk | Page 2 of 3"),
        ("The long walk", "The long walk (2)"),
        ("The long walk", "The long walk 2/3"),
        ("The long walk", "Page 2: The long walk"),
        ("Der lange Weg", "Der lange Weg - Seite 2"),
        ("Der lange Weg - Seite 1", "Der lange Weg - Seite 2"),
        ("港口的冬天", "港口的冬天（2）"),
        ("港口的冬天", "港口的冬天 第2页"),
        ("港口的冬天", "港口的冬天第2页"),
        ("港口的冬天", "港口的冬天_2"),
        ("港口的冬天(1)", "港口的冬天(2)"),
    ],
)
def test_a_title_may_tell_the_number_of_its_page(first: str, second: str) -> None:
    assert is_page_of(replace(FIRST, title=first), replace(FIRST, title=second), 2)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The long walk", "The short walk"),
        ("The long walk", "The long walk – Page 3"),
        ("The long walk", "The long walk (2024)"),
        ("Portal", "Portal 2"),
        ("港口的冬天", "港口的春天"),
        ("", ""),
        ("– Page 1", "– Page 2"),
    ],
)
def test_another_title_is_that_of_another_article(first: str, second: str) -> None:
    assert not is_page_of(replace(FIRST, title=first), replace(FIRST, title=second), 2)


def test_another_author_day_or_kind_is_that_of_another_article() -> None:
    assert is_page_of(FIRST, replace(FIRST, authors=(), published=None), 2)
    assert is_page_of(FIRST, replace(FIRST, authors=("Bo Li", "Ann Lee"), published=datetime(2026, 11, 1)), 2)
    assert not is_page_of(FIRST, replace(FIRST, authors=("Bo Li",)), 2)
    assert not is_page_of(FIRST, replace(FIRST, published=NOW + timedelta(days=3)), 2)
    assert not is_page_of(FIRST, replace(FIRST, kind=Kind.THREAD), 2)


def test_what_all_pages_repeat_is_there_once_and_pagers_are_left_out() -> None:
    lead, end = "For thirty years she has walked here.", "Nora Field writes about walks."
    pages = [
        page("The long walk", lead, "One goes up to the gate.", end, "Pages: 1 2 3"),
        page("The long walk", lead, "Two goes down to the sea.", end, "Pages: 1 2 3"),
        page(
            "The long walk – Page 3",
            lead,
            "Three goes home by bus.",
            end,
            "Pages: 1 2 3",
            title="The long walk – Page 3",
        ),
    ]
    said = ["One goes up to the gate.", "Two goes down to the sea.", "Three goes home by bus."]
    assert joined(pages).text.split("\n") == ["The long walk", lead, *said, end]


def test_a_page_that_says_what_another_said_adds_nothing() -> None:
    comments = page("One.", "Two is a longer sentence than the others are.", "By a reader", links=("https://x.test/",))
    first = page("One.", "Two is a longer sentence than the others are.", "Pages: 1 2")
    assert joined([first, comments]) == first
    assert joined([first]) == first


def test_what_stands_in_two_pages_is_in_no_one_paragraph_or_list() -> None:
    end = (Block((Span("Eggs"),), "li", "/html/body/ul/li[1]"), Block((Span("One line"),), "p", "/html/body/div"))
    start = (Block((Span("Another"),), "p", "/html/body/div"), Block((Span("Milk"),), "li", "/html/body/ul/li[1]"))
    whole = joined([replace(FIRST, blocks=end), replace(FIRST, blocks=start)])
    assert whole.markdown() == "# The long walk\n\n- Eggs\n\nOne line\n\nAnother\n\n- Milk\n"
    assert whole.html().count("<ul>") == whole.html().count("<p>") == 2


def test_images_and_links_keep_their_places() -> None:
    first = page("One.", "Two.", images=(Image("https://x.test/1.png", place=1),), links=("https://x.test/a",))
    second = page(
        "The long walk",
        "Three.",
        "Four.",
        images=(Image("https://x.test/2.png", place=2), Image("https://x.test/3.png", place=3)),
        links=("https://x.test/a", "https://x.test/b"),
    )
    whole = joined([first, second])
    assert [(image.url[-5], image.place) for image in whole.images] == [("1", 1), ("2", 3), ("3", 4)]
    assert whole.links == ("https://x.test/a", "https://x.test/b")
