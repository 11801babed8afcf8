"""The interface speaks Chinese as completely as English, and leaves out nothing that is filled in."""

import ast
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment

from tests.web import error_texts
from thresher import web
from thresher.config import Settings
from thresher.crawling.reasons import MEANING
from thresher.web.catalogues import FOLDER, catalogue, read

PACKAGE = Path(web.__file__).parent
FUNCTIONS = ("_", "gettext", "ngettext")
HOLE = re.compile(r"%\(\w+\)s|\{\w*\}")
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


def test_no_text_without_a_number_shares_its_translation_with_one_that_has_a_number() -> None:
    environment = Environment(extensions=["jinja2.ext.i18n"])
    alone = set()
    for path in (PACKAGE / "templates").glob("*.html"):
        found = environment.extract_translations(path.read_text("utf-8"), gettext_functions=FUNCTIONS)  # type: ignore[attr-defined]
        firsts = ((function, text[0] if isinstance(text, tuple) else text) for _, function, text in found)
        alone |= {text for function, text in firsts if text and function != "ngettext"}
    assert len(alone) > 600
    assert sorted(text for text in alone if "msgstr" not in MESSAGES[text]) == []


@pytest.mark.long  # who adds a reason to a crawl need not speak Chinese; `scripts/translations` says what is missing
def test_every_reason_is_explained_in_chinese() -> None:
    assert [reason for reason, meaning in MEANING.items() if not translated(meaning)] == []


@pytest.mark.long  # as above
def test_every_setting_is_explained_in_chinese() -> None:
    helps = [item.metadata["help"] for item in dataclasses.fields(Settings)]
    assert [text for text in helps if not translated(text)] == []


@pytest.mark.long  # as above
def test_every_error_that_pages_show_is_there_in_chinese() -> None:
    errors = list(error_texts.texts())
    assert len(errors) > 200
    assert sorted({text for text in errors if not translated(text[1])}) == []


def test_an_error_is_told_in_chinese_with_what_was_filled_in() -> None:
    zh, en = catalogue("zh"), catalogue("en")
    for text, told in (
        ("there is no source harbour", "没有来源 harbour"),
        ("source harbour: endpoint: not an http(s) URL", "来源 harbour：端点：不是 http(s) 网址"),
        ("query, character 3: the parenthesis is never closed", "查询第 3 个字符：括号没有闭合"),
        ("there is no source {0.__class__}", "没有来源 {0.__class__}"),
    ):
        assert zh.gettext(text) == told
        assert en.gettext(text) == text
    assert zh.gettext("nobody wrote this") == "nobody wrote this"


def test_what_is_filled_in_is_in_the_translation_as_well() -> None:
    wrong = []
    for text, message in MESSAGES.items():
        wanted = set(HOLE.findall(text)) | set(HOLE.findall(message.get("msgid_plural", "")))
        if translated(text) and not set(HOLE.findall(translated(text))) <= wanted:
            wrong.append((text, translated(text)))
    assert wrong == []


def test_no_entry_is_empty() -> None:
    assert [text for text in MESSAGES if not translated(text)] == []
