"""DGWC: features, discretisation, and whole pages with the shipped models."""

import json
from itertools import islice
from pathlib import Path

import pytest

from tests.costs import assert_grows_at_most
from tests.extraction.algorithms.news_page import ARTICLE, PAGE
from thresher.errors import UsageError
from thresher.extraction.algorithms import ALGORITHMS
from thresher.extraction.algorithms.dgwc import cell_of, extract_dgwc_svm
from thresher.extraction.line_features import Features, features_of, normalised, topic_lines
from thresher.extraction.regions import Scope
from thresher.html import parse
from thresher.lab.corpora import load

CORPUS = Path(__file__).parents[4] / "shared" / "corpora" / "articles" / "train" / "magic_article.jsonl.gz"
NAMES = ("dgwc-svm", "dgwc-nb", "dgwc-c45")


def test_the_worked_example_has_the_features_of_the_paper() -> None:
    # Section III-B: a line 287 lines from <body> with 198 bytes, 170 of them output, no link and no image.
    filler = "<div>\n" * 286
    lines = topic_lines(f"<body>{filler}<p class='the lead in '>{'x' * 170}</p>", "source")
    features = features_of(lines[286], 287)
    assert [round(value, 2) for value in features] == [287, 198, 170, 0.86, 0, 0]


def test_links_count_for_length_and_number_but_not_for_output() -> None:
    (line,) = topic_lines('<body><p>ab<a href="x">cd</a><img src=y>', "source")
    assert features_of(line, 1) == Features(1, 34, 2, 2 / 34, 1, 1)


def test_lengths_are_in_bytes() -> None:
    (line,) = topic_lines("<body>新闻", "source")
    assert features_of(line, 1).output_length == 6


def test_useless_tags_go_with_what_is_in_them() -> None:
    page = "<body>a<form>b</form><select><option>c</select><label>d</label><noscript>e</noscript><!-- f -->g"
    assert [line.text for line in topic_lines(page, "source")] == ["a g"]


def test_a_form_around_the_whole_page_is_kept() -> None:
    assert [line.text for line in topic_lines("<body><form><p>a</p><select>b</select></form>", "source")] == ["a"]


def test_features_are_divided_by_the_maximum_of_the_page() -> None:
    rows = normalised([Features(1, 10, 5, 0.5, 2, 0), Features(2, 100, 50, 0.5, 1, 0)])
    assert rows == [Features(0.5, 0.1, 0.1, 1, 1, 0), Features(1, 1, 1, 1, 0.5, 0)]
    assert normalised([]) == []


def test_a_feature_takes_the_level_in_which_it_lies_most_and_the_lower_of_equals() -> None:
    scope = Scope(0, 10, 50)
    assert cell_of([0, 7.4, 7.5, 7.6, 20, 21], [scope] * 6) == "LLLMMH"


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_models_find_the_article(name: str) -> None:
    content = ALGORITHMS[name](parse(PAGE, url="http://a.example/news"))
    texts = [block.text for block in content.blocks]
    assert all(paragraph in texts for paragraph in ARTICLE)
    assert not any("Menu" in text or "Copyright" in text for text in texts)
    assert 0 < content.confidence <= 1
    assert content.facts["blocks"] >= content.facts["informative_blocks"] >= 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("page", ["", "x", "<body></body>", "<p>one</p>", "<body>" + "<a href=x>y</a>" * 50])
def test_pages_without_an_article_are_no_error(name: str, page: str) -> None:
    ALGORITHMS[name](parse(page))


@pytest.mark.parametrize("name", ["dgwc-svm", "far-sw", "far-sw-2"])
def test_time_grows_with_the_page_and_no_faster(name: str) -> None:
    body = PAGE.partition("<body>")[2].removesuffix("</body></html>")

    small, large = (parse(f"<body>{body * copies}</body>") for copies in (10, 100))
    assert ALGORITHMS[name](large).facts["lines"] >= 5000
    assert_grows_at_most(30, lambda: ALGORITHMS[name](small), lambda: ALGORITHMS[name](large))


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["dgwc-svm", "dgwc-nb", "dgwc-c45", "far-sw", "far-sw-2"])
@pytest.mark.skipif(not CORPUS.exists(), reason="the labelled pages are not here")
def test_real_pages_are_no_error_and_most_have_text(name: str) -> None:
    contents = [ALGORITHMS[name](parse(page.html)) for page in islice(load(CORPUS), 40)]
    assert sum(bool(content.blocks) for content in contents) >= 32


def test_strict_keeps_to_the_papers_score_and_so_finds_less() -> None:
    tree = parse(PAGE)
    assert extract_dgwc_svm(tree).blocks
    assert not extract_dgwc_svm(tree, strict=True).blocks
    assert extract_dgwc_svm(tree, strict=True, min_score=0.4).blocks


def test_a_window_of_zero_gives_as_many_blocks_as_topical_lines() -> None:
    facts = extract_dgwc_svm(parse(PAGE), window=0).facts
    assert facts["blocks"] == facts["topical_lines"] > 1
    assert extract_dgwc_svm(parse(PAGE)).facts["blocks"] < facts["blocks"]


def test_a_model_file_can_be_given_and_says_which_lines_it_reads(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    model = {"format": 1, "algorithm": "dgwc-svm", "layout": "source", "scopes": [[0, 0.5, 1]] * 6, "topical": []}
    file.write_text(json.dumps(model))
    assert extract_dgwc_svm(parse(PAGE), model=str(file)).facts["topical_lines"] == 0
    tall = extract_dgwc_svm(parse("<body>a\nb"), model=str(file)).facts["lines"]
    flat = extract_dgwc_svm(parse("<body>a\nb"), model=str(file), layout="flowed").facts["lines"]
    assert (tall, flat) == (2, 1)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "not JSON"),
        ("[]", "does not name its algorithm"),
        ('{"algorithm": "dgwc-nb", "format": 1}', "a model of dgwc-nb, not of dgwc-svm"),
        ('{"algorithm": "dgwc-svm", "format": 7}', "format 7"),
        ('{"algorithm": "dgwc-svm", "format": 1}', "damaged"),
        ('{"algorithm": "dgwc-svm", "format": 1, "layout": "flowed", "scopes": [[0, 1]], "topical": []}', "damaged"),
        ('{"algorithm": "dgwc-svm", "format": 1, "layout": "flowed", "scopes": [], "topical": []}', "damaged"),
    ],
)
def test_a_wrong_model_is_refused_by_name(tmp_path: Path, content: str, reason: str) -> None:
    file = tmp_path / "broken.json"
    file.write_text(content)
    with pytest.raises(UsageError, match=f"broken.json.*{reason}"):
        extract_dgwc_svm(parse(PAGE), model=str(file))


def test_a_missing_model_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.json"):
        extract_dgwc_svm(parse(PAGE), model=str(tmp_path / "nowhere.json"))
