"""Write a page as it would have been before HTML5: no elements that tell parts of a page, nothing said of its text.

Labelled pages are of the last years; archives, and sites that were never rebuilt, are not.
"""

from lxml import etree

_NEW_BLOCKS = ("article", "aside", "details", "figcaption", "figure", "footer", "header", "main", "nav", "section")
_NEW_INLINE = ("mark", "picture", "time")
_NEW_ATTRIBUTES = ("itemprop", "itemscope", "itemtype", "role")


def age(root: etree._Element) -> None:
    """Change the elements of HTML5 into <div> and <span>, and take away meta data and microdata."""
    for old, names in (("div", _NEW_BLOCKS), ("span", _NEW_INLINE)):
        for element in root.iter(*names):
            element.tag = old
    etree.strip_elements(root, "meta", "script", with_tail=False)
    etree.strip_attributes(root, *_NEW_ATTRIBUTES)
