"""Every view, found by the routes: as a page, JSON and CSV; where it leads to, what charts have, what asks first."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from lxml import html as lxml_html
from lxml.html import HtmlElement
from starlette.routing import Route

from tests.web.browsers import ORIGIN, Browser, serving
from tests.web.stand import PAPER, PASSWORD, fill
from thresher.config import Settings
from thresher.web.app import create_app

VALUES = {"/crawls/{run}": "/crawls/1", "/sources/of/{name}": "/sources/of/harbour"}
QUERIES = {  # what a view has to be told
    "/document": f"?url={PAPER}",
    "/document.md": f"?url={PAPER}",
    "/document/frame": f"?url={PAPER}&view=original",
    "/label/page": f"?url={PAPER}",
    "/label/frame": f"?url={PAPER}",
    "/why": f"?u={PAPER}",
    "/search": "?q=ferry",
    "/saved/new": "?q=ferry",
    "/alerts/new": "?q=ferry",
}
NEEDS_MORE = (  # of things that are not there yet in a new corpus; other tests look at them
    *("/stories/{id}", "/alerts/of/{name}", "/alerts/of/{name}/edit", "/workers/of/{name}", "/sources/export/{kind}"),
    *("/sources/probe/{id}", "/sources/probe/{id}/original/{number}", "/sources/import/{id}"),
)
NO_TABLE = {  # forms, and pages that are one text
    *("/login", "/setup", "/welcome", "/sources/add", "/sources/import", "/sources/of/{name}/edit", "/crawls/start"),
    *("/document/frame", "/document.md", "/label/frame", "/document"),
    *("/alerts/new", "/saved/new"),
}
WORKED_OUT = (200, 202, 303, 503)  # what is counted beside the server comes back by itself
DOOR = ("/login", "/setup")


@pytest.fixture(scope="module")
def ada(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The browser of the admin of a filled corpus."""
    data = tmp_path_factory.mktemp("views") / "data"
    fill(data)
    with serving(Settings(data=str(data), allowed_addresses=("127.0.0.1",)), users=False) as served:
        ada = served.browser()
        ada.log_in("ada", PASSWORD)
        yield ada


def views() -> list[str]:
    """Return the paths of everything that can be looked at as a page, a table and data."""
    app = create_app(Settings())
    paths = {route.path.replace(":int", "").replace(":str", "") for route in app.routes if isinstance(route, Route)}
    return sorted(path for path in paths if (f"{path}.json" in paths or path == "/") and not path.endswith("/events"))


def test_there_are_views() -> None:
    assert len(views()) > 45
    assert set(NEEDS_MORE) <= set(views())


def address(path: str, ending: str = "") -> str:
    """Return the address of a view in the filled corpus."""
    for hole, value in VALUES.items():
        path = path.replace(hole, value)
    stem = "/index" if path == "/" and ending else path
    return stem + ending + QUERIES.get(path, "")


def test_a_page_that_is_not_there_offers_no_data(ada: Browser) -> None:
    page = ada.get("/no/such/page", headers={"accept": "text/html"})
    assert page.status_code == 404
    assert "<html" in page.text
    assert "curl -H" not in page.text
    assert "curl -H" in ada.get("/sources").text


SEEN = [path for path in views() if path not in (*NEEDS_MORE, *DOOR)]


@pytest.mark.parametrize("path", SEEN)
def test_a_view_is_a_page_data_and_a_table(ada: Browser, path: str) -> None:
    page = ada.get(address(path))
    assert page.status_code in WORKED_OUT, page.text[:300]
    data = ada.get(address(path, ".json"))
    assert data.status_code in WORKED_OUT
    if data.headers["content-type"].startswith("application/json"):
        json.loads(data.text)
    else:
        assert path in NO_TABLE  # it is a file by itself
    table = ada.get(address(path, ".csv"))
    if path in NO_TABLE:
        return
    assert table.status_code in WORKED_OUT, table.text[:300]
    if table.status_code == 200:
        assert table.headers["content-type"].startswith("text/csv")
        assert table.text.startswith("\ufeff")


def tree_of(ada: Browser, path: str) -> HtmlElement | None:
    """Return what a page says; None for what is no page."""
    answer = ada.get(address(path))
    kind = answer.headers.get("content-type", "")
    return lxml_html.fromstring(answer.text) if kind.startswith("text/html") and "/frame" not in path else None


def test_every_link_and_number_leads_somewhere(ada: Browser) -> None:
    links: dict[str, str] = {}
    for path in SEEN:
        tree = tree_of(ada, path)
        for link in tree.iter("a") if tree is not None else ():
            target = urljoin(ORIGIN + address(path), link.get("href", ""))
            if target.startswith(ORIGIN) and "lang=" not in target:
                links.setdefault(target.partition("#")[0], path)
    assert len(links) > 100
    broken = {}
    for target, found_on in links.items():
        shown = urlsplit(target)
        status = ada.get(f"{shown.path}?{shown.query}" if shown.query else shown.path).status_code
        if status not in WORKED_OUT:
            broken[target] = (status, found_on)
    assert broken == {}


def test_every_chart_has_its_table_and_its_numbers_as_a_file(ada: Browser) -> None:
    charts, missing = 0, []
    for path in SEEN:
        tree = tree_of(ada, path)
        for figure in tree.iter("figure") if tree is not None else ():
            if figure.find(".//svg") is None:
                continue
            charts += 1
            if figure.find(".//details//table") is None:
                missing.append((path, figure.get("id"), "table"))
            files = [link.get("href", "") for link in figure.iter("a") if (link.text or "").strip() == "CSV"]
            missing += [] if files else [(path, figure.get("id"), "file")]
    assert missing == []
    assert charts >= 5


def test_whatever_destroys_asks_first(ada: Browser) -> None:
    """A dangerous button opens a question, or stands in one; buttons of lists lead to a page that asks."""
    dangerous = 0
    for path in SEEN:
        tree = tree_of(ada, path)
        for button in tree.xpath("//button[contains(@class, 'danger')]") if tree is not None else ():
            dangerous += 1
            is_in_question = any("ask" in (each.get("class") or "").split() for each in button.iterancestors())
            leads_to_one = (
                button.get("popovertarget") or button.get("value") == "remove" or _is_sent_to(button, "/sources/act")
            )
            assert is_in_question or leads_to_one, (path, lxml_html.tostring(button))
    assert dangerous >= 4


def _is_sent_to(button: HtmlElement, path: str) -> bool:
    return any(form.get("action") == path for form in button.iterancestors("form"))


@pytest.mark.parametrize("path", SEEN)
def test_a_view_says_what_it_is_in_both_languages(ada: Browser, path: str) -> None:
    for language in ("en", "zh"):
        answer = ada.get(address(path), headers={"accept-language": language})
        if answer.headers.get("content-type", "").startswith("text/html") and "/frame" not in path:
            tree = lxml_html.fromstring(answer.text)
            assert tree.get("lang") == language
            assert len(tree.findall(".//h1")) == 1


def test_the_pictures_of_the_documentation_are_small() -> None:
    pictures = list((Path(__file__).parents[2] / "docs" / "images").glob("*.png"))
    assert len(pictures) >= 3
    assert [each.name for each in pictures if each.stat().st_size > 200_000] == []
