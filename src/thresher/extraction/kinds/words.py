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
_LIST_LABELS = """
sort by|sort|filter|filters|filter by|refine|refine by|clear all|apply filters|show filters|all filters|view all
|see all|show all|browse all|browse|browse by category|load more|show more|view more|see more|next|next page
|previous|prev|older|older posts|newer posts|previous page|page|pages|first|last|results|items|products|articles
|stories|relevance|newest|most popular|featured|a-z|grid|list|grid view|list view|per page|read more
|continue reading|learn more|full story|read article|read full article|view details|details|more info|more details
|episodes|listings|categories|compare|»|›|>>|next »|next ›|next >|next →|older →|← older|weiterlesen|mehr lesen|mehr
|weiter|zurück|alle anzeigen|sortieren|filtern|sortieren nach|nächste seite|lire la suite|en savoir plus|voir plus
|voir tout|trier par|filtrer|suivant|page suivante|leer más|ver más|ver todo|ver todos|ordenar por|filtrar|siguiente
|siguiente página|leggi tutto|vedi tutti|ordina per|successivo|leia mais|ver tudo|próxima|czytaj więcej
|zobacz więcej|sortuj|następna|lees meer|sorteren|volgende|читать далее|подробнее|далее|показать ещё|следующая
|下一页|上一页|尾页|末页|首页|更多|查看更多|查看全部|阅读全文|全文|加载更多|排序|筛选|下一頁|上一頁|更多>>|閱讀更多
|次へ|続きを読む|もっと見る|一覧|一覧を見る|다음|더보기|목록
"""
_SHOP_LABELS = """
cart|my cart|your cart|shopping cart|view cart|add to cart|add to basket|add to bag|basket|my basket|your basket|bag
|shopping bag|checkout|wishlist|wish list|my wishlist|add to wishlist|quick view|quick shop|quick buy|buy now
|shop now|shop all|shop|sale|sold out|in stock|out of stock|price|price range|regular price|sale price|unit price
|our price|was|now|from|size|color|colour|brand|brands|shop by brand|best sellers|bestsellers|best selling
|new arrivals|gift cards|gift card|free shipping|shipping|shipping & returns|returns|returns & exchanges
|return policy|track order|order status|track your order|order tracking|my orders|your cart is empty|subtotal
|quantity|qty|add to compare|select options|choose options|availability|rating|material|clearance|store locator
|find a store|warenkorb|in den warenkorb|merkzettel|wunschliste|kasse|preis|versand|lieferung|angebote|panier
|ajouter au panier|mon panier|livraison|prix|carrito|cesta|añadir al carrito|añadir a la cesta|envío|precio|ofertas
|carrello|aggiungi al carrello|prezzo|spedizione|carrinho|adicionar ao carrinho|preço|koszyk|do koszyka
|dodaj do koszyka|cena|winkelwagen|winkelmand|prijs|varukorg|köp|корзина|в корзину|купить|цена|доставка|购物车
|加入购物车|立即购买|价格|销量|收藏夹|我的订单|購物車|加入購物車|カート|カートに入れる|価格|장바구니|가격
"""
_ARTICLE_LABELS = """
share this|share this article|share this story|share this post|share article|share on facebook|share on twitter
|tweet|print|print this|print article|print this article|print page|printer friendly|printer-friendly version
|email this|email article|email this article|email to a friend|e-mail|e-mail this|send to a friend|email a friend
|text size|font size|save article|save|listen|listen to this article|related|related articles|related stories
|related posts|related news|related content|related topics|related links|related coverage|you may also like
|you might also like|more on this|more on this story|more from|recommended|read next|read also|also read|up next
|leave a comment|leave a reply|leave a reply cancel reply|post a comment|add a comment|comments|comment|no comments
|join the conversation|post comment|about the author|about author|written by|by|author|published|published on
|posted on|posted by|posted in|filed under|tagged|tags|updated|last updated|last modified|min read|minute read
|minutes read|read time|reading time|source|advertisement|key takeaways|key points|conclusion|in this article
|table of contents|references|photo|image|credit|getty images|teilen|drucken|merken|kommentare|artikel teilen
|mehr zum thema|veröffentlicht|quelle|aktualisiert|autor|partager|imprimer|commentaires|commenter|à lire aussi
|lire aussi|publié le|compartir|imprimir|comentarios|comentar|publicado|etiquetas|lea también|condividi|stampa
|commenti|leggi anche|compartilhar|comentários|udostępnij|drukuj|komentarze|czytaj także|źródło|delen|reacties
|lees ook|поделиться|распечатать|печать|комментарии|источник|читайте также|теги|κοινοποίηση|εκτύπωση|σχόλια
|打印|分享|来源|责任编辑|编辑|作者|评论|相关新闻|相关阅读|相关文章|相关报道|字号|我要评论|网友评论|责编|记者
|發表評論|來源|列印|相關新聞|関連記事|印刷|シェア|기자|인쇄|댓글|관련기사
"""
_THREAD_ADDRESS = """thread threads topic topics viewtopic viewthread showthread showtopic discussion discussions t d p
question questions q tid post posts msg message detail read forumtopic"""
_TALK_ADDRESS = """thread threads viewtopic viewthread showthread showtopic forumtopic topic topics tid question
questions discussion discussions"""
_BOARD_ADDRESS = """forum forums board boards viewforum forumdisplay f fid bbs community category categories c index
showforum group groups tags tag kw"""
_LIST_ADDRESS = """category categories tag tags archive archives search author authors page browse section list
collections collection shop store market cat c products genre chart blog news index topic browse shows courses recipes
reviews events jobs directory catalog catalogue resources services deals brands listings"""
_ARTICLE_TYPES = "Article BlogPosting Report LiveBlogPosting SocialMediaPosting Recipe Review"
_THREAD_TYPES = "DiscussionForumPosting QAPage Question Conversation"
_LIST_TYPES = "CollectionPage ItemList SearchResultsPage ProductCollection OfferCatalog Blog"
_PRODUCT_TYPES = "Product ProductGroup SoftwareApplication Service LocalBusiness"
_ANSWERS_TYPES = "FAQPage"
_THREAD_CLASSES = "topic thread viewtopic viewthread showthread discussion question single-topic"
_BOARD_CLASSES = "forum viewforum forumdisplay board forumview forumindex categories"
_LIST_CLASSES = """archive category tag home blog search listing collection paged taxonomy index list tax-product-cat
product-category template-collection catalog-category-view woocommerce-shop page-category plp"""
_SINGLE_CLASSES = "single single-post article postid story post-template"
_OTHER_CLASSES = "page page-template product single-product product-page docs landing"


def _labels(text: str) -> frozenset[str]:
    return frozenset(word.strip() for word in text.split("|"))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


THREAD_LABELS, BOARD_LABELS = _labels(_THREAD_LABELS), _labels(_BOARD_LABELS)
LIST_LABELS, SHOP_LABELS, ARTICLE_LABELS = map(_labels, (_LIST_LABELS, _SHOP_LABELS, _ARTICLE_LABELS))
LIST_WORDS, TALK_WORDS = _words(_LIST_ADDRESS), _words(_TALK_ADDRESS)
ADDRESS_WORDS = tuple(map(_words, (_THREAD_ADDRESS, _BOARD_ADDRESS, _LIST_ADDRESS)))
ITEM_TYPES = tuple(map(_words, (_ARTICLE_TYPES, _THREAD_TYPES, _LIST_TYPES, _PRODUCT_TYPES, _ANSWERS_TYPES)))
BODY_CLASSES = tuple(map(_words, (_THREAD_CLASSES, _BOARD_CLASSES, _LIST_CLASSES, _SINGLE_CLASSES, _OTHER_CLASSES)))
OG_TYPES = {"article": 1, "website": 2, "blog": 4, "product.group": 4, "forum": 5, "": 0}
OG_TYPES |= dict.fromkeys(("product", "og:product", "product.item"), 3)
OTHER_OG_TYPE = 6
PUBLISHED = _words(
    "article:published_time datepublished date pubdate publishdate dc.date dc.date.issued parsely-pub-date"
)
SIGNED = _words("author article:author dc.creator parsely-author byl sailthru.author")
