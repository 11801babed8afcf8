"""What every store promises: an article that is edited keeps its versions."""

from datetime import UTC, datetime, timedelta

from thresher.model import Block, Document, Fate, Kind, Span
from thresher.store.contract import MAX_VERSIONS, Record, Store

URL = "https://a.example/ferry"
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def saved(store: Store, text: str, hours: int, title: str = "The ferry") -> None:
    """Save an article as it is after some hours."""
    document = Document(URL, Kind.ARTICLE, 0.9, title, (Block((Span(text),)),))
    store.save(Record(Fate(URL, 1, "stored", "stored", NOON + timedelta(hours=hours)), document=document))


def test_an_article_that_never_changed_has_one_version(store: Store) -> None:
    assert store.versions(URL) == []
    for hours in range(3):
        saved(store, "The ferry was late.", hours)
    (only,) = store.versions(URL)
    assert (only.at, only.title, only.text) == (NOON, "The ferry", "The ferry was late.")


def test_each_change_of_title_or_text_is_a_version(store: Store) -> None:
    saved(store, "The ferry was late.", 0)
    saved(store, "The ferry was early.", 1)
    saved(store, "The ferry was early.", 2)
    saved(store, "The ferry was early.", 3, title="A ferry")
    found = store.versions(URL)
    assert [(version.at - NOON).seconds // 3600 for version in found] == [0, 1, 3]
    assert [version.text for version in found][:2] == ["The ferry was late.", "The ferry was early."]
    assert found[-1].title == "A ferry"


def test_saving_a_change_twice_leaves_one_version(store: Store) -> None:
    saved(store, "The ferry was late.", 0)
    for _ in range(2):
        saved(store, "The ferry was early.", 1)
    assert len(store.versions(URL)) == 2


def test_what_an_article_says_last_at_a_moment_is_its_version_then(store: Store) -> None:
    for text, hours in (("The ferry was late.", 0), ("The ferry was", 1), ("The ferry was early.", 1)):
        saved(store, text, hours)
    assert [version.text for version in store.versions(URL)] == ["The ferry was late.", "The ferry was early."]


def test_of_very_many_versions_the_first_and_the_latest_are_kept(store: Store) -> None:
    for hours in range(MAX_VERSIONS + 5):
        saved(store, f"The ferry was {hours} hours late.", hours)
    found = store.versions(URL)
    assert len(found) == MAX_VERSIONS
    assert (found[0].at, found[-1].text) == (NOON, f"The ferry was {MAX_VERSIONS + 4} hours late.")
