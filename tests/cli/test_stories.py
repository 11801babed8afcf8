"""`thresher stories` and `thresher.open(…).stories()`."""

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import thresher
from tests.commands import run
from thresher import wiring
from thresher.api.stories import Reading, read_on, up_to_date
from thresher.config import Settings
from thresher.model import Block, Document, Fate, Kind, Span
from thresher.store.contract import Record

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
SUBJECTS = {
    "ferry": "A ferry with two hundred passengers hit the pier of the island in the storm; the coastguard rescued all.",
    "vote": "Parliament voted for the budget of the coalition, which raises pensions and lowers taxes.",
}
CHINESE = "渡轮在风暴中撞上码头，海岸警卫队救起全部乘客，船长接受调查。"


def save(folder: Path, documents: Sequence[Document], *, hours: int = 0) -> None:
    corpus = wiring.open_corpus(Settings(data=str(folder)))
    for number, document in enumerate(documents):
        fate = Fate(str(document.url), 1, "stored", "article", NOW + timedelta(hours=hours, minutes=number), status=200)
        corpus.store.save(Record(fate, document=document))
    corpus.close()


def article(site: str, subject: str, days: int) -> Document:
    url = f"https://{site}/{subject}"
    text = SUBJECTS.get(subject, " ".join(f"{subject}word{number}" for number in range(20)))
    blocks = (Block((Span(text),)),)
    published = NOW - timedelta(days=days)
    return Document(url, Kind.ARTICLE, 1.0, title=f"{subject} {site}", blocks=blocks, published=published, site=site)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    others = [article(f"other{number}.example", f"thing{number}", 1) for number in range(20)]
    ferry = [article(f"{name}.example", "ferry", days) for name, days in (("a", 3), ("b", 2), ("c", 1))]
    save(folder, [*others, *ferry, *(article(f"{name}.example", "vote", 1) for name in "de")])
    return folder


def test_stories_are_listed_with_their_sites(data: Path, tmp_path: Path) -> None:
    ended = run("stories", "--data", str(data), cwd=tmp_path)
    first, second, _ = ended.stdout.split("\n\n")
    assert "2026-03-01 to 2026-03-03  3 reports of 3 sites" in first
    assert "2 reports of 2 sites\n  e.example, d.example" in second
    assert (ended.returncode, ended.stderr) == (0, "2 of 2 stories\n")


def test_stories_come_as_data_and_can_be_shown_one_by_one(data: Path, tmp_path: Path) -> None:
    listed = run("stories", "--data", str(data), "--limit", "1", "-f", "json", cwd=tmp_path)
    (story,) = json.loads(listed.stdout)
    shown = run("stories", "show", story["id"], "--data", str(data), "-f", "json", cwd=tmp_path)
    whole = json.loads(shown.stdout)
    assert whole["days"] == {"2026-03-01": 1, "2026-03-02": 1, "2026-03-03": 1}
    assert [report["site"] for report in whole["reports"]] == ["a.example", "b.example", "c.example"]
    rows = run("stories", "-f", "csv", "show", story["id"], "--data", str(data), cwd=tmp_path).stdout
    assert [row["url"] for row in csv.DictReader(io.StringIO(rows))] == [each["url"] for each in whole["reports"]]


def test_a_story_or_a_time_that_does_not_exist_is_told(data: Path, tmp_path: Path) -> None:
    missing = run("stories", "show", "nothing", "--data", str(data), cwd=tmp_path)
    assert (missing.returncode, missing.stdout) == (4, "")
    assert "no story nothing" in missing.stderr
    wrong = run("stories", "--since", "soon", "--data", str(data), cwd=tmp_path)
    assert (wrong.returncode, "7d" in wrong.stderr) == (2, True)


def test_what_comes_later_joins_the_stories_that_are_kept(data: Path, tmp_path: Path) -> None:
    with thresher.open(tmp_path_of(data, tmp_path)) as corpus:
        before = {story.id: story.size for story in corpus.stories()}
    save(tmp_path / "copy", [article("z.example", "ferry", 1), article("y.example", "vote", 0)], hours=1)
    with thresher.open(tmp_path / "copy") as corpus:
        after = {story.id: story.size for story in corpus.stories()}
        assert corpus.stories(since=NOW - timedelta(hours=1), limit=5)[0].sources.keys() >= {"y.example"}
        assert corpus.story("nothing") is None
    assert after == {id: size + 1 for id, size in before.items()}


def tmp_path_of(data: Path, tmp_path: Path) -> Path:
    """Copy the corpus, so that the other tests find theirs."""
    (tmp_path / "copy").mkdir()
    for file in data.iterdir():
        (tmp_path / "copy" / file.name).write_bytes(file.read_bytes())
    return tmp_path / "copy"


def test_chinese_reports_are_grouped(tmp_path: Path) -> None:
    others = [article(f"other{number}.example", f"thing{number}", 1) for number in range(20)]
    reports = []
    for name in "ab":
        blocks = (Block((Span(f"{CHINESE}{name}"),)),)
        url = f"https://{name}.example/zh"
        reports.append(
            Document(url, Kind.ARTICLE, 1.0, title="渡轮撞上码头", blocks=blocks, language="zh", site=f"{name}.example")
        )
    save(tmp_path, [*others, *reports])
    with thresher.open(tmp_path) as corpus:
        (story,) = corpus.stories()
    assert story.title == "渡轮撞上码头"


def test_stories_are_read_in_pieces_and_come_to_the_same(tmp_path: Path) -> None:
    given = [article(f"{name}.example", "ferry", days) for name, days in (("a", 3), ("b", 2), ("c", 1))]
    given += [article(f"other{number}.example", f"thing{number}", number % 5) for number in range(10)]
    for name in ("whole", "pieces"):
        save(tmp_path / name, given)
    with thresher.open(tmp_path / "whole") as corpus:
        whole = [(story.id, story.title, story.size) for story in corpus.stories()]
    parts = wiring.open_corpus(Settings(data=str(tmp_path / "pieces")))
    clock = Ticking()
    steps: list[Reading] = []
    while not steps or steps[-1].read < steps[-1].total:
        steps.append(read_on(parts.store, seconds=4.5, clock=clock))
        if len(steps) == 1:
            late = article("late.example", "ferry", 0)
            fate = Fate(str(late.url), 1, "stored", "article", NOW + timedelta(hours=1), status=200)
            parts.store.save(Record(fate, document=late))
    assert [step.read for step in steps] == [4, 8, 12, 13], "each goes on where the one before stopped"
    assert [(story.id, story.title, story.size) for story in steps[-1].stories.stories()] == whole
    (ferry,) = (story for story in up_to_date(parts.store).stories() if story.size > 1)
    assert ferry.size == 4, "what came meanwhile is read the next time"
    parts.close()


class Ticking:
    """A clock that goes on by a second whenever somebody looks."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def __call__(self) -> float:
        self._seconds += 1
        return self._seconds
