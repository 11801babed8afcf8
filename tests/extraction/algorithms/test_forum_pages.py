"""Small pages on which PEAN and MiBAT are known to succeed or to fail (the CEVC thesis, §3.4.3, and our own)."""

import json
from pathlib import Path

import pytest

from thresher.extraction.algorithms import ALGORITHMS
from thresher.html import parse

FOLDER = Path(__file__).parent / "forum_pages"
SLUGS = sorted(path.name for path in FOLDER.iterdir())


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("name", ["pean", "mibat"])
def test_a_method_finds_the_posts_it_is_known_to_find(slug: str, name: str) -> None:
    expected = json.loads((FOLDER / slug / "expected.json").read_text("utf-8"))
    tree = parse((FOLDER / slug / "source.html").read_bytes())
    content = ALGORITHMS[name](tree)
    found = [tree.root.xpath(post.xpath)[0].get("id") for post in content.posts]
    assert found == expected[name], expected["why"]
    assert [post.position for post in content.posts] == list(range(1, len(found) + 1))


@pytest.mark.parametrize("slug", SLUGS)
def test_our_own_method_finds_all_posts_with_their_authors(slug: str) -> None:
    expected = json.loads((FOLDER / slug / "expected.json").read_text("utf-8"))
    tree = parse((FOLDER / slug / "source.html").read_bytes())
    posts = ALGORITHMS["thresher-posts"](tree).posts
    assert [tree.root.xpath(post.xpath)[0].get("id") for post in posts] == expected["posts"]
    assert all(post.author and post.text for post in posts)


def test_the_pages_name_a_failure_of_each_method() -> None:
    pages = [json.loads((FOLDER / slug / "expected.json").read_text("utf-8")) for slug in SLUGS]
    for name in ("pean", "mibat"):
        assert any(page[name] != page["posts"] for page in pages)
        assert any(page[name] == page["posts"] for page in pages)
