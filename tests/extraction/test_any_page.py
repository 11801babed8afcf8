"""The main content of pages that are no articles, when it is asked for."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import thresher
from tests.extraction.test_discussion import ARTICLE
from thresher.cli.extract import command
from thresher.errors import UsageError
from thresher.extraction.algorithms.thresher_any import extract_thresher_any
from thresher.extraction.extractor import extract
from thresher.html import parse

MENU = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("Home", "Tools", "Garden", "Cart", "Log in"))
FOOTER = '<footer><p>© 2024 Quay Tools</p><a href="/terms">Terms</a> <a href="/privacy">Privacy</a></footer>'
POINTS = ("Blade of hardened steel", "Handle of ash, 32 cm", "Weighs 640 g", "Guaranteed for ten years")
PRODUCT = f"""<html><head><title>Pruning saw | Quay Tools</title><meta property="og:type" content="product"></head>
<body><nav><ul>{MENU}</ul></nav><main><h1>Pruning saw</h1><div class="price">€ 34.90</div>
<div class="description"><p>A saw for branches as thick as an arm. It cuts on the pull, so that it does not bend,
and it folds into its handle when the work is done.</p><ul>{"".join(f"<li>{point}</li>" for point in POINTS)}</ul></div>
<button>Add to cart</button></main>{FOOTER}</body></html>"""
GUIDE = f"""<html><head><title>Configuration - Ferry docs</title></head><body><nav><ul>{MENU}</ul></nav><main>
<h1>Configuration</h1><p>Ferry reads one file when it starts. Every line of it names a setting and gives its value.</p>
<h2>Settings</h2><dl><dt>port</dt><dd>The port on which it listens for connections, 8080 if you do not say.</dd>
<dt>quiet</dt><dd>Whether it tells only of errors and of nothing else that happens.</dd></dl>
<h2>Example</h2><pre>port = 9000\nquiet = yes</pre><p>Start it again after a change, for it does not look at the
file a second time while it runs.</p></main>{FOOTER}</body></html>"""


def test_a_product_keeps_its_description_and_its_points() -> None:
    document = thresher.extract(PRODUCT, "https://quay.example/saw", pages="any")
    assert "It cuts on the pull" in document.text
    assert all(point in document.text for point in POINTS)
    assert "Privacy" not in document.text
    assert document.chance_of("text") > 0


def test_documentation_keeps_its_definitions_and_code() -> None:
    text = thresher.extract(GUIDE, "https://ferry.example/docs/configuration", pages="any").text
    assert "The port on which it listens" in text
    assert "port = 9000" in text
    assert "Log in" not in text


def test_articles_are_read_as_always() -> None:
    url = "https://harbour.example/2024/ferry"
    signed = ARTICLE.replace("<head>", '<head><meta property="og:type" content="article">', 1)
    assert extract(signed, url, pages="any") == extract(signed, url)


def test_a_page_without_text_has_no_content() -> None:
    assert extract_thresher_any(parse("<html><body></body></html>")).blocks == ()
    assert extract("<p></p>", pages="any").text == ""


def test_other_words_for_pages_are_refused() -> None:
    with pytest.raises(UsageError, match="cannot read 'all' pages"):
        extract(PRODUCT, pages="all")  # type: ignore[arg-type]


def run(page: Path, *flags: str) -> tuple[int, str]:
    ended = CliRunner().invoke(command, [str(page), *flags], standalone_mode=False)
    if ended.exception is not None:
        raise ended.exception
    return ended.return_value, ended.stdout


def test_the_command_has_a_flag_for_it(tmp_path: Path) -> None:
    page = tmp_path / "saw.html"
    page.write_text(PRODUCT, "utf-8")
    assert "Weighs 640 g" in json.loads(run(page, "--any-page", "-f", "json")[1])["text"]
    with pytest.raises(UsageError, match="--any-page is for the default algorithm"):
        run(page, "--any-page", "--algorithm", "cevc")


def test_the_command_leaves_out_a_text_that_is_not_sure_enough(tmp_path: Path) -> None:
    page = tmp_path / "article.html"
    page.write_text(ARTICLE, "utf-8")
    sure = extract(ARTICLE).chance_of("text")
    assert run(page, "--min-confidence", f"{sure - 0.01:.3f}")[0] == 0
    code, text = run(page, "--min-confidence", f"{sure + 0.004:.3f}", "-f", "json")
    assert code == 4
    assert json.loads(text)["text"] == ""
