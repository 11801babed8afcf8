"""What the elements of HTML mean for text: which are unseen, which break it into blocks, which format it."""

_UNSEEN = """
    script style noscript template head title svg math iframe object embed applet canvas audio video map select datalist
    option textarea button input progress meter noframes noembed
"""
_BLOCK_LEVEL = """
    address article aside blockquote body br caption center col colgroup dd details dialog dir div dl dt fieldset
    figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p
    plaintext pre search section summary table tbody td tfoot th thead tr ul xmp
"""

UNSEEN = frozenset(_UNSEEN.split())  # their content is no text on the page
BLOCK_LEVEL = frozenset(_BLOCK_LEVEL.split())  # text before, inside and after them stands on lines of its own
BREAKS = {"br": 1, "hr": 2, "col": 0}  # lines that they break; two make a gap

# Block.tag, by element; what is not here is "p", or what is around it where that is INHERITED.
SHAPES = {tag: tag for tag in ("h1", "h2", "h3", "h4", "h5", "h6", "li", "blockquote", "pre", "td")}
SHAPES.update(th="td", dt="li", dd="li", xmp="pre", listing="pre", plaintext="pre")
INHERITED = frozenset(SHAPES.values()) - {"td"}  # a cell may hold a whole page, so what is inside it is no cell

STYLES = {
    **dict.fromkeys(("b", "strong"), "strong"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), "emphasis"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
}
