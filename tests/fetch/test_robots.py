"""What robots.txt permits, tried with a crew, a network and a clock that are scripted."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping
from datetime import UTC, datetime, timedelta

import pytest

from thresher.fetch import robots as robots_module
from thresher.fetch.contract import FetchOptions
from thresher.fetch.robots import Permit, RobotsDesk, product_token
from thresher.model import Failure, Lease, Outcome, Page, Robots, RobotsRules
from thresher.model.robots import MAX_RULES, read_rules

NOON = datetime(2016, 6, 8, 12, tzinfo=UTC)
ORIGIN = "http://a.test"
NEVER = Failure("dns", Outcome.RETRY, "nobody there")


def text(body: str, status: int = 200, **headers: str) -> Page:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page("http://a.test/robots.txt", status, body.encode(), NOON, named)


class Scene:
    """A desk with everything around it scripted: `net` answers by URL, time stands still unless moved."""

    def __init__(self, net: Mapping[str, Page | Failure], kept: Robots | None = None) -> None:
        self.net = dict(net)
        self.kept = {kept.origin: kept} if kept else {}
        self.asked: list[str] = []
        self.read: list[int] = []  # bytes of what was read beside the event loop
        self.clock = NOON
        options = FetchOptions("Thresher/0.1 (test)")
        self.desk = RobotsDesk(self, self.download, options)
        self.desk.now = lambda: self.clock

    async def download(self, url: str) -> Page | Failure:
        self.asked.append(url)
        await asyncio.sleep(0)
        return self.net.get(url, NEVER)

    def consult(self, path: str = "/page") -> Permit | Failure:
        """Ask the desk twice where the first time it only learned."""
        first = asyncio.run(self.desk.consult(ORIGIN + path))
        learned = isinstance(first, Failure) and first.reason == "robots-learned"
        return asyncio.run(self.desk.consult(ORIGIN + path)) if learned else first

    def reason(self, path: str = "/page") -> str:
        answer = self.consult(path)
        return answer.reason if isinstance(answer, Failure) else "permitted"

    async def recall_robots(self, origin: str) -> Robots | None:
        return self.kept.get(origin)

    async def keep_robots(self, robots: Robots) -> None:
        self.kept[robots.origin] = robots

    async def read_robots(self, body: bytes, name: str) -> RobotsRules | None:
        self.read.append(len(body))
        return read_rules(body, name)

    async def shell_of(self, page: Page) -> str:
        raise NotImplementedError

    def leases(self) -> AsyncIterator[Lease]:
        raise NotImplementedError

    async def deliver(self, lease: Lease, asking: Awaitable[Page | Failure]) -> None:
        raise NotImplementedError

    async def closing(self, *, broken: bool) -> None:
        raise NotImplementedError

    def interrupt(self) -> None:
        raise NotImplementedError


def with_robots(body: str, status: int = 200, **headers: str) -> Scene:
    return Scene({f"{ORIGIN}/robots.txt": text(body, status, **headers)})


def test_rules_decide_by_path_and_the_longest_rule_wins() -> None:
    scene = with_robots("User-agent: *\nDisallow: /private\nAllow: /private/open\nDisallow: /*.pdf$")
    assert scene.reason("/private/x") == "robots-disallowed"
    assert scene.reason("/private/open/x") == "permitted"
    assert scene.reason("/a/b.pdf") == "robots-disallowed"
    assert scene.reason("/a/b.pdf?x") == "permitted"
    assert len(scene.asked) == 1


def test_a_disallowed_page_is_done_with() -> None:
    refusal = with_robots("User-agent: *\nDisallow: /").consult()
    assert refusal == Failure("robots-disallowed", Outcome.DONE)


def test_the_group_of_our_name_is_obeyed_before_the_general_one() -> None:
    others = "User-agent: *\nDisallow: /\n\nUser-agent: thresher-news\nDisallow: /\n\n"
    scene = with_robots(f"{others}User-agent: THRESHER\nDisallow: /no\nCrawl-delay: 2.5")
    assert scene.consult("/yes") == Permit(2.5)
    assert scene.reason("/no") == "robots-disallowed"


@pytest.mark.parametrize(
    ("user_agent", "token"),
    [("Thresher/0.1 (+mail@example.org)", "thresher"), ("News-Bot 2", "news-bot"), ("0", "*"), ("", "*")],
)
def test_the_first_word_of_the_user_agent_is_our_name(user_agent: str, token: str) -> None:
    assert product_token(user_agent) == token


def test_the_page_is_not_fetched_in_the_lease_that_asked_for_robots() -> None:
    scene = with_robots("User-agent: *\nCrawl-delay: 7")
    first = asyncio.run(scene.desk.consult(f"{ORIGIN}/page"))
    assert isinstance(first, Failure)
    assert (first.reason, first.outcome, first.counted) == ("robots-learned", Outcome.RETRY, False)
    assert (first.crawl_delay_s, first.retry_after_s) == (7.0, 0.0)
    assert asyncio.run(scene.desk.consult(f"{ORIGIN}/page")) == Permit(7.0)
    assert scene.asked == [f"{ORIGIN}/robots.txt"]


def test_leases_of_one_origin_share_one_request() -> None:
    scene = with_robots("User-agent: *\nDisallow: /no")

    async def together() -> list[Permit | Failure]:
        return await asyncio.gather(*(scene.desk.consult(ORIGIN + path) for path in ("/a", "/b", "/no")))

    answers = asyncio.run(together())
    assert [answer.reason for answer in answers if isinstance(answer, Failure)] == [
        "robots-learned",
        "robots-learned",
        "robots-disallowed",
    ]
    assert len(scene.asked) == 1


def test_one_lease_that_is_given_up_does_not_take_the_others_along() -> None:
    scene = with_robots("User-agent: *\nDisallow: /no")

    async def scenario() -> Permit | Failure:
        given_up = asyncio.create_task(scene.desk.consult(f"{ORIGIN}/a"))
        other = asyncio.create_task(scene.desk.consult(f"{ORIGIN}/no"))
        await asyncio.sleep(0)
        given_up.cancel()
        return await other

    answer = asyncio.run(scenario())
    assert isinstance(answer, Failure)
    assert answer.reason == "robots-disallowed"


def test_what_the_crew_keeps_is_used_while_it_is_fresh() -> None:
    kept = Robots(ORIGIN, 200, b"User-agent: *\nDisallow: /no", NOON - timedelta(hours=23))
    scene = Scene({f"{ORIGIN}/robots.txt": text("")}, kept)
    assert scene.reason("/no") == "robots-disallowed"
    assert asyncio.run(scene.desk.consult(f"{ORIGIN}/yes")) == Permit(None)
    assert scene.asked == []
    scene.clock = NOON + timedelta(hours=1, minutes=1)
    assert scene.reason("/no") == "permitted"
    assert scene.asked == [f"{ORIGIN}/robots.txt"]
    assert scene.kept[ORIGIN].body == b""


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418])
def test_a_missing_robots_allows_everything(status: int) -> None:
    assert with_robots("User-agent: *\nDisallow: /", status).reason() == "permitted"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_robots_out_of_order_means_not_now(status: int) -> None:
    scene = with_robots("", status)
    answer = scene.consult()
    assert isinstance(answer, Failure)
    assert (answer.reason, answer.outcome, answer.counted) == ("robots-unavailable", Outcome.RETRY, False)
    assert answer.retry_after_s == 300
    assert str(status) in answer.detail
    assert scene.kept[ORIGIN].status == status
    scene.clock += timedelta(seconds=299)
    assert scene.reason() == "robots-unavailable"
    assert len(scene.asked) == 1
    scene.net[f"{ORIGIN}/robots.txt"] = text("")
    scene.clock += timedelta(seconds=2)
    assert scene.reason() == "permitted"


def test_a_robots_that_asks_for_more_time_gets_it() -> None:
    answer = with_robots("", 503, retry_after="3600").consult()
    assert isinstance(answer, Failure)
    assert answer.retry_after_s == 3600


def test_a_robots_that_stays_out_of_order_counts_in_the_end() -> None:
    scene = with_robots("", 500)
    counted = []
    for _ in range(6):
        answer = scene.consult()
        assert isinstance(answer, Failure)
        counted.append(answer.counted)
        assert (answer.retry_after_s is None) == answer.counted
        scene.clock += timedelta(seconds=301)
        scene.net[f"{ORIGIN}/robots.txt"] = Page("", 500, b"", scene.clock)
    assert counted == [False, False, False, True, True, True]


def test_a_host_that_does_not_answer_gives_the_failure_the_page_would_have_met() -> None:
    scene = Scene({f"{ORIGIN}/robots.txt": Failure("address-refused", Outcome.DONE, "not public")})
    assert scene.consult() == Failure("address-refused", Outcome.DONE, "robots.txt: not public")
    assert scene.kept == {}
    assert Scene({}).consult() == Failure("dns", Outcome.RETRY, "robots.txt: nobody there")


def test_redirects_of_robots_are_followed_and_count_for_the_origin_that_was_asked() -> None:
    scene = Scene(
        {
            f"{ORIGIN}/robots.txt": text("", 301, location="https://b.test/robots.txt"),
            "https://b.test/robots.txt": Page("https://b.test/robots.txt", 302, b"", NOON, {"location": "/there"}),
            "https://b.test/there": text("User-agent: *\nDisallow: /no"),
        }
    )
    assert scene.reason("/no") == "robots-disallowed"
    assert scene.kept[ORIGIN].body == b"User-agent: *\nDisallow: /no"
    assert scene.asked[1:] == ["https://b.test/robots.txt", "https://b.test/there"]


def test_after_five_redirects_robots_is_taken_for_missing() -> None:
    scene = with_robots("User-agent: *\nDisallow: /", 301, location=f"{ORIGIN}/robots.txt")
    assert scene.reason() == "permitted"
    assert len(scene.asked) == 6


@pytest.mark.parametrize("location", ["", "file:///etc/passwd", "javascript:alert(1)"])
def test_a_redirect_to_nowhere_is_taken_for_missing(location: str) -> None:
    scene = with_robots("User-agent: *\nDisallow: /", 302, location=location)
    assert scene.reason() == "permitted"
    assert scene.asked == [f"{ORIGIN}/robots.txt"]


def test_a_redirect_to_a_host_that_does_not_answer_means_not_now() -> None:
    assert with_robots("", 301, location="http://b.test/robots.txt").reason() == "robots-unavailable"


def test_a_robots_beyond_measure_means_not_now() -> None:
    scene = Scene({f"{ORIGIN}/robots.txt": Failure("too-large", Outcome.DONE)})
    assert scene.reason() == "robots-unavailable"


def test_half_a_megabyte_is_read_and_no_more() -> None:
    filler = "# filler\n" * 60_000
    assert len(filler) > 500 * 1024
    assert with_robots(f"User-agent: *\nDisallow: /no\n{filler}").reason("/no") == "robots-disallowed"
    assert with_robots(f"User-agent: *\n{filler}Disallow: /no").reason("/no") == "permitted"


def test_a_body_that_is_no_robots_does_no_harm() -> None:
    for body in (b"\x89PNG\r\n\x1a\n\x00\xff" * 500, b"<html><p>not found</p></html>", b"\xef\xbb\xbfUser-agent: *\n"):
        page = Page(f"{ORIGIN}/robots.txt", 200, body, NOON)
        assert Scene({f"{ORIGIN}/robots.txt": page}).reason() == "permitted"


def test_a_byte_order_mark_does_not_hide_the_first_group() -> None:
    page = Page(f"{ORIGIN}/robots.txt", 200, b"\xef\xbb\xbfUser-agent: *\nDisallow: /no", NOON)
    assert Scene({f"{ORIGIN}/robots.txt": page}).reason("/no") == "robots-disallowed"


def test_a_large_robots_is_read_beside_the_event_loop() -> None:
    scene = with_robots("User-agent: *\nDisallow: /no\n" + "# filler\n" * 1_000)
    assert scene.reason("/no") == "robots-disallowed"
    assert len(scene.read) == 1
    small = with_robots("User-agent: *\nDisallow: /no\n")
    assert small.reason("/no") == "robots-disallowed"
    assert small.read == []


def test_a_robots_with_countless_rules_means_not_now_and_is_asked_for_again() -> None:
    bomb = "User-agent: *\n" + "".join(f"Disallow: /{number}\n" for number in range(MAX_RULES + 1))
    scene = with_robots(bomb)
    answer = scene.consult()
    assert isinstance(answer, Failure)
    assert (answer.reason, answer.counted, answer.retry_after_s) == ("robots-unavailable", False, 300)
    assert "too many rules" in answer.detail
    assert (scene.kept[ORIGIN].status, scene.kept[ORIGIN].body) == (0, b"")
    scene.net[f"{ORIGIN}/robots.txt"] = text("User-agent: *\nDisallow: /no")
    scene.clock += timedelta(seconds=301)
    assert scene.reason("/page") == "permitted"


def test_a_bomb_that_was_kept_is_not_believed_for_a_day() -> None:
    bomb = "User-agent: *\n" + "".join(f"Disallow: /{number}\n" for number in range(MAX_RULES + 1))
    kept = Robots(ORIGIN, 200, bomb.encode(), NOON)
    scene = Scene({f"{ORIGIN}/robots.txt": text("User-agent: *\nDisallow: /no")}, kept)
    assert scene.reason("/page") == "permitted"
    assert scene.asked == [f"{ORIGIN}/robots.txt"]


def test_robots_itself_may_always_be_fetched() -> None:
    assert with_robots("User-agent: *\nDisallow: /").reason("/robots.txt") == "permitted"


def test_memory_is_bounded_and_what_is_dropped_is_recalled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots_module, "MAX_MEMORY_BYTES", 3 * robots_module.ENTRY_BYTES)
    origins = [f"http://{letter}.test" for letter in "abcdefgh"]
    scene = Scene({f"{origin}/robots.txt": text("") for origin in origins})
    for origin in [*origins, *origins]:
        asyncio.run(scene.desk.consult(f"{origin}/"))
    assert len(scene.desk._known) == 3
    assert len(scene.asked) == len(origins)


def test_whoever_turns_robots_off_is_not_held_up_by_it() -> None:
    scene = with_robots("User-agent: *\nDisallow: /")
    desk = RobotsDesk(scene, scene.download, FetchOptions("Thresher/0.1", obey_robots=False))
    assert asyncio.run(desk.consult(f"{ORIGIN}/page")) == Permit(None)
    assert scene.asked == []
