"""CEVC counts valid characters and walks down to the core block, as the thesis's examples show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from thresher.extraction.algorithms.cevc import count_valid_chars, extract_cevc, is_valid, locate_core
from thresher.html import Tree, parse
from thresher.text import nonspace_length

# Example 2.1 of the thesis, with sentences of the same shape.
EXAMPLE_2_1 = """
<html><head><title>The title is not counted</title></head><body>
<div class="nav-wrap"><h1>Small Vintage Plane Crashes in Hudson River</h1></div>
<div>News Sports Weather</div>
<div class="ep-content"><a href="/holt"><span>From the desk of Stefan Holt</span></a>
<p>The plane was on a photo flight with two other planes.</p>
<p>They say they saw the pilot try to get out but could not.</p></div>
</body></html>
"""

# Example 2.2: every sentence of running Chinese text holds stop words.
EXAMPLE_2_2 = "买房还是租房？这是眼下很多人要面对的一道选择题。"


def core_of(tree: Tree) -> etree._Element:
    return locate_core(tree.body, count_valid_chars(tree.body))


def counts_by_class(tree: Tree) -> dict[str, int]:
    counts = count_valid_chars(tree.body)
    return {element.get("class") or str(element.tag): count.valid for element, count in counts.items()}


def text_of(html: str) -> str:
    return "\n".join(block.text for block in extract_cevc(parse(html)).blocks)


def figure_2_4() -> Tree:
    """Build a page with the counts of the thesis's figure 2-4: "的" is valid and counts one."""
    paragraphs = "".join(f"<p>{'的' * n}</p>" for n in (505, 480, 470, 450, 430, 400, 380, 300, 245))
    return parse(
        f"<body><div class=header>{'的' * 5}</div>"
        f"<div class=content><div class=bg><div class=left>"
        f"<h1>{'的' * 15}</h1><div>{'的' * 30}</div><div>{'的' * 21}</div>"
        f"<div class=end>{paragraphs}<div class=ad><a>{'的' * 99}</a></div><div class=source>{'的' * 25}</div></div>"
        f"<div>{'的' * 161}</div></div><div>{'的' * 190}</div></div></div><div>{'的' * 54}</div></body>"
    )


def test_example_2_1_anchor_text_is_inherited_and_not_valid() -> None:
    counts = counts_by_class(parse(EXAMPLE_2_1))
    assert counts["nav-wrap"] == nonspace_length("Small Vintage Plane Crashes in Hudson River")
    assert counts["ep-content"] == nonspace_length(
        "The plane was on a photo flight with two other planes."
        "They say they saw the pilot try to get out but could not."
    )
    assert counts["body"] == counts["nav-wrap"] + counts["ep-content"]


def test_of_two_paragraphs_the_larger_leads_to_a_leaf_and_so_both_are_taken() -> None:
    assert text_of(EXAMPLE_2_1).splitlines() == [
        "The plane was on a photo flight with two other planes.",
        "They say they saw the pilot try to get out but could not.",
    ]


def test_three_paragraphs_of_one_size_are_taken_together() -> None:
    third = "<p>It is the third of the sentences and the last one too.</p>"
    assert text_of(EXAMPLE_2_1.replace("</p></div>", f"</p>{third}</div>")).splitlines() == [
        "The plane was on a photo flight with two other planes.",
        "They say they saw the pilot try to get out but could not.",
        "It is the third of the sentences and the last one too.",
    ]


def test_example_2_2_chinese_stop_words_are_found_inside_sentences() -> None:
    assert all(is_valid(sentence, False) for sentence in EXAMPLE_2_2.replace("？", "。").strip("。").split("。"))
    assert not is_valid("房产 楼市 股票", False)


def test_example_2_3_the_walk_goes_down_to_the_block_whose_children_share_the_text() -> None:
    tree = figure_2_4()
    counts = count_valid_chars(tree.body)
    walk = [counts[tree.body]]
    while walk[-1].largest is not None and walk[-1].mcr >= 0.5:
        walk.append(counts[walk[-1].largest])
    assert [count.valid for count in walk] == [4161, 4102, 4102, 3912, 3685]
    assert [round(count.mcr, 2) for count in walk] == [0.99, 1.0, 0.95, 0.94, 0.14]
    assert core_of(tree).get("class") == "end"
    assert walk[-1].most == 505


def test_white_space_does_not_count() -> None:
    spread = parse("<body><p> of \n\t the \u3000 day\xa0 </p></body>")
    assert counts_by_class(spread)["p"] == len("oftheday")


def test_scripts_styles_and_comments_do_not_count() -> None:
    tree = parse("<body><script>the of</script><style>the of</style><!-- the of --><p>the day</p></body>")
    assert counts_by_class(tree)["body"] == len("theday")


def test_text_between_breaks_counts_as_children_of_its_own() -> None:
    html = (
        "<body><div>The first line is here.<br>The second line is there.<br>It is the third.<p>A note.</p></div></body>"
    )
    assert core_of(parse(html)).tag == "div"
    assert text_of(html).splitlines()[0] == "The first line is here."
    assert "A note." in text_of(html)


def test_own_text_is_not_left_for_a_small_element_in_it() -> None:
    """The children's sum of algorithm 2.2 would step into <blockquote>, which holds all that its siblings hold."""
    own = "The text of the day is long and it is not inside of any other element. "
    html = f"<body><div>{own}<br>{own}<br>{own}<blockquote><p>The one.</p><p>The two.</p></blockquote></div></body>"
    assert core_of(parse(html)).tag == "div"


def test_a_page_of_one_leaf_has_no_parent_to_go_back_to() -> None:
    assert core_of(parse("<body>The whole of the page is its own text.</body>")).tag == "body"


def test_stepping_into_a_leaf_makes_its_parent_the_core_block() -> None:
    tree = parse("<body><div><p>There is only one paragraph in the whole of this page.</p></div></body>")
    assert core_of(tree).tag == "div"
    assert text_of("<body><div><p>There is only one paragraph.</p></div></body>") == "There is only one paragraph."


def test_a_share_of_exactly_alpha_still_speaks_for_its_parent() -> None:
    three = "<p>的的</p><p>的的</p><p>的的</p>"
    tree = parse(f"<body><div class=a>{three}</div><div class=b>的的的</div><div class=c>的的的</div></body>")
    assert core_of(tree).get("class") == "a"


def test_of_equal_children_the_first_is_taken() -> None:
    three = "<p>的</p><p>的</p><p>的</p>"
    tree = parse(f"<body><div class=a>{three}</div><div class=b>{three}</div></body>")
    assert core_of(tree).get("class") == "a"


def test_only_valid_characters_are_output() -> None:
    html = (
        "<body><p>The report says <a href='/x'>the anchor of it</a> that it rains in the north.</p>"
        "<p>Sponsored</p><p>It is the second paragraph of the page.</p><p>It is the third one of the page.</p></body>"
    )
    assert text_of(html).splitlines() == [
        "The report says that it rains in the north.",
        "It is the second paragraph of the page.",
        "It is the third one of the page.",
    ]


def test_the_links_of_the_core_block_are_named() -> None:
    content = extract_cevc(
        parse("<body><p>It is <a href='/x'>here</a> and <a href='mailto:a@b'>mail</a> too.</p>", url="http://e.com/")
    )
    assert content.links == ("http://e.com/x",)


@pytest.mark.parametrize(
    "html", ["", "<body></body>", "<body><a href=x>the only text is a link</a></body>", "<body>Menu</body>"]
)
def test_a_page_without_valid_characters_gives_nothing(html: str) -> None:
    content = extract_cevc(parse(html))
    assert content.blocks == ()
    assert content.confidence == 0


TAGS = st.sampled_from(["div", "p", "a", "span", "br", "script", "li"])
LEAVES = st.sampled_from(["the ", "of it", "Menu", "的", "", " \n"])
HTML = st.recursive(
    LEAVES,
    lambda inner: st.tuples(TAGS, st.lists(inner, max_size=4)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"
    ),
    max_leaves=25,
)


@given(HTML)
def test_the_counts_of_children_and_leaves_add_up(html: str) -> None:
    tree = parse(f"<body>{html}</body>")
    counts = count_valid_chars(tree.body)
    for element, count in counts.items():
        children = sum(counts[child].valid for child in element if child in counts)
        assert children <= count.valid
        assert count.most <= count.valid
    assert counts[tree.body].valid == max(count.valid for count in counts.values())


@given(HTML)
def test_the_output_is_the_valid_characters_of_the_core_block(html: str) -> None:
    tree = parse(f"<body>{html}</body>")
    content = extract_cevc(tree)
    counts = count_valid_chars(tree.body)
    wanted = counts[core_of(tree)].valid if counts[tree.body].valid else 0
    assert sum(nonspace_length(block.text) for block in content.blocks) == wanted
