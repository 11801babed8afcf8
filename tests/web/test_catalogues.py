"""The interface speaks Chinese as completely as English, and leaves out nothing that is filled in."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment

from thresher import web
from thresher.crawling.reasons import MEANING
from thresher.web.catalogues import FOLDER, read

PACKAGE = Path(web.__file__).parent
FUNCTIONS = ("_", "gettext", "ngettext")
HOLE = re.compile(r"%\(\w+\)s|\{\w+\}")
MESSAGES = {message["msgid"]: message for message in read((FOLDER / "zh.po").read_text("utf-8"))}


def of_templates() -> Iterator[tuple[str, str]]:
    environment = Environment(extensions=["jinja2.ext.i18n"])  # nothing is rendered
    for path in sorted((PACKAGE / "templates").glob("*.html")):
        source = path.read_text("utf-8")
        for _, _, text in environment.extract_translations(source, gettext_functions=FUNCTIONS):  # type: ignore[attr-defined]
            first = text[0] if isinstance(text, tuple) else text
            if first:
                yield path.name, first


def of_code() -> Iterator[tuple[str, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                text = node.args[0].value
                if name in ("N_", *FUNCTIONS) and isinstance(text, str):
                    yield path.name, text


def translated(text: str) -> str:
    message = MESSAGES.get(text, {})
    return message.get("msgstr") or message.get("msgstr[0]") or ""


def test_every_text_of_pages_is_there_in_chinese() -> None:
    texts = [*of_templates(), *of_code()]
    assert len(texts) > 800
    assert sorted({text for text in texts if not translated(text[1])}) == []


@pytest.mark.long  # who adds a reason to a crawl need not speak Chinese; `scripts/translations` says what is missing
def test_every_reason_is_explained_in_chinese() -> None:
    assert [reason for reason, meaning in MEANING.items() if not translated(meaning)] == []


def test_what_is_filled_in_is_in_the_translation_as_well() -> None:
    wrong = []
    for text, message in MESSAGES.items():
        wanted = set(HOLE.findall(text)) | set(HOLE.findall(message.get("msgid_plural", "")))
        if translated(text) and not set(HOLE.findall(translated(text))) <= wanted:
            wrong.append((text, translated(text)))
    assert wrong == []


def test_no_entry_is_empty() -> None:
    assert [text for text in MESSAGES if not translated(text)] == []
