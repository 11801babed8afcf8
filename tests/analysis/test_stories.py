"""Stories: which reports come together, and what is remembered of them."""

import json
import random
from datetime import UTC, datetime, timedelta

import pytest

from thresher.analysis import stories as module
from thresher.analysis.stories import Report, Stories
from thresher.urls import key_of

NOW = datetime(2026, 11, 1, 9, tzinfo=UTC)
FERRY = ["ferry", "harbour", "captain", "collision", "passengers", "rescue", "coastguard", "island", "pier", "storm"]
BUDGET = ["budget", "parliament", "deficit", "minister", "taxes", "pension", "vote", "coalition", "spending", "debt"]
FILLER = [f"filler{number}" for number in range(400)]


def text_about(subject: list[str], seed: int) -> str:
    """Return a text of its own that speaks of a subject among other things."""
    dice = random.Random(seed)
    return " ".join(dice.choices(subject, k=30) + dice.sample(FILLER, 30))


def add(stories: Stories, subject: list[str], seed: int, *, days: float = 0.0, site: str = "") -> str:
    """Add a report; return the id of its story."""
    url = f"https://{site or f'site{seed}.example'}/{seed}"
    title = " ".join(random.Random(seed).sample(subject, 4))
    report = Report(key_of(url), url, title, site or f"site{seed}.example", NOW + timedelta(days=days))
    return stories.add(report, text_about(subject, seed), "en").id


def filled() -> Stories:
    """Return stories that know some words already."""
    stories = Stories()
    for seed in range(100, 130):
        add(stories, [f"word{seed}x{number}" for number in range(10)], seed)
    return stories


def test_reports_of_one_event_are_one_story_and_others_are_not() -> None:
    stories = filled()
    ferry = {add(stories, FERRY, seed, days=seed / 4) for seed in range(5)}
    budget = {add(stories, BUDGET, seed + 50, days=seed / 4) for seed in range(5)}
    assert len(ferry) == len(budget) == 1
    assert ferry != budget
    assert {story.id for story in stories.stories()} == ferry | budget


def test_a_story_has_a_timeline_and_its_sources() -> None:
    stories = filled()
    for seed, days in ((1, 0.0), (2, 0.1), (3, 2.0)):
        add(stories, FERRY, seed, days=days, site="a.example" if seed < 3 else "b.example")
    (story,) = stories.stories()
    assert (story.first, story.last) == (NOW, NOW + timedelta(days=2))
    assert story.days == {"2026-11-01": 2, "2026-11-03": 1}
    assert story.sources == {"a.example": 2, "b.example": 1}
    assert story.title in [report.title for report in story.reports]


def test_those_of_most_sites_come_first_and_old_ones_can_be_left_out() -> None:
    stories = filled()
    for seed in range(3):
        add(stories, FERRY, seed)
    for seed in range(4):
        add(stories, BUDGET, 50 + seed, days=3)
    assert [len(story.sources) for story in stories.stories()] == [4, 3]
    assert [len(story.sources) for story in stories.stories(since=NOW + timedelta(days=1))] == [4]


def test_a_story_that_was_silent_for_long_is_closed_and_remembered() -> None:
    stories = filled()
    first = {add(stories, FERRY, seed) for seed in range(2)}
    again = {add(stories, FERRY, seed, days=30) for seed in (7, 8)}
    assert first.isdisjoint(again)
    assert {story.id for story in stories.stories()} == first | again


def test_a_report_that_arrives_late_joins_the_story_of_its_time() -> None:
    stories = filled()
    ids = {add(stories, FERRY, seed, days=days) for seed, days in ((1, 2.0), (2, 3.0), (3, 0.5))}
    assert len(ids) == 1
    (story,) = stories.stories()
    assert story.first == NOW + timedelta(days=0.5)


@pytest.mark.parametrize("stop", [1, 7, 30])
def test_it_goes_on_after_a_restart_as_if_nothing_had_happened(stop: int) -> None:
    steps = [(FERRY if seed % 2 else BUDGET, seed, seed / 3) for seed in range(40)]
    whole, parted = filled(), filled()
    for number, (subject, seed, days) in enumerate(steps):
        if number == stop:
            parted = Stories.from_dict(json.loads(json.dumps(parted.to_dict())))
        add(whole, subject, seed, days=days)
        add(parted, subject, seed, days=days)
    assert parted.to_dict() == whole.to_dict()


def test_what_is_remembered_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, most in {"MAX_OPEN": 20, "MAX_KEPT": 5, "MAX_WORDS": 300, "MAX_REPORTS": 2}.items():
        monkeypatch.setattr(module, name, most)
    stories = Stories()
    for seed in range(200):
        subject = [f"word{seed // 2}x{number}" for number in range(10)]
        add(stories, subject, seed, days=seed / 100)
    data = stories.to_dict()
    assert len(data["open"]) <= 21
    assert len(data["closed"]) <= 5
    assert len(data["holders"]) <= 300
    assert all(len(story["reports"]) <= 2 for story in data["open"] + data["closed"])


def test_a_report_without_words_is_a_story_of_its_own() -> None:
    stories = filled()
    for seed in (1, 2):
        url = f"https://empty.example/{seed}"
        stories.add(Report(key_of(url), url, "", "empty.example", NOW), "", None)
    assert stories.stories() == []
