"""The golden pages give what they are known to give."""

import json

import pytest

from tests.pages import FOLDER, slugs, told_of


@pytest.mark.parametrize("slug", slugs())
def test_a_golden_page_gives_what_is_expected(slug: str) -> None:
    assert told_of(slug) == json.loads((FOLDER / slug / "expected.json").read_text("utf-8"))


def test_there_are_golden_pages() -> None:
    assert len(slugs()) >= 6
