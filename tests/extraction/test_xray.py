"""The X-ray shows what was kept and why, in the page's own order, and nothing of the page runs or loads."""

import re
from array import array
from dataclasses import replace
from html import unescape

import pytest
from lxml import etree
from lxml.html import document_fromstring

from tests.extraction.forum.engines import conversation
from tests.extraction.learned.pages import some_pages
from tests.extraction.learned.sheets import ARTICLE
from tests.pages import FOLDER
from thresher.errors import UsageError
from thresher.extraction import xray as xray_module
from thresher.extraction.algorithms import thresher as learned
from thresher.extraction.contract import Favour
from thresher.extraction.extractor import extract_traced, extract_tree
from thresher.extraction.learned.decide import CUT
from thresher.extraction.learned.walk import walk
from thresher.extraction.xray import POLICY, marked_page, xray
from thresher.html import parse
from thresher.model import Kind
from thresher.text import strip_unseen

HOSTILE = """<html dir="rtl" lang="ar"><head><title>A "title" <b onload=x> & more</title>
<link rel=stylesheet href=http://a.test/x.css></head>
<body onload="alert(1)" class='"><script>alert(2)</script>'>
<script>alert(3)</script><style>body { background: url(http://a.test/) }</style>
<iframe src="http://a.test/"></iframe><img src="http://a.test/p.png" alt='"><script>alert(4)</script>' onerror=alert(5)>
<p lang='en" onclick="alert(6)' dir='x" onclick=y' style="background: url(http://a.test/)">
One <a href="javascript:alert(7)" title='"x'>two</a> &lt;script&gt;alert(8)&lt;/script&gt;
<a href='"><img src=x onerror=alert(9)>'>three</a></p>
<form action=http://a.test/><input value=secret><button>Send</button></form><svg onload=alert(10)></svg>
<meta http-equiv=refresh content="0;url=http://a.test/"><base href=http://a.test/></body></html>"""


def shown(html: str, favour: Favour = "balance") -> str:
    tree = parse(html)
    return xray(tree, extract_tree(tree, favour=favour), favour=favour)


def main_of(page: str) -> etree._Element:
    main = document_fromstring(page).find(".//main")
    assert main is not None
    return main


def leaf(page: str, text: str) -> etree._Element:
    """Return the marked leaf that starts so."""
    return next(node for node in main_of(page).iter("span") if (node.text or "").strip().startswith(text))


def test_kept_text_is_tinted_and_the_rest_greyed() -> None:
    tree = parse(ARTICLE)
    kept = {block.text for block in extract_tree(tree).blocks}
    page = shown(ARTICLE)
    for text, start in (("The crew found a spare", "The crew"), ("Home", "Home"), ("All rights reserved.", "All")):
        is_kept = any(block.startswith(text) for block in kept)
        assert ("x-keep" in leaf(page, start).get("class", "")) is is_kept
    assert "x-keep" in leaf(page, "The crew").get("class", "")
    assert "x-drop" in leaf(page, "Home").get("class", "")


def test_hovering_tells_why_what_is_likely_was_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    lead = "This lead is shown as a teaser first, and then it stands at the head of the article again."
    article = "<article><h1>{}</h1><p>{}</p></article>"
    main = (
        f"<div>{lead}</div>"
        + article.format("Ferry is late", lead)
        + article.format("Cup is won", "The chess club won.")
    )
    html = f"<html><head><title>Ferry is late | Post</title></head><body><main>{main}</main></body></html>"
    judged = learned.judge_blocks
    likely = array("d", [0.8, 0.2, 0.9, 0.2, 0.9])
    monkeypatch.setattr(xray_module, "judge_blocks", lambda *given: replace(judged(*given), chances=likely))
    page = shown(html)
    assert (leaf(page, "This lead").get("title") or "").startswith("left out: the same text is kept elsewhere")
    assert (leaf(page, "The chess").get("title") or "").startswith("left out: it is of another article")


def test_hovering_tells_score_threshold_reasons_and_where_a_link_leads() -> None:
    lines = (leaf(shown(ARTICLE), "News").get("title") or "").splitlines()
    assert re.fullmatch(r"left out · score 0\.\d\d, threshold 0\.\d\d", lines[0])
    reasons = [line for line in lines if line[:2] in ("+ ", "− ")]
    assert len(reasons) == 5
    assert len(set(reasons)) == 5
    assert lines[-1] == "links to /news"


def test_every_leaf_of_a_kept_block_is_tinted_its_bold_words_too() -> None:
    page = shown(ARTICLE)
    assert leaf(page, "rudder").get("title") == leaf(page, "Passengers waited").get("title")


def test_the_panel_tells_fields_with_evidence_and_how_much_was_kept() -> None:
    page = shown(ARTICLE)
    panel = page[page.index('<details id="panel"') : page.index("</details>")]
    document = extract_tree(parse(ARTICLE))
    assert document.title in panel
    assert document.evidence["title"].source in unescape(panel)
    assert "Edda Holm" in panel
    assert f"{len(document.blocks)} kept of {len(walk(parse(ARTICLE).body).texts)}" in panel
    assert 'type="checkbox" id="only"' in panel


def test_precision_and_recall_show_their_own_threshold() -> None:
    thresholds = [
        float(re.findall(r"threshold</dt><dd[^>]*>([\d.]+)", shown(ARTICLE, favour))[0])
        for favour in ("recall", "balance", "precision")
    ]
    assert thresholds == sorted(thresholds)
    assert thresholds[0] < thresholds[2]


def test_scores_and_threshold_agree_with_what_is_kept() -> None:
    for html in some_pages(2):
        for name, title in re.findall(r'<span class="(x-\w+)[^"]*" title="([^"]*)"', shown(html)):
            score, threshold = map(float, re.findall(r"score ([\d.]+), threshold ([\d.]+)", title)[0])
            if name == "x-keep":
                assert score >= threshold or title.startswith("kept: it stands amid the text")
            else:
                assert score <= threshold or re.match("left out: (the (same|page)|it) ", title)


def test_a_line_on_the_author_says_why_it_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CUT, "recall", 0.05)
    paragraphs = "".join(f"<p>{'The ferry was late again, and the pier was full. ' * 4}{n}</p>" for n in "abc")
    page = shown(f"<html><body><article><p>By Edda Holm</p>{paragraphs}</article></body></html>", "recall")
    assert "left out: it tells author or time" in page


def test_nothing_of_a_hostile_page_runs_or_loads() -> None:
    page = shown(HOSTILE)
    assert f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">' in page
    assert "default-src 'none'" in POLICY
    nodes = list(main_of(page).iter())
    assert {str(node.tag) for node in nodes} <= {"main", "div", "span", "br", "hr"}
    ours = {"class", "title", "tabindex", "id", "autofocus"}
    assert {name for node in nodes for name in node.attrib} <= {*ours, "lang", "dir"}
    assert {node.get("id") for node in nodes} <= {None, "kept"}
    assert {str(node.tag) for node in document_fromstring(page).iter()}.isdisjoint(
        {"script", "iframe", "link", "img", "base"}
    )


def test_the_text_of_a_hostile_page_is_shown_as_text() -> None:
    page = shown(HOSTILE)
    assert "<script>alert(8)</script>" in "".join(main_of(page).itertext())
    assert "links to javascript:alert(7)" in (leaf(page, "two").get("title") or "")
    assert "secret" not in page


def test_direction_and_language_of_the_page_are_kept() -> None:
    main = main_of(shown(HOSTILE))
    assert (main.get("dir"), main.get("lang")) == ("rtl", "ar")


def test_lines_parted_by_breaks_are_marked_apart() -> None:
    lines = ["The first line of it.", "The second <b>line</b> of it.", "The third line of it."]
    html = f"<body><div>{'<br>'.join(lines)}</div><pre>a = 1\n\nb = 2</pre></body>"
    marked = marked_page(parse(html).body, lambda block: (f"b{block}", ""))
    assert marked.blocks == 5
    assert re.findall(r'class="b1">([^<]*)', marked.markup) == ["The second ", "line", " of it."]
    assert re.findall(r'class="b[34]">([^<]*)', marked.markup) == ["a = 1\n", "b = 2"]


def test_blocks_are_numbered_as_the_walk_numbers_them() -> None:
    for html in some_pages():
        tree = parse(html)
        marked = marked_page(tree.body, lambda block: (f"b{block}", ""))
        found: dict[int, str] = {}
        for number, text in re.findall(r'<span class="b(\d+)">([^<]*)</span>', marked.markup):
            found[int(number)] = found.get(int(number), "") + strip_unseen(unescape(text))
        texts = walk(tree.body).texts
        assert marked.blocks == len(texts)
        assert ["".join(found[place].split()) for place in range(len(texts))] == [
            "".join(text.split()) for text in texts
        ]


def test_a_large_page_says_where_its_reasons_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "MAX_JUDGED", 4)
    monkeypatch.setattr(xray_module, "MAX_JUDGED", 4)
    page = shown(ARTICLE)
    assert "reasons are given for its first 4 blocks only" in page
    assert "at first sight" in (leaf(page, "Home").get("title") or "")
    assert len((leaf(page, "All rights").get("title") or "").splitlines()) == 1


def test_a_page_of_very_many_leaves_says_where_its_scores_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xray_module, "MAX_HOVERS", 3)
    page = shown(ARTICLE)
    assert page.count('title="left out') + page.count('title="kept') == 3
    assert "scores are shown for its first 3 pieces of text only" in page


def test_a_page_without_main_text_says_so() -> None:
    page = shown("<body><ul><li><a href=/>Home</a></li><li><a href=/a>About</a></li></ul></body>")
    assert "No main text" in page
    assert "x-keep" not in page[page.index("<main") :]


def test_an_empty_page_has_an_x_ray_too() -> None:
    assert "0 kept of 0" in shown("")


def test_other_algorithms_are_refused() -> None:
    tree = parse(ARTICLE)
    with pytest.raises(UsageError, match="cevc gives no such scores"):
        xray(tree, extract_tree(tree, algorithm="cevc"))


def test_the_page_begins_at_the_first_kept_text_and_has_a_link_to_it() -> None:
    page = shown(ARTICLE)
    kept = [node for node in main_of(page).iter("span") if "x-keep" in node.get("class", "")]
    assert [node.get("id") for node in kept] == ["kept", *[None] * (len(kept) - 1)]
    assert kept[0].get("autofocus") is not None
    links = [node for node in document_fromstring(page).iter("a") if node.get("href") == "#kept"]
    assert [node.text for node in links] == ["Skip to the kept text", "Jump to the kept text"]


def test_a_page_of_which_nothing_is_kept_has_nowhere_to_jump() -> None:
    assert "#kept" not in shown("<body><ul><li><a href=/>Home</a></li></ul></body>")


def test_the_tab_key_stops_once_at_every_block_and_a_touch_reaches_all_of_it() -> None:
    page = shown(ARTICLE)
    stops = [node for node in main_of(page).iter("span") if node.get("tabindex") == "0"]
    assert len(stops) == len(walk(parse(ARTICLE).body).texts)
    assert all(node.get("title") for node in stops)
    assert leaf(page, "rudder").get("tabindex") == "-1"
    assert "[tabindex]:focus::after { content: attr(title)" in page


def test_the_text_of_posts_is_kept_and_what_stands_around_it_is_left_out() -> None:
    html, said = conversation("vbulletin3", 6)
    tree = parse(html, url="https://garage.example/t/12")
    document = extract_tree(tree)
    assert document.kind is Kind.THREAD
    page = xray(tree, document)
    for each in said:
        for text in each.text:
            assert "x-keep" in leaf(page, text).get("class", "")
            assert (leaf(page, text).get("title") or "").startswith(f"kept: it is the text of post {each.number} ")
    assert "x-drop" in leaf(page, "Join Date").get("class", "")
    assert (leaf(page, "Join Date").get("title") or "").startswith("left out: it is in post 1, but not its text")
    assert (leaf(page, "Powered by").get("title") or "").startswith("left out: it is outside of the posts")
    quotes = {n.text for n in main_of(page).iter("span") if "it is a quotation in post 3" in (n.get("title") or "")}
    assert said[2].quote in quotes
    kept = sum(len(post.text.splitlines()) for post in document.posts)
    assert f'posts</dt><dd dir="auto">{len(said)}<' in page
    assert f"{kept} kept of" in page


def test_comments_that_are_read_are_kept_beside_the_article() -> None:
    html = (FOLDER / "comments-below-a-heading" / "source.html").read_text("utf-8")
    tree = parse(html)
    document, _ = extract_traced(tree, posts="comments")
    assert document.posts
    page = xray(tree, document)
    assert "kept: it is the text of post 1 " in page
    assert "x-keep" in leaf(page, document.blocks[0].text[:30]).get("class", "")
