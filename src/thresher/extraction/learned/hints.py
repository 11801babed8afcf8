"""What class, id and role say of an element: an automaton finds the known words in them, wherever they stand."""

from array import array
from collections import deque

HINT_WORDS = {
    "body": """articlebody storybody postbody entrycontent articlecontent postcontent articletext storytext maincontent
        bodytext newstext textbody articlecopy contentbody newscontent articledetail contenttext newsbody richtext""",
    "article": "article artical story entry post blog hentry news zhengwen",
    "content": "content main text body detail copy prose paragraph",
    "comment": "comment disqus reply replies respond discuss feedback livefyre pinglun kommentar commentaire coment",
    "side": "sidebar aside rail widget rightcol leftcol gadget complementary sidecol secondary",
    "nav": "nav menu crumb tabs pagination pager toolbar skip sitemap topbar dropdown",
    "frame": "header footer foot masthead banner logo copyright bottom legal contentinfo colophon",
    "related": """related recommend more popular trending mostread mostview latest recirc teaser promo suggest similar
        readnext alsolike outbrain taboola seealso also next prev xiangguan tuijian hot rank headlines""",
    "share": """share social facebook twitter addthis sharing follow tweet whatsapp email print bookmark sns weixin
        pinterest linkedin""",
    "advert": "advert sponsor adbox adslot adsense dfp gpt adunit adwrap adcontain affiliate commerce",
    "byline": """byline author dateline timestamp date time meta info posted published source editor writer
        contributor""",
    "media": """caption figure image photo gallery video media slideshow credit picture thumb img player carousel
        audio""",
    "box": """newsletter subscri signup login paywall register cookie consent gdpr popup modal overlay notice donate
        alert poll quiz survey form""",
    "tag": "tag keyword topic categor label",
    "title": "title headline heading hed kicker subtitle dek standfirst summary lead intro excerpt abstract lede",
    "hidden": "hidden displaynone invisible sronly screenreader noprint visuallyhidden ariahiddentrue",
    "list": "list items grid card feed stream",
}
HINTS = tuple(HINT_WORDS)
BIT = {name: 1 << place for place, name in enumerate(HINTS)}
MAX_KNOWN = 20_000  # attribute strings remembered; a crawl sees the same ones on every page of a site

_LETTERS = 26


def build(words_by_hint: dict[str, str]) -> "tuple[array[int], array[int]]":
    """Return the automaton of Aho and Corasick: where each state goes by letter, and the hints found there."""
    steps: list[list[int]] = [[-1] * _LETTERS]
    found = [0]
    for place, words in enumerate(words_by_hint.values()):
        for word in words.split():
            state = 0
            for letter in word:
                code = ord(letter) - 97
                if steps[state][code] < 0:
                    steps.append([-1] * _LETTERS)
                    found.append(0)
                    steps[state][code] = len(steps) - 1
                state = steps[state][code]
            found[state] |= 1 << place
    _close(steps, found)
    return array("i", [step for row in steps for step in row]), array("i", found)


def _close(steps: list[list[int]], found: list[int]) -> None:
    """Give every state a step for every letter: that of the longest suffix which is a state too."""
    fallback = [0] * len(steps)
    waiting: deque[int] = deque()
    for code in range(_LETTERS):
        if steps[0][code] < 0:
            steps[0][code] = 0
        else:
            waiting.append(steps[0][code])
    while waiting:
        state = waiting.popleft()
        found[state] |= found[fallback[state]]
        for code in range(_LETTERS):
            after = steps[state][code]
            if after < 0:
                steps[state][code] = steps[fallback[state]][code]
            else:
                fallback[after] = steps[fallback[state]][code]
                waiting.append(after)


STEPS, FOUND = build(HINT_WORDS)
_known: dict[str, int] = {}


def hints_of(attributes: str) -> int:
    """Return the hints found in an attribute's text as bits; hyphens and the like may stand inside a word."""
    known = _known.get(attributes)
    if known is not None:
        return known
    state = mask = 0
    for letter in attributes:
        code = ord(letter) | 32
        if 97 <= code <= 122:
            state = STEPS[state * _LETTERS + code - 97]
            mask |= FOUND[state]
        elif letter == " ":
            state = 0
    if len(_known) >= MAX_KNOWN:
        _known.clear()
    _known[attributes] = mask
    return mask
