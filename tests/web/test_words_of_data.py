"""Words that come from data are in the language of the page, and written as in a settings file."""

from dataclasses import replace

from lxml import html as lxml_html

from tests.contracts.store_words import NOW, fate, page
from tests.web.browsers import Served
from tests.web.corpus import HARBOUR, documents
from thresher.model import Evidence
from thresher.store.contract import Record
from thresher.web.corpora import OpenCorpus


def facts_of(text: str) -> dict[str, str]:
    """Return the fields of a document's page by their names."""
    tree = lxml_html.fromstring(text)
    names, values = tree.cssselect(".facts dt"), tree.cssselect(".facts dd")
    return {name.text_content(): (value.text or "").strip() for name, value in zip(names, values, strict=True)}


def store(corpus: OpenCorpus) -> None:
    """Store an article that says where its kind was seen."""
    article = replace(documents()[0], evidence={"kind": Evidence("features", 0.9)})
    run = corpus.store.start_run([HARBOUR], {"job": "run-1"}, NOW)
    corpus.store.save(Record(fate(HARBOUR, run=run.id, reason="article"), page(HARBOUR), article))


def test_the_kind_of_a_document_is_told_in_the_language_of_the_page(served: Served) -> None:
    served.do(served.site.corpora.write(store))
    browser = served.browser("viewer")
    assert facts_of(browser.get(f"/document?url={HARBOUR}").text)["Kind"] == "article"
    browser.headers["accept-language"] = "zh"
    assert facts_of(browser.get(f"/document?url={HARBOUR}").text)["类型"] == "文章"


def test_switches_are_shown_as_in_a_settings_file(served: Served) -> None:
    page = served.browser("admin").get("/settings/machine").text
    assert ">true<" in page
    assert ">false<" in page
    assert ">False<" not in page
