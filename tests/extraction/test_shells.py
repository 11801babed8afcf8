"""Which pages are empty until a script fills them."""

import pytest

from thresher.extraction.shells import shell_reason
from thresher.html import parse

SCRIPT = '<script src="/static/main.js"></script>'
TEXT = "<p>The ferry to the islands was late again, and people stood in the rain for more than an hour.</p>" * 4


def reason(body: str, head: str = "") -> str:
    return shell_reason(parse(f"<html><head><title>Harbour</title>{head}</head><body>{body}</body></html>"))


@pytest.mark.parametrize("name", ["root", "app", "__next", "__nuxt", "react-root", "___gatsby", "app-root"])
def test_an_empty_element_for_a_program_is_a_shell(name: str) -> None:
    assert reason(f'<div id="{name}"></div>{SCRIPT}') == "empty-root"


def test_a_spinner_and_a_footer_make_no_page() -> None:
    assert reason(f'<div id="app"><span>Loading…</span></div><footer>© Harbour News</footer>{SCRIPT}') == "empty-root"
    assert reason(f"<app-root></app-root>{SCRIPT}") == "empty-root"


def test_a_page_that_asks_for_scripts_is_a_shell() -> None:
    asking = "<noscript>You need to enable JavaScript to read this.</noscript><div class=x>Harbour News, all day</div>"
    assert reason(f"{asking}<p>A little more text than nothing at all stands here.</p>{SCRIPT}") == "asks-for-script"


def test_a_page_of_scripts_alone_is_a_shell() -> None:
    assert reason("<script>document.write(load())</script>") == "script-only"
    assert reason("", head=SCRIPT) == "script-only"


def test_a_page_with_text_is_none_however_many_scripts_it_has() -> None:
    assert reason(f'<div id="root">{TEXT}</div>{SCRIPT * 9}') == ""
    assert reason(f"<noscript>Please enable JavaScript</noscript>{TEXT}{SCRIPT}") == ""


def test_chinese_text_counts_twice() -> None:
    assert reason(f'<div id="app"></div><p>{"渡轮又晚点了岛民在雨中等" * 9}</p>{SCRIPT}') == ""


def test_a_short_page_without_scripts_is_none() -> None:
    assert reason("<p>Not found.</p>") == ""
    assert reason('<div id="root"></div>') == ""
    assert reason('<div id="root"></div><script type="application/ld+json">{"@type":"Article"}</script>') == ""


def test_a_page_that_sends_its_reader_elsewhere_is_none() -> None:
    assert reason(SCRIPT, head='<meta http-equiv="refresh" content="0; url=/there">') == ""


def test_an_empty_page_is_none() -> None:
    assert reason("") == ""
