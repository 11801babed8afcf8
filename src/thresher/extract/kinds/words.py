"""Words that speak for a kind of page, in labels, addresses and class names: hints beside structure, never needed."""

_THREAD_LABELS = """
reply|quote|report|report post|multi-quote|multiquote|reply with quote|quote message|like|likes|permalink|joined|posts
|messages|location|registered|thanks|reactions|reaction score|offline|online|post|share|edit|top|original poster|op
|best answer|accepted answer|answer|answers|asked|answered|quick reply|post reply|join date|member|moderator
|administrator|senior member|junior member|newbie|user|re|subject|author|message|profile|website|signature|guest
|回复|引用|举报|楼主|沙发|板凳|地板|楼|只看该作者|只看他|只看楼主|发表于|使用道具|支持|反对|收藏|主题|帖子|积分|电梯直达|倒序浏览|楼层|发消息
|回覆|檢舉|引言|返信|引用返信|답글|신고|antworten|zitieren|melden|répondre|citer|signaler|responder|citar|reportar
|rispondi|cita|ответить|цитировать|пожаловаться|odpowiedz|cytuj|vastaa|lainaa|balas|kutip
"""
_BOARD_LABELS = """
replies|views|topics|topic|threads|thread|posts|last post|last reply|last message|last activity|latest activity
|activity|started by|author|thread starter|thread starter / title|subject|forum|forums|board|boards|subforums
|sub-forums|moderators|moderated by|sticky|pinned|locked|announcements|announcement|new topic|new thread
|post thread|start new topic|mark forum read|mark all read|rating|sort by|latest|newest|unread|hot|discussions
|participants|category|users|newest first|回复|查看|回复/查看|最后发表|最新|热门|精华|主题|帖子|今日|作者|版块
|板块|版主|发帖|全部主题|置顶|筛选|新窗|回帖|浏览|分类|最后回复|今日发帖|回覆|人氣|最後發表|返信|表示|トピック
|스레드|조회|답글|themen|beiträge|antworten|zugriffe|letzter beitrag|sujets|réponses|vues|dernier message|temas
|respuestas|visitas|último mensaje|respostas|visualizações|risposte|visite|ответы|просмотры|темы
|последнее сообщение|odpowiedzi|wyświetlenia|vastauksia
"""
_THREAD_ADDRESS = """thread threads topic topics viewtopic viewthread showthread showtopic discussion discussions t d p
question questions q tid post posts msg message detail read forumtopic"""
_BOARD_ADDRESS = """forum forums board boards viewforum forumdisplay f fid bbs community category categories c index
showforum group groups tags tag kw"""
_LIST_ADDRESS = """category categories tag tags archive archives search author authors page browse section list
collections collection shop store market cat c products genre chart blog news index topic"""
_ARTICLE_TYPES = "Article BlogPosting Report LiveBlogPosting SocialMediaPosting Recipe Review"
_THREAD_TYPES = "DiscussionForumPosting QAPage Question Conversation"
_LIST_TYPES = "CollectionPage ItemList SearchResultsPage ProductCollection OfferCatalog Blog"
_PRODUCT_TYPES = "Product ProductGroup SoftwareApplication Service LocalBusiness"
_THREAD_CLASSES = "topic thread viewtopic viewthread showthread discussion question single-topic"
_BOARD_CLASSES = "forum viewforum forumdisplay board forumview forumindex categories"
_LIST_CLASSES = "archive category tag home blog search listing collection paged taxonomy index list"
_SINGLE_CLASSES = "single single-post article postid story post-template"
_OTHER_CLASSES = "page page-template product single-product product-page docs landing"


def _labels(text: str) -> frozenset[str]:
    return frozenset(word.strip() for word in text.split("|"))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


THREAD_LABELS = _labels(_THREAD_LABELS)
BOARD_LABELS = _labels(_BOARD_LABELS)
ADDRESS_WORDS = tuple(map(_words, (_THREAD_ADDRESS, _BOARD_ADDRESS, _LIST_ADDRESS)))
ITEM_TYPES = tuple(map(_words, (_ARTICLE_TYPES, _THREAD_TYPES, _LIST_TYPES, _PRODUCT_TYPES)))
BODY_CLASSES = tuple(map(_words, (_THREAD_CLASSES, _BOARD_CLASSES, _LIST_CLASSES, _SINGLE_CLASSES, _OTHER_CLASSES)))
OG_TYPES = {"article": 1, "website": 2, "product": 3, "og:product": 3, "blog": 4, "forum": 5, "": 0}
OTHER_OG_TYPE = 6
PUBLISHED = _words(
    "article:published_time datepublished date pubdate publishdate dc.date dc.date.issued parsely-pub-date"
)
SIGNED = _words("author article:author dc.creator parsely-author byl sailthru.author")
