"""A news page, made up for the tests: menu, article with links, related stories, footer."""

_SENTENCE = " It says what happened, who was there and why it matters, in plain prose, as every newspaper does."
ARTICLE = tuple(
    f"This is paragraph {number}." + _SENTENCE * length for number, length in enumerate((1, 2, 1, 3, 1, 2, 9))
)
_MENU = "".join(f'<li><a href="/s/{number}">Menu {number}</a></li>' for number in range(30))
_RELATED = "".join(f'<li><a href="/r/{number}">Another story {number}</a></li>' for number in range(20))
PAGE = (
    "<html><head><title>What happened</title><script>var a = '<p>';</script></head><body><div id=top>"
    f"<ul>{_MENU}</ul></div><div id=main><h1>What happened</h1>"
    + "".join(f"<p>{paragraph}</p>" for paragraph in ARTICLE)
    + f"</div><div id=related><h3>Related</h3><ul>{_RELATED}</ul></div>"
    "<div><ul><li><a href=/a>About</a></li><li><a href=/b>Terms</a></li><li><a href=/c>Contact</a></li></ul></div>"
    "<div><div><span>Copyright</span></div></div></body></html>"
)
