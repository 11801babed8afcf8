"""What is worked out beside the server: one piece of work after another, each in a process that ends with it."""

import asyncio
import os
import signal
import time

import pytest

from thresher.config import Settings
from thresher.errors import UsageError
from thresher.web.kept import Finding, Kept

PATIENCE_S = 300.0  # for a process to start on a busy machine


def doubled(settings: Settings, number: int) -> int:
    return 2 * number


def refused(settings: Settings) -> None:
    raise UsageError("there is nothing to count")


def killed(settings: Settings) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def endless(settings: Settings) -> None:
    time.sleep(3_600)


async def finding(kept: Kept, name: str, *work: object) -> Finding | None:
    return await kept.get(name, *work, fresh_s=1e9, wait_s=PATIENCE_S)  # type: ignore[arg-type]


def test_results_are_kept_and_failures_are_told() -> None:
    async def story() -> list[tuple[object, str]]:
        kept = Kept(Settings())
        found = await asyncio.gather(
            finding(kept, "four", doubled, 2), finding(kept, "none", refused), finding(kept, "dead", killed)
        )
        again = await finding(kept, "four", doubled, 3)
        await kept.close()
        return [(one.value, one.failed) for one in [*found, again] if one]

    four, none, dead, again = asyncio.run(story())
    assert four == again == (4, "")
    assert none == (None, "there is nothing to count")
    assert dead == (None, "the process that worked it out was ended")


@pytest.mark.parametrize("begun", [True, False])
def test_closing_ends_what_is_running_and_starts_nothing_more(begun: bool) -> None:
    async def story() -> list[str]:
        kept = Kept(Settings())
        first = asyncio.create_task(finding(kept, "first", endless))
        second = asyncio.create_task(finding(kept, "second", endless))
        await asyncio.sleep(0)
        while begun and kept._process is None:
            await asyncio.sleep(0.01)
        await kept.close()
        return [one.failed for one in (await first, await second) if one]

    assert asyncio.run(story()) == ["the process that worked it out was ended"] * 2
