"""Where a search server has smartcn, Chinese words come first, and nothing else is found than elsewhere."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from tests.servers import Server, other_search_server

from thresher.index.contract import Given
from thresher.index.opensearch import OpenSearchIndex
from thresher.index.query import parse
from thresher.model import Block, Document, Kind, Span
from thresher.search_server import SearchServer
from thresher.urls import key_of

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
ORIGIN_OF_LIFE = "科学家们多年来一直在深入研究生命的起源问题。"  # … 研究 | 生命 …
STUDENT = "他是一名研究生，每天在图书馆里读书写字到很晚。"  # … 研究生 …


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with other_search_server("opensearch-smartcn") as running:
        yield running


def indexed(server: Server, name: str, *texts: str) -> OpenSearchIndex:
    index = OpenSearchIndex(SearchServer(server.url), name, visible=True)
    index.add([document(number, text) for number, text in enumerate(texts)], NOW)
    return index


def document(number: int, text: str) -> Document:
    url = f"https://example.com/{number}"
    return Document(url, Kind.ARTICLE, 1.0, title=f"{number}", blocks=(Block((Span(text),)),), language="zh")


def found(index: OpenSearchIndex, words: str) -> list[str]:
    return [hit.title for hit in index.search(parse(words, NOW)).hits]


@pytest.mark.parametrize("texts", [(STUDENT, ORIGIN_OF_LIFE), (ORIGIN_OF_LIFE, STUDENT)])
def test_a_word_comes_before_its_characters_side_by_side(server: Server, texts: tuple[str, str]) -> None:
    index = indexed(server, f"words{texts.index(STUDENT)}", *texts)
    student, life = str(texts.index(STUDENT)), str(texts.index(ORIGIN_OF_LIFE))
    assert found(index, "研究生") == [student, life]
    assert found(index, '"研究生"') == [student, life]
    assert found(index, "研究生 -生命") == [student]
    index.close()


def test_any_two_characters_are_found_though_they_are_no_word(server: Server) -> None:
    index = indexed(server, "pairs", STUDENT)
    letters = STUDENT.rstrip("。").split("，")
    pairs = [part[start : start + 2] for part in letters for start in range(len(part) - 1)]
    assert [pair for pair in pairs if found(index, pair) != ["0"]] == []
    assert found(index, "研讨") == []
    assert found(index, "研究所") == []
    index.close()


def test_what_a_rebuild_makes_has_the_words_too(server: Server) -> None:
    index = indexed(server, "again", "旧文章")
    documents = [document(number, text) for number, text in enumerate((ORIGIN_OF_LIFE, STUDENT))]
    list(index.rebuild([Given(key_of(each.url or ""), each, NOW, 1) for each in documents]))
    assert found(index, "研究生") == ["1", "0"]
    index.close()
