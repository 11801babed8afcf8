"""`thresher crawl --search`: what search engines find is collected, and nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.commands import run
from tests.fetch.loopback import Route, Site, answer
from thresher import wiring
from thresher.config import Settings

SENTENCE = "The ferry to the islands was late again on Tuesday, and people stood in the rain for more than an hour. "
ROBOTS = b"User-agent: *\nDisallow: /*?*q=*\n"  # as SearXNG has it


def article(number: int) -> bytes:
    title = f"Ferry number {number} is late again on its way"
    more = f"<p>On day {number} of the month the harbour master spoke to the people who waited. {SENTENCE * 3}</p>" * 4
    elsewhere = '<a href="/unwanted">Another story that nobody searched for</a>'
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{more}{elsewhere}</body></html>".encode()


def news(path: str) -> Route:
    return answer(article(int(path[1:]))) if path[1:].isdigit() else answer(b"", "404 Not Found")


@pytest.fixture
def articles() -> Iterator[Site]:
    with Site({}, address="127.0.0.2", otherwise=news) as site:
        yield site


class Engines:
    """A SearXNG instance, a template engine and a search feed on one host; `json_is_on` as its owner has set it."""

    def __init__(self, articles: Site) -> None:
        self._articles = articles
        self.json_is_on = True

    def __call__(self, path: str) -> Route:
        parts = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        pages = {"/robots.txt": lambda: answer(ROBOTS, content_type="text/plain"), "/search": lambda: self._json(query)}
        pages |= {"/find": lambda: self._html(query), "/rss": self._feed}
        return pages.get(parts.path, lambda: answer(b"", "404 Not Found"))()

    def _json(self, query: dict[str, str]) -> bytes:
        if not self.json_is_on or query.get("format") != "json":
            return answer(b"", "403 Forbidden")
        first = 10 * int(query["pageno"])
        results = [{"url": f"{self._articles.origin}/{number}", "title": "t"} for number in (first, first + 1)]
        told = {"query": query["q"], "results": results, "unresponsive_engines": [["qwant", "timeout"]]}
        return answer(json.dumps(told).encode(), content_type="application/json")

    def _html(self, query: dict[str, str]) -> bytes:
        numbers = (11, 12) if query["s"] == "ferry" else (13,)
        hits = "".join(
            f'<div class="hit"><a href="{self._articles.origin}/{n}">Ferry number {n} is late again</a></div>'
            for n in numbers
        )
        return answer(f'<body><nav><a href="/find?s=other">Other searches of the day</a></nav>{hits}</body>'.encode())

    def _feed(self) -> bytes:
        item = f"<item><title>x</title><link>{self._articles.origin}/12</link></item>"
        return answer(
            f'<rss version="2.0"><channel>{item}</channel></rss>'.encode(), content_type="application/rss+xml"
        )


@pytest.fixture
def engines(articles: Site) -> Engines:
    return Engines(articles)


@pytest.fixture
def engine(engines: Engines) -> Iterator[Site]:
    with Site({}, otherwise=engines) as site:
        yield site


@pytest.fixture
def folder(tmp_path: Path, engine: Site) -> Path:
    """A folder with settings that name the engines."""
    tmp_path.joinpath("thresher.toml").write_text(f"""
delay_s = 0.0
allowed_addresses = ["127.0.0.1", "127.0.0.2"]
allowed_ports = ["PORTS"]
[engines.searx]
url = "{engine.origin}"
kind = "searxng"
pages = 2
robots = false
[engines.page]
url = "{engine.origin}/find?s={{keyword}}"
[engines.feed]
url = "{engine.origin}/rss?s={{keyword}}"
""")
    return tmp_path


def open_port(folder: Path, articles: Site) -> None:
    settings = folder / "thresher.toml"
    settings.write_text(settings.read_text().replace("PORTS", str(articles.port)))


def crawl(folder: Path, articles: Site, *args: str) -> tuple[int, str]:
    open_port(folder, articles)
    ended = run("crawl", "--progress", "none", *args, cwd=folder)
    assert "Traceback" not in ended.stderr
    return ended.returncode, ended.stderr


def stored(folder: Path) -> set[str]:
    corpus = wiring.open_corpus(Settings(data=str(folder / "thresher-data")), create=False)
    try:
        return {str(document.url) for document in corpus.store.documents()}
    finally:
        corpus.close()


def test_results_of_all_engines_are_fetched_once_each_and_nothing_they_link_to(
    folder: Path, articles: Site, engine: Site
) -> None:
    code, said = crawl(folder, articles, "--search", "ferry")
    assert code == 0, said
    assert stored(folder) == {f"{articles.origin}/{number}" for number in (10, 11, 12, 20, 21)}
    asked = [path for path in articles.paths() if path != "/robots.txt"]
    assert sorted(asked) == ["/10", "/11", "/12", "/20", "/21"]
    assert "/find?s=other" not in engine.paths()


def test_each_search_is_told_with_its_results_and_who_did_not_answer(folder: Path, articles: Site) -> None:
    _, said = crawl(folder, articles, "--search", "ferry")
    assert "  searx: ferry: 2 results; no answer from qwant (timeout)\n" in said
    assert "  searx: ferry, page 2: 2 results" in said
    assert "  page: ferry: 2 results\n" in said
    assert "  feed: ferry: 1 result\n" in said


def test_one_engine_is_asked_where_it_is_named(folder: Path, articles: Site, engine: Site) -> None:
    code, said = crawl(folder, articles, "--search", "ferry", "--search", "boat", "--engine", "page")
    assert code == 0, said
    assert stored(folder) == {f"{articles.origin}/{number}" for number in (11, 12, 13)}
    assert sorted(engine.paths()) == ["/find?s=boat", "/find?s=ferry", "/robots.txt"]


def test_who_gets_403_from_searxng_is_told_how_to_turn_its_json_on(
    folder: Path, articles: Site, engines: Engines
) -> None:
    engines.json_is_on = False
    code, said = crawl(folder, articles, "--search", "ferry", "--engine", "searx")
    assert code == 1, said
    assert "add `- json` to `formats:` of `search:`" in said


def test_a_robots_txt_that_forbids_searching_is_heeded_unless_the_owner_lets_us(
    folder: Path, articles: Site, engine: Site
) -> None:
    settings = folder / "thresher.toml"
    settings.write_text(settings.read_text().replace("robots = false", ""))
    code, said = crawl(folder, articles, "--search", "ferry", "--engine", "searx")
    assert code == 6, said
    assert "set robots = false in its [engines.NAME]" in said
    assert engine.paths() == ["/robots.txt"]


def test_the_delay_of_an_engine_is_kept_between_its_pages(folder: Path, articles: Site, engine: Site) -> None:
    settings = folder / "thresher.toml"
    slow = settings.read_text().replace("robots = false", "robots = false\ndelay_s = 1.0")
    settings.write_text(slow.replace("delay_s = 0.0", "delay_s = 0.01"))
    code, said = crawl(folder, articles, "--search", "ferry", "--engine", "searx")
    assert code == 0, said
    first, second = [visit.at for visit in engine.visits]
    assert second - first >= 1.0


def test_a_result_page_that_redirects_is_still_one(folder: Path, articles: Site, engine: Site) -> None:
    engine.routes["/find?s=ferry"] = answer(b"", "302 Found", location="/find?s=ferry&lang=en")
    code, said = crawl(folder, articles, "--search", "ferry", "--engine", "page")
    assert code == 0, said
    assert stored(folder) == {f"{articles.origin}/{number}" for number in (11, 12)}
    assert "  page: ferry: 2 results\n" in said


def test_more_result_pages_than_a_trap_may_have_are_asked_for(folder: Path, articles: Site, engine: Site) -> None:
    words = [option for number in range(6) for option in ("--search", f"ferry {number}")]
    settings = folder / "thresher.toml"
    settings.write_text("barren_pages = 2\nconcurrency = 1\n" + settings.read_text())
    code, said = crawl(folder, articles, *words, "--engine", "page")
    assert code == 0, said
    assert len([path for path in engine.paths() if path.startswith("/find")]) == 6


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("--search", "x", "http://a.test/"), "not both"),
        (("--engine", "page"), "give --search, too"),
        (("--search", "x", "--engine", "none"), "no engine 'none' in the settings; there are feed, page, searx"),
        (("--search", " "), "one or more words"),
        (("--search", "@hot"), "the list of hot keywords is empty"),
    ],
)
def test_searches_that_make_no_sense_are_refused(
    folder: Path, articles: Site, args: tuple[str, ...], word: str
) -> None:
    code, said = crawl(folder, articles, *args)
    assert code == 2
    assert word in said


def test_a_search_can_be_tested_without_storing_anything(folder: Path, articles: Site) -> None:
    open_port(folder, articles)
    added = run("sources", "add", "--search", "ferry", "--engine", "page", "--name", "sea", cwd=folder)
    assert added.returncode == 0, added.stderr
    tested = run("sources", "test", "sea", "--exclude", "/11$", "-f", "json", cwd=folder)
    assert tested.returncode == 0, tested.stderr
    told = json.loads(tested.stdout)
    assert [(link["url"].removeprefix(articles.origin), link["follow"]) for link in told["links"]] == [
        ("/11", False),
        ("/12", True),
    ]
    assert [sample["title"] for sample in told["samples"]] == ["Ferry number 12 is late again on its way"]
    assert stored(folder) == set()
    run("sources", "edit", "sea", "--engine", "searx", cwd=folder)
    assert "/20" in run("sources", "test", "sea", cwd=folder).stdout  # on its second page


def test_a_search_that_is_refused_says_so_when_it_is_tested(folder: Path, articles: Site, engines: Engines) -> None:
    engines.json_is_on = False
    open_port(folder, articles)
    run("sources", "add", "--search", "ferry", "--engine", "searx", "--name", "sea", cwd=folder)
    tested = run("sources", "test", "sea", cwd=folder)
    assert tested.returncode == 1
    assert "answered with status 403" in tested.stderr
