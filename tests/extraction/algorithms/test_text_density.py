"""Text density drops the report's tags, then the children of <body> with little text for their tags."""

import pytest

from thresher.extraction.algorithms.text_density import REMOVED, Part, extract_text_density, read_parts
from thresher.html import parse


def texts_of(html: str) -> list[str]:
    return [block.text for block in extract_text_density(parse(html)).blocks]


def parts_of(html: str) -> list[Part]:
    return list(dict.fromkeys(part for part in read_parts(parse(html).body) if part))


@pytest.mark.parametrize("tag", sorted(REMOVED - {"br", "img", "input", "head"}))
def test_the_listed_tags_go_with_all_that_is_in_them(tag: str) -> None:
    texts = texts_of(f"<body><div>Before <{tag}>the middle <b>of it</b></{tag}> after.</div></body>")
    assert " ".join(texts) == "Before after."


def test_the_density_of_a_part_is_its_characters_by_its_tags_itself_included() -> None:
    (part,) = parts_of("<body><div><p>one two</p><p>three<br><img src=x><a href=x>link</a></p></div></body>")
    assert (part.chars, part.tags) == (11, 3)
    assert part.density == pytest.approx(11 / 3)


def test_a_part_needs_more_than_two_characters_for_each_tag() -> None:
    assert texts_of("<body><div><b>four</b></div><div><b>fives</b></div></body>") == ["fives"]
    assert parts_of("<body><div><b>four</b></div></body>")[0].density == 2


def test_only_the_children_of_the_body_are_weighed() -> None:
    sparse = "<ul>" + "<li><i>1</i></li>" * 5 + "</ul>"
    text = "A long text that is by far dense enough for all of the tags that stand around it."
    assert texts_of(f"<body><div><p>{text}</p>{sparse}</div></body>") == [text, *["1"] * 5]
    assert texts_of(f"<body><p>{text}</p>{sparse}</body>") == [text]


def test_text_that_stands_in_the_body_itself_stays() -> None:
    assert texts_of("<body>a<div><i><b>b</b></i></div>c<br>d</body>") == ["a", "c", "d"]


def test_the_threshold_can_be_moved() -> None:
    html = "<body><div><b>fives</b></div></body>"
    assert extract_text_density(parse(html), threshold=4).blocks == ()


@pytest.mark.parametrize("html", ["", "<body></body>", "<body><form><p>All of it is in a form.</p></form></body>"])
def test_a_page_with_nothing_left_gives_nothing(html: str) -> None:
    content = extract_text_density(parse(html))
    assert content.blocks == ()
    assert content.confidence == 0
