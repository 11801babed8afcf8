"""The golden pages give what they are known to give."""

import json

import pytest

from tests.pages import FOLDER, formats_of, slugs, told_of, written_of


@pytest.mark.parametrize("slug", slugs())
def test_a_golden_page_gives_what_is_expected(slug: str) -> None:
    assert told_of(slug) == json.loads((FOLDER / slug / "expected.json").read_text("utf-8"))


@pytest.mark.parametrize("slug", [slug for slug in slugs() if formats_of(slug)])
def test_a_golden_page_is_written_as_expected(slug: str) -> None:
    for name in formats_of(slug):
        assert written_of(slug, name) == (FOLDER / slug / name).read_text("utf-8")


def test_there_are_golden_pages() -> None:
    assert len(slugs()) >= 6
