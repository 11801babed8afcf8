"""What `/metrics` of the web application tells of queues, sinks and the index: what has to wait, and for how long."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.web import corpus as pages
from tests.web.browsers import Served, serving
from thresher.config import Settings
from thresher.frontier.contract import Rules
from thresher.model import Link
from thresher.sinks import open_sinks
from thresher.web.corpora import OpenCorpus


def told(served: Served) -> dict[str, float]:
    """Every value of /metrics, by its name and labels."""
    lines = served.browser().get("/metrics").text.splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def test_a_queue_tells_how_many_links_wait_and_since_when_a_host_could_be_asked(served: Served) -> None:
    def queue(corpus: OpenCorpus) -> None:
        run = corpus.store.start_run(["https://a.example/"], {}, datetime.now(UTC))
        corpus.parts.frontier(run.job, Rules()).offer([Link("https://a.example/"), Link("https://a.example/1")])

    served.do(served.site.corpora.write(queue))
    first, second = told(served), told(served)
    assert first['thresher_queue_links{job="run-1",state="pending"}'] == 2
    age = 'thresher_queue_age_seconds{job="run-1"}'
    assert 0 <= first[age] < second[age]


def test_a_sink_tells_how_many_documents_it_has_yet_to_be_given(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.wiring.carry_beside", lambda settings: lambda: None)  # whoever writes carries, too
    chosen = replace(settings, sinks=(f"copy=sqlite:///{tmp_path}/copy.db",))
    with serving(chosen) as served:
        served.do(served.site.corpora.write(pages.fill))
        assert told(served)['thresher_sink_lag{sink="copy"}'] == 5

        def carry(corpus: OpenCorpus) -> None:
            (sink,) = open_sinks(chosen, corpus.store)
            assert sink.carry() == 5
            sink.close()

        served.do(served.site.corpora.write(carry))
        found = told(served)
    assert found['thresher_sink_lag{sink="copy"}'] == 0
    assert found['thresher_sink_failures{sink="copy"}'] == 0


def test_while_the_search_server_is_away_it_is_told_what_waits_for_it(settings: Settings) -> None:
    with serving(replace(settings, index="opensearch://127.0.0.1:1/none")) as served:
        served.do(served.site.corpora.write(pages.fill))
        found = told(served)
    assert found["thresher_index_waiting"] == 5
    assert found["thresher_index_waited_seconds"] > 0
    assert "thresher_documents" not in found
    assert not [name for name in found if re.search(r"example|harbour", name)], "no page is named in a metric"


def test_an_index_of_our_own_keeps_nobody_waiting(served: Served) -> None:
    served.do(served.site.corpora.write(pages.fill))
    found = told(served)
    assert (found["thresher_index_waiting"], found["thresher_index_waited_seconds"]) == (0, 0)
    assert found["thresher_documents"] == 5
