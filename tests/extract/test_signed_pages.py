"""Pages in Chinese, Japanese and Korean name those whom their sites say to have written them.

The pages are those of `signed_pages`, which `thresher.lab.train.signed_pages` tells of. What a page is like begins with
"~" where it is still answered wrongly: such pages are learned from, and not tested.
"""

from pathlib import Path

import pytest

from thresher.extract.extractor import extract
from thresher.lab.train.signed_pages import Signed, page_of, read_frames, read_signed

FOLDER = Path(__file__).parent / "signed_pages"
FRAMES = read_frames(FOLDER)
MISSED = "~"
MAX_MISSED = 0.05  # of the pages


def cases(files: str = "*.txt") -> list[object]:
    return [
        pytest.param(signed, id=f"{file}: {signed.name}")
        for file, signed in read_signed(FOLDER, files)
        if not signed.name.startswith(MISSED)
    ]


@pytest.mark.parametrize("signed", cases())
def test_a_page_names_who_signed_it(signed: Signed) -> None:
    assert set(extract(page_of(signed, FRAMES)).authors) == signed.names


@pytest.mark.parametrize("signed", cases("chinese*.txt"))
def test_a_busy_page_names_none_but_who_signed_it(signed: Signed) -> None:
    assert set(extract(page_of(signed, FRAMES, is_busy=True)).authors) == signed.names


def test_few_pages_are_answered_wrongly() -> None:
    names = [signed.name for _, signed in read_signed(FOLDER)]
    assert sum(name.startswith(MISSED) for name in names) <= MAX_MISSED * len(names)
