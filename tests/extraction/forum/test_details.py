"""Links to posts, and lines above code: a quick look at their characters rules out nothing that expressions find."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.extraction.forum import details, words

PIECES = (
    *("#", "?", "&", ";", "/", "=", "-", "f", "F", "p", "P", "1", "23", "pid", "post", "posts", "indpost", "ermalink"),
    *("msg", "comment", "postid", "x", "a.php", "é", "ı"),
)


@settings(max_examples=2_000)
@given(st.lists(st.sampled_from(PIECES), max_size=7).map("".join))
def test_links_to_posts_are_told_as_by_the_expression(href: str) -> None:
    assert details._leads_to_post(href) == (details._LINK.search(href) is not None)


@pytest.mark.parametrize(
    "line", ["Code:", "PHP code", "html Code: [Select]", "代码", "Quelltext", "Código:", "КОД", "复制代码"]
)
def test_lines_above_code_begin_as_they_may(line: str) -> None:
    assert words.CODE_LINE.match(line)
    assert line[0] in words.CODE_STARTS
