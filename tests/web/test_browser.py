"""What people meet in a real browser: a newcomer's five minutes, input methods, hostile pages, access for everybody."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.needs import need
from tests.servers import chromium

need("playwright", "axe_playwright_python")

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # noqa: E402
from playwright.sync_api import Page, expect  # noqa: E402

from tests.web import screenshots  # noqa: E402
from tests.web.stand import ATTACK, PAPER, PASSWORD, THREAD, Looker, Stand, browsing, fill, serving  # noqa: E402
from thresher.sample import RunningSample, SampleWeb, serve  # noqa: E402

PAGES = (
    *(
        "/",
        "/search",
        "/search?q=ferry",
        "/stories",
        "/sources",
        "/sources/add",
        "/sources/import",
        "/sources/keywords",
    ),
    *("/sources/of/harbour", "/sources/of/harbour/edit", "/crawls", "/crawls/start", "/crawls/1", "/crawls/1/report"),
    *("/crawls/1/pages", "/why?u=https://harbour.example/news/1", "/monitor", "/workers", "/logs", "/welcome"),
    *("/settings", "/settings/users", "/settings/audit", "/settings/machine"),
    *("/document?url=https://harbour.example/news/1&q=ferry", "/document?url=https://forum.example/t/1"),
    *("/document?url=https://harbour.example/news/1&view=versions", "/search?q=nothingofthekind"),
    *("/corpus", "/corpus/words", "/corpus/terms", "/label", f"/label/page?url={PAPER}"),
    *("/saved", "/saved/new?q=ferry", "/alerts", "/alerts/new?q=ferry", "/alerts/log", "/saved/feeds?q=ferry"),
)
REFUSED = ("/search?q=(", "/no/such/page", "/document?url=https://nobody.example/", "/alerts/of/nobody")
SERIOUS = {"serious", "critical"}
UNLABELLED = """
[...document.querySelectorAll("input:not([type=hidden]), select, textarea, button, a[href]")]
    .filter((each) => each.checkVisibility())
    .filter((each) => !each.labels?.length && !each.ariaLabel && !each.textContent.trim() && !each.title)
    .filter((each) => !each.getAttribute("aria-labelledby") && !each.querySelector("[aria-label], title"))
    .map((each) => each.outerHTML)
"""
HOSTILE = (
    *("/", "/search?q=pier", "/crawls/1", "/crawls/1/pages", "/crawls/1/report"),
    *("/sources", "/sources/of/harbour", "/logs"),
)


@pytest.fixture(scope="module")
def stand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    """A server with a filled corpus, and a browser."""
    chromium()
    data = tmp_path_factory.mktemp("stand") / "data"
    fill(data)
    with serving(data) as address, browsing(address) as stand:
        yield stand


@pytest.fixture(scope="module")
def window(stand: Stand) -> Iterator[Looker]:
    """A window of the admin, in English."""
    with stand.looker() as looker:
        yield looker.log_in()


@pytest.fixture
def sample() -> Iterator[RunningSample]:
    """The sample site."""
    with serve(SampleWeb(pages=18)) as running:
        yield running


@pytest.mark.slow
def test_a_newcomer_gets_from_the_first_run_to_a_saved_search_in_english(tmp_path: Path, sample: RunningSample) -> None:
    chromium()
    with serving(tmp_path / "data") as address, browsing(address) as stand, stand.looker() as looker:
        _five_minutes(looker, sample.starts[0])
        assert looker.wrong == []


@pytest.mark.long
@pytest.mark.slow
def test_a_newcomer_gets_from_the_first_run_to_a_saved_search_in_chinese(tmp_path: Path, sample: RunningSample) -> None:
    chromium()
    with serving(tmp_path / "data") as address, browsing(address) as stand, stand.looker(language="zh") as looker:
        _five_minutes(looker, sample.starts[0])
        assert looker.page.locator("html").get_attribute("lang") == "zh"
        assert looker.wrong == []


def _five_minutes(looker: Looker, url: str) -> None:
    """First run, login, probe, save and crawl, stop, search, read, go back, export."""
    page = looker.open("/")
    assert page.url.endswith("/setup")
    page.locator("input[name=name]").fill("ada")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form button").click()
    page.wait_for_url("**/welcome")
    page.locator("main input[name=url]").fill(url)
    page.locator("main section button.main").first.click()
    page.wait_for_url("**/sources/probe/*")
    page.locator("button[name=crawl]").wait_for()
    assert page.locator("details[id^=sample-]").count() >= 2
    assert page.locator("input[name=endpoint]:checked").count() >= 1
    page.locator("button[name=crawl]").click()
    page.wait_for_url("**/crawls/1")
    found = page.locator("main ul.plain li a")
    found.nth(2).wait_for()  # they are shown as they land
    words = found.first.inner_text().split()[-1]
    page.locator("form[action$='/cancel'] button").click()
    page.wait_for_function("!document.querySelector('[data-live]')")
    _read_and_return(looker, words)
    _save_and_be_told(page, words)
    page = looker.open(f"/search?q={words}")
    with page.expect_download() as download:
        page.locator(".clauses a[href*='/export']").first.click()
    lines = download.value.path().read_text("utf-8").splitlines()
    assert any(words in line for line in lines[:-1])
    assert json.loads(lines[-1])["end"]["documents"] == len(lines) - 1


def _save_and_be_told(page: Page, words: str) -> None:
    """Save the search under its own words, find it in the list, and make an alert of it."""
    page.locator(".clauses a[href*='/saved/new']").click()
    page.locator("main form button.main").click()
    page.wait_for_url("**/search?*")
    page.locator(".facet a[href$='/saved']").click()
    assert page.locator("main tbody tr").count() == 1
    page.locator("main tbody a[href*='/alerts/new']").click()
    page.locator("input[name=name]").fill("news-of-it")
    assert page.locator("aside li a").count() >= 1  # what it would have found
    page.locator("main form button.main").click()
    page.wait_for_url("**/alerts/of/news-of-it")
    assert f"saved:{words}" in page.locator("main aside").inner_text()


def _read_and_return(looker: Looker, words: str) -> None:
    """Search, see what matched, open a document, and come back to the same hits."""
    page = looker.open(f"/search?q={words}")
    assert page.locator(".hit mark").count() >= 1
    hits = page.locator(".hit h3 a").all_inner_texts()
    page.locator(".hit h3 a").first.click()
    page.locator(".reading").first.wait_for()
    page.go_back()
    page.locator(".hit h3 a").first.wait_for()
    assert page.locator(".hit h3 a").all_inner_texts() == hits
    assert words in unquote(page.url)


def test_english_and_chinese_words_are_found_and_marked_and_back_leads_to_the_same_hits(window: Looker) -> None:
    window.wrong.clear()
    for words, marked in (("ferry", "ferry"), ("准备金率", "准备金率")):
        _read_and_return(window, words)
        assert marked in {text.lower() for text in window.page.locator(".hit mark").all_inner_texts()}
    assert window.wrong == []


def test_typing_through_an_input_method_searches_only_what_was_chosen(window: Looker) -> None:
    page = window.open("/search")
    box = page.locator("input[name=q]").first
    box.focus()
    window.asked.clear()
    keyboard = page.context.new_cdp_session(page)
    for letters in ("z", "zh", "zhun", "zhunbei"):
        keyboard.send("Input.imeSetComposition", {"text": letters, "selectionStart": 0, "selectionEnd": len(letters)})
        page.keyboard.press("Shift")
    page.wait_for_timeout(700)  # longer than a search waits for the next letter
    assert [url for url in window.asked if "/search" in url] == []
    keyboard.send("Input.insertText", {"text": "准备金率"})
    box.press("Enter")
    page.locator(".hit mark").first.wait_for()
    asked = [url for url in window.asked if "/search" in url]
    assert asked
    assert all("zh" not in url.partition("?")[2] for url in asked)


@pytest.mark.parametrize("path", HOSTILE)
def test_hostile_titles_authors_and_addresses_do_nothing(window: Looker, path: str) -> None:
    window.wrong.clear()
    page = window.open(path)
    assert page.evaluate("window.attacked") is None
    assert page.locator("main script, main img[onerror], main svg[onload]").count() == 0
    assert window.wrong == []


def test_hostile_text_is_shown_as_text_in_documents_and_threads(window: Looker) -> None:
    window.wrong.clear()
    page = window.open("/search?q=pier")
    links = [each.get_attribute("href") for each in page.locator(".hit h3 a").all()][:3]
    assert links
    shown = ""
    for link in filter(None, links):
        page = window.open(link)
        assert page.evaluate("window.attacked") is None
        shown += page.locator("main").inner_text()
    assert "<script>" in shown
    assert ATTACK[:20] in shown
    assert window.wrong == []


@pytest.mark.parametrize("path", PAGES)
def test_everybody_can_use_the_page(window: Looker, path: str) -> None:
    """No serious violation that axe finds, every control has a name, and nothing is refused by the policy."""
    window.wrong.clear()
    page = window.open(path)
    page.emulate_media(color_scheme="dark" if PAGES.index(path) % 2 else "light")
    assert _violations(window) == []
    assert page.evaluate(UNLABELLED) == []
    assert window.wrong == []


@pytest.mark.parametrize("path", REFUSED)
def test_everybody_can_use_the_page_that_says_what_is_wrong(window: Looker, path: str) -> None:
    window.open(path)
    assert _violations(window) == []
    assert window.page.locator("main h1").count() == 1
    assert window.page.locator("nav.rail").count() == 1  # who is logged in stays so, also where no page is


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_everybody_can_use_the_page_in_chinese_in_both_themes(stand: Stand, path: str, theme: str) -> None:
    with stand.looker(language="zh", theme=theme) as looker:
        looker.log_in().open(path)
        assert _violations(looker) == []
        assert looker.wrong == []


def _violations(looker: Looker) -> list[str]:
    found = Axe().run(looker.page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:200]}" for each in found if each["impact"] in SERIOUS for node in each["nodes"]
    ]


def test_pages_fit_a_phone(stand: Stand) -> None:
    with stand.looker(width=390) as looker:
        looker.log_in()
        wide = []
        for path in PAGES:
            looker.open(path)
            wide += [path] if looker.is_wide() else []
        assert wide == []


def test_what_was_removed_is_seen_on_a_phone_below_the_panel_that_explains_it(stand: Stand) -> None:
    with stand.looker(width=390) as looker:
        page = looker.log_in().open(f"/document?url={PAPER}&view=removed")
        text = page.frame_locator("iframe").locator("main").bounding_box()
        frame = page.locator("iframe").bounding_box()
        assert text
        assert frame
        assert text["y"] < frame["y"] + frame["height"] / 2


@pytest.mark.long
@pytest.mark.parametrize("theme", screenshots.THEMES)
@pytest.mark.parametrize("language", screenshots.LANGUAGES)
def test_a_picture_of_every_page_can_be_taken_and_none_is_wider_than_its_window(
    stand: Stand, tmp_path: Path, language: str, theme: str
) -> None:
    pages = screenshots.pages_of(stand)
    assert len(pages) > 40
    for width in screenshots.WIDTHS:
        folder = tmp_path / str(width)
        wide = screenshots.take(stand, pages, folder, language=language, theme=theme, width=width)
        assert wide == []
        assert len(list(folder.iterdir())) == len(pages) + 1


def test_pages_are_in_chinese_for_a_chinese_browser(stand: Stand) -> None:
    with stand.looker(language="zh") as looker:
        looker.log_in()
        shown = {path: looker.open(path).locator("h1").first.inner_text() for path in ("/sources", "/crawls", "/logs")}
        assert shown == {"/sources": "来源", "/crawls": "抓取任务", "/logs": "日志"}
        assert looker.wrong == []


def test_a_source_is_paused_and_removed_with_the_keyboard_and_removing_asks_first(window: Looker) -> None:
    page = window.open("/sources")
    page.locator("input[name=name][value=quiet]").press("Space")
    page.locator("button[name=action][value=pause]").press("Enter")
    page.wait_for_url("**/sources")
    assert "paused" in page.locator("[role=status]").first.inner_text()
    page.locator("input[name=name][value=quiet]").check()
    page.locator("button[name=action][value=remove]").click()
    page.wait_for_url("**/sources/act")
    assert page.locator("main li").all_inner_texts() == ["quiet"]
    page.locator("main form button.danger").click()
    page.wait_for_url("**/sources")
    assert page.locator("input[name=name][value=quiet]").count() == 0


def test_a_wrong_extraction_is_marked_right_from_its_document_and_a_removed_label_comes_back(window: Looker) -> None:
    window.wrong.clear()
    page = window.open(f"/document?url={PAPER}")
    page.locator("a[href*='/label/page']").click()
    frame = page.frame_locator("#marking")
    marked = frame.locator("[aria-pressed=true]")
    expect(marked).to_have_count(1)
    assert "It was a long winter." in marked.inner_text()
    frame.get_by_text("Loose words in between.").click()
    frame.get_by_text("Nobody was hurt.").press("Enter")  # with the keyboard
    frame.get_by_text("Buy one ticket").click()
    frame.get_by_text("Buy one ticket").click()  # and not
    page.locator("input[name=mode][value=title]").check()
    frame.locator("h1").click()
    expect(page.locator("input[name=title]")).to_have_value("The pier is mended")
    expect(marked).to_have_count(3)
    page.locator("#marks button.main").click()
    page.wait_for_url("**/label")
    assert page.locator("main tbody tr").count() == 1
    page.locator("main tbody button").click()
    page.locator(".toast button").click()
    page.wait_for_url("**/label")
    assert "The pier is mended" in page.locator("main tbody").inner_text()
    page.locator("main tbody th a").click()
    expect(page.frame_locator("#marking").locator("[aria-pressed=true]")).to_have_count(3)
    assert page.frames[1].evaluate("[window.attacked, window.origin]") == [None, "null"]
    assert window.wrong == []


def test_posts_of_a_thread_are_marked_with_their_authors_and_times(window: Looker, stand: Stand) -> None:
    window.wrong.clear()
    page = window.open(f"/label/page?url={THREAD}")
    frame = page.frame_locator("#marking")
    texts, authors, times = (frame.locator(f"[data-thresher-part={part}]") for part in ("text", "author", "time"))
    expect(texts).to_have_count(3)  # as they were extracted
    expect(authors).to_have_count(3)
    frame.get_by_text("about the pier").last.click()  # not a post
    expect(texts).to_have_count(2)
    page.locator("input[value=post-time]").check()
    for text in frame.get_by_text("November 2026").all()[:2]:
        text.click()  # of the next post that has none
    expect(times).to_have_count(2)
    expect(page.locator("#mark-count")).to_have_text("2 posts, 2 with author, 2 with time")
    page.locator("#marks button.main").click()
    page.wait_for_url("**/label")
    told = page.request.get(f"{stand.address}/label/page.json?url={THREAD}").json()
    assert [sorted(post) for post in told["posts"]] == [["author", "text", "time"]] * 2
    assert told["marked"] == []
    found = next(
        each for each in page.request.get(f"{stand.address}/label.json").json()["labels"] if each["url"] == THREAD
    )
    assert (found["posts"], found["characters"]) == (2, len("\n".join(2 * [f"{ATTACK} reply 0 about the pier"])))
    assert window.wrong == []


def test_an_alert_is_paused_tested_changed_and_removed(window: Looker) -> None:
    page = window.open("/alerts/new?q=pier")
    page.locator("input[name=name]").fill("pier watch")
    page.locator("main form button.main").click()
    assert "is not a name" in page.locator("[role=alert]").inner_text()
    page.locator("input[name=name]").fill("pier-watch")
    page.locator("main form button.main").click()
    page.wait_for_url("**/alerts/of/pier-watch")
    page.locator("main .does button").nth(1).click()
    expect(page.locator("[role=status]").first).to_contain_text("until somebody resumes it")
    page.locator("main .does a[href$='/edit']").click()
    page.locator("select[name=kind]").select_option("digest")
    page.locator("main form button.main").click()
    page.wait_for_url("**/alerts/of/pier-watch")
    assert "a digest" in page.locator(".head").inner_text()
    page.locator("main .does button[popovertarget=remove]").first.click()
    page.locator("#remove button.danger").click()
    page.wait_for_url("**/alerts")
    assert page.locator("main tbody").count() == 0


def test_a_feed_of_a_search_is_read_without_a_login_until_it_is_ended(window: Looker, stand: Stand) -> None:
    page = window.open("/search?q=ferry")
    page.locator(".clauses a[href*='/saved/feeds']").click()
    page.locator("main form:has(input[name=query]) button.main").click()
    address = page.locator("#new-feed").inner_text()
    read = page.request.get(address, headers={"cookie": ""})
    assert (read.status, read.text().count("<item>")) == (200, 14)
    page.locator("button[popovertarget^='end-']").first.click()
    page.locator("[id^='end-'] button.danger").click()
    page.wait_for_url("**/saved/feeds")
    assert page.request.get(address).status == 404


def test_keys_lead_to_pages_and_through_hits(window: Looker) -> None:
    window.wrong.clear()
    page = window.open("/search?q=ferry")
    page.locator("h1").first.wait_for(state="attached")
    page.wait_for_function("!document.querySelector('[data-keys]').hidden")  # the script is there
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("[data-row]").nth(1)).to_contain_class("picked")
    page.keyboard.press("?")
    expect(page.locator("dialog#keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.locator("dialog#go input").fill("moni")
    page.keyboard.press("Enter")
    page.wait_for_url("**/monitor")
    page.wait_for_function("!document.querySelector('[data-keys]').hidden")
    page.keyboard.press("g")
    page.keyboard.press("o")
    page.wait_for_url("**/sources")
    assert window.wrong == []
