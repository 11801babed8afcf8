"""What of a page is read: the attributes, and the elements whose text is none."""

# Attributes that extraction, discovery or a view of the page reads; "li,option@value" is read of these elements alone.
# Who reads another one enters it here.
_READ = """
aria-hidden aria-label class content datetime dir download hidden href http-equiv id itemprop itemtype lang name
property pubdate rel role title type xml:lang frame@src img@alt li,option@value component uname
ol@start ol@reversed colspan rowspan data-lang data-language
data-author data-author-name data-bs-original-title data-cid data-comment-id data-content data-content-id data-created
data-created-at data-date data-date-string data-datetime data-epoch data-id data-mid data-nick data-original-date
data-original-title data-pid data-post-id data-postid data-published data-reply-id data-role data-testid data-time
data-time-string data-timestamp data-tip data-tippy-content data-title data-unixtime data-user-name data-username
data-utime
"""
# Attribute to the elements that it is read of, two at most; none: of all.
READ = {
    name: tuple(homes.split(",")) if homes else ()
    for homes, _, name in (word.rpartition("@") for word in _READ.split())
}
HIDING = "none"  # a style without this word is not read: it cannot hide the element
RAW = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")  # they hold text and no elements
CUT = ("script", "style")  # raw ones whose text is not read but for how it begins and whether it is long
MOST = 4096  # bytes that are left of it: lists of threads have no records with more than 900 characters in them
DATA = "ld+json"  # scripts of this type are read
ENDLESS = "plaintext"  # what follows it is text to the end of the page
