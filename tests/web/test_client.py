"""The Python client: what it gives back, that it checks exports, waits for a busy server, and says what went wrong."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.web.browsers import Served
from tests.web.corpus import CHINESE, COPY, HARBOUR, documents, fill
from thresher.catalog.accounts import Scope
from thresher.client import ApiError, Client
from thresher.errors import ThresherError, Unreachable


class InProcess(httpx.BaseTransport):
    """Hands requests over to the application in this process, without a socket."""

    def __init__(self, served: Served) -> None:
        self._client = served.browser()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        headers = dict(request.headers)
        answer = self._client.request(request.method, str(request.url), content=request.content, headers=headers)
        kept = {name: value for name, value in answer.headers.items() if name != "content-length"}
        return httpx.Response(answer.status_code, headers=kept, content=answer.content)


@pytest.fixture
def client(served: Served) -> Iterator[Client]:
    served.do(served.site.corpora.write(fill))
    token = served.program("analyst", Scope.WRITE).headers["authorization"].removeprefix("Bearer ")
    with Client("http://localhost", token, transport=InProcess(served)) as client:
        yield client


def test_searches_go_on_to_the_last_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.client.PAGE", 2)
    found = [hit["url"] for hit in client.search(sort="date")]
    assert sorted(found) == sorted({str(each.url) for each in documents()} - {COPY})  # of copies the original is a hit
    assert len(list(client.search(limit=3))) == 3
    assert client.count("央行") == 1


def test_documents_are_read_and_reasons_told(client: Client) -> None:
    found = client.document(HARBOUR)
    assert found
    assert found["title"] == "Harbour closed"
    assert client.document("https://nowhere.example/") is None
    assert client.why(CHINESE)["document"] is True
    assert client.facets("harbour")["counts"]


@pytest.mark.parametrize("format_", ["jsonl", "csv"])
def test_an_export_is_whole_or_not_there(client: Client, tmp_path: Path, format_: str) -> None:
    target = tmp_path / "all"
    assert client.export("", target, format=format_) == len(documents())  # type: ignore[arg-type]
    text = target.read_text("utf-8")
    if format_ == "jsonl":
        assert len([json.loads(line) for line in text.splitlines()]) == len(documents())
    else:
        assert len(list(csv.reader(io.StringIO(text)))) == 1 + len(documents())


def test_an_export_that_was_broken_off_or_damaged_leaves_no_file(tmp_path: Path) -> None:
    whole = b'{"url": "a"}\n{"url": "b"}\n'
    damaged = whole + json.dumps({"end": {"documents": 2, "sha256": "0" * 64}}).encode() + b"\n"
    for body, words in ((whole, "broken off"), (b"", "broken off"), (damaged, "damaged")):
        transport = httpx.MockTransport(lambda _, body=body: httpx.Response(200, content=body))
        with Client("http://localhost", transport=transport) as client, pytest.raises(ThresherError, match=words):
            client.export("", tmp_path / "all")
        assert list(tmp_path.iterdir()) == []


def test_sources_are_followed_and_listed(client: Client) -> None:
    made = client.follow("https://news.example/", probe=False, tags=["port"])
    assert [source["name"] for source in client.sources()] == [made["name"]]
    assert client.send("DELETE", f"/sources/{made['name']}") is None


def test_what_the_server_refuses_is_an_error_with_its_problem(client: Client) -> None:
    with pytest.raises(ApiError, match="422") as told:
        client.count("(")
    assert told.value.problem["place"] is not None
    with pytest.raises(ApiError) as refused:
        client.get("/users")
    assert refused.value.status == 403


def test_a_busy_server_is_asked_again_when_it_says_so() -> None:
    answers = [httpx.Response(429, headers={"retry-after": "7"}), httpx.Response(200, json={"total": 3})]
    waited: list[float] = []
    transport = httpx.MockTransport(lambda _: answers.pop(0))
    with Client("http://localhost", transport=transport, sleep=waited.append) as client:
        assert client.count() == 3
    assert waited == [7.0]


def test_a_server_that_is_away_is_unreachable() -> None:
    def nobody(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with Client(transport=httpx.MockTransport(nobody)) as client, pytest.raises(Unreachable, match="refused"):
        client.count()


def test_the_progress_of_a_crawl_is_told_until_it_ends() -> None:
    lines = 'retry: 3000\n\nevent: progress\ndata: {"run": 1, "state": "running"}\n\n: still here\n\n'
    lines += 'event: progress\ndata: {"run": 1, "state": "finished"}\n\nevent: end\ndata: {}\n\n'
    transport = httpx.MockTransport(lambda _: httpx.Response(200, text=lines))
    with Client(transport=transport) as client:
        assert [facts["state"] for facts in client.progress(1)] == ["running", "finished"]
