"""Saved searches, alerts, deliveries and feeds over HTTP: what they do, and that nobody reaches somebody else's."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.alerting.test_sending import Received, web_server
from tests.web.browsers import CHEAP, PASSWORD, Browser, Served, serving
from tests.web.corpus import CHINESE, HARBOUR, fill
from thresher import services, wiring
from thresher.alerting.webhook import new_secret
from thresher.catalog.accounts import Role, Scope
from thresher.config import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with a secret that webhooks are signed with."""
    data = str(tmp_path / "data")
    return Settings(data=data, allowed_addresses=("127.0.0.1",), delay_s=0, webhook_secret=new_secret())


@pytest.fixture
def filled(settings: Settings) -> Iterator[Served]:
    """The application over a few documents, with two analysts."""
    with serving(settings, CHEAP) as served:
        served.do(served.site.corpora.write(fill))
        served.do(served.site.gate.create("eve", PASSWORD, Role.ANALYST))
        yield served


def send(client: Browser, method: str, path: str, body: dict[str, Any] | None = None, *, status: int = 200) -> Any:
    answer = client.request(method, f"/api/v1{path}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


def test_a_saved_search_is_made_used_changed_and_removed(filled: Served) -> None:
    ann = filled.program("analyst", Scope.WRITE)
    made = send(ann, "PUT", "/saved/harbour", {"query": "harbour closed"}, status=201)
    assert (made["owner"], made["shared"]) == ("analyst", True)
    assert [hit["url"] for hit in send(ann, "GET", "/search?q=saved:harbour")["hits"]] == [HARBOUR]
    assert send(ann, "PUT", "/saved/harbour", {"query": "央行"})["query"] == "央行"
    assert [hit["url"] for hit in send(ann, "GET", "/search?q=saved:harbour")["hits"]] == [CHINESE]
    send(ann, "PUT", "/saved/loop", {"query": "saved:loop"}, status=422)
    send(ann, "PUT", "/saved/wrong", {"query": "("}, status=422)
    send(ann, "DELETE", "/saved/harbour", status=204)
    send(ann, "GET", "/saved/harbour", status=404)


def test_private_searches_and_alerts_of_others_are_not_there(filled: Served) -> None:
    ann, eve, reader = (filled.program(user, Scope.WRITE) for user in ("analyst", "eve", "viewer"))
    send(ann, "PUT", "/saved/mine", {"query": "harbour", "shared": False}, status=201)
    send(ann, "PUT", "/saved/ours", {"query": "harbour"}, status=201)
    send(ann, "POST", "/alerts", {"name": "mine", "query": "harbour", "to": ["mailto:ann@example.org"]}, status=422)
    send(ann, "POST", "/alerts", {"name": "mine", "query": "harbour"}, status=201)
    for other in (eve, reader):
        assert [each["name"] for each in send(other, "GET", "/saved")] == ["ours"]
        send(other, "GET", "/saved/mine", status=404)
        assert send(other, "GET", "/alerts") == []
        for path in ("/alerts/mine", "/alerts/mine/hits", "/deliveries?alert=mine"):
            send(other, "GET", path, status=404)
    for method, path, body, status in (
        ("PUT", "/saved/ours", {"query": "x"}, 403),
        ("PUT", "/saved/mine", {"query": "x"}, 403),
        ("DELETE", "/saved/ours", None, 403),
        ("DELETE", "/saved/mine", None, 404),
        ("PATCH", "/alerts/mine", {"query": "x"}, 404),
        ("DELETE", "/alerts/mine", None, 404),
        ("POST", "/alerts/mine/pause", {}, 404),
        ("POST", "/alerts/mine/test", {}, 404),
    ):
        send(eve, method, path, body, status=status)
        send(reader, method, path, body, status=403)
    assert [each["name"] for each in send(filled.program("admin", Scope.ADMIN), "GET", "/alerts")] == ["mine"]


def test_an_alert_is_tested_by_a_webhook_and_its_delivery_is_told_and_replayed(filled: Served) -> None:
    ann, eve = filled.program("analyst", Scope.WRITE), filled.program("eve", Scope.WRITE)
    with web_server() as (address, received):
        body = {"name": "rush", "query": "zeppelin", "to": [address]}
        assert send(ann, "POST", "/alerts", body, status=201)["found"] == 0
        (waiting,) = send(ann, "POST", "/alerts/rush/test", {}, status=202)
        assert waiting["state"] == "waiting"
        _tend(filled.site.settings)
        assert _told(received) == [waiting["id"]]
        (sent,) = send(ann, "GET", "/deliveries?alert=rush")
        assert (sent["id"], sent["state"]) == (waiting["id"], "sent")
        assert send(ann, "GET", f"/deliveries/{sent['id']}")["tried"][0]["ok"] is True
        send(eve, "GET", f"/deliveries/{sent['id']}", status=404)
        send(eve, "POST", f"/deliveries/{sent['id']}/replay", {}, status=404)
        assert send(ann, "POST", f"/deliveries/{sent['id']}/replay", {}, status=202)["state"] == "waiting"
        _tend(filled.site.settings)
        assert _told(received) == [waiting["id"]] * 2


def test_a_webhook_to_a_private_address_is_not_called(filled: Served) -> None:
    ann = filled.program("analyst", Scope.WRITE)
    body = {"name": "inside", "query": "zeppelin", "to": ["http://127.0.0.2:9/hook"]}
    send(ann, "POST", "/alerts", body, status=201)
    send(ann, "POST", "/alerts/inside/test", {}, status=202)
    _tend(replace(filled.site.settings, allowed_addresses=()))
    (refused,) = send(ann, "GET", "/deliveries?alert=inside")
    assert refused["state"] == "failed"
    assert "127.0.0.2" in refused["detail"]


def test_an_alert_that_cannot_be_is_refused_and_says_why(filled: Served) -> None:
    ann = filled.program("analyst", Scope.WRITE)
    for wrong in (
        {"name": "a b", "query": "x"},
        {"name": "a", "query": ""},
        {"name": "a", "query": "("},
        {"name": "a", "query": "x", "to": ["ftp://example.org/"]},
        {"name": "a", "query": "x", "to": ["https://ann:secret@example.org/"]},
        {"name": "a", "query": "x", "kind": "digest", "zone": "Atlantis"},
        {"name": "a", "kind": "silence", "source": "nobody"},
        {"name": "a", "query": "x", "nonsense": 1},
    ):
        send(ann, "POST", "/alerts", wrong, status=422)
    send(ann, "POST", "/alerts", {"name": "a", "query": "harbour"}, status=201)
    send(ann, "POST", "/alerts", {"name": "a", "query": "harbour"}, status=422)
    assert send(ann, "PATCH", "/alerts/a", {"kind": "digest", "at": "08:30"})["at"] == "08:30"
    assert send(ann, "POST", "/alerts/a/pause", {})["state"] == "paused"
    send(ann, "DELETE", "/alerts/a", status=204)


def test_a_feed_is_read_by_its_address_alone_until_it_is_ended(filled: Served) -> None:
    reader, other = filled.browser("viewer"), filled.program("eve", Scope.WRITE)
    send(filled.program("viewer", Scope.READ), "POST", "/feeds", {"query": "harbour"}, status=403)
    token = {"x-csrf-token": reader.csrf()}
    made = reader.request("POST", "/api/v1/feeds", json={"query": "harbour"}, headers=token).json()
    nobody = filled.browser()
    feed = nobody.get(made["path"])
    assert feed.headers["content-type"].startswith("application/rss+xml")
    assert HARBOUR in feed.text
    assert "<script" not in feed.text
    kept = reader.get("/api/v1/feeds").text
    assert made["id"] in kept
    assert made["path"].split("/")[-1].removesuffix(".rss") not in kept
    send(other, "DELETE", f"/feeds/{made['id']}", status=404)
    assert reader.request("DELETE", f"/api/v1/feeds/{made['id']}", headers=token).status_code == 204
    gone = nobody.get(made["path"])
    assert (gone.status_code, gone.headers["content-type"]) == (404, "application/problem+json")


def test_a_feed_ends_with_the_account_of_its_owner(filled: Served) -> None:
    made = send(filled.program("eve", Scope.WRITE), "POST", "/feeds", {"query": "harbour"}, status=201)
    filled.do(filled.site.gate.remove("eve"))
    assert filled.browser().get(made["path"]).status_code == 404


def _tend(settings: Settings) -> None:
    corpus = wiring.open_corpus(settings)
    try:
        services.run_alerts(corpus, settings)
    finally:
        corpus.close()


def _told(received: Received) -> list[str]:
    return [headers["webhook-id"] for _, headers, _ in received.requests]
