"""What the names of elements say of them."""

import pytest

from thresher.extraction.forum import naming


@pytest.mark.parametrize(
    ("key", "marks"),
    [
        ("blockquote", naming.IS_QUOTATION | naming.IS_QUOTE),
        ("blockquote.postcontent", naming.IS_QUOTATION),  # some forums keep the text of posts in it
        ("div.bbcode_quote", naming.IS_QUOTATION | naming.IS_QUOTE),
        ("div.quoter", 0),
        ("footer", naming.IS_BARE_CHROME),
        ("footer.a", 0),
        ("a.username", naming.SPEAKS_OF_AUTHOR),
    ],
)
def test_tag_and_classes_tell_quotations_authors_and_what_is_no_text(key: str, marks: int) -> None:
    assert naming.marks_of_key(key) == marks


@pytest.mark.parametrize(
    ("names", "marks"),
    [
        ("", 0),
        ("signature", naming.IS_CHROME),
        ("avatar", naming.MAY_BE_CHROME),
        ("user-inner", 0),
        ("inner", naming.IS_TEXT),
        ("message", naming.SPEAKS_OF_TEXT | naming.SPEAKS_OF_POST),
    ],
)
def test_names_tell_posts_their_text_and_what_stands_around_it(names: str, marks: int) -> None:
    assert naming.marks_of_names(names) == marks


@pytest.mark.parametrize(
    ("tag", "marks"),
    [
        ("a", naming.IS_INLINE | naming.NO_BODY | naming.MAY_NAME | naming.IS_LINK | naming.STRESSES),
        ("div", naming.MAY_NAME | naming.MAY_BE_POST | naming.MAY_QUOTE),
        ("a.b", 0),
        ("", 0),
    ],
)
def test_tags_tell_what_an_element_may_hold(tag: str, marks: int) -> None:
    assert naming.marks_of_tag(tag) == marks
