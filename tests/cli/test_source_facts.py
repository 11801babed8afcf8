"""What `thresher sources show` prints for people."""

from typing import Any

import pytest

from thresher.cli.sources_status import show_facts

MOMENT = "2026-11-19T22:26:20.405476+00:00"


def test_times_and_spans_are_written_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    endpoint = {
        **dict.fromkeys(("kind", "state", "asked", "found", "new", "failures", "moved_to", "hubs")),
        "last_asked": MOMENT,
        "interval_s": 2814.2,
        "url": "https://example.com/feed",
    }
    visit = {
        "at": MOMENT,
        "status": 200,
        "found": 3,
        "new": 1,
        "reason": None,
        "next_in_s": 2814.2,
        "url": "https://e.com",
    }
    health: dict[str, Any] = {"last_new": MOMENT, "usual_week": None, "last_week": 1, "errors": {}, "problems": []}
    show_facts(
        {
            "definition": {"name": "example", "created_at": MOMENT},
            "health": health,
            "endpoints": [endpoint],
            "subscriptions": [],
            "validation": {"stored": 1, "judged": 1, "refused": {}},
            "rounds": [visit, {**visit, "next_in_s": None}],
        }
    )
    shown = capsys.readouterr().out
    assert shown.count("2026-11-19 22:26 UTC") == 5
    assert "47m" in shown
    assert "2814" not in shown
    assert "T22:26" not in shown
