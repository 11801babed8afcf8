"""The HTTP API: what it answers to whom, and that its description is the one that is shipped."""

import hashlib
import json

import pytest

from tests.web.browsers import PASSWORD, Browser, Served
from tests.web.corpus import HARBOUR, fill
from thresher.catalog.accounts import Scope
from thresher.web.api.app import description, shipped

READ = (
    *("/search?q=harbour", "/search.json", "/search.csv", "/search.jsonl", "/search.rss", "/facets", "/clauses?q=a"),
    *(f"/documents?url={HARBOUR}", f"/posts?url={HARBOUR}", f"/versions?url={HARBOUR}", f"/copies?url={HARBOUR}"),
    *("/stories", "/trends", "/volume", "/stats", f"/why?url={HARBOUR}", "/export", "/sources", "/sources/health"),
    *("/keywords", "/runs", "/me", "/tokens", "/sessions"),
)
CHANGES: tuple[tuple[str, str, dict[str, object] | None, Scope], ...] = (  # method, path, body, scope that it takes
    ("POST", "/keywords", {"words": ["harbour"]}, Scope.WRITE),
    ("POST", "/sources", {"url": "https://news.example/", "probe": False}, Scope.WRITE),
    ("POST", "/users", {"name": "new", "password": PASSWORD}, Scope.ADMIN),
    ("POST", "/runs/1/cancel", {}, Scope.WRITE),
    ("GET", "/users", None, Scope.ADMIN),
    ("GET", "/audit", None, Scope.ADMIN),
    ("GET", "/workers", None, Scope.WORKER),
)


@pytest.fixture
def filled(served: Served) -> Served:
    """The application over a few documents."""
    served.do(served.site.corpora.write(fill))
    return served


def api(client: Browser, path: str) -> dict[str, object]:
    answer = client.get(f"/api/v1{path}")
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


def test_the_shipped_description_is_that_of_the_api() -> None:
    assert shipped() == json.loads(json.dumps(description())), "run scripts/openapi"


def test_every_path_for_readers_answers_a_token_that_reads_and_nobody_else(filled: Served) -> None:
    reader, nobody = filled.program("viewer", Scope.READ), filled.browser()
    for path in READ:
        assert reader.settled("GET", f"/api/v1{path}").status_code == 200, path
        refused = nobody.get(f"/api/v1{path}")
        assert refused.status_code == 401, path
        assert refused.headers["content-type"] == "application/problem+json"


def test_a_token_can_do_what_its_scope_says_and_no_more_than_its_user(filled: Served) -> None:
    clients = {scope: filled.program("admin", scope) for scope in Scope}
    of_viewer = filled.program("viewer", Scope.WRITE)
    for method, path, body, needed in CHANGES:
        allowed = {needed, Scope.ADMIN} | ({Scope.ADMIN} if needed is Scope.WORKER else set())
        for scope, client in clients.items():
            status = client.request(method, f"/api/v1{path}", json=body).status_code
            assert (status != 403) == (scope in allowed), (method, path, scope, status)
        assert of_viewer.request(method, f"/api/v1{path}", json=body).status_code == 403


def test_a_token_that_was_ended_or_never_was_is_refused(filled: Served) -> None:
    client = filled.program("viewer", Scope.READ)
    assert client.request("DELETE", "/api/v1/tokens/token-0").status_code == 204
    assert client.get("/api/v1/me").status_code == 401
    client.headers["authorization"] = "Bearer thr_nonsense"
    assert client.get("/api/v1/me").status_code == 401


def test_pages_of_a_search_follow_each_other_and_hold_every_document_once(filled: Served) -> None:
    client = filled.program("viewer", Scope.READ)
    urls: list[str] = []
    after = ""
    while True:
        page = client.get("/api/v1/search", params={"limit": 2, "sort": "date", **({"after": after} if after else {})})
        found = page.json()
        urls += [hit["url"] for hit in found["hits"]]
        if found["next"] is None:
            break
        after = found["next"]
    assert len(urls) == len(set(urls)) == found["total"]


def test_an_export_ends_with_its_count_and_the_hash_of_what_came_before(filled: Served) -> None:
    client = filled.program("viewer", Scope.READ)
    body = client.get("/api/v1/export").content
    *lines, last = body.splitlines(keepends=True)
    end = json.loads(last)["end"]
    assert end["documents"] == len(lines) == api(client, "/stats")["documents"]
    assert end["sha256"] == hashlib.sha256(b"".join(lines)).hexdigest()


def test_cells_of_an_export_are_no_formulas(filled: Served) -> None:
    text = filled.program("viewer", Scope.READ).get("/api/v1/export?format=csv").text
    assert "'=HYPERLINK" in text
    assert ",=HYPERLINK" not in text


def test_a_feed_of_a_search_is_xml_and_hides_no_markup(filled: Served) -> None:
    text = filled.program("viewer", Scope.READ).get("/api/v1/search.rss?q=harbour").text
    assert "<rss" in text
    assert "<script" not in text


def test_errors_are_problem_details_and_never_html(filled: Served) -> None:
    client = filled.program("admin", Scope.ADMIN)
    for path, status in (
        ("/search?q=(", 422),
        ("/search?limit=0", 422),
        ("/nowhere", 404),
        ("/documents?url=https://nowhere.example/", 404),
        ("/runs/99", 404),
        ("/stories/none", 404),
        ("/search?after=nonsense", 422),
    ):
        answer = client.settled("GET", f"/api/v1{path}")
        assert answer.status_code == status, path
        assert answer.headers["content-type"] == "application/problem+json", path
        assert answer.json()["status"] == status
    assert client.get("/api/v1/search?q=(").json()["place"] is not None


def test_extract_reads_a_page_that_is_sent_and_gives_up_what_takes_too_long(filled: Served) -> None:
    client = filled.program("viewer", Scope.READ)
    words = "The ferry to the islands was late again on Tuesday, and people stood in the rain. " * 5
    page = f"<title>The ferry</title><h1>The ferry</h1><p>{words}</p><script>alert(1)</script>"
    found = client.request("POST", "/api/v1/extract", json={"html": page, "url": "https://news.example/ferry"}).json()
    assert found["title"] == "The ferry"
    assert "people stood in the rain" in found["text"]
    assert "alert" not in found["text"]


def test_probe_and_extract_refuse_addresses_that_are_private(filled: Served) -> None:
    client = filled.program("analyst", Scope.WRITE)
    for path in ("probe", "extract"):
        answer = client.request("POST", f"/api/v1/{path}", json={"url": "http://10.0.0.1/"})
        assert answer.status_code == 403, answer.text


def test_a_source_is_added_paused_changed_and_removed(filled: Served) -> None:
    client = filled.program("analyst", Scope.WRITE)
    added = client.request("POST", "/api/v1/sources", json={"url": "https://news.example/", "probe": False})
    assert added.status_code == 201
    path = added.headers["location"]
    again = client.request("POST", "/api/v1/sources", json={"url": "https://news.example/", "probe": False})
    assert again.status_code == 422
    assert client.request("POST", f"{path}/pause").json()["state"] == "paused"
    assert client.request("PATCH", path, json={"tags": ["port"]}).json()["tags"] == ["port"]
    assert client.request("PATCH", path, json={"nonsense": 1}).status_code == 422
    assert client.get(path).json()["definition"]["tags"] == ["port"]
    assert client.request("DELETE", path).status_code == 204
    assert client.get(path).status_code == 404


def test_what_became_of_a_url_is_told(filled: Served) -> None:
    told = api(filled.program("viewer", Scope.READ), f"/why?url={HARBOUR}")
    assert told["document"]
    assert told["fates"]
