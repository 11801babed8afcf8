"""The end of a page names its author: in a biography, below the text, in links to more posts, as the owner."""

import pytest

from thresher.extraction.fields.closings import (
    find_archives,
    find_biographies,
    find_closings,
    find_farewells,
    find_owners,
)

TEXT = "The ferry to the islands runs again, and the harbour is as full as it was before the storm came in. " * 2


def test_a_biography_says_who_someone_is() -> None:
    assert list(find_biographies([TEXT, "Ann Miller is a writer from the islands."])) == [(1, "Ann Miller")]
    assert list(find_biographies(["Ann Miller is as far from the islands as the ferry."])) == []
    assert list(find_biographies(["A" * 50])) == []


def test_the_only_bare_name_below_a_text_signs_it() -> None:
    assert list(find_farewells([TEXT, "Ann Miller"])) == ["Ann Miller"]
    assert list(find_farewells([TEXT, "Ann Miller", TEXT, "Bob Stone"])) == []
    assert list(find_farewells([TEXT, "Travel Tips"])) == []


def test_a_name_below_a_text_may_have_a_place_and_a_date_behind_it() -> None:
    assert list(find_farewells([TEXT, "Ирина Волкова, ПОРТ. 28 ноября 2011"])) == ["Ирина Волкова"]
    assert list(find_farewells([TEXT, "Ann Miller, the captain of the ferry"])) == []


def test_a_name_above_an_office_below_the_text_is_the_writers() -> None:
    assert list(find_closings(["Ferry", TEXT, "Ann Miller", "Harbour Reporter"], 1)) == ["Ann Miller"]
    assert list(find_closings(["Ferry", TEXT, "Ann Miller", "Captain of the ferry"], 1)) == []
    assert list(find_closings(["Ann Miller", "Harbour Reporter", TEXT], 2)) == []


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("View all posts by Ann Miller →", ["Ann Miller"]),
        ("More from Ann Miller", ["Ann Miller"]),
        ("Alle Beiträge von Ann Müller", ["Ann Müller"]),
        ("Más artículos de Lucía Vega", ["Lucía Vega"]),
        ("More from the harbour", []),
        ("All ferries of the week", []),
    ],
)
def test_a_link_to_all_posts_names_who_wrote_them(line: str, names: list[str]) -> None:
    assert list(find_archives([TEXT, line], ())) == names


@pytest.mark.parametrize(
    ("line", "host", "names"),
    [
        ("© 2012-2025 Ann Miller. All rights reserved.", "example.org", ["Ann Miller"]),
        ("Copyright © Ann Miller | Imprint", "example.org", ["Ann Miller"]),
        ("© 2025 Harbour Post Inc.", "example.org", []),
        ("Ann Miller's Ferry Blog", "www.annmiller.example", ["Ann Miller"]),
        ("Ann Miller's Ferry Blog", "ferryblog.example", []),
    ],
)
def test_the_owner_of_a_page_is_named_by_its_rights_or_its_host(line: str, host: str, names: list[str]) -> None:
    assert list(find_owners([TEXT, line], host)) == names
