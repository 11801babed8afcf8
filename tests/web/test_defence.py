"""Attacks on the application: stolen and fixed sessions, forms of other sites, roles, secrets at rest, bad requests."""

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import uvicorn

from tests.web.browsers import CHEAP, PASSWORD, Browser, Served, serving
from tests.web.corpus import CHINESE, HOSTILE, fill
from thresher.catalog.accounts import Scope
from thresher.config import Settings
from thresher.web.accounts import FREE_FAILURES, make_hasher
from thresher.web.api.app import shipped
from thresher.web.defence import MAX_BODY
from thresher.web.serving import Prompt
from thresher.web.site import WebOptions

SESSION = "thresher_session"
OWN = {  # what a viewer may send: it changes nothing of others
    *(("post", path) for path in ("/extract", "/feeds", "/tokens")),
    *(("delete", path) for path in ("/feeds/{id}", "/tokens/{name}", "/sessions/{id}")),
}


@pytest.fixture
def filled(served: Served) -> Served:
    """The application over a few documents, some of which try to do harm."""
    served.do(served.site.corpora.write(fill))
    return served


def unsafe_operations() -> list[tuple[str, str]]:
    paths: dict[str, dict[str, object]] = shipped()["paths"]
    return [(method, path) for path, methods in paths.items() for method in methods if method != "get"]


def test_nobody_and_no_viewer_changes_anything_of_others(settings: Settings) -> None:
    with serving(settings, WebOptions(password_cost=CHEAP.password_cost, requests_per_min=0)) as served:
        _refuse_all(served)


def _refuse_all(filled: Served) -> None:
    nobody, viewer, reader = filled.browser(), filled.browser("viewer"), filled.program("admin", Scope.READ)
    token = {"x-csrf-token": viewer.csrf()}
    operations = unsafe_operations()
    assert len(operations) > 30
    for method, path in operations:
        address = "/api/v1" + re.sub(r"\{\w+\}", "1", path)
        assert nobody.request(method.upper(), address, json={}).status_code in (401, 403), path
        assert viewer.request(method.upper(), address, json={}).status_code == 403, path  # without the token of forms
        if (method, path) not in OWN:
            assert viewer.request(method.upper(), address, json={}, headers=token).status_code == 403, path
            if path != "/tokens":
                assert reader.request(method.upper(), address, json={}).status_code == 403, path


def test_another_site_cannot_send_a_change_with_the_cookie_of_a_browser(filled: Served) -> None:
    ann = filled.browser("analyst")
    good = {"x-csrf-token": ann.csrf()}
    body = json.dumps({"words": ["harbour"]})
    for headers in (
        {},
        {"content-type": "text/plain"},
        {"x-csrf-token": filled.browser("analyst").csrf()},  # of another session of the same user
        {**good, "origin": "http://evil.example"},
        {**good, "origin": "null"},
        {**good, "sec-fetch-site": "cross-site"},
        {**good, "sec-fetch-site": "same-site"},
    ):
        answer = ann.request("POST", "/api/v1/keywords", content=body, headers=headers)
        assert answer.status_code == 403, headers
    assert ann.request("POST", "/api/v1/keywords", json={"words": ["harbour"]}, headers=good).status_code == 200


def test_a_session_that_somebody_else_chose_is_not_the_one_that_is_opened(served: Served) -> None:
    victim = served.browser()
    victim.cookies.set(SESSION, "chosen-by-the-attacker", domain="localhost.local")
    victim.cookies.set("thresher_visit", "chosen-too", domain="localhost.local")
    assert victim.log_in("analyst").status_code == 303
    secrets = {cookie.value for cookie in victim.cookies.jar if cookie.name == SESSION}
    assert any(secret and len(secret) > 30 for secret in secrets)
    attacker = served.browser()
    attacker.cookies.set(SESSION, "chosen-by-the-attacker")
    assert attacker.get("/api/v1/me").status_code == 401


def test_each_login_has_a_cookie_of_its_own_that_scripts_and_other_sites_do_not_get(served: Served) -> None:
    answers = [served.browser().log_in("viewer").headers["set-cookie"] for _ in range(2)]
    for told in answers:
        assert "HttpOnly" in told
        assert "SameSite=lax" in told
    assert answers[0].partition(";")[0] != answers[1].partition(";")[0]


def test_sessions_are_listed_and_ended_by_their_owner_alone(served: Served) -> None:
    here, there, eve = served.browser("analyst"), served.browser("analyst"), served.browser("viewer")
    sessions = here.get("/api/v1/sessions").json()
    assert len(sessions) == 2
    other = next(each for each in sessions if not each["current"])
    stranger = eve.request("DELETE", f"/api/v1/sessions/{other['id']}", headers={"x-csrf-token": eve.csrf()})
    assert stranger.status_code == 404
    ended = here.request("DELETE", f"/api/v1/sessions/{other['id']}", headers={"x-csrf-token": here.csrf()})
    assert ended.status_code == 204
    assert there.get("/api/v1/me").status_code == 401
    assert here.get("/api/v1/me").status_code == 200


def test_the_audit_log_tells_who_did_what_and_from_where_and_only_admins_read_it(served: Served) -> None:
    admin = served.browser("admin", address="127.0.0.9")
    admin.post("/login", {"name": "admin", "password": "a wrong password"})
    admin.post("/settings/users", {"action": "add", "name": "new", "password": "four words are long", "role": "viewer"})
    admin.post("/settings/users", {"action": "remove", "name": "new"})
    admin.post("/crawls/start", {"starts": "https://news.example/", "who": "workers"})
    rows = admin.get("/settings/audit.json").json()["rows"]
    told = [(row["user"], row["action"], row["target"], row["address"]) for row in rows]
    for wanted in (
        ("admin", "login", "", "127.0.0.9"),
        ("admin", "login.failed", "", "127.0.0.9"),
        ("admin", "user.add", "new (viewer)", "127.0.0.9"),
        ("admin", "user.remove", "new (viewer)", "127.0.0.9"),
        ("admin", "crawl.start", "run 1: https://news.example/", "127.0.0.9"),
    ):
        assert wanted in told
    assert {address for *_, address in told} == {"127.0.0.9"}
    assert served.browser("analyst").get("/settings/audit.json").status_code == 403


def test_a_new_password_ends_the_sessions_and_a_lost_role_counts_at_once(served: Served) -> None:
    ann, admin = served.browser("analyst"), served.program("admin", Scope.ADMIN)
    token = served.program("analyst", Scope.WRITE)
    assert admin.request("PATCH", "/api/v1/users/analyst", json={"role": "viewer"}).status_code == 200
    assert token.request("POST", "/api/v1/keywords", json={"words": ["a"]}).status_code == 403
    assert admin.request("PATCH", "/api/v1/users/analyst", json={"password": "another long one"}).status_code == 200
    assert ann.get("/api/v1/me").status_code == 401
    last = admin.request("PATCH", "/api/v1/users/admin", json={"role": "viewer"})
    assert last.status_code == 409


def test_guessing_is_slowed_down_for_names_that_exist_and_for_those_that_do_not(served: Served) -> None:
    for number, name in enumerate(("viewer", "nobody")):
        guesser = served.browser(address=f"203.0.113.{number}")
        wrong = [guesser.log_in(name, f"wrong guess {again}") for again in range(FREE_FAILURES)]
        assert {answer.status_code for answer in wrong} == {401}
        waiting = guesser.log_in(name)
        assert waiting.status_code == 429
        assert int(waiting.headers["retry-after"]) > 0
        elsewhere = served.browser(address="198.51.100.7")
        assert elsewhere.log_in(name).status_code == 429  # the account is guarded, not the address alone


def test_passwords_are_argon2_and_no_secret_is_at_rest_in_the_clear(filled: Served) -> None:
    assert make_hasher().hash("x").startswith("$argon2id$")
    ann = filled.browser("analyst")
    token = filled.program("analyst", Scope.WRITE)
    feed = token.request("POST", "/api/v1/feeds", json={"query": "harbour"}).json()["path"]
    secrets = [
        PASSWORD,
        next(cookie.value or "" for cookie in ann.cookies.jar if cookie.name == SESSION),
        token.headers["authorization"].removeprefix("Bearer "),
        feed.split("/")[-1].removesuffix(".rss"),
    ]
    for path in Path(filled.site.settings.data).rglob("*"):
        if path.is_file():
            held = path.read_bytes()
            assert [secret for secret in secrets if secret.encode() in held] == [], path
    audit = filled.program("admin", Scope.ADMIN).get("/api/v1/audit").text
    assert '"feed.make"' in audit
    assert [secret for secret in secrets if secret in audit] == []


def test_paths_lead_nowhere_outside(served: Served) -> None:
    for path in (
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/x/..%2f..%2fapp.py",
        "/static/%2fetc/passwd",
        "/feeds/..%2f..%2fetc%2fpasswd.rss",
        "/api/v1/../../etc/passwd",
    ):
        answer = served.browser("admin").get(path)
        assert answer.status_code in (303, 307, 404), (path, answer.status_code)
        assert "evil.example" not in answer.headers.get("location", "")
        assert "root:" not in answer.text


def test_a_host_that_is_not_ours_and_proxies_that_are_not_trusted_are_not_believed(served: Served) -> None:
    browser = served.browser("viewer")
    assert browser.get("/", headers={"host": "evil.example"}).status_code == 421
    forged = {"x-forwarded-host": "evil.example", "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https"}
    feed = browser.get("/api/v1/search.rss", headers=forged).text
    assert "evil.example" not in feed


def test_nothing_that_is_sent_becomes_a_header(served: Served) -> None:
    browser = served.browser()
    form = {"name": "viewer", "password": PASSWORD, "next": "/\r\nset-cookie: evil=1"}
    back = browser.post("/login", form)
    assert "evil" not in back.headers.get("set-cookie", "")
    assert "\n" not in back.headers["location"]
    for away in (
        "//evil.example",
        "/\\evil.example",
        "https://evil.example/",
        "/\t/evil.example",
        "javascript:alert(1)",
    ):
        target = served.browser().post("/login", {**form, "next": away}).headers["location"]
        assert re.fullmatch(r"/(?![/\\]).*|/", target), (away, target)


def test_marks_of_crawled_pages_are_text_in_every_answer(filled: Served) -> None:
    browser = filled.browser("viewer")
    for path in (
        "/",
        "/search?q=alert",
        f"/document?url={HOSTILE}",
        f"/why?url={HOSTILE}/<script>alert(1)</script>",
        "/search?q=<script>alert(1)</script>",
        "/api/v1/search.rss?q=alert",
        f"/api/v1/documents?format=html&url={HOSTILE}",
    ):
        answer = browser.get(path)
        assert answer.status_code == 200, path
        assert "<script>alert" not in answer.text, path
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert browser.get(f"/api/v1/documents?format=html&url={CHINESE}").status_code == 200


def test_requests_that_are_too_large_or_nonsense_are_refused(served: Served) -> None:
    client = served.program("analyst", Scope.WRITE)
    large = b'{"html": "' + b"x" * MAX_BODY + b'"}'
    refused = client.request("POST", "/api/v1/extract", content=large)
    assert (refused.status_code, refused.headers["content-type"]) == (413, "application/problem+json")
    deep = b"[" * 100_000
    for body, headers in (
        (deep, {}),
        (b"\xff\xfe", {}),
        (b"{", {"content-encoding": "gzip"}),
        (b"\x1f\x8b\x08\x00" + b"\0" * 50, {"content-encoding": "gzip"}),
    ):
        answer = client.request(
            "POST", "/api/v1/extract", content=body, headers={"content-type": "application/json", **headers}
        )
        assert answer.status_code in (400, 415, 422), answer.text
        assert answer.headers["content-type"] == "application/problem+json"
    assert client.request("GET", "/api/v1/search", params={"q": "(" * 4_000}).status_code == 422
    assert client.request("GET", "/api/v1/search", params={"q": "a " * 2_400}).status_code in (200, 422)


def test_a_failure_that_nobody_foresaw_is_told_without_its_reason(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*args: object) -> object:
        raise RuntimeError("secret of the inside")

    client = served.program("viewer", Scope.READ)
    monkeypatch.setattr(served.site.corpora, "recent", broken)
    answer = client.get("/api/v1/search")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "secret" not in answer.text
    assert "content-security-policy" in answer.headers


def test_tokens_and_addresses_may_ask_so_often_and_no_more(settings: Settings) -> None:
    few = WebOptions(password_cost=CHEAP.password_cost, reader_threads=2, requests_per_min=40)
    with serving(settings, few) as served:
        client = served.program("viewer", Scope.READ)
        statuses = [client.get("/api/v1/me").status_code for _ in range(12)]
        assert statuses[:10] == [200] * 10
        refused = client.get("/api/v1/me")
        assert (refused.status_code, refused.headers["content-type"]) == (429, "application/problem+json")
        assert int(refused.headers["retry-after"]) > 0


def test_the_first_account_takes_the_one_time_token_from_anywhere_else(settings: Settings) -> None:
    with serving(settings, users=False) as served:
        away = served.browser(address="203.0.113.9")
        form = {"csrf": _csrf_of(away), "name": "eve", "password": PASSWORD}
        for token in ("", "wrong"):
            assert away.request("POST", "/setup", data={**form, "token": token}).status_code in (401, 403)
        local = served.browser()
        proxied = {"x-forwarded-for": "203.0.113.9"}
        refused = local.request("POST", "/setup", data={**form, "csrf": _csrf_of(local)}, headers=proxied)
        assert refused.status_code in (401, 403)
        made = away.request("POST", "/setup", data={**form, "token": "set-me-up"})
        assert made.status_code == 303


def _csrf_of(browser: Browser) -> str:
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', browser.get("/setup").text)
    assert found
    return found[1]


@contextmanager
def listening() -> Iterator[int]:
    """Run a server that hangs up soon on who does not send a request."""

    class Hurried(Prompt):
        head_s = 0.2

    async def app(scope: object, receive: object, send: object) -> None:
        raise AssertionError("no request was sent whole")

    server = uvicorn.Server(uvicorn.Config(app, http=Hurried, log_level="critical", lifespan="off"))
    with closing(socket.create_server(("127.0.0.1", 0))) as place:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
        thread.start()
        try:
            yield place.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def test_who_sends_no_request_is_hung_up_on() -> None:
    with listening() as port:
        for said in (b"", b"GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: "):
            with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
                client.sendall(said)
                assert client.recv(100) == b""
