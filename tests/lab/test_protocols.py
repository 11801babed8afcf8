"""Cross-validation never tests a page on a model that saw it; rules are told per site."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.extraction.algorithms.news_page import ARTICLE, PAGE
from tests.lab.pages import labelled
from tests.needs import need
from thresher.errors import UsageError
from thresher.lab.cache import Cache
from thresher.lab.evaluate import Options
from thresher.lab.extractors import choose
from thresher.lab.folds import folds_of, large_sites
from thresher.lab.pages import LabelledPage
from thresher.lab.protocols import rules_per_site, run_protocol
from thresher.lab.training import TRAINERS, Models

need("sklearn")

PAGES = [labelled(n, site=f"{n % 12}.example") for n in range(60)] + [labelled(n, site="big") for n in range(60, 75)]


class Memory:
    """Learns which pages it was given."""

    def __init__(self) -> None:
        self.trainings = 0

    def train(self, pages: Sequence[LabelledPage]) -> bytes:
        self.trainings += 1
        return json.dumps(sorted(page.id for page in pages)).encode()

    def describe(self, model: bytes) -> Mapping[str, str]:
        return {"learned": str(len(json.loads(model)))}


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Memory:
    trainer = Memory()
    monkeypatch.setitem(TRAINERS, "cevc", trainer)
    return trainer


@pytest.mark.parametrize("protocol", ["ten-fold", "inter-site"])
def test_every_page_is_tested_once_and_never_on_itself(protocol: str) -> None:
    folds = list(folds_of(PAGES, protocol))
    assert len(folds) == 10
    assert sorted(page.id for fold in folds for page in fold.test) == sorted(page.id for page in PAGES)
    assert not any(set(fold.train) & set(fold.test) for fold in folds)
    assert all(len(fold.train) + len(fold.test) == len(PAGES) for fold in folds)


def test_inter_site_tests_sites_that_the_training_never_saw() -> None:
    for fold in folds_of(PAGES, "inter-site"):
        assert not {page.site for page in fold.train} & {page.site for page in fold.test}


def test_intra_site_trains_and_tests_within_one_large_site() -> None:
    folds = list(folds_of(PAGES, "intra-site"))
    assert len(folds) == 10
    assert {page.site for fold in folds for page in (*fold.train, *fold.test)} == {"big"}
    assert sum(len(fold.test) for fold in folds) == 15


def test_folds_are_the_same_every_time() -> None:
    assert list(folds_of(PAGES, "ten-fold")) == list(folds_of(PAGES, "ten-fold"))


def test_pages_that_do_not_allow_a_protocol_are_refused() -> None:
    with pytest.raises(UsageError, match="10 pages or more"):
        large_sites(PAGES[:12])
    with pytest.raises(UsageError, match="two sites"):
        list(folds_of(PAGES[60:], "inter-site"))
    with pytest.raises(UsageError, match="folds"):
        list(folds_of(PAGES[:9], "ten-fold"))
    with pytest.raises(UsageError, match="inter-site"):
        list(folds_of(PAGES, "leave-one-out"))


def test_trained_algorithms_are_trained_anew_for_each_fold_and_others_stand_beside_them(
    memory: Memory, tmp_path: Path
) -> None:
    extractors = choose("cevc,body-text", with_peers=False)
    options = Options(cache_folder=tmp_path, jobs=2)
    results = run_protocol(PAGES, extractors, "intra-site", options)
    assert memory.trainings == 10
    assert {result.extractor for result in results} == {"cevc intra-site", "body-text"}
    assert len(results) == 2 * 15
    run_protocol(PAGES, extractors, "intra-site", options)
    assert memory.trainings == 10


def test_plain_evaluation_trains_nothing(memory: Memory) -> None:
    results = run_protocol(PAGES[:2], choose("cevc", with_peers=False), "plain", Options())
    assert [result.extractor for result in results] == ["cevc", "cevc"]
    assert memory.trainings == 0


def test_rules_are_told_for_each_large_site_and_for_all(memory: Memory) -> None:
    rows = list(rules_per_site(PAGES, "cevc", Cache(None), 10))
    assert rows == [("big", 15, {"learned": "15"}), ("all sites", 75, {"learned": "75"})]


def test_a_model_is_a_file_named_by_its_content(memory: Memory, tmp_path: Path) -> None:
    models = Models(tmp_path, Cache(None))
    path = models.path("cevc", PAGES[:2])
    assert json.loads(path.read_bytes()) == ["news/0", "news/1"]
    assert models.path("cevc", PAGES[:2]) == path
    assert models.path("cevc", PAGES[:3]) != path


def test_an_algorithm_that_is_not_trained_is_refused() -> None:
    with pytest.raises(UsageError, match="body-text is not trained"):
        list(rules_per_site(PAGES, "body-text", Cache(None), 10))


def test_a_method_that_is_to_read_other_lines_is_trained_on_them(tmp_path: Path) -> None:
    options = Options(cache_folder=tmp_path)
    (chosen,) = choose("far-sw:layout=source", with_peers=False)
    pages = [labelled(n, site=f"{n}.example", html=PAGE, text="\n".join(ARTICLE)) for n in range(2)]
    assert {result.error for result in run_protocol(pages, [chosen], "inter-site", options)} == {""}
    layouts = {json.loads(file.read_text())["layout"] for file in (tmp_path / "models").iterdir()}
    assert layouts == {"source"}
    with pytest.raises(UsageError, match="unknown line layout 'tall'"):
        run_protocol(pages, choose("far-sw:layout=tall", with_peers=False), "inter-site", options)


def test_fewer_folds_can_be_asked_for() -> None:
    assert len(list(folds_of(PAGES, "inter-site", 3))) == 3
    assert len(list(folds_of(PAGES, "ten-fold", 4))) == 4
