"""Ranges are read, and curves drawn as SVG."""

from xml.etree import ElementTree

import pytest

from thresher.analysis.charts import Chart, Series, panels
from thresher.errors import UsageError
from thresher.lab.summary import Row
from thresher.lab.sweeps import curves, extractors_for, read_range

SVG = "{http://www.w3.org/2000/svg}"


def row(group: str, value: float, score: float) -> Row:
    values = {"shingles": {"precision": score, "recall": score / 2, "f1": score * 0.7}}
    return Row(
        by="site",
        group=group,
        extractor=str(value),
        pages=1,
        errors=0,
        ms_per_page=1.0,
        times_fastest=None,
        values=values,
        counts={"blocks": 10 - value},
    )


def test_a_range_has_both_ends_and_exact_steps() -> None:
    assert read_range("alpha=0.1:0.5:0.1") == ("alpha", [0.1, 0.2, 0.3, 0.4, 0.5])
    assert read_range("window=0:10:5") == ("window", [0, 5, 10])
    assert read_range("window=0,1,5") == ("window", [0, 1, 5])
    assert all(isinstance(value, int) for value in read_range("window=0:10:5")[1])


@pytest.mark.parametrize("text", ["alpha", "alpha=", "alpha=a:b:c", "alpha=1:2", "alpha=0:1:0", "alpha=0:1:0.0001"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_range(text)


def test_an_algorithm_is_run_once_for_each_value_and_known_by_it() -> None:
    with pytest.raises(UsageError, match="no parameter 'beta'"):
        extractors_for("cevc", "beta", [1])
    chosen = extractors_for("cevc", "favour", ["recall", "precision"])
    assert [extractor.name for extractor in chosen] == ["recall", "precision"]
    assert len({extractor.identity for extractor in chosen}) == 2


def test_one_group_gives_one_chart_with_a_curve_for_each_value() -> None:
    svg = ElementTree.fromstring(curves([row("all", x, x / 10) for x in (1, 3, 2)], "window", "shingles"))
    polylines = svg.findall(f".//{SVG}polyline")
    assert len(svg.findall(f"{SVG}g")) == 1
    assert len(polylines) == 3
    across = [float(point.split(",")[0]) for point in polylines[0].attrib["points"].split()]
    assert across == sorted(across)
    assert {"precision", "recall", "f1", "window"} <= {text.text for text in svg.iter(f"{SVG}text")}


def test_several_groups_give_a_chart_for_each_value_and_one_for_the_figure() -> None:
    rows = [row(site, x, 0.5) for site in ("a", "b") for x in (0, 1)]
    svg = ElementTree.fromstring(curves(rows, "window", "shingles", "blocks"))
    titles = [text.text for text in svg.iter(f"{SVG}text") if text.attrib["class"] == "title"]
    assert titles == ["blocks", "shingles precision", "shingles recall", "shingles f1"]
    assert len(svg.findall(f".//{SVG}polyline")) == 8


def test_points_lie_inside_the_chart_and_higher_values_higher_up() -> None:
    svg = ElementTree.fromstring(panels([Chart("t", "x", [Series("s", ((0, 0.91), (1, 0.97)))])]))
    (low, high) = (point.split(",") for point in svg.findall(f".//{SVG}polyline")[0].attrib["points"].split())
    assert 0 < float(low[0]) < float(high[0]) < 420
    assert 300 > float(low[1]) > float(high[1]) > 0


@pytest.mark.parametrize("points", [(), ((1, 1),), ((1, 2), (2, 2)), ((0, 0), (1e6, 1e-6))])
def test_no_points_and_level_curves_can_be_drawn(points: tuple[tuple[float, float], ...]) -> None:
    ElementTree.fromstring(panels([Chart("t", "x", [Series("s", points)])]))
    ElementTree.fromstring(panels([]))


def test_names_are_escaped() -> None:
    svg = ElementTree.fromstring(panels([Chart("<script>", "a & b", [Series('"s"', ((0, 1),))])]))
    assert "<script>" in {text.text for text in svg.iter(f"{SVG}text")}
