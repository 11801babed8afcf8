"""The pages that steer: what they show as data, what they refuse, and what they change."""

from datetime import UTC, datetime, timedelta

import pytest
from starlette.datastructures import FormData

from tests.web.browsers import Served
from thresher.catalog.contract import HOUR_S, STORED, HourCount
from thresher.catalog.facts import health_facts
from thresher.catalog.health import History, examine
from thresher.config import Settings
from thresher.errors import UsageError
from thresher.model import Endpoint, EndpointKind, Source, SourceKind
from thresher.store.contract import Arrival
from thresher.watching.exchange import read_list
from thresher.web.pages.adding import tried, wanted_fields
from thresher.web.pages.crawls import wanted_options
from thresher.web.pages.logs import wanted_of
from thresher.web.pages.monitor import days_left, lag_of
from thresher.web.pages.settings import setting_rows
from thresher.web.pages.sources import admitted, edited, sorted_rows, source_rows

NOW = datetime(2026, 11, 19, 12, 0, tzinfo=UTC)
NOTHING = {"q": "", "kind": "", "state": "", "channel": "", "tag": "", "problem": ""}
ACTIONS = (
    *("/sources/act", "/sources/add", "/sources/import", "/sources/keywords", "/sources/of/harbour/edit"),
    *("/sources/of/harbour/crawl", "/sources/probe/x/save", "/sources/probe/x/cancel"),
    *("/crawls/start", "/crawls/1/cancel", "/crawls/1/resume"),
    *("/workers/add", "/workers/tell", "/workers/stop", "/settings/users", "/settings/backup", "/welcome/sample"),
)


def _source(name: str, **more: object) -> Source:
    return Source(name=name, kind=SourceKind.SITE, address=f"https://{name}.example/", created_at=NOW, **more)  # type: ignore[arg-type]


def _rows() -> list[dict[str, object]]:
    hours = [
        HourCount("harbour", int(NOW.timestamp() // HOUR_S) - 24 * day, STORED, "article", 2) for day in (0, 3, 40)
    ]
    found = [
        examine(_source("harbour", tags=("sea",)), History(hours=hours), NOW),
        examine(_source("pier"), History(), NOW),
    ]
    return source_rows(found, hours, NOW)


def test_a_row_of_a_source_has_its_documents_of_each_of_thirty_days() -> None:
    harbour, pier = _rows()
    assert harbour["days"] == [0] * 26 + [2, 0, 0, 2]
    assert harbour["last_week"] == 4
    assert pier["days"] == [0] * 30
    assert pier["last_new"] is None


def test_sources_are_filtered_by_words_tags_and_problems() -> None:
    rows = _rows()

    def names(**asked: str) -> list[object]:
        return [row["name"] for row in rows if admitted(row, NOTHING | asked)]

    assert names() == ["harbour", "pier"]
    assert names(q="HARB example") == ["harbour"]
    assert names(tag="sea") == ["harbour"]
    assert names(kind="feed") == []
    assert names(problem="silent") == []


def test_sources_are_sorted_with_what_is_not_known_last() -> None:
    rows = _rows()
    assert [row["name"] for row in sorted_rows(rows, "-last_week")] == ["harbour", "pier"]
    assert [row["name"] for row in sorted_rows(rows, "last_new")] == ["harbour", "pier"]
    assert sorted_rows(rows, "nonsense") == rows


def test_facts_of_health_are_plain_data() -> None:
    endpoint = Endpoint(source="harbour", url="https://harbour.example/feed", kind=EndpointKind.FEED)
    facts = health_facts(examine(_source("harbour"), History(endpoints=[endpoint]), NOW))
    assert (facts["source"], facts["due"], facts["next_due"], facts["errors"]) == ("harbour", 1, None, {})


def test_patterns_are_tried_on_the_links_that_were_found() -> None:
    spots = [{"links": ["https://a.example/news/1", "https://a.example/about"]}]
    shown = tried(spots, {"include": ["/news/"], "exclude": []})
    assert (shown["followed"], shown["of"]) == (1, 2)
    assert "regular expression" in tried(spots, {"include": ["("], "exclude": []})["fault"]


def test_a_probe_is_saved_as_it_was_found_and_as_the_form_completes_it() -> None:
    found = {"name": "draft", "kind": "site", "address": "https://a.example/", "language": "en"}
    form = FormData({"channel": "news", "tags": "sea, pier", "include": "/news/\n", "frequency": "2h"})
    assert wanted_fields(found, form) == {
        "kind": "site",
        "address": "https://a.example/",
        "language": "en",
        "channel": "news",
        "frequency": "2h",
        "include": ["/news/"],
        "tags": ["sea", "pier"],
    }


def test_an_edit_leaves_out_what_was_emptied() -> None:
    before = {"name": "a", "kind": "site", "address": "https://a.example/", "channel": "news", "limit": 5}
    after = edited(before, FormData({"channel": "", "limit": "", "include": "", "frequency": "1d"}))
    assert after == {"name": "a", "kind": "site", "address": "https://a.example/", "frequency": "1d"}
    with pytest.raises(UsageError, match="whole number"):
        edited(before, FormData({"limit": "many"}))


def test_options_of_a_crawl_are_read_from_its_form() -> None:
    form = {"limit": "50", "reach": "subdomains", "include": "/news/\n", "delay_s": "0.5", "refresh": "1"}
    options = wanted_options(form)
    assert (options["limit"], options["mode"], options["include"]) == (50, "subdomains", ["/news/"])
    assert (options["means"], options["refresh"], options["max_depth"]) == ({"delay_s": 0.5}, True, None)
    for wrong in ({"limit": "-1"}, {"reach": "moon"}, {"delay_s": "soon"}):
        with pytest.raises(UsageError):
            wanted_options(wrong)


def test_lag_counts_what_has_a_time_of_day_and_was_news() -> None:
    def arrival(hours: float, published: datetime | None = None) -> Arrival:
        at = published or NOW.replace(hour=9, minute=1)
        return Arrival("k", "https://a.example/", "article", at, at + timedelta(hours=hours))

    midnight = NOW.replace(hour=0, minute=0)
    lag = lag_of([arrival(1), arrival(2), arrival(3), arrival(200), arrival(1, midnight)])
    assert (lag["documents"], lag["median_s"]) == (3, 7200)
    assert lag_of([]) == {"documents": 0, "median_s": None, "p90_s": None}


def test_the_disk_is_full_in_days_only_where_it_fills() -> None:
    assert days_left(100, 10) == 10
    assert days_left(100, 0) is None


def test_what_is_no_level_or_run_is_left_out_of_the_question_to_the_log() -> None:
    asked = {"level": "loud", "role": "", "worker": "", "source": "", "run": "x1", "words": "pier"}
    wanted = wanted_of(asked)
    assert (wanted.level, wanted.run, wanted.words) == ("", None, "pier")


def test_settings_are_shown_with_their_origin_and_without_secrets() -> None:
    rows = {row["setting"]: row for row in setting_rows(Settings(store="postgresql://ada:hunter2@db/news"))}
    assert "hunter2" not in str(rows)
    assert rows["delay_s"]["group"] == "politeness"
    assert rows["delay_s"]["origin"] == "default"
    assert rows["store"]["origin"] == "flag"


def test_an_exported_list_is_imported_again() -> None:
    (wanted,) = read_list(b'[[source]]\nname = "harbour"\nkind = "site"\naddress = "https://harbour.example/"\n')
    assert (wanted.address, wanted.fields["name"], wanted.fault) == ("https://harbour.example/", "harbour", "")


@pytest.mark.parametrize("path", ACTIONS)
def test_viewers_change_nothing(served: Served, path: str) -> None:
    assert served.browser("viewer").post(path, {"name": "x"}).status_code == 403


def test_sources_are_paused_resumed_and_removed_after_a_question(served: Served) -> None:
    endpoint = Endpoint(source="harbour", url="https://harbour.example/feed", kind=EndpointKind.FEED)
    served.do(served.site.corpora.write(lambda corpus: corpus.catalog.add(_source("harbour"), [endpoint])))
    analyst = served.browser("analyst")
    analyst.post("/sources/act", {"name": "harbour", "action": "pause"})
    assert analyst.get("/sources.json?state=paused").json()["rows"][0]["name"] == "harbour"
    analyst.post("/sources/act", {"name": "harbour", "action": "resume"})
    assert "Remove 1 source?" in analyst.post("/sources/act", {"name": "harbour", "action": "remove"}).text
    assert analyst.get("/sources.json").json()["total"] == 1
    assert 'address = "https://harbour.example/"' in analyst.get("/sources/export/toml").text
    analyst.post("/sources/act", {"name": "harbour", "action": "remove", "sure": "1"})
    assert analyst.get("/sources.json").json()["total"] == 0


def test_a_source_is_edited_and_a_wrong_pattern_is_told_in_the_form(served: Served) -> None:
    served.do(served.site.corpora.write(lambda corpus: corpus.catalog.add(_source("harbour"))))
    analyst = served.browser("analyst")
    refused = analyst.post("/sources/of/harbour/edit", {"include": "(", "frequency": "2h"})
    assert refused.status_code == 422
    assert "regular expression" in refused.text
    assert analyst.post("/sources/of/harbour/edit", {"frequency": "2h"}).status_code == 303
    assert analyst.get("/sources/of/harbour.json").json()["definition"]["frequency"] == "2h"


def test_a_crawl_that_is_left_to_workers_waits_and_can_be_stopped(served: Served) -> None:
    analyst = served.browser("analyst")
    form = {"starts": "https://harbour.example/", "limit": "5", "who": "workers"}
    assert analyst.post("/crawls/start", form).headers["location"] == "/crawls/1"
    shown = analyst.get("/crawls/1.json").json()
    assert (shown["state"], shown["stalled"], shown["workers"]) == ("running", True, [])
    analyst.post("/crawls/1/cancel")
    assert analyst.get("/crawls/1.json").json()["state"] == "interrupted"
    assert analyst.get("/crawls/1/pages.csv").status_code == 200
    assert analyst.get("/crawls/99").status_code == 404


def test_a_wrong_address_is_told_in_the_form(served: Served) -> None:
    analyst = served.browser("analyst")
    for path in ("/sources/add", "/crawls/start"):
        answer = analyst.post(path, {"url": "http://", "starts": "http://"})
        assert (answer.status_code, "alert" in answer.text) == (422, True)


def test_a_worker_that_was_not_heard_of_is_told_nothing(served: Served) -> None:
    answer = served.browser("admin").post("/workers/tell", {"worker": "gone/1/2", "order": "drain"})
    assert answer.status_code == 409
    assert "not heard of" in answer.text


def test_a_backup_is_a_whole_database_and_noted(served: Served) -> None:
    admin = served.browser("admin")
    admin.get("/sources.json")  # makes the corpus
    copy = admin.post("/settings/backup")
    assert copy.content.startswith(b"SQLite format 3\x00")
    assert "backup" in [row["action"] for row in admin.get("/settings/audit.json").json()["rows"]]


def test_users_and_tokens_are_made_shown_once_and_removed(served: Served) -> None:
    admin = served.browser("admin")
    admin.post("/settings/users", {"action": "add", "name": "eve", "password": "a long password", "role": "viewer"})
    assert {row["name"] for row in admin.get("/settings/users.json").json()["rows"]} == {
        "admin",
        "analyst",
        "viewer",
        "eve",
    }
    made = admin.post("/settings/account", {"action": "token", "token": "cron", "scope": "read"})
    assert "thr_" in made.text
    assert "thr_" not in admin.get("/settings").text
    admin.post("/settings/account", {"action": "revoke", "token": "cron"})
    assert admin.get("/settings.json").json()["tokens"] == []
    last = admin.post("/settings/users", {"action": "remove", "name": "admin"})
    assert last.status_code == 409
