"""Pages labelled by hand: kept in the data folder, learned from, and measured by models that do not know their site."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.commands import run
from tests.needs import need
from thresher.errors import BackendError
from thresher.lab import corpora
from thresher.lab.before_after import compare
from thresher.lab.fields_gold import load_gold
from thresher.lab.pages import LabelledPage
from thresher.lab.training import trainer_of
from thresher.store.labels import FOLDER, Label, Labels

SITES = ("one.example", "two.example", "three.example")
TALE = "The harbour master said on Thursday that the ferry would sail again once the pier had been mended, in week {}."
OTHER = "Nobody in the harbour had expected so long a winter, and the fishermen of quay {} were glad when it was over."


def label_of(site: str, number: int) -> Label:
    text = [TALE.format(number), OTHER.format(number)]
    kept = "".join(f"<p>{line}</p>\n" for line in text)
    html = (
        f"<html><body><ul><li><a href='/a'>Home</a></li>\n<li><a href='/b'>Sport</a></li></ul>\n"
        f"<h1>Pier {number}</h1>\n{kept}<div><a href='/c'>All rights reserved</a></div></body></html>"
    )
    return Label(
        url=f"https://{site}/{number}",
        html=html,
        text="\n".join(text),
        blocks=(3, 4),
        title=f"Pier {number}",
        authors=("Ann Lee", "Lee, Bob; Jr."),
        published="2026-11-18",
        language="en",
        by="ada",
        at=datetime(2026, 11, 19, 8, number, tzinfo=UTC),
    )


@pytest.fixture
def labels(tmp_path: Path) -> Labels:
    kept = Labels(tmp_path / FOLDER)
    for site in SITES:
        for number in range(2):
            kept.save(label_of(site, number))
    return kept


def test_a_label_is_kept_as_it_was_made_and_the_last_one_counts(tmp_path: Path) -> None:
    kept = Labels(tmp_path / FOLDER)
    assert list(kept.all()) == []
    kept.save(label_of("one.example", 1))
    kept.save(label_of("one.example", 1))
    assert list(kept.all()) == [label_of("one.example", 1)]
    assert kept.get("https://one.example/1") == label_of("one.example", 1)
    assert kept.get("https://one.example/2") is None


def test_a_removed_label_can_be_restored_until_its_page_is_labelled_again(tmp_path: Path) -> None:
    kept, label = Labels(tmp_path / FOLDER), label_of("one.example", 1)
    kept.save(label)
    assert kept.remove(label.url)
    assert not kept.remove(label.url)
    assert kept.get(label.url) is None
    assert kept.restore(label.url)
    assert kept.get(label.url) == label
    kept.remove(label.url)
    kept.save(label)
    assert not kept.restore(label.url)


def test_a_file_that_is_no_label_is_named(tmp_path: Path) -> None:
    kept = Labels(tmp_path / FOLDER)
    kept.save(label_of("one.example", 1))
    (file,) = (tmp_path / FOLDER).iterdir()
    file.write_bytes(b"no gzip")
    with pytest.raises(BackendError, match=file.name):
        list(kept.all())


def test_labels_are_read_as_labelled_pages_and_fields(labels: Labels, tmp_path: Path) -> None:
    pages = list(corpora.load(tmp_path / FOLDER))
    assert {page.site for page in pages} == set(SITES)
    assert {page.text for page in pages} == {label.text for label in labels.all()}
    gold = next(load_gold([tmp_path / FOLDER])).gold
    assert (gold.title[:4], gold.authors, str(gold.day)) == ("Pier", ("Ann Lee", "Lee, Bob; Jr."), "2026-11-18")


def test_a_page_is_judged_by_a_model_that_has_not_seen_its_site(labels: Labels, tmp_path: Path) -> None:
    need("sklearn")
    pages = list(corpora.load(tmp_path / FOLDER))
    learned_from: list[set[str]] = []

    class Watched:
        def train(self, pages: list[LabelledPage]) -> bytes:
            learned_from.append({page.site for page in pages})
            return trainer_of("dgwc-nb").train(pages)

    worth = compare("dgwc-nb", Watched(), pages)  # type: ignore[arg-type]
    assert len(learned_from) == len(SITES)
    assert all(len(sites) == len(SITES) - 1 for sites in learned_from)
    assert all(each.after is not None for each in worth)


def test_pages_of_one_site_have_no_figure_after(labels: Labels, tmp_path: Path) -> None:
    need("sklearn")
    pages = [page for page in corpora.load(tmp_path / FOLDER) if page.site == SITES[0]]
    worth = compare("dgwc-nb", trainer_of("dgwc-nb"), pages)
    assert [each.after for each in worth] == [None, None]


def test_train_learns_from_the_labels_of_the_data_folder_and_reports_on_them(labels: Labels, tmp_path: Path) -> None:
    need("sklearn")
    told = run("--data", str(tmp_path), "train", "--algorithm", "dgwc-nb")
    assert told.returncode == 0, told.stderr
    assert told.stdout.count("https://") == 6
    assert "6 labelled pages" in told.stderr
    report = json.loads((tmp_path / FOLDER / "report.json").read_text("utf-8"))
    assert (tmp_path / FOLDER / "dgwc-nb.model").is_file()
    assert len(report["pages"]) == 6
    assert report["after"] is not None


def test_train_without_labels_says_what_to_do(tmp_path: Path) -> None:
    told = run("--data", str(tmp_path), "train", "--algorithm", "dgwc-nb")
    assert told.returncode == 2
    assert "no page is labelled yet" in told.stderr
