"""The log file of a data folder: structured, clean, bounded, and read from its end."""

import json
import logging
from multiprocessing import get_context
from pathlib import Path

import pytest
from click.testing import CliRunner

from thresher import logs
from thresher.cli import exits
from thresher.cli.main import cli
from thresher.cli.terminal import keep_log, log_to_stderr, say
from thresher.config import Settings
from thresher.logs import FOLDER, NAME, Wanted, folded, follow, note, read, write_to


def test_a_note_is_one_line_of_json_with_its_facts(tmp_path: Path) -> None:
    write_to(tmp_path, "crawl", "host/1")
    note(
        "info",
        "stored: Ferry returns",
        url="https://a.example/1",
        source="harbour",
        run=3,
        job="run-3",
        reason="article",
    )
    (line,) = (tmp_path / FOLDER / NAME).read_text("utf-8").splitlines()
    entry = json.loads(line)
    assert entry.pop("@timestamp").endswith("Z")
    assert entry == {
        "log.level": "info",
        "log": {"logger": logs.ONLY_FILE},
        "ecs.version": "1.6.0",
        "service": {"name": "thresher", "node": {"role": "crawl", "name": "host/1"}},
        "thresher": {"source": "harbour", "run": 3, "job": "run-3"},
        "url": {"full": "https://a.example/1"},
        "event": {"dataset": "thresher.log", "reason": "article"},
        "message": "stored: Ferry returns",
    }


def test_secrets_and_control_characters_stay_out_of_the_log(tmp_path: Path) -> None:
    write_to(tmp_path, "serve")
    logging.getLogger("thresher.crawl").warning("no answer of redis://:hunter2@queue:6379/0\x1b[2J\nforged line")
    text = (tmp_path / FOLDER / NAME).read_text("utf-8")
    assert "hunter2" not in text
    assert "\\u001b" not in text
    assert len(text.splitlines()) == 1
    assert read(tmp_path)[0]["message"].endswith("[2J forged line")


def test_log_collectors_get_messages_and_logs_as_lines_of_the_schema(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log_to_stderr()
    keep_log(Settings(data=str(tmp_path), log_format="ecs"), "worker", "host/1")
    say("run 7 is open\x1b[2J")
    note("info", "stored: Ferry returns", run=7)
    logging.getLogger("thresher.crawl").warning("no answer of redis://:hunter2@queue:6379/0")
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    messages = [line["message"] for line in lines]
    assert messages[:2] == ["run 7 is open[2J", "stored: Ferry returns"]
    assert "hunter2" not in messages[2]
    assert {line["service"]["node"]["role"] for line in lines} == {"worker"}
    assert [line["log.level"] for line in lines] == ["info", "info", "warning"]
    assert [entry["message"] for entry in read(tmp_path)] == messages[:0:-1]  # what is only said is in no file


def test_full_files_are_kept_up_to_a_limit_and_the_oldest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MAX_BYTES", 6_000)
    write_to(tmp_path, "crawl")
    for number in range(200):
        note("info", f"line {number}")
    files = sorted(path.name for path in (tmp_path / FOLDER).glob("*.jsonl"))
    assert files == ["thresher.1.jsonl", "thresher.2.jsonl", "thresher.3.jsonl", "thresher.4.jsonl", NAME]
    assert all(path.stat().st_size <= 6_000 for path in (tmp_path / FOLDER).glob("*.jsonl"))
    messages = [entry["message"] for entry in read(tmp_path, limit=1_000)]
    assert messages == [f"line {number}" for number in range(199, 199 - len(messages), -1)]
    assert 50 < len(messages) < 200


def _write_many(data: str, who: str) -> None:
    logs.MAX_BYTES = 20_000
    write_to(Path(data), "worker", who)
    for number in range(100):
        note("info", f"{who} {number}")


def test_several_processes_write_one_log_without_mixing_or_losing_lines(tmp_path: Path) -> None:
    context = get_context("spawn")
    writers = [context.Process(target=_write_many, args=(str(tmp_path), f"w{n}")) for n in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    found = {entry["message"] for entry in read(tmp_path, limit=1_000)}
    assert found == {f"w{n} {number}" for n in range(2) for number in range(100)}


def test_lines_are_chosen_by_level_worker_source_run_and_words(tmp_path: Path) -> None:
    write_to(tmp_path, "watch", "host/9")
    note("info", "stored", source="harbour", run=1)
    note("warning", "tried again later", url="https://b.example/Pier", source="board", run=2, reason="timeout")
    note("error", "buried", source="board", run=2, reason="http-500")

    def chosen(**wanted: object) -> list[str]:
        return [entry["message"] for entry in read(tmp_path, Wanted(**wanted))]  # type: ignore[arg-type]

    assert chosen(level="warning") == ["buried", "tried again later"]
    assert chosen(source="harbour") == ["stored"]
    assert chosen(run=2, words="PIER") == ["tried again later"]
    assert chosen(worker="host/9", role="watch", words="http-500") == ["buried"]
    assert chosen(worker="host/1") == []


def test_repeats_are_folded_and_the_first_time_is_told(tmp_path: Path) -> None:
    write_to(tmp_path, "crawl")
    note("info", "begun")
    for number in range(5):
        note("warning", f"tried again later: attempt {number}", url=f"https://a.example/{number}", reason="timeout")
    first, second = folded(read(tmp_path))
    assert (first.count, first.entry["reason"]) == (5, "timeout")
    assert first.first_at <= first.entry["time"]
    assert (second.count, second.entry["message"]) == (1, "begun")


def test_new_lines_are_followed_also_into_a_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MAX_BYTES", 400)
    write_to(tmp_path, "crawl")
    note("info", "before")
    coming = follow(tmp_path)
    assert next(coming) is None
    for number in range(3):
        note("info", f"after {number}")
        assert (next(coming) or {}).get("message") == f"after {number}"
        assert next(coming) is None


def test_a_line_that_was_cut_off_is_passed_over(tmp_path: Path) -> None:
    write_to(tmp_path, "crawl")
    note("info", "whole")
    with (tmp_path / FOLDER / NAME).open("ab") as file:
        file.write(b'{"time": "2026-')
    assert [entry["message"] for entry in read(tmp_path)] == ["whole"]


def test_the_command_prints_the_log_folded_or_as_json(tmp_path: Path) -> None:
    write_to(tmp_path, "crawl")
    for number in range(3):
        note("warning", f"attempt {number}", reason="timeout", run=7)
    call = ["logs", "--data", str(tmp_path)]
    shown = CliRunner().invoke(cli, call, standalone_mode=False)
    assert shown.return_value == exits.DONE
    assert "crawl run 7" in shown.stdout
    assert "(×3 since " in shown.stdout
    rows = json.loads(CliRunner().invoke(cli, [*call, "-f", "json"]).stdout)
    assert [row["message"] for row in rows] == ["attempt 0", "attempt 1", "attempt 2"]
    nothing = CliRunner().invoke(cli, [*call, "--grep", "elephant"], standalone_mode=False)
    assert nothing.return_value == exits.EMPTY


def test_without_a_log_file_notes_go_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    note("error", "nobody hears this")
    assert capsys.readouterr().err == ""
