"""What of a page is read: the attributes, and the elements whose text is none."""

# Attributes that extraction, discovery or a view of the page reads; "li,option@value" is read of these elements alone.
# Who reads another one enters it here.
_READ = """
aria-hidden aria-label class content datetime dir download hidden href http-equiv id itemprop itemtype lang name
property pubdate rel role title type xml:lang frame@src img@alt li,option@value link@media component uname
ol@start ol@reversed colspan rowspan data-lang data-language
data-author data-author-name data-bs-original-title data-cid data-comment-id data-content data-content-id data-created
data-created-at data-date data-date-string data-datetime data-epoch data-id data-mid data-nick data-original-date
data-original-title data-pid data-post-id data-postid data-published data-reply-id data-role data-testid data-time
data-time-string data-timestamp data-tip data-tippy-content data-title data-unixtime data-user-name data-username
data-utime
"""
# Attributes that are read as well where images are asked for: addresses, those that scripts put in place among them.
_READ_OF_IMAGES = """
img@src img,source@srcset img@width img@height img,source@data-srcset img@data-lazy-srcset img@data-src
img@data-original img@data-lazy-src img@data-lazy img@data-original-src img@data-actualsrc img@data-echo img@data-url
img@data-full-src img@data-hi-res-src img@data-img-src img@data-image img@data-croporisrc img@lazysrc img@original
img@real_src img@_src img@src2 img@file img@zoomfile
"""


def _homes(words: str) -> dict[str, tuple[str, ...]]:
    parted = (word.rpartition("@") for word in words.split())
    return {name: tuple(homes.split(",")) if homes else () for homes, _, name in parted}


# Attribute to the elements that it is read of, two at most; none: of all.
READ = _homes(_READ)
READ_OF_IMAGES = _homes(_READ_OF_IMAGES)
HIDING = "none"  # a style without this word is not read: it cannot hide the element
RAW = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")  # they hold text and no elements
CUT = ("script", "style")  # raw ones whose text is not read but for how it begins and whether it is long
MOST = 4096  # bytes that are left of it: lists of threads have no records with more than 900 characters in them
DATA = "ld+json"  # scripts of this type are read
ENDLESS = "plaintext"  # what follows it is text to the end of the page
