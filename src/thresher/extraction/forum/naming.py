"""What tags and names of elements say of them, as bits of a number: a quotation, a post, its text, its author."""

import re
from functools import lru_cache

from thresher.extraction.forum.words import AUTHOR, BODY, CHROME, QUOTES, SIGNATURE, TEXT, USER_CARD

IS_QUOTATION = 1  # whatever is in it was said elsewhere
IS_QUOTE = 2  # it quotes another post
IS_CHROME = 4  # it holds no words of a post: a user card, a signature, buttons
MAY_BE_CHROME = 8  # the same, unless something in it is text
IS_BARE_CHROME = 16  # the same by its tag alone, where nothing names it
IS_TEXT = 32
SPEAKS_OF_TEXT = 64  # as the element that holds the text of a post does
SPEAKS_OF_POST = 128
SPEAKS_OF_AUTHOR = 256
# What tags alone say.
IS_INLINE = 512  # it tells no place by itself
NO_BODY = 1024  # it holds no text of a post by itself
MAY_NAME = 2048  # it may hold a name
MAY_BE_POST = 4096
IS_LINK = 8192
STRESSES = 16384  # as names often are
MAY_QUOTE = 32768  # without a name that says so

_TAGS = {
    IS_INLINE: "a abbr b em font i small span strong time u label bdi ins meta",
    NO_BODY: "a b i em strong u font br hr time small button label abbr noscript",
    MAY_NAME: "a span b strong div h2 h3 h4 h5 h6 p dt dd td th li em cite font i label bdi ins small",
    MAY_BE_POST: "div li article section table tbody tr td dl dd",
    IS_LINK: "a",
    STRESSES: "b strong h3 h4 a cite",
    MAY_QUOTE: "div table fieldset dl",
}
_POST = re.compile(r"post|comment|message|reply|answer|msg|topic|floor|thread|entry|discussion|pid|\bp\b|\bc\b")
_CHROME_TAGS = frozenset(("button", "nav", "form", "footer", "cite"))


@lru_cache(maxsize=1_000)
def marks_of_tag(tag: str) -> int:
    """Return what a tag says."""
    return sum(mark for mark, tags in _TAGS.items() if tag in tags.split())


@lru_cache(maxsize=10_000)  # the same names come again on every page of a site
def marks_of_key(key: str) -> int:
    """Return what tag and classes say together."""
    tag, _, names = key.partition(".")
    apart = names.replace(".", " ")
    marks = IS_BARE_CHROME if key in _CHROME_TAGS else 0
    marks |= SPEAKS_OF_AUTHOR if AUTHOR.search(names) else 0
    if "quote" not in key:
        return marks
    if key.startswith("blockquote") or QUOTES.search(key.replace(".", " ")):
        marks |= IS_QUOTATION
    if tag == "blockquote":
        return marks if BODY.search(names) or SIGNATURE.search(apart) else marks | IS_QUOTE
    return marks | IS_QUOTE if QUOTES.search(apart) else marks


@lru_cache(maxsize=10_000)
def marks_of_names(names: str) -> int:
    """Return what classes, id and roles say."""
    marks = (SPEAKS_OF_TEXT if BODY.search(names) else 0) | (SPEAKS_OF_POST if _POST.search(names) else 0)
    if SIGNATURE.search(names):
        return marks | IS_CHROME
    is_text = TEXT.search(names) is not None
    if not CHROME.search(names) and not USER_CARD.search(names):
        return marks | (IS_TEXT if is_text else 0)
    return marks if is_text and "avatar" not in names and "author" not in names else marks | MAY_BE_CHROME
