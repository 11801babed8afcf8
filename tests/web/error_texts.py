"""The errors that pages can show, as they stand in the code: what is filled in is written {}."""

import ast
from collections.abc import Iterator
from pathlib import Path

from thresher import errors, web
from thresher.catalog.health import Problem
from thresher.web.problems import Refused

PACKAGE = Path(web.__file__).parents[1]
SHOWN = (  # where errors come from that a person at a page can cause; the API, commands and settings speak English
    *("web/*.py", "web/pages/*.py", "catalog/*.py", "model/*.py", "urls/*.py", "discovery/scope.py", "html/*.py"),
    *(
        "index/query.py",
        "index/lexer.py",
        "index/fields.py",
        "index/compiler.py",
        "index/cursor.py",
        "index/searching.py",
    ),
    *(
        "alerting/*.py",
        "fetch/guard.py",
        "fetch/post.py",
        "crawling/opening.py",
        "crawling/survey.py",
        "crawling/single.py",
        "watching/exchange.py",
        "store/labels.py",
    ),
    *("fleet/fleet.py", "fleet/processes.py", "fleet/workforce.py"),
)
LEFT_OUT = ("web/paths.py", "web/serving.py", "web/processes.py", "model/credentials.py", "catalog/__init__.py")
EXTRA = (  # what is put together elsewhere and shown beside errors: reasons of failed pages, problems of sources
    "the server answered with status {}",
    "query, character {}: {}",
    "no new document for {}, where {} would be usual ({} a week; longest gap so far {})",
    *("{} minutes", "{} hours", "{} days", "{} member", "{} members", "ended with code {}", "its supervisor has ended"),
    *("{} more heard of after {} s", "{} heard of after {} s", "{} ended after {} s", "{} is replaced"),
)
PLACES = {Refused.__name__: 1, Problem.__name__: 1, "wrong": 2, "_wrong": 0}  # of the text among the arguments
NAMES = {name for name, each in vars(errors).items() if isinstance(each, type)} | set(PLACES)


def texts() -> Iterator[tuple[str, str]]:
    """Yield (file, text) of each error."""
    yield from (("", text) for text in EXTRA)
    for pattern in SHOWN:
        for path in sorted(PACKAGE.glob(pattern)):
            name = path.relative_to(PACKAGE).as_posix()
            if name not in LEFT_OUT:
                for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                    yield from ((name, text) for text in _of(node) if _is_text(text))


def _is_text(text: str) -> bool:
    return bool(text.replace("{}", "").strip(" :;,")) and "\n" not in text


def _of(node: ast.AST) -> list[str]:
    """Return the texts that an error is raised with."""
    if not isinstance(node, ast.Call):
        return []
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    place = PLACES.get(name, 0)
    if name not in NAMES:
        return []
    return _texts(node.args[place]) if len(node.args) > place else []


def _texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return ["".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)]
    if isinstance(node, ast.IfExp):
        return _texts(node.body) + _texts(node.orelse)
    return []
