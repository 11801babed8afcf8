"""`python -m tests.web.screenshots ADDRESS OUT`: every page of a running application, in all that it can look like.

The first visitor makes the account; a later run logs in with it. Pages of what is stored are found by following links.
"""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page

from tests.web.stand import PASSWORD, Looker, Stand, browsing

LANGUAGES, THEMES, WIDTHS = ("en", "zh"), ("light", "dark"), (1280, 390)
FIXED = (
    *(
        "/",
        "/search",
        "/search?q=harbour",
        "/search?q=降准",
        "/search?q=nothingofthekind",
        "/search?q=(",
        "/no/such/page",
    ),
    *("/stories", "/sources", "/sources/add", "/sources/import", "/sources/keywords", "/crawls", "/crawls/start"),
    *("/crawls/1", "/crawls/1/report", "/crawls/1/pages", "/monitor", "/workers", "/logs", "/welcome", "/corpus"),
    *("/corpus/words", "/corpus/terms", "/label", "/saved", "/saved/new?q=harbour", "/alerts", "/alerts/new?q=harbour"),
    *("/alerts/log", "/saved/feeds?q=harbour", "/settings", "/settings/users", "/settings/audit", "/settings/machine"),
)
FOLLOWED = (  # (name, the page that links there, the link)
    ("article", "/search?q=harbour is:article", ".hit h3 a"),
    ("chinese", "/search?q=降准 is:article", ".hit h3 a"),
    ("thread", "/search?q=is:thread", ".hit h3 a"),
    ("source", "/sources", "main tbody th a"),
    ("story", "/stories", "main h3 a"),
    ("alert", "/alerts", "main tbody th a"),
)
MORE = (  # (name, what it is a view of, what is put behind its address)
    ("article-versions", "article", "&view=versions"),
    ("article-removed", "article", "&view=removed"),
    ("article-copies", "article", "&view=copies"),
)


def main() -> None:
    """Take the pictures that are asked for."""
    asked = argparse.ArgumentParser(prog="python -m tests.web.screenshots", description=__doc__)
    asked.add_argument("address", help="of the application: http://127.0.0.1:8000")
    asked.add_argument("out", type=Path, help="folder for the pictures")
    asked.add_argument("--only", default="", help="a regular expression that names of pages match")
    asked.add_argument("--language", action="append", choices=LANGUAGES)
    asked.add_argument("--theme", action="append", choices=THEMES)
    asked.add_argument("--width", action="append", type=int)
    given = asked.parse_args()
    with browsing(given.address.rstrip("/")) as stand:
        pages = {name: path for name, path in pages_of(stand).items() if re.search(given.only, name)}
        for language in given.language or LANGUAGES:
            for theme in given.theme or THEMES:
                for width in given.width or WIDTHS:
                    folder = given.out / f"{language}-{theme}-{width}"
                    wide = take(stand, pages, folder, language=language, theme=theme, width=width)
                    print(f"{folder}: {len(pages)} pages", *(f"; {name} is too wide" for name in wide))


def pages_of(stand: Stand) -> dict[str, str]:
    """Return the pages there are, by short names."""
    pages = {name_of(path): path for path in FIXED}
    with stand.looker() as looker:
        enter(looker)
        for name, path, link in FOLLOWED:
            found = looker.open(path).locator(link)
            if found.count():
                pages[name] = str(found.first.get_attribute("href"))
    pages |= {name: pages[of] + behind for name, of, behind in MORE if of in pages}
    if "article" in pages:
        pages["label-page"] = pages["article"].split("&")[0].replace("/document", "/label/page")
    return pages


def take(stand: Stand, pages: dict[str, str], folder: Path, *, language: str, theme: str, width: int) -> Sequence[str]:
    """Take a picture of each page; return those that have to be scrolled sideways."""
    folder.mkdir(parents=True, exist_ok=True)
    wide = []
    with stand.looker(language=language, theme=theme, width=width) as looker:
        looker.open("/login").screenshot(path=folder / "login.png")
        enter(looker)
        for name, path in pages.items():
            page = looker.open(path)
            _settle(page)
            page.screenshot(path=folder / f"{name}.png", full_page=True)
            wide += [name] if looker.is_wide() else []
    return wide


def enter(looker: Looker) -> None:
    """Log in; make the account where there is none."""
    page = looker.open("/login")
    page.locator("input[name=name]").fill("ada")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form button").click()
    page.wait_for_url(lambda url: "/login" not in url and "/setup" not in url)


def name_of(path: str) -> str:
    """Return a file's name for a page."""
    return re.sub(r"[^\w]+", "-", path).strip("-") or "today"


def _settle(page: Page) -> None:
    """Wait until what a page asks for at once is there, except streams that do not end."""
    page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


if __name__ == "__main__":
    main()
