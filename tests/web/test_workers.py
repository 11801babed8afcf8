"""The fleet, steered from pages and programs: what is asked for is done beside, watched, and can be given up."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.web.browsers import Browser, Served, serving
from tests.web.fleet_double import Mute
from thresher.catalog.accounts import Role, Scope
from thresher.config import Settings
from thresher.web.workforce import Order

ACTIONS = ("/workers/add", "/workers/scale", "/workers/restart", "/workers/tell", "/workers/cancel", "/workers/stop")


@pytest.fixture
def platform(served: Served) -> Mute:
    """The platform of the fleet."""
    platform = Mute()
    served.site.workforce._backend = platform
    return platform


@pytest.fixture
def admin(served: Served, platform: Mute) -> Browser:
    """The browser of the admin."""
    return served.browser("admin")


def ended(served: Served) -> Order:
    """Wait for the last order; return it."""
    order = served.site.workforce.orders()[0]
    assert order.thread
    order.thread.join(120)
    return order


@pytest.mark.parametrize("path", ACTIONS)
def test_only_admins_steer_the_fleet(served: Served, platform: Mute, path: str) -> None:
    assert served.browser("analyst").post(path, {"count": "1"}).status_code == 403
    assert platform.asked == []


def test_workers_are_added_and_waiting_for_them_can_be_given_up(served: Served, platform: Mute, admin: Browser) -> None:
    assert admin.post("/workers/add", {"count": "2"}).status_code == 303
    order = served.site.workforce.orders()[0]
    while not platform.asked:
        order.cancelled.wait(0.01)
    shown = admin.get("/workers").text
    assert all(each in shown for each in ("Adding workers", "worker-1", "worker-2", "<progress", "Cancel"))
    admin.post("/workers/cancel", {"order": order.id})
    assert (ended(served).state, platform.asked) == ("cancelled", [("add", "2")])
    assert [row["member"] for row in admin.get("/workers.json").json()["rows"]] == ["worker-1", "worker-2"]


@pytest.mark.parametrize(("order", "asked"), [("drain", "drain"), ("stop", "stop"), ("remove", "drain")])
def test_a_member_is_told_and_seen_to_obey(
    served: Served, platform: Mute, admin: Browser, order: str, asked: str
) -> None:
    platform.add(1)
    admin.post("/workers/tell", {"member": "worker-1", "order": order})
    assert ended(served).state == "done"
    assert platform.asked[1] == (asked, "worker-1")
    assert bool(platform.phases) == (order != "remove")
    shown = admin.get("/workers.json").json()
    assert [row["state"] for row in shown["rows"]] == (["stopped"] if platform.phases else [])


def test_fewer_workers_are_those_of_least_use_and_stopping_asks_first(
    served: Served, platform: Mute, admin: Browser
) -> None:
    platform.add(3)
    platform.drain(["worker-2"])
    shown = admin.get("/workers").text
    assert shown.count('popovertarget="remove-worker-') >= 3
    assert 'popovertarget="scale"' in shown
    admin.post("/workers/scale", {"count": "2"})
    assert ended(served).error == ""
    assert sorted(platform.phases) == ["worker-1", "worker-3"]


@pytest.mark.parametrize("form", [{"count": "0"}, {"count": "-1"}, {"count": "x"}, {"count": "99"}, {}])
def test_a_number_that_makes_no_sense_is_refused(admin: Browser, platform: Mute, form: dict[str, str]) -> None:
    assert admin.post("/workers/add", form).status_code == 422
    assert platform.asked == []


def test_a_fleet_that_cannot_be_seen_is_told(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fleet.toml").write_text("backend = 'moon'\n")
    answer = served.browser("admin").get("/workers")
    assert answer.status_code == 200
    assert "The fleet cannot be seen" in answer.text


def test_programs_steer_the_fleet_with_a_token_for_workers(served: Served, platform: Mute) -> None:
    program, reader = served.program("admin", Scope.WORKER), served.program("viewer", Scope.READ)
    assert reader.request("POST", "/api/v1/workers", json={"count": 1}).status_code == 403
    order = program.request("POST", "/api/v1/workers", json={"count": 1}).json()
    while not platform.asked:
        served.site.workforce.orders()[0].cancelled.wait(0.01)
    assert program.get(f"/api/v1/fleet/orders/{order['id']}").json()["state"] == "running"
    program.request("POST", f"/api/v1/fleet/orders/{order['id']}/cancel")
    assert ended(served).state == "cancelled"
    assert program.request("POST", "/api/v1/workers/worker-1/drain").status_code == 202
    assert ended(served).state == "done"
    assert [each["state"] for each in program.get("/api/v1/fleet").json()["members"]] == ["stopped"]
    assert program.get("/api/v1/fleet/logs/worker-1").json() == {"member": "worker-1", "lines": ["it works"]}
    assert reader.get("/api/v1/fleet/logs/worker-1").status_code == 403
    assert program.get("/api/v1/fleet/logs/nobody").status_code == 404
    assert program.request("DELETE", "/api/v1/workers/worker-1").status_code == 202
    assert ended(served).state == "done"
    assert program.request("POST", "/api/v1/fleet/scale", json={"count": 0}).status_code == 202
    assert program.get("/api/v1/fleet").json()["members"] == []
    for path in ("/workers/host/7/1.a/drain", "/workers/nobody/start", "/fleet/orders/x/cancel"):
        assert program.request("POST", f"/api/v1{path}").status_code == 404


@pytest.mark.slow
def test_a_worker_of_this_machine_is_added_heard_of_drained_and_removed(settings: Settings) -> None:
    with serving(replace(settings, extractors=1), users=False) as served:
        served.do(served.site.gate.create("admin", "four words are long", Role.ADMIN))
        admin = served.browser()
        admin.log_in("admin", "four words are long")
        admin.post("/workers/add", {"count": "1"})
        order = ended(served)
        assert (order.state, order.error) == ("done", "")
        (row,) = admin.get("/workers.json").json()["rows"]
        assert (row["member"], row["state"]) in [("worker-1", "waiting"), ("worker-1", "running")]
        assert admin.get("/workers/of/worker-1").status_code == 200
        assert admin.get("/workers/of/nobody").status_code == 422
        admin.post("/workers/tell", {"member": "worker-1", "order": "remove"})
        assert (ended(served).state, admin.get("/workers.json").json()["rows"]) == ("done", [])


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No fleet.toml of the folder that tests run in."""
    monkeypatch.chdir(tmp_path)
