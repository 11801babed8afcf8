"""Who gets in: the first run, logins, sessions, forms of other sites, and the headers of every answer."""

import pytest

from tests.web.browsers import PASSWORD, Served, serving
from tests.web.corpus import fill
from thresher.catalog.accounts import Scope
from thresher.config import Settings


@pytest.fixture
def filled(served: Served) -> Served:
    """The application over a few documents."""
    served.do(served.site.corpora.write(fill))
    return served


def test_the_first_visitor_of_this_machine_makes_the_first_account_and_is_logged_in(settings: Settings) -> None:
    with serving(settings, users=False) as served:
        browser = served.browser()
        assert browser.get("/").headers["location"] == "/setup"
        token = browser.get("/setup").text.split('name="csrf" value="')[1][:64]
        form = {"csrf": token, "name": "ada", "password": PASSWORD}
        made = browser.request("POST", "/setup", data=form)
        assert made.status_code == 303
        assert browser.get("/").status_code == 200
        again = browser.request("POST", "/setup", data={**form, "csrf": browser.csrf(), "name": "eve"})
        assert again.headers["location"] == "/login"
        assert [user.name for user in served.do(served.site.corpora.accounts(lambda a: a.users()))] == ["ada"]


def test_who_is_not_logged_in_is_led_to_the_login_and_back(served: Served) -> None:
    browser = served.browser()
    assert browser.get("/?x=1").headers["location"] == "/login?next=%2F%3Fx%3D1"
    assert browser.get("/index.json").status_code == 401
    back = browser.post("/login", {"name": "viewer", "password": PASSWORD, "next": "/?x=1"})
    assert back.headers["location"] == "/?x=1"
    away = served.browser().post("/login", {"name": "viewer", "password": PASSWORD, "next": "//evil.example/"})
    assert away.headers["location"] == "/"


def test_a_form_without_the_token_of_its_session_is_refused(served: Served) -> None:
    browser = served.browser("admin")
    assert browser.request("POST", "/logout").status_code == 403
    assert browser.request("POST", "/logout", data={"csrf": "0" * 64}).status_code == 403
    foreign = {"origin": "http://evil.example"}
    assert browser.request("POST", "/logout", data={"csrf": browser.csrf()}, headers=foreign).status_code == 403
    assert browser.get("/").status_code == 200
    assert browser.post("/logout").status_code == 303
    assert browser.get("/").status_code == 303


def test_every_answer_forbids_inline_scripts_frames_and_sniffing(served: Served) -> None:
    for path in ("/", "/login", "/nowhere", "/healthz", "/index.json"):
        headers = served.browser().get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_metrics_are_for_this_machine_and_for_tokens_that_read(filled: Served) -> None:
    told = filled.browser().get("/metrics")
    assert told.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'thresher_build_info{role="serve"' in told.text
    assert "thresher_documents 5.0" in told.text
    assert "thresher_duplicates 1.0" in told.text
    away = filled.browser(address="203.0.113.9")
    assert away.get("/metrics").status_code == 401
    assert filled.browser().get("/metrics", headers={"x-forwarded-for": "203.0.113.9"}).status_code == 401
    away.headers["authorization"] = filled.program("viewer", Scope.READ).headers["authorization"]
    again = away.get("/metrics").text
    assert 'thresher_http_requests_total{kind="page",method="GET",status="401"} 2.0' in again
