"""What links of forums are for, told by words in their addresses: hints of known engines, beside structure.

A word stands for itself as a step of a path (/members/), as its beginning (memberlist.php, space-uid-7.html), and as
the name or the value of a parameter (?mode=quote); words of one letter only as steps, those of ORDER only as names.
"""

# Reason to leave a link → words. The first that fits counts, so what is done comes before whom it is done to.
LEFT = {
    "forum-login": """login logout logon signin signup register registration lostpassword lostpw sendpassword logging
        ucp forgot forgot-password lost-password auth activate""",
    "forum-posting": """posting newreply newthread newtopic reply quote edit editpost report reportpost delete
        sendmessage sendemail pm pms compose multiquote vote rate react reactions bookmark add-reply
        publish""",
    "forum-print": "print printthread printpage printable printview archiver wap",
    "forum-search": """search finduser egosearch active active_topics unanswered newposts unreadposts getnew getdaily
        whats-new""",
    "forum-last-post": """lastpost gotolastpost goto newestpost unread latest lastposter findpost redirect getlastpost
        getnewpost gonew""",
    "forum-feed": "rss atom feed feeds syndication extern external",
    "forum-calendar": "calendar events",
    "forum-attachment": "attachment attachments attach dlattach download",
    "forum-service": """markread mark mark-read markforums subscribe subscription watch unwatch favorite favourite
        favorites addfav viewonline online whosonline showteam team help faq rules contact contactadmin delcookies
        styleid setlang language sendtofriend misc""",
    "forum-member": """member members memberlist userlist profile profiles user users u uid space userinfo who
        viewprofile space-uid space-username people""",
}
ORDER = "sort order orderby sortby sortfield sortdirection sk sd st dir desc asc filter dateline orderdir"
PAGES = "page start p pg from offset"  # names of parameters that tell another page, whatever its order
THREADS = """thread threads topic topics viewtopic viewthread showthread showtopic discussion discussions t d p q tid
    question questions read"""
BOARDS = """forum forums board boards viewforum forumdisplay showforum f fid category categories c bbs node nodes
    group groups"""
# Parts of addresses on forum pages: pages with hardly any and without counts are not looked into.
HINTS = (
    *("viewtopic", "viewthread", "viewforum", "showthread", "showtopic", "forumdisplay", "posting.", "newreply"),
    *("lastpost", "quote", "/thread", "thread-", "/topic/", "forum-", "memberlist", "action=profile", "topic="),
    *("/discussion", "/d/", "/question"),
)
