"""What each feature of the learned extractor means in plain words: phrases by name, or by the parts of a name.

A phrase says how the feature's value is shown (xray_reasons.py knows the ways), then the words for it. `{}` is the
value in SINGLE, and what is meant elsewhere, where `{{}}` is the value.
"""

Phrase = tuple[str, ...]

PAGE = "the page"

_SHAPES = ("a paragraph", *(f"a heading of level {level}" for level in range(1, 7)))
_SHAPES += ("an entry of a list", "a quotation", "a line of code", "a cell of a table")
_ENDS = ("ends without punctuation", "ends with a comma or the like", "ends with a colon", "ends like a sentence")

# Phrases of a block and of single facts about its page, by the feature's name.
SINGLE: dict[str, Phrase] = {
    "size": ("size", "it has {} letters"),
    "words": ("counted", "it has {} words"),
    "link_share": ("percent", "links are {} of it"),
    "links": ("counted", "{} links in it"),
    "punct": ("ratio", "{} punctuation marks to a word"),
    "ends": ("ratio", "{} sentence ends to a word"),
    "stops": ("percent", "{} of its words are small common ones"),
    "digits": ("percent", "digits are {} of it"),
    "uppers": ("percent", "capitals are {} of its letters"),
    "cjk": ("percent", "{} of it is Chinese, Japanese or Korean"),
    "quotes": ("counted", "{} quotation marks in it"),
    "final": ("choice", *(f"it {end}" for end in _ENDS)),
    "first": (
        *("choice", "it starts with a capital", "it starts with a small letter", "it starts with a digit"),
        *("it starts with a quotation mark", "it starts with a letter that has no case", "it starts with a sign"),
    ),
    "word_length": ("ratio", "{} letters to a word"),
    "hits": ("percent", "{} of its words are typical of labels and notices"),
    "title_in": ("percent", "{} of its words stand in the page's title"),
    "title_of": ("percent", "it holds {} of the title's words"),
    "told": (
        *("choice", "the page's own data do not tell this text", "the page's own data tell a part of this text"),
        "the page's own data tell this text",
    ),
    "repeated": ("count", "its text stands {} more times on the page", "its text stands nowhere else on the page"),
    "shape": ("choice", *(f"it is {shape}" for shape in _SHAPES)),
    "tag": ("tag", "it stands in a <{}>"),
    "strong": ("percent", "{} of it is bold"),
    "broken": ("flag", "a line break stands before it", "no line break stands before it"),
    "images": ("count", "{} images just before it", "no image just before it"),
    "position": ("percent", "{} of the page's blocks come before it"),
    "before_share": ("percent", "{} of the page's text comes before it"),
    "from_title": ("signed", "{} blocks after the headline", "{} blocks before the headline"),
    "size_from_title": ("signed", "{} letters after the headline", "{} letters before the headline"),
    "after_title": ("flag", "it comes after the headline", "it comes before the headline, or is it"),
    "depth": ("counted", "it lies {} elements deep"),
    "summary": ("percent", "{} of its words stand in the page's summary"),
    "dated": ("flag", "it gives a date", "it gives no date"),
    "since_comment": ("since", "{} blocks after a label such as “Comments”", "no label such as “Comments” before it"),
    "since_related": ("since", "{} blocks after a label such as “Read more”", "no label such as “Read more” before it"),
    "since_heading": ("since", "{} blocks after a heading", "no heading before it"),
    "since_dated": ("since", "{} blocks after a line with a date", "no line with a date before it"),
    "titles": ("counted", "{} words of the title in it"),
    "inner_good": ("flag", "a part of it is named like main text", "no part of it is named like main text"),
    "inner_bad": (
        "flag",
        "a part of it is named like a bar, box or the like",
        "no part of it is named like a bar or box",
    ),
    "inner_byline": ("flag", "a part of it is named like a byline", "no part of it is named like a byline"),
    "inner_media": ("flag", "a part of it is named like a picture", "no part of it is named like a picture"),
}

# Phrases of what only the second stage is told; two of its names are names of the first stage too.
SINGLE_SECOND: dict[str, Phrase] = {
    "chance": ("chance", "at first sight its score is {}"),
    "mass_before": ("percent", "{} of the likely text comes before it"),
    "mass_after": ("percent", "{} of the likely text comes after it"),
    "page_mass": ("size", "the page has {} letters of likely text"),
    "page_share": ("percent", "{} of the page is likely text"),
    "page_largest": ("chance", "the page's best block scores {} at first sight"),
    "page_top": ("chance", "the page's likely part scores {} at first sight"),
    "run_mass": ("size", "it lies in a run of {} letters of likely text"),
    "run_share": ("percent", "its run holds {} of the likely text"),
    "run_is_largest": ("flag", "it lies in the largest run of likely text", "it lies outside the largest run of text"),
    "from_largest": (
        *("run", "{} blocks after the largest run of text", "{} blocks before the largest run of text"),
        "there is no run of likely text",
    ),
    "largest_share": ("percent", "the largest run holds {} of the likely text"),
    "run_gap": ("count", "{} blocks from the nearest likely text", "it lies in a run of likely text"),
    "shared_up": ("counted", "{} elements up to the one that holds the main run too"),
    "shared_mean": ("chance", "the element that holds it and the main run scores {} at first sight"),
}

# What these speak of; what all blocks of a page have in common is not told of each.
TOPICS = {
    **dict.fromkeys(("chance", "page_mass", "page_share", "page_largest", "page_top", "largest_share"), PAGE),
    **dict.fromkeys(("run_mass", "run_share", "run_is_largest", "from_largest", "run_gap"), "run"),
    **dict.fromkeys(("mass_before", "mass_after"), "place in the text"),
    **dict.fromkeys(("shared_up", "shared_mean"), "score of the elements"),
}
UNTOLD = frozenset((PAGE,))

# Phrases of what lies around a block, by the last part of a feature's name; what is meant comes from its first part.
FACTS: dict[str, Phrase] = {
    "size": ("size", "{{}} letters in {}"),
    "link_share": ("percent", "links are {{}} of {}"),
    "punct": ("ratio", "{{}} punctuation marks to a word in {}"),
    "stops": ("percent", "{{}} of the words in {} are small common ones"),
    "blocks": ("counted", "{{}} blocks in {}"),
    "density": ("ratio", "{{}} letters to a tag in {}"),
    "valid": ("percent", "prose is {{}} of {}"),
    "tag": ("tag", "{} is a <{{}}>"),
    "share": ("percent", "it is {{}} of {}"),
    "before": ("percent", "{{}} of {} comes before it"),
    "long": ("counted", "{{}} long blocks in {}"),
    "hint_good": ("flag", "{} is named like main text", "{} is not named like main text"),
    "hint_bad": (
        "flag",
        "{} is named like navigation, comments or the like",
        "{} is not named like navigation or comments",
    ),
    "likes": ("counted", "{{}} such elements in a row, {} among them"),
    "dated": ("counted", "{{}} dates in {}"),
    "titles": ("percent", "{{}} of the words in {} are the title's"),
    "comment": ("flag", "{} is named like comments", "{} is not named like comments"),
    "final": ("choice", *(f"{{}} {end}" for end in _ENDS)),
    "shape": ("choice", *(f"{{}} is {shape}" for shape in _SHAPES)),
    "ends": ("ratio", "{{}} sentence ends in {}"),
    "count": ("counted", "{} number {{}}"),
    "first": ("counted", "{{}} blocks since the first of {}"),
    "last": ("counted", "{{}} blocks until the last of {}"),
    "mean": ("chance", "{} scores {{}} at first sight"),
    "mass": ("size", "{{}} letters of likely text in {}"),
}
GROUP_FACTS: dict[str, Phrase] = FACTS | {
    "valid": ("percent", "{} hold {{}} of the page's prose"),
    "size": ("size", "{{}} letters to one of {}"),
    "mean": ("chance", "{} score {{}} at first sight"),
}
NEIGHBOUR_FACTS: dict[str, Phrase] = FACTS | {"dated": ("flag", "{} gives a date", "{} gives no date")}
WINDOW_FACTS: dict[str, Phrase] = FACTS | {"mean": ("chance", "{} score {{}} at first sight")}
CONTAINER_FACTS: dict[str, Phrase] = FACTS | {"share": ("percent", "{} holds {{}} of the likely text")}
CORE_FACTS: dict[str, Phrase] = FACTS | {
    "inside": ("flag", "it lies in {}", "it lies outside {}"),
    "share": ("percent", "{} holds {{}} of it"),
    "depth": ("counted", "{} lies {{}} elements deep"),
    "before": ("signed", "{{}} blocks after the start of {}", "{{}} blocks before {}"),
    "after": ("signed", "{{}} blocks before the end of {}", "{{}} blocks after {}"),
    "mcr": ("percent", "the largest part of {} is {{}} of it"),
}
PAGE_FACTS: dict[str, Phrase] = FACTS | {
    "largest": ("size", "{{}} letters in the largest block of {}"),
    "valid": ("size", "{{}} letters of prose in {}"),
    "cjk": ("percent", "{{}} of {} is Chinese, Japanese or Korean"),
    "told": ("counted", "{{}} blocks of {} also in its own data"),
    "titles": ("counted", "{{}} words of the title in {}"),
    "comments": ("counted", "{{}} labels such as “Comments” in {}"),
}

LEVELS = ("the element around it", *(f"the {place} element around it" for place in ("2nd", "3rd", "4th", "5th", "6th")))
GROUPS = {"path": "the blocks with the same tags around them", "kind": "the blocks of its kind"}
CORE = "the element with most of the prose"
CORE_SECOND = "the element with most of the likely text"
MARKS: dict[str, Phrase] = {
    "sense": ("flag", "it has words typical of {}", "it has no words typical of {}"),
    "around": ("flag", "it stands in an element named like {}", "no element around it is named like {}"),
    "in": ("flag", "it stands in {}", "it does not stand in {}"),
}
MARK_WORDS = {
    "sense": {
        "byline": "bylines",
        "share": "share bars",
        "related": "teasers",
        "comment": "comments",
        "date": "dates",
        "credit": "picture credits",
        "legal": "legal notices",
        "advert": "advertisements",
        "nav": "navigation",
    },
    "around": {
        "body": "the body of an article",
        "article": "an article",
        "content": "content",
        "comment": "comments",
        "side": "a sidebar",
        "nav": "navigation",
        "frame": "a header or footer",
        "related": "related stories",
        "share": "a share bar",
        "advert": "an advertisement",
        "byline": "a byline",
        "media": "a picture or video",
        "box": "a newsletter, login or notice box",
        "tag": "tags or topics",
        "title": "a title or summary",
        "hidden": "hidden text",
        "list": "a list or feed",
    },
    "in": {
        "article": "an <article>",
        "main": "a <main>",
        "section": "a <section>",
        "header": "a <header>",
        "footer": "a <footer>",
        "nav": "a <nav>",
        "aside": "an <aside>",
        "list": "a list",
        "table": "a table",
        "form": "a form",
        "figure": "a figure",
        "quote": "a <blockquote>",
    },
}
