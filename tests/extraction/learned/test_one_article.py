"""Of a page that shows several articles, or teasers of others, the one that the title belongs to is kept."""

from array import array

from tests.extraction.learned.sheets import sheet_of
from thresher.extraction.learned.decide import choose

LONG = "The ferry did not come on Monday, nor did it come on Tuesday, and the people on the pier went home at last."
OTHER = "The chess club has won the cup for the third time, and its members went from the hall to the harbour inn."
HEAD = "<html><head><title>Ferry is late | Post</title></head><body>"


def chosen(page: str, *chances: float) -> list[int]:
    return choose(sheet_of(page), array("d", chances), "balance")[0]


def test_of_several_articles_only_that_of_the_page_s_title_is_kept() -> None:
    first = "<article><h1>Ferry is late</h1><p>The ferry was late again today.</p></article>"
    other = "<article><h1>Cup is won</h1><p>The chess club has won the cup again.</p></article>"
    page = "<html><head><title>Ferry is late | Post</title></head><body><main>{}</main></body></html>"
    assert chosen(page.format(first + other), 0.2, 0.9, 0.2, 0.9) == [1]
    assert chosen(page.format(other + first), 0.2, 0.9, 0.2, 0.9) == [3]


def test_parts_of_one_article_without_headlines_of_their_own_are_all_kept() -> None:
    parts = "<section><h1>Ferry is late</h1><p>It was late again today.</p></section><section><p>More.</p></section>"
    page = f"<html><head><title>Ferry is late | Post</title></head><body>{parts}</body></html>"
    assert chosen(page, 0.2, 0.9, 0.9) == [1, 2]


def test_headings_of_one_article_are_no_articles_of_their_own() -> None:
    parts = "<h1>Ferry is late</h1><p>It was late again today.</p><h1>Why it was</h1><p>A rope had broken.</p>"
    page = f"<html><head><title>Ferry is late | Post</title></head><body>{parts}</body></html>"
    assert chosen(page, 0.9, 0.9, 0.9, 0.9) == [0, 1, 2, 3]


def next_article(between: str) -> str:
    first = f"<div><h1>Ferry is late</h1><p>{LONG}</p></div>"
    return (
        f"{HEAD}<main>{first}{between}<div class='story'><h1>Cup is won</h1><p>{OTHER}</p></div></main></body></html>"
    )


def test_the_text_ends_where_a_headline_stands_that_is_made_as_the_title_is() -> None:
    assert chosen(next_article("<hr>"), 0.2, 0.9, 0.2, 0.9) == [1]


def test_a_headline_that_is_itself_likely_is_a_heading_of_the_text() -> None:
    assert chosen(next_article("<hr>"), 0.2, 0.9, 0.7, 0.9) == [1, 2, 3]


def test_a_headline_before_which_no_text_stands_does_not_end_it() -> None:
    page = f"{HEAD}<div><h1>Ferry is late</h1></div><div class='x'><h1>News</h1><p>{LONG}</p></div></body></html>"
    assert chosen(page, 0.2, 0.2, 0.9) == [2]


def with_entries(heading: str, *, outside: bool = True) -> str:
    entry = f"<li><div><h4>{heading}</h4><p>{OTHER}</p></div></li>"
    article = f"<article><h1>Ferry is late</h1><p>{LONG}</p>"
    entries = "".join(entry.replace("third", word) for word in ("first", "second", "fifth"))
    parts = (f"{article}</article>", f"<ul>{entries}</ul>") if outside else (article, f"<ul>{entries}</ul></article>")
    return f"{HEAD}<main>{''.join(parts)}</main></body></html>"


LINK = "<a href='/cup'>Cup is won</a>"
DOUBTFUL = (0.1, 0.5, 0.05, 0.5, 0.05, 0.7, 0.05, 0.5)


def test_teasers_below_a_short_article_are_left_out() -> None:
    assert chosen(with_entries(LINK), *DOUBTFUL) == [1]


def test_entries_whose_headings_are_no_links_are_kept() -> None:
    assert chosen(with_entries("Cup is won"), *DOUBTFUL) == [1, 3, 5, 7]


def test_entries_in_the_element_of_title_and_text_are_kept() -> None:
    assert chosen(with_entries(LINK, outside=False), *DOUBTFUL) == [1, 3, 5, 7]


def test_entries_that_are_likely_are_kept() -> None:
    assert chosen(with_entries(LINK), 0.2, 0.9, 0.1, 0.9, 0.1, 0.9, 0.1, 0.9) == [1, 3, 5, 7]


def test_a_page_of_many_headlines_and_entries_takes_no_longer_for_each() -> None:
    counts = []
    for size in (200, 400):
        entries = f"<div><h1>Cup {LINK}</h1><p>Won.</p></div>" * size
        sheet = sheet_of(f"{HEAD}<main><h1>Ferry is late</h1>{'<div>' * size}<p>{LONG}</p>{entries}")
        looked = sheet.table.parent = _Counted("i", sheet.table.parent)
        choose(sheet, array("d", [0.5] * len(sheet.table.texts)), "balance")
        counts.append(looked.reads)
    assert counts[1] < 3 * counts[0]


class _Counted(array):  # type: ignore[type-arg]
    """An array that counts how often it is read."""

    reads = 0

    def __getitem__(self, place: int) -> int:  # type: ignore[override]
        self.reads += 1
        return int(super().__getitem__(place))
