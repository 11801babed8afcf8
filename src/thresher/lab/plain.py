"""All text of a page, one block-level element a line: the floor that every extractor has to beat."""

from lxml import etree

from thresher.html import parse

_UNSEEN = ("script", "style", "noscript", "template", "head", "textarea", "select", "svg", "iframe", "object")
_BREAKS = (
    *("address", "article", "aside", "blockquote", "br", "button", "caption", "center", "dd", "div", "dl", "dt"),
    *("fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr"),
    *("legend", "li", "main", "nav", "ol", "option", "p", "pre", "section", "summary"),
    *("table", "tbody", "td", "th", "tr", "ul"),
)


def plain_text(html: str) -> str:
    """Return every visible text of a page, lines squeezed and blank ones dropped; empty for empty input."""
    body = parse(html).body  # this tree is ours alone, so it may be changed
    etree.strip_elements(body, *_UNSEEN, with_tail=False)
    for element in body.iter(*_BREAKS):
        element.text = f"\n{element.text or ''}"
        element.tail = f"\n{element.tail or ''}"
    lines = (" ".join(line.split()) for line in "".join(body.itertext()).split("\n"))
    return "\n".join(line for line in lines if line)
