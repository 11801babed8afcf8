"""The page around an X-ray: its policy, its style, and the panel that tells what was found."""

from collections.abc import Iterable
from html import escape

from thresher.model import Document, Evidence

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
MAX_VALUE = 200  # characters of a field that are shown

STYLE = """
:root { color-scheme: light; }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; color: #767676; background: #fff; }
main { max-width: 46rem; padding: 1.5rem 23rem 4rem 2rem; overflow-wrap: anywhere; }
main div { margin: .25em 0; }
.x-keep { background: #d3f0d9; color: #111; padding: .1em 0; }
.x-keep, .x-drop { -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.x-keep:hover, .x-drop:hover { outline: 1px solid #1a66c2; }
.x-drop:hover { color: #333; }
.x-close { border-bottom: 2px dotted #c26a00; }
.t-h1, .t-h2, .t-h3, .t-h4, .t-h5, .t-h6, .t-b, .t-strong, .t-th { font-weight: 600; }
.t-h1 { font-size: 1.6em; } .t-h2 { font-size: 1.35em; } .t-h3 { font-size: 1.15em; }
.t-i, .t-em, .t-cite, .t-dfn, .t-var { font-style: italic; }
.t-code, .t-kbd, .t-samp, .t-tt, .t-pre, .t-xmp, .t-listing, .t-plaintext { font-family: monospace; }
.t-pre, .t-xmp, .t-listing, .t-plaintext { white-space: pre-wrap; }
.t-sub { vertical-align: sub; font-size: .8em; } .t-sup { vertical-align: super; font-size: .8em; }
.t-a { text-decoration: underline; text-decoration-color: #b9c6d6; }
.t-s, .t-del { text-decoration: line-through; }
main .t-li { display: list-item; margin-inline-start: 1.4em; }
main .t-dd, main .t-blockquote { margin-inline-start: 1.4em; }
.t-blockquote { border-inline-start: 3px solid #ddd; padding-inline-start: .7em; }
main .t-li:not(:has(.x-keep, .x-drop, .t-img:not(:empty))) { display: none; }
main :is(.t-table, .t-tbody, .t-tr, .t-td, .t-th) { margin: 0; }
.t-tr { display: flex; flex-wrap: wrap; gap: .25em 1em; }
.t-td, .t-th { flex: 0 1 auto; max-width: 100%; }
.t-img:not(:empty) { border: 1px dashed #ccc; padding: 0 .3em; font-size: .8em; }
#panel { position: fixed; top: 1rem; right: 1rem; width: 19rem; max-height: calc(100vh - 4rem); overflow: auto;
  padding: .6rem .9rem; background: #fafafa; color: #222; border: 1px solid #ccc; border-radius: 6px; font-size: 13px; }
#panel summary { font-weight: 600; cursor: pointer; }
#panel dl { margin: .5em 0; } #panel dt { color: #666; font-size: 11px; margin-top: .4em; }
#panel dd { margin: 0; overflow-wrap: anywhere; } #panel small { color: #666; display: block; }
#panel p { margin: .5em 0; } #panel label { display: block; margin: .5em 0; cursor: pointer; }
#panel .note { color: #a04000; }
body:has(#only:checked) main :is(.x-drop, .t-img, hr), body:has(#only:checked) main div:not(:has(.x-keep))
  { display: none; }
@media (max-width: 60rem) { #panel { position: static; width: auto; margin: 1rem; } main { padding: 1rem; } }
"""
_LEGEND = (
    '<p><span class="x-keep">kept</span> · <span class="x-drop">left out</span> · '
    '<span class="x-close">close to the threshold</span></p><p>Point at a text for its score and the reasons.</p>'
)


def whole_page(document: Document, main: str, *, facts: Iterable[tuple[str, str]], notes: Iterable[str]) -> str:
    """Return the X-ray as a page that loads and runs nothing; `main` is markup, everything else is escaped."""
    title = escape(document.title[:MAX_VALUE] or "page")
    told = "".join(_row(name, value, evidence) for name, value, evidence in _fields(document))
    told += "".join(_row(name, value, None) for name, value in facts)
    warned = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>X-ray: {title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<details id="panel" open><summary>X-ray</summary>{warned}<dl>{told}</dl>'
        f'<label><input type="checkbox" id="only"> kept only</label>{_LEGEND}</details>\n{main}\n</body>\n</html>\n'
    )


def _fields(document: Document) -> Iterable[tuple[str, str, Evidence | None]]:
    published = document.published.isoformat(sep=" ") if document.published else ""
    values = {
        "title": document.title,
        "published": published,
        "authors": ", ".join(document.authors),
        "language": document.language or "",
        "kind": document.kind.value,
    }
    return [(name, value, document.evidence.get(name)) for name, value in values.items()]


def _row(name: str, value: str, evidence: Evidence | None) -> str:
    """Return a name, its value, and where that was found."""
    shown = escape(value[:MAX_VALUE]) or "—"
    small = ""
    if evidence is not None and value:
        small = f'<small title="{escape(evidence.raw)}">{escape(evidence.source)}, {evidence.confidence:.2f}</small>'
    return f'<dt>{escape(name)}</dt><dd dir="auto">{shown}</dd><dd>{small}</dd>'
