"""Lines and labels name who signs them; other lines name nobody."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.extraction.fields.signature_words import LEAD, OTHER_MAKER, OTHER_STARTS, has_lead_in, may_begin_with_name
from thresher.extraction.fields.signatures import (
    LOGIN,
    STAFF,
    _names_of,
    _pieces_of,
    find_labelled,
    find_signatures,
    read_line,
)

TEXT = "The ferry to the islands runs again, and the harbour is as full as it was before the storm came in. " * 2


def names_in(line: str, *sites: str) -> tuple[str, ...]:
    read = read_line(line, sites)
    return read.names if read else ()


@pytest.mark.parametrize(
    "line",
    [
        "By Ann Miller",
        "by: Ann Miller",
        "By Ann Miller, 5 June 2016",
        "By Ann Miller • June 5, 2016",
        "posted on 2016-06-05 by Ann Miller",
        "06/05/2016 by Ann Miller, Head of Ferries",
        "Text by Ann Miller",
        "Text & Fotos: Ann Miller",
        "Von Ann Miller",
        "von Ann Miller, GRAIN NORD",
        "di Ann Miller",
        "jeudi 5 juin 2016, par Ann Miller",
        "Ein Interview von Ann Miller mit Bob Stone",
        "Автор: Ann Miller",
        "Ann Miller - June 5, 2016",
        "June 5, 2016 Ann Miller",
        "/ Ann Miller / 10:08 am Fri Jul 5, 2016",
        "Ann Miller / GRAIN.COM / Jun 5, 2016, 17:07 IST",
        "Ann Miller, Staff Writer",
        "Ann Miller – Journalist",
        "Ann Miller Deputy News Editor",
        "Ann MillerNews Reporter",
        "Ann Miller5 hours ago",
        "Ann MillerMay 5, 20162 Shares",
        "By Ann MillerPublished: Jun 5, 2016 10:55 AM EST",
        "By Ann Miller, DVM. Reviewed by Bob Stone, DVM",
        "Written By: Ann Miller Executive Editor and Master Gardener",
        "Dienstag, 5. Juni 2016, von Dr. Ann Miller",
        "This post was written by Ann Miller, who likes ferries",
    ],
)
def test_a_line_that_one_person_signs(line: str) -> None:
    assert names_in(line) == ("Ann Miller",)


@pytest.mark.parametrize(
    "line",
    [
        "By Ann Miller and Bob Stone",
        "Von Ann Miller und Bob Stone, dpa",
        "Ann Miller and Bob Stone, Grain Times - Jun 5, 2016 3:06 pm UTC",
        "Ann Miller and Bob Stone | Guest Columnists",
        "Authors:Ann Miller, Bob Stone",
    ],
)
def test_a_line_that_two_people_sign(line: str) -> None:
    assert names_in(line) == ("Ann Miller", "Bob Stone")


def test_a_paper_without_a_comma_ends_a_name() -> None:
    assert names_in("Ann Miller Harbour Grain", "harbourgrain") == ("Ann Miller",)
    assert names_in("Ann Miller Harbour Grain") == ("Ann Miller Harbour Grain",)


def test_logins_and_organisations_sign_after_by_only() -> None:
    for line, name, kind in (
        ("Publiziert am 5. Juni 2016 von annm", "annm", LOGIN),
        ("Geschrieben von Annm am 5.6.2016 22:30 (15 x gelesen)", "Annm", LOGIN),
        ("By The Grain Desk", "The Grain Desk", STAFF),
    ):
        read = read_line(line)
        assert read is not None
        assert (read.names, read.kind) == ((name,), kind)
    assert read_line("annm") is None
    assert read_line("The Grain Desk") is None


@pytest.mark.parametrize(
    "line",
    [
        "Photo by Ann Miller",
        "Medically reviewed by Ann Miller",
        "By the time it was late",
        "The ferry passed by Ann Miller and other people on the shore",
        "Stand by",
        "Before You Begin",
        "Die Alpen",
        "Travel Tips",
        "Home | News | Sports | Ann | Bob | Cid | Dan | Eve | Fay | Gus",
    ],
)
def test_lines_that_nobody_signs(line: str) -> None:
    assert names_in(line) == ()


def test_names_alone_on_lines_below_each_other_sign_together() -> None:
    signed = [each.names for each in find_signatures(["Ann Miller", "Bob Stone", TEXT], range(2), ())]
    assert signed == [("Ann Miller",), ("Bob Stone",), ("Ann Miller", "Bob Stone")]


def test_a_label_names_who_stands_below_it() -> None:
    assert [each.names for each in find_labelled(["About the Author", "Ann Miller, Writer"], ())] == [("Ann Miller",)]
    assert [each.names for each in find_labelled(["Von", "Ann Miller", "Bob Stone", TEXT], ())] == [
        ("Ann Miller", "Bob Stone")
    ]
    assert list(find_labelled(["Authority", "Ann Miller"], ())) == []


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("ByAnn Miller", ("Ann Miller",)),
        ("byAnn MillerMay 5, 2016", ("Ann Miller",)),
        ("PorLucía Vega Ramos", ("Lucía Vega Ramos",)),
        ("Von: ANN MÜLLER", ("ANN MÜLLER",)),
        ("By Ann Miller/Bo Stone", ("Ann Miller", "Bo Stone")),
        ("By Ann MillerHarbour & Ferry Reporter", ("Ann Miller",)),
        ("Ann Miller Granite Bay Courier", ("Ann Miller",)),
        ("Posted by annm on Friday May 5, 2016 @08:00PM", ("annm",)),
        ("By Ann Miller By Ann Miller", ("Ann Miller",)),
        ("Autoren Anna Müller und Jutta Stein", ("Anna Müller", "Jutta Stein")),
        ("Escribe Lucía Vega en Puerto", ("Lucía Vega",)),
        ("Συντάκτης: Ελένη Παππά", ("Ελένη Παππά",)),
        ("Του Γιώργου Νικολάου", ("Γιώργου Νικολάου",)),
        ("Автор: Ирина Волкова", ("Ирина Волкова",)),
        ("Ирина ВОЛКОВА — 17.01.2012 15:44", ("Ирина ВОЛКОВА",)),
        ("Autor: Rechtsanwältin Anna Stein", ("Anna Stein",)),
        ("بقلم: ليلى حسن", ("ليلى حسن",)),
        ("מאת דנה לוי", ("דנה לוי",)),
    ],
)
def test_bylines_of_other_makes_and_languages(line: str, names: tuple[str, ...]) -> None:
    assert names_in(line) == names


@pytest.mark.parametrize(
    "line",
    [
        "Byte Order Marks",
        "Της ζωής τα χρόνια",
        "Ann Miller’s",
        "The ferry in the harbour of the islands, seen at night. By Ann Miller",
        "Parker Street/Harbour Road",
    ],
)
def test_what_only_looks_like_a_byline(line: str) -> None:
    assert names_in(line) == ()


# All words of the two expressions, and what may stand between them.
PIECES = sorted({*re.findall(r"\w+", f"{LEAD.pattern} {OTHER_MAKER.pattern}"), *" :：-–&/.\t©İıſ", "Ann Miller"})
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=6)


@settings(max_examples=1000)
@given(TEXTS, st.sampled_from(("", " ")), st.sampled_from((str, str.upper, str.title)))
def test_no_lead_and_no_other_maker_is_passed_over(pieces: list[str], between: str, case: type[str]) -> None:
    text = case(between.join(pieces))
    assert has_lead_in(text) or not LEAD.match(text)
    assert not text[:2].isascii() or text[:2].lower() in OTHER_STARTS or not OTHER_MAKER.match(text)


@pytest.mark.parametrize(
    "lead", ["This post was written by: X", "a cura di X", "a\tcura di X", "EINE GESCHICHTE VON X"]
)
def test_a_lead_that_begins_otherwise_is_read(lead: str) -> None:
    assert has_lead_in(lead)


@settings(max_examples=500)
@given(TEXTS, st.sampled_from(("", " ", " & ", ", ")))
def test_who_signs_begins_with_a_name_or_after_a_lead(pieces: list[str], between: str) -> None:
    part = between.join(pieces).strip(" ,;:-–—")
    names, _ = _names_of(_pieces_of(part), False, ("grain",))
    assert not names or may_begin_with_name(part)
