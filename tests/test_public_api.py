"""The front door: what can be imported from thresher, and what that costs."""

import inspect
import pkgutil
import subprocess
import sys

import pytest

import thresher

HEAVY = ("scrapy", "twisted", "sqlalchemy", "tldextract", "charset_normalizer", "click", "rich", "lxml.html")


def test_the_front_door_is_small() -> None:
    names = ["Corpus", "Crawl", "CrawlReport", "Document", "Evidence", "Hit", "HitPage", "Post", "ThresherError"]
    assert sorted(thresher.__all__) == [*names, "__version__", "crawl", "extract", "open"]
    assert all(hasattr(thresher, name) for name in thresher.__all__)


def test_extract_has_the_promised_signature() -> None:
    signature = inspect.signature(thresher.extract)
    names = ["html", "url", "fetch", "content_type", "fetched_at", "algorithm", "model", "favour", "memory", "posts"]
    assert list(signature.parameters) == [*names, "pages", "images"]
    defaults = {name: parameter.default for name, parameter in signature.parameters.items()}
    assert defaults == {
        "fetch": False,
        **dict.fromkeys(("html", "url", "content_type", "fetched_at", "algorithm", "model", "memory")),
        "favour": "balance",
        "posts": "threads",
        "pages": "articles",
        "images": False,
    }
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    assert kinds == [inspect.Parameter.POSITIONAL_OR_KEYWORD] * 2 + [inspect.Parameter.KEYWORD_ONLY] * 10


def test_a_document_has_the_promised_fields() -> None:
    document = thresher.extract("<p>the text")
    fields = "url canonical_url site site_name kind confidence title text authors published language description image"
    for name in [*fields.split(), "links", "images", "posts", "evidence"]:
        assert hasattr(document, name)
    post = thresher.Post(author=None, published=None, text="", position=0)
    for name in ("id", "permalink", "reply_to", "quotes", "xpath"):
        assert hasattr(post, name)


@pytest.mark.parametrize("use", ["pass", "thresher.extract('<p>text')"])
def test_neither_import_nor_extraction_load_what_they_do_not_need(use: str) -> None:
    code = f"import sys, thresher; {use}; print([name for name in {HEAVY!r} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_the_import_alone_loads_no_extraction() -> None:
    code = "import sys, thresher; print('lxml' in sys.modules, 'thresher.extraction' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False False"


def test_functions_stay_functions_whatever_was_imported() -> None:
    """A package of the same name would take a function's place as soon as something imports from it."""
    modules = {module.name for module in pkgutil.iter_modules(thresher.__path__)}
    assert modules.isdisjoint(thresher.__all__)
