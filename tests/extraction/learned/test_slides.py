"""Slides beside a text are no part of it; a page that is a slide show keeps them."""

from tests.extraction.learned.sheets import sheet_of
from thresher.extraction.learned.slides import without_slides

LEAD = "The ferry did not come on Monday, nor did it come on Tuesday, and the people on the pier went home at last. "
SLIDES = "".join(
    f"<li><p>Ship number {number} lies at the pier and waits for the tide.</p></li>" for number in range(6)
)


def left(markup: str) -> list[str]:
    sheet = sheet_of(f"<body><h1>Ferry is late</h1>{markup}</body>")
    places = list(range(1, len(sheet.table.texts)))
    return [sheet.table.texts[place] for place in without_slides(sheet, places)]


def test_the_slides_below_a_text_are_left_out() -> None:
    text = LEAD * 4
    assert left(f"<p>{text}</p><ul class='hp-slideshow'>{SLIDES}</ul>") == [text.strip()]
    assert left(f"<p>{text}</p><div id='photo-gallery'><ul>{SLIDES}</ul></div>") == [text.strip()]


def test_a_page_that_has_little_else_keeps_them() -> None:
    assert len(left(f"<p>{LEAD}</p><ul class='slideshow'>{SLIDES}</ul>")) == 7


def test_pictures_in_the_text_are_no_show() -> None:
    assert len(left(f"<p>{LEAD * 4}</p><div class='image'>{SLIDES}</div>")) == 7


def test_one_caption_is_no_show() -> None:
    assert len(left(f"<p>{LEAD * 4}</p><div class='carousel'><p>A ship at the pier.</p></div>")) == 2


def test_an_article_inside_an_element_of_that_name_stays() -> None:
    sheet = sheet_of(
        f"<body><div class='carousel'><h1>Ferry is late</h1><p>{LEAD * 4}</p><ul>{SLIDES}</ul></div></body>"
    )
    places = list(range(1, len(sheet.table.texts)))
    assert without_slides(sheet, places) == places


def test_an_endless_name_takes_no_time() -> None:
    slides = "".join(f"<p>Ship number {number} lies at the pier.</p>" for number in range(2_000))
    assert len(left(f"<p>{LEAD * 4}</p><div class='image{' s' * 200_000}'>{slides}</div>")) == 2_001
