"""Our own algorithms as the laboratory runs them: from a page to what was found, with a version that tells changes."""

import ast
import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import thresher
from thresher.errors import UsageError
from thresher.extraction.algorithms import ALGORITHMS
from thresher.extraction.contract import Algorithm, Content, Favour, Pages
from thresher.extraction.extractor import extract_tree
from thresher.html import Tree, parse
from thresher.lab.pages import Found, FoundPost
from thresher.model import Post

ROOT = Path(thresher.__file__).parent
WHOLE = "thresher"  # the extractor that users get: kind of page, content and fields
Parameter = str | int | float | bool


def names() -> tuple[str, ...]:
    """Return the names of all algorithms, that of the whole extractor first."""
    return tuple(_algorithms())


def check(name: str, parameters: Mapping[str, Parameter]) -> None:
    """Raise UsageError for an algorithm that there is not, or a parameter that it does not have."""
    if name not in _algorithms():
        raise UsageError(f"no algorithm {name!r}; there are {', '.join(_algorithms())}")
    known = _parameters_of(_algorithms()[name])
    for parameter in parameters:
        if parameter not in known:
            raise UsageError(f"{name} has no parameter {parameter!r}; it has {', '.join(known) or 'none'}")


def extract(name: str, html: str, url: str | None, parameters: Mapping[str, Parameter]) -> Found:
    """Run an algorithm over a page, parsing included; raise what it raises."""
    content: Content = _algorithms()[name](parse(html, url=url), **parameters)  # type: ignore[arg-type]
    posts = tuple(map(_post, content.posts))
    texts = (block.text for block in content.blocks) if content.blocks else (post.text for post in posts)
    figures = {key: float(value) for key, value in content.facts.items() if isinstance(value, int | float)}
    return Found("\n".join(texts), posts, figures)


def _post(post: Post) -> FoundPost:
    published = post.published.isoformat() if post.published else ""
    return FoundPost(post.text, post.xpath, post.author or "", published)


def version_of(name: str) -> str:
    """Return a fingerprint of the sources an algorithm is made of, and of the data files beside them."""
    if name == WHOLE:
        return fingerprint(Path(inspect.getfile(extract_tree)))
    algorithm = ALGORITHMS[name]
    return fingerprint(Path(inspect.getfile(getattr(algorithm, "func", algorithm))))  # func: of a partial


@cache  # what runs is what was loaded, whatever is written to the files meanwhile
def fingerprint(source: Path) -> str:
    """Return what changes with a source file of ours, what it imports, and the data beside it and in `extraction`."""
    digest = sha256()
    sources = sorted(_closure(source))
    others = {*(ROOT / "extraction").rglob("*.*"), *source.resolve().parent.glob("*.*")}
    data = sorted(path for path in others if path.is_file() and not path.suffix.startswith(".py"))
    for path in (*sources, *data):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def _algorithms() -> dict[str, Algorithm]:
    return {**ALGORITHMS, WHOLE: _extract_whole}


def _extract_whole(
    tree: Tree, *, model: str | None = None, favour: Favour = "balance", pages: Pages = "articles"
) -> Content:
    document = extract_tree(tree, model=model, favour=favour, pages=pages)
    return Content(document.blocks, document.confidence, document.links, document.posts)


def _parameters_of(algorithm: Algorithm) -> list[str]:
    return [
        name
        for name, parameter in inspect.signature(algorithm).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]


def _closure(start: Path) -> set[Path]:
    """Return a source file and all of our own that it imports, directly or not."""
    seen: set[Path] = set()
    waiting = [start.resolve()]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += _imported_by(path)
    return seen


def _imported_by(path: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                yield from _source_of(name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield from _source_of(alias.name)


def _source_of(module: str) -> Iterator[Path]:
    first, *rest = module.split(".")
    if first == "thresher" and rest:
        place = ROOT.joinpath(*rest)
        yield from (path.resolve() for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file())
