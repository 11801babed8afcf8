"""The index in a real search server: rebuilt beside the one in use, and written to while it is away and back."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from tests.contracts.store_words import document, fate, page, post, texts
from tests.servers import Server

from thresher import wiring
from thresher.config import Settings
from thresher.errors import Unreachable
from thresher.index.contract import Given
from thresher.index.opensearch import OpenSearchIndex
from thresher.index.query import parse
from thresher.model import Block, Document, Fate, Kind, Span
from thresher.search_server import SearchServer
from thresher.store.contract import Record
from thresher.store.elastic import elastic_store
from thresher.urls import key_of

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
_NUMBERS = count()


def given(name: str, text: str = "apple") -> Given:
    url = f"https://example.com/{name}"
    return Given(key_of(url), Document(url, Kind.ARTICLE, 1.0, title=name, blocks=(Block((Span(text),)),)), NOW, 1)


@pytest.fixture
def index(opensearch_process: Server) -> Iterator[OpenSearchIndex]:
    made = OpenSearchIndex(SearchServer(opensearch_process.url), f"own{next(_NUMBERS)}", visible=True)
    yield made
    made.close()


def found(index: OpenSearchIndex, words: str) -> set[str]:
    return {hit.title for hit in index.search(parse(words, NOW), limit=1_000)}


def test_the_old_index_answers_until_the_new_one_is_complete(index: OpenSearchIndex) -> None:
    index.add([given("old").document], NOW)
    numbered = [given(f"n{number}") for number in range(450)]
    for _ in index.rebuild(numbered):
        assert found(index, "apple") == {"old"}
    assert index.count() == 450
    assert found(index, "apple") == {each.document.title for each in numbered}


def test_what_is_written_during_a_rebuild_is_in_the_new_index_as_well(index: OpenSearchIndex) -> None:
    work = index.rebuild([given(f"n{number}") for number in range(250)])
    next(work)
    index.add([given("n3", "banana").document, given("n240", "banana").document, given("new").document], NOW)
    index.remove([given("n4").key])
    list(work)
    assert found(index, "banana") == {"n3", "n240"}
    assert index.count() == 250


def test_an_interrupted_rebuild_goes_on_where_it_was(index: OpenSearchIndex) -> None:
    numbered = [given(f"n{number}") for number in range(250)]
    work = index.rebuild(numbered)
    next(work)
    building = index._indexes(f"{index._name}-next")
    assert sum(index.rebuild(numbered)) == 250
    assert index._indexes(index._name) == building
    assert index.count() == 250


def test_a_rebuild_takes_the_settings_of_the_template(index: OpenSearchIndex) -> None:
    index.add([given("a").document], NOW)
    changed = {"number_of_shards": 2, "refresh_interval": "3s", "auto_expand_replicas": "false"}
    template = {"index_patterns": [f"{index._name}-*"], "template": {"settings": changed}, "priority": 200}
    index._server.call("PUT", f"/_index_template/{index._name}", template)
    list(index.rebuild([given("a")]))
    (settings,) = index._server.call("GET", f"/{index._name}/_settings").values()
    held = settings["settings"]["index"]
    assert {name: held[name] for name in changed} == {name: str(value) for name, value in changed.items()}


def test_an_index_of_another_version_is_told(index: OpenSearchIndex, caplog: pytest.LogCaptureFixture) -> None:
    index.add([given("a").document], NOW)
    index._is_ready, index._version = False, "another"
    assert found(index, "apple") == {"a"}
    assert "thresher index rebuild" in caplog.text


def test_an_absent_server_is_one_clear_line(tmp_path: Path) -> None:
    settings = Settings(data=str(tmp_path), index="opensearch://ann:s3cret@127.0.0.1:1/corpus")
    corpus = wiring.open_corpus(settings)
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:1 does not answer") as raised:
        corpus.index.count()
    assert "s3cret" not in str(raised.value)
    corpus.close()


@pytest.mark.slow
def test_what_is_stored_while_the_server_is_away_is_found_when_it_is_back(
    opensearch_process: Server, tmp_path: Path
) -> None:
    settings = Settings(data=str(tmp_path), index=f"{opensearch_process.url}/away")
    corpus = wiring.open_corpus(settings)
    run = corpus.store.start_run(["https://example.com/"], {}, NOW)
    for number in range(60):
        if number == 20:
            opensearch_process.kill()
        document = given(f"n{number}").document
        assert document.url
        with corpus.together():
            corpus.store.save(Record(Fate(document.url, run.id, "stored", "article", NOW), document=document))
            corpus.index.add([document], NOW, run=run.id)
    corpus.close()
    opensearch_process.start()
    corpus = wiring.open_corpus(settings)
    corpus.index.add([given("n0").document], NOW)  # whoever writes next carries over what waits
    corpus.index.flush()
    assert corpus.index.total(parse("apple", NOW)) == 60
    corpus.close()


def test_the_server_looks_for_new_documents_every_second(opensearch_process: Server) -> None:
    index = OpenSearchIndex(SearchServer(opensearch_process.url), f"own{next(_NUMBERS)}")
    index.add([given("a").document], NOW)
    ((_, told),) = index._server.call("GET", f"/{index._name}/_settings").items()
    assert told["settings"]["index"]["refresh_interval"] == "1s"
    index.flush()
    assert found(index, "apple") == {"a"}
    index.close()


@pytest.mark.parametrize("is_first", [True, False])
def test_a_store_whose_name_begins_like_that_of_an_index_finds_its_posts(
    opensearch_process: Server, is_first: bool
) -> None:
    name, url = f"own{next(_NUMBERS)}", "https://example.com/t"
    index = OpenSearchIndex(SearchServer(opensearch_process.url), name)
    if is_first:
        index.flush()  # makes it
    store, close = elastic_store(f"{opensearch_process.url}/{name}-store")
    store.save(Record(fate(url), page(url), document(url, posts=(post(1, id="p1"),))))
    index.flush()
    assert texts(store, url) == ["text"]
    assert index.count() == 0
    close()
    index.close()


def test_a_template_of_others_takes_no_posts_from_a_store(opensearch_process: Server) -> None:
    name, url = f"own{next(_NUMBERS)}", "https://example.com/t"
    server = SearchServer(opensearch_process.url)
    mappings = {"dynamic": True, "properties": {"posts": {"type": "object", "enabled": False}}}
    given = {"index_patterns": [f"{name}*"], "priority": 500, "template": {"mappings": mappings}}
    server.call("PUT", f"/_index_template/{name}-others", given)
    store, close = elastic_store(f"{opensearch_process.url}/{name}")
    store.save(Record(fate(url), page(url), document(url, posts=(post(1, id="p1"),))))
    assert texts(store, url) == ["text"]
    close()
    server.call("DELETE", f"/_index_template/{name}-others")
    server.close()
