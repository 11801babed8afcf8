"""`thresher frontier` and `thresher worker` as a person types them, on a data folder and on Redis."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.servers import Server
from thresher import wiring
from thresher.cli import exits
from thresher.cli.main import run
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.crawling.identity import worker_name
from thresher.discovery.scope import Scope
from thresher.frontier.contract import Rules, Settlement, State
from thresher.frontier.server import Server as RedisServer
from thresher.model import Link, Outcome, RunState

RULES = Rules(delay_s=0.0)
STARTS = ["http://a.test/", "http://b.test/"]
Say = Callable[..., tuple[int, str, str]]


@pytest.fixture(params=["embedded", "redis"])
def corpus(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    """A corpus with a run of six links on two hosts, of which one was buried; the commands see it."""
    url = ""
    if request.param == "redis":
        redis: Server = request.getfixturevalue("redis_process")
        url = f"{redis.url.rpartition('/')[0]}/9"
        RedisServer(url).call("FLUSHDB")
    monkeypatch.setenv("THRESHER_DATA", str(tmp_path))
    monkeypatch.setenv("THRESHER_FRONTIER", url)
    monkeypatch.chdir(tmp_path)
    corpus = wiring.open_corpus(Settings(data=str(tmp_path), frontier=url))
    options = {"scope": Scope.around(STARTS).as_json(), "limit": None, "refresh": False, "means": {"delay_s": 3.0}}
    opened = corpus.store.start_run(STARTS, options, datetime.now(UTC))
    frontier = corpus.frontier(opened.job, RULES)
    frontier.offer([Link("http://b.test/bad")])
    (lease,) = frontier.lease("w", 1)
    frontier.settle([Settlement(lease, Outcome.BURY, "http-500")])
    frontier.offer([Link(f"http://a.test/{number}", 1, "page") for number in range(4)] + [Link("http://b.test/")])
    yield corpus
    corpus.close()


@pytest.fixture
def say(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> Say:
    """Run a command; return its exit code, and what it wrote to standard output and standard error."""

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(list(words))
        written = capsys.readouterr()
        return code, written.out, written.err

    return typed


def rows(say: Say, *words: str) -> list[dict[str, Any]]:
    code, out, err = say(*words, "-f", "json")
    assert code == exits.DONE, err
    found: list[dict[str, Any]] = json.loads(out)
    return found


def test_the_status_counts_links_by_where_they_stand(say: Say) -> None:
    (status,) = rows(say, "frontier", "status")
    counts = {name: status[name] for name in ("pending", "delayed", "leased", "done", "dead", "workers")}
    assert counts == {"pending": 5, "delayed": 0, "leased": 0, "done": 0, "dead": 1, "workers": 0}
    assert (status["job"], status["state"]) == ("run-1", "running")
    code, out, _ = say("frontier", "status", "--job", "1")
    assert code == exits.DONE
    assert out.splitlines()[0].split() == [*status]
    assert out.splitlines()[1].split()[:3] == ["run-1", "running", "5"]


def test_hosts_and_what_waits_there_are_listed(say: Say) -> None:
    hosts = rows(say, "frontier", "hosts")
    assert [(host["name"], host["pending"], host["delay_s"]) for host in hosts] == [
        ("a.test", 4, 3.0),
        ("b.test", 1, 3.0),
    ]
    assert [link["url"] for link in rows(say, "frontier", "peek", "b.test")] == ["http://b.test/"]
    assert len(rows(say, "frontier", "peek", "-n", "3")) == 3
    (letter,) = rows(say, "frontier", "peek", "--dead")
    assert (letter["url"], letter["reason"]) == ("http://b.test/bad", "http-500")
    assert rows(say, "frontier", "peek", "--dead", "a.test") == []


def test_a_host_is_paused_and_resumed_and_so_is_the_job(say: Say, corpus: Corpus) -> None:
    frontier = corpus.frontier("run-1", Rules(delay_s=0.0, host_concurrency=9))
    assert say("frontier", "pause", "http://A.test/")[0] == exits.DONE
    assert {lease.link.host for lease in frontier.lease("w", 9)} == {"b.test"}
    frontier.release("w")
    assert say("frontier", "resume", "a.test")[0] == exits.DONE
    assert say("frontier", "pause")[0] == exits.DONE
    assert rows(say, "frontier", "status")[0]["state"] == "paused"
    assert frontier.lease("w", 9) == []
    assert say("frontier", "resume")[0] == exits.DONE
    assert len(frontier.lease("w", 9)) == 5


def test_a_boosted_url_and_a_boosted_host_go_first(say: Say, corpus: Corpus) -> None:
    assert say("frontier", "boost", "http://a.test/3#top")[0] == exits.DONE
    assert [link["url"] for link in rows(say, "frontier", "peek", "a.test", "-n", "1")] == ["http://a.test/3"]
    assert say("frontier", "boost", "b.test")[0] == exits.DONE
    assert [lease.link.host for lease in corpus.frontier("run-1", RULES).lease("w", 1)] == ["b.test"]
    assert say("frontier", "boost", "b.test", "--off")[0] == exits.DONE
    assert not any(host["boosted"] for host in rows(say, "frontier", "hosts"))


def test_what_was_given_up_is_tried_again_and_the_run_is_open_again(say: Say, corpus: Corpus) -> None:
    corpus.store.end_run(1, RunState.FINISHED, datetime.now(UTC))
    code, _, err = say("frontier", "retry", "b.test")
    assert (code, "1 link of run-1 will be tried again" in err) == (exits.DONE, True)
    standing = corpus.frontier("run-1", RULES).find("http://b.test/bad")
    assert standing is not None
    assert standing.state is State.PENDING
    again = corpus.store.run(1)
    assert again is not None
    assert again.state is RunState.RUNNING
    assert say("frontier", "retry", "--all")[0] == exits.EMPTY


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["frontier", "status", "--job", "7"], "there is no run '7'"),
        (["frontier", "hosts", "--job", "../x"], "there is no run '../x'"),
        (["frontier", "hosts", "-n", "0"], "x>=1"),
        (["frontier", "pause", "nobody.test"], "no links of nobody.test"),
        (["frontier", "pause", "no host"], "no host"),
        (["frontier", "boost", "http://a.test/unknown"], "is not waiting"),
        (["frontier", "boost", "nobody.test"], "no links of nobody.test"),
        (["frontier", "retry"], "name a URL or a host, or give --all"),
        (["frontier", "retry", "a.test", "--all"], "name a URL or a host, or give --all"),
        (["worker", "drain"], "name the workers, or give --all"),
        (["worker", "stop", "nobody"], "there is no worker 'nobody'"),
        (["worker", "run", "--job", "seven"], "there is no run 'seven'"),
        (["worker", "run", "--max-memory", "much"], "is not a size"),
        (["worker", "run", "--max-pages", "0"], "x>=1"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(say: Say, words: list[str], said: str) -> None:
    code, out, err = say(*words)
    assert (code, out) == (exits.USAGE, "")
    assert said in err
    assert "Traceback" not in err


def test_workers_are_listed_as_they_are_heard_of_and_hear_what_they_are_told(say: Say, corpus: Corpus) -> None:
    assert rows(say, "worker", "list") == []
    overseer = corpus.overseer("run-1", RULES)
    overseer.beat("here/1/100", json.dumps({"state": "running", "pages": 7, "memory_bytes": 90_000_000}))
    overseer.beat("here/2/200", json.dumps({"state": "draining"}))
    listed = {row["worker"]: row for row in rows(say, "worker", "list")}
    assert (listed["here/1/100"]["state"], listed["here/2/200"]["state"]) == ("running", "draining")
    assert (listed["here/1/100"]["pages"], listed["here/1/100"]["memory_mb"]) == (7, 90)
    code, _, err = say("worker", "drain", "here")
    assert (code, "could be any of" in err) == (exits.USAGE, True)
    assert say("worker", "drain", "here/1")[0] == exits.DONE
    assert overseer.beat("here/1/100", "{}") == "drain"
    assert overseer.beat("here/2/200", "{}") == ""
    assert say("worker", "stop", "--all")[0] == exits.DONE
    assert overseer.beat("here/2/200", "{}") == "stop"
    assert rows(say, "frontier", "status")[0]["workers"] == 2


def test_a_worker_of_this_machine_that_was_killed_is_not_called_running(say: Say, corpus: Corpus) -> None:
    host, pid, mark = worker_name().rsplit("/", 2)
    killed = f"{host}/{pid}/1.{mark.partition('.')[2]}"  # this process had not begun then
    for name in (killed, worker_name()):
        corpus.overseer("run-1", RULES).beat(name, json.dumps({"state": "running"}))
    listed = {row["worker"]: row["state"] for row in rows(say, "worker", "list")}
    assert listed == {killed: "ended", worker_name(): "running"}


def test_a_health_check_asks_for_the_workers_of_this_machine_alone(say: Say, corpus: Corpus) -> None:
    overseer = corpus.overseer("run-1", RULES)
    overseer.beat("elsewhere/1/100", "{}")
    code, _, err = say("worker", "check")
    assert (code, "was heard of in the last 15 seconds" in err) == (exits.FAILED, True)
    overseer.beat(worker_name(), json.dumps({"state": "running"}))
    assert say("worker", "check") == (exits.DONE, "", "")


@pytest.mark.parametrize("words", [("worker", "check"), ("worker", "list"), ("fleet", "status")])
def test_looking_at_workers_loads_neither_a_crawler_nor_a_store(corpus: Corpus, words: tuple[str, ...]) -> None:
    """A health check does so every minute in each container."""
    corpus.overseer("run-1", RULES).beat(worker_name(), json.dumps({"state": "running"}))
    code = (
        f"import sys; from thresher.cli.main import run; code = run({list(words)!r});"
        "print(code, [m for m in ('scrapy', 'twisted', 'sqlalchemy', 'lxml') if m in sys.modules], file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stderr.strip() == "0 []"


def test_while_a_server_is_away_a_worker_passes_its_health_check(
    say: Say, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for the store before its first sign of life, and must not be restarted for that."""
    monkeypatch.setenv("THRESHER_STORE", "postgresql://nobody@127.0.0.1:1/none")
    code, _, err = say("worker", "check")
    assert (code, err.startswith("not known: the store does not answer")) == (exits.DONE, True), err
    monkeypatch.setenv("THRESHER_FRONTIER", "redis://127.0.0.1:1/0")
    code, _, err = say("worker", "check")
    assert (code, err.startswith("not known: the Redis at redis://127.0.0.1:1/0")) == (exits.DONE, True), err


def test_without_a_data_folder_there_is_nothing_to_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THRESHER_DATA", str(tmp_path / "none"))
    assert run(["frontier", "status"]) == exits.USAGE
    assert "nothing was collected" in capsys.readouterr().err
    assert run(["worker", "list", "--frontier", "redis://127.0.0.1:1/0"]) in (exits.USAGE, exits.UNREACHABLE)
    assert not (tmp_path / "none").exists()
