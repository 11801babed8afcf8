"""The walls of the house: who may import whom, one library one home, sizes, the reading path."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "thresher"
FILES = sorted(ROOT.rglob("*.py"))

GROUND = {
    "model",
    "errors",
    "urls",
    "text",
    "html",
    "sqlite",
    "database",
    "search_server",
    "logs",
    "metrics",
    "tracing",
}
LEAVES = {"analysis", "discovery", "frontier", "fetch", "extraction", "store", "index", "catalog", "export", "sample"}
BESIDE = {"alerting", "services", "fleet"}  # what runs beside pages and commands
MAY_IMPORT = {
    "errors": set(),
    "urls": {"errors"},
    "text": set(),
    "logs": {"text", "urls"},
    "sqlite": {"errors"},
    "database": {"errors", "sqlite"},
    "search_server": {"errors"},
    "html": {"errors", "text", "urls"},
    "model": {"urls", "errors", "text"},
    **dict.fromkeys(LEAVES, GROUND),
    "export": GROUND | {"version"},
    "archive": GROUND | {"export", "store", "version"},
    "batch": GROUND | {"archive", "export", "extraction", "crawling", "version"},
    "crawling": GROUND | LEAVES - {"analysis", "sample"},
    "watching": GROUND | LEAVES - {"analysis", "sample"} | {"crawling"},
    "fleet": GROUND | {"frontier", "crawling"},  # contracts and heartbeats, never a backend
    "version": set(),
    "metrics": {"logs", "version"},
    "tracing": {"errors", "model", "urls", "version"},
    "config": GROUND | {"version"},
    "alerting": GROUND | LEAVES - {"analysis", "sample"} | {"crawling", "api"},
    "services": GROUND | LEAVES | {"crawling", "watching", "alerting", "config", "wiring", "api"},
    "indexes": GROUND | LEAVES | {"crawling", "config"},
    "queues": {"config", "errors", "frontier", "sqlite"},
    "moving": GROUND | LEAVES | {"config"},
    "sinks": GROUND | LEAVES | {"archive", "config"},
    "wiring": GROUND | LEAVES | {"queues", "sinks", "crawling", "watching", "config", "indexes"},
    "api": GROUND | LEAVES - {"sample"} | {"archive", "crawling", "watching", "config", "wiring"},
    "web": GROUND | LEAVES - {"sample"} | BESIDE | {"crawling", "watching", "config", "wiring", "api", "version"},
    "mcp": {"catalog", "config", "errors", "version", "web"},
    "client": {"errors"},
    "lab": GROUND | LEAVES | {"archive", "batch", "crawling", "watching", "config", "wiring", "api", "web", ""},
    "cli": GROUND
    | LEAVES
    | BESIDE
    | {
        "archive",
        "batch",
        "crawling",
        "watching",
        "config",
        "wiring",
        "api",
        "web",
        "lab",
        "moving",
        "queues",
        "sinks",
        "mcp",
        "",
    },
    "__main__": {"cli"},
    "": {"errors", "model", "extraction", "api", "version"},  # thresher/__init__.py, the front door
}
HOMES = {
    "scrapy": {"fetch", "lab"},  # lab: the plain spiders we measure ourselves against
    "twisted": {"fetch", "sample"},
    "sqlalchemy": {"database", "store", "index", "catalog", "wiring"},
    "sqlite3": {"sqlite", "database", "frontier", "index", "store", "catalog", "indexes", "wiring", "lab"},
    "click": {"cli"},
    "rich": {"cli"},
    "ada_url": {"urls"},
    "tldextract": {"urls"},
    "webencodings": {"html"},
    "charset_normalizer": {"html"},
    "tomli_w": {"config", "catalog"},
    "cronsim": {"model"},
    "ecs_logging": {"logs"},
    "zstandard": {"store"},
    "xxhash": {"store"},
    "trafilatura": {"lab"},
    "sklearn": {"lab"},
    "rapidfuzz": {"lab"},
    "rjieba": {"analysis"},
    "playwright": {"fetch"},
    "docker": {"fleet"},
    "kubernetes": {"fleet"},
    "opencc": {"index"},
    "Stemmer": {"index"},
    "prometheus_client": {"metrics"},
    "opentelemetry": {"tracing"},
    "mcp": {"mcp"},
    "anyio": {"mcp"},
    "httpx": {"client", "mcp"},
    "opensearchpy": {"search_server"},
    "pymongo": {"store"},
    "confluent_kafka": {"store"},
    "bson": {"store"},
    "pyarrow": {"export", "archive", "batch"},
    "warcio": {"export", "archive", "lab"},
    "fastwarc": {"archive"},
    "fsspec": {"archive"},
    **{name: {"batch"} for name in ("pyspark", "py4j")},
    "ray": {"batch"},
    **{name: {"web"} for name in ("fastapi", "uvicorn", "jinja2", "markupsafe")},
    **{name: {"web", "mcp"} for name in ("starlette", "pydantic")},
    **{name: {"web"} for name in ("argon2", "nh3", "multipart")},
}
BACKENDS = {
    "thresher.frontier.sqlite",
    "thresher.store.sql",
    "thresher.index.sqlite",
    "thresher.index.postgresql",
    "thresher.index.opensearch",
    "thresher.catalog.sql",
    "thresher.catalog.sql_accounts",
}
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 50
MAX_NESTING = 4
READING_PATH_FILES = 16
READING_PATH_LINES = 3_000
STAGES = ("lease", "fetch", "discover", "extract", "save", "add", "offer", "settle", "search")  # add: to the index
BANNED_NAMES = {"utils", "helpers", "common", "base", "core", "manager", "handler"}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def package_of(path: Path) -> str:
    first = path.relative_to(ROOT).parts[0]
    return "" if first == "__init__.py" else first.removesuffix(".py")


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path) for path in FILES}


def imports_of(path: Path) -> list[str]:
    """Every module that a file imports, anywhere in it."""
    names = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names += [name if name in MODULES else node.module for name in inner]
    return names


def test_arrows_point_down_only() -> None:
    wrong = []
    for path in FILES:
        package = package_of(path)
        assert package in MAY_IMPORT, f"{path}: a package that the architecture does not know"
        for name in imports_of(path):
            if name.split(".")[0] != "thresher":
                continue
            target = ([*name.split("."), ""])[1]
            if target != package and target not in MAY_IMPORT[package]:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert not wrong


def test_only_wiring_and_lab_know_the_backends() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in FILES
        if package_of(path) not in {"wiring", "indexes", "moving", "queues", "sinks", "lab"}
        for name in imports_of(path)
        if name in BACKENDS and not name.startswith(f"thresher.{package_of(path)}.")
    ]
    assert not wrong


def test_one_library_has_one_home() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in FILES
        for name in imports_of(path)
        if package_of(path) not in HOMES.get(name.split(".")[0], {package_of(path)})
    ]
    assert not wrong


def test_commands_print_through_the_border_to_the_terminal() -> None:
    """With `say`, `show`, `show_data` or `for_data`: what comes from the network is cleaned there."""
    printing = re.compile(r"click\.s?echo|\bprint\(|sys\.std(?:out|err)\.write")
    wrong = [
        str(path.relative_to(ROOT))
        for path in FILES
        if package_of(path) == "cli" and path.stem != "terminal" and not path.stem.startswith("bench")
        if any(printing.search(line) and "console" not in line for line in path.read_text("utf-8").splitlines())
    ]
    assert not wrong, f"{wrong}: print with thresher.cli.terminal"


def test_the_environment_is_read_in_config_alone() -> None:
    wrong = [
        str(path.relative_to(ROOT))
        for path in FILES
        if package_of(path) != "config" and re.search(r"os\.environ|os\.getenv|getenv\(", path.read_text("utf-8"))
    ]
    assert not wrong


def test_own_modules_are_imported_at_the_top() -> None:
    """Except in cli, where a command loads what it needs when it is called: `thresher extract` starts no crawler."""
    wrong = []
    for path in FILES:
        if package_of(path) == "cli":
            continue
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = [n for n in ast.walk(node) if isinstance(n, ast.ImportFrom) and n.module]
                wrong += [
                    f"{path.relative_to(ROOT)}: {n.module}" for n in inner if str(n.module).startswith("thresher")
                ]
    assert not wrong


def test_there_are_no_import_cycles() -> None:
    graph = {module_of(p): {n for n in imports_of(p) if n in MODULES and n != module_of(p)} for p in FILES}
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, f"import cycle: {' -> '.join([*trail, module])}"
        if module not in done:
            for target in graph[module]:
                visit(target, (*trail, module))
            done.add(module)

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_functions_stay_small(path: Path) -> None:
    lines = path.read_text("utf-8").count("\n")
    assert lines <= MAX_FILE_LINES
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            assert node.end_lineno - node.lineno < MAX_FUNCTION_LINES, node.name
            assert nesting(node) <= MAX_NESTING, node.name


def nesting(node: ast.AST, depth: int = 0) -> int:
    """How deep control flow is nested below a node; an elif is no deeper than its if."""
    deepest = depth
    for child in ast.iter_child_nodes(node):
        opens = isinstance(child, ast.If | ast.For | ast.While | ast.With | ast.Try | ast.AsyncFor | ast.AsyncWith)
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and child in node.orelse
        deepest = max(deepest, nesting(child, depth + (opens and not is_elif)))
    return deepest


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_opens_with_one_sentence(path: Path) -> None:
    docstring = ast.get_docstring(tree_of(path))
    assert docstring
    first = docstring.split("\n\n")[0].rstrip(".:")
    assert len(first) > 15
    assert path.stem not in BANNED_NAMES


def test_broad_except_stands_in_the_workers_outer_loop_alone() -> None:
    places = [str(path.relative_to(ROOT)) for path in FILES if "except Exception" in path.read_text("utf-8")]
    assert places == ["crawling/worker.py"]
    assert (ROOT / places[0]).read_text("utf-8").count("except Exception") == 1


def reading_path() -> list[Path]:
    """The files that the front door names, in the order in which to read them."""
    front_door = ast.get_docstring(tree_of(ROOT / "__init__.py")) or ""
    return [ROOT / name for name in re.findall(r"^\s*\d+\.\s+(\S+\.py)", front_door, re.MULTILINE)]


def names_called_from(path: Path) -> set[str]:
    """The modules of ours from which a file calls something, or hands something over to be called."""
    origins: dict[str, str] = {}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                origins[alias.asname or alias.name] = inner if inner in MODULES else node.module
    calls = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]
    used = {part.id for call in calls for part in ast.walk(call) if isinstance(part, ast.Name)}
    return {origins[name] for name in used if name in origins}


def test_each_file_of_the_reading_path_is_called_by_one_before_it() -> None:
    path = reading_path()
    called: set[str] = set()
    astray = []
    for file in path:
        if called and module_of(file) not in called:
            astray.append(module_of(file))
        called |= names_called_from(file)
    assert astray == []


def test_the_reading_path_shows_every_stage_and_is_short() -> None:
    path = reading_path()
    texts = [file.read_text("utf-8") for file in path]
    assert 0 < len(path) <= READING_PATH_FILES
    assert sum(text.count("\n") for text in texts) <= READING_PATH_LINES
    for stage in STAGES:
        assert any(re.search(rf"def {stage}\w*\(", text) for text in texts), stage


def test_the_reading_path_is_told_to_contributors() -> None:
    page = (ROOT.parents[1] / "CONTRIBUTING.md").read_text("utf-8")
    section = page.partition("## Find your way")[2].partition("\n## ")[0]
    told = re.findall(r"^\d+\. `(\S+\.py)`", section, re.MULTILINE)
    assert [ROOT / name for name in told] == reading_path()
