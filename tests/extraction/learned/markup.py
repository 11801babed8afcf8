"""Markup for tests of the walk: nested elements of every kind, odd attributes, odd characters."""

from hypothesis import strategies as st

_NAMES = """div p a span br hr script li ul ol pre textarea select b strong i em code td tr table tbody h1 h2 blockquote
    button video object img article section main aside font center dl dt dd figure noscript svg:x foo xmp body col"""
_ATTRIBUTES = [
    "",
    " class='article-body'",
    ' class="Comment\tside bar  nav"',
    " id=post-12 role=navigation",
    " itemprop=articleBody class",
    " style='display: none'",
    " style='display:block'",
    " hidden",
    " hidden=''",
    " aria-hidden=true",
    " href='/a?b=1&amp;c=é'",
    " href='http://e.com/x'",
    " href",
    " href='//[bad'",
    " class='ñews-story übersicht'",
    " class='story' class='nav'",
    " start=5 value=7 colspan=2",
    " reversed value=-3 rowspan=2",
    " class='language-python'",
]
_TEXTS = (
    *("", " ", "\n", "a", " the ", "of it\n", "x\xa0y", "中文 的", "\u200b", "a\u200bb", "\xad", " \u200b ", "\u2028"),
    *("a\r\nb", "one\n\n  two  \n", "tab\tin", "  lead", "trail  \r", "&#28;x&#31;", "&nbsp;", "&#x85;z", "&lt;b&gt;"),
    *("\U0001f600", "a<!-- c -->b", "<?pi?>", "]]>", "&#8232;line&#8233;", "\x0b", "\ufeff", "<![CDATA[x]]>"),
)
_LEAVES = st.sampled_from(_TEXTS) | st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=8)


def _element(parts: tuple[str, str, list[str], bool]) -> str:
    name, attributes, inside, closed = parts
    return f"<{name}{attributes}>{''.join(inside)}" + (f"</{name}>" if closed else "")


MARKUP = st.recursive(
    _LEAVES,
    lambda inner: st.tuples(
        st.sampled_from(_NAMES.split()), st.sampled_from(_ATTRIBUTES), st.lists(inner, max_size=5), st.booleans()
    ).map(_element),
    max_leaves=40,
)
