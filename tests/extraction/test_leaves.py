"""Leaves are walked in the order in which blocks are cut, so that verdicts on them fit."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.extraction.blocks import cut
from thresher.extraction.leaves import cut_chosen, walk
from thresher.html import parse

TAGS = st.sampled_from(["div", "p", "a", "span", "br", "script", "li", "pre", "textarea", "select", "b"])
LEAVES = st.sampled_from(["the ", "of it", "Menu", "的", "", " \n"])
HTML = st.recursive(
    LEAVES,
    lambda inner: st.tuples(TAGS, st.lists(inner, max_size=4)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"
    ),
    max_leaves=25,
)


def texts_of(html: str, chosen: list[bool]) -> list[str]:
    return [block.text for block in cut_chosen(parse(html).body, chosen, base_url=None)]


@given(HTML)
def test_the_walk_meets_the_leaves_that_are_cut_in_the_same_order(html: str) -> None:
    body = parse(f"<body>{html}</body>").body
    asked: list[str] = []

    def keep(text: str, in_link: bool) -> bool:
        asked.append(text)
        return True

    cut(body, keep=keep)
    assert [step[1] for step in walk(body) if step[0] == "text"] == asked


def test_what_opens_closes_and_what_is_unseen_holds_no_text() -> None:
    body = parse("<body>a<p>b<script>c</script>d</p><br>e</body>").body
    steps = [step[1] if step[0] == "text" else f"{step[0]} {step[1].tag!s}" for step in walk(body)]
    assert steps == [
        *("open body", "a", "open p", "b", "open script", "close script", "d", "close p"),
        *("open br", "close br", "e", "close body"),
    ]


def test_only_the_chosen_leaves_are_cut() -> None:
    html = "<body>one<p>two<b>three</b></p>four</body>"
    assert texts_of(html, [True, False, True, False]) == ["one", "three"]


def test_words_around_a_leaf_that_is_left_out_stay_two_words() -> None:
    assert texts_of("<body><p>one<b>two</b>three</p></body>", [True, False, True]) == ["one three"]
    assert texts_of("<body><p><i>one</i> <b>two</b></p></body>", [True, False, True]) == ["one two"]
