"""The words of pagers in many languages, and what the numbers in URLs are called: data."""

import re

_NEXT = """
    newer comments|next comments|neuere kommentare|commentaires plus récents|comentarios más recientes|较新评论|新评论
    |next|nxt|next page|next ›|older|older posts|older entries|more posts|forward|›|»|>|>>|→|⟩|▶|►
    |下一页|下一頁|下页|下頁|后一页|後一頁
    |次へ|次の|次のページ|다음|다음 페이지|suivant|suivante|page suivante|weiter|nächste|nächste seite|siguiente
    |página siguiente|próxima|próximo|próxima página|seguinte|successiva|successivo|avanti|pagina successiva|volgende
    |nästa|neste|næste|seuraava|następna|dalej|další|následující|ďalšia|következő|следующая|след|вперёд|далее|наступна
    |sonraki|ileri|selanjutnya|berikutnya|tiếp|trang sau|sau|ถัดไป|التالي|التالية|הבא|επόμενη|urmatoarea|înainte|următor
"""
_PREVIOUS = """
    older comments|previous comments|ältere kommentare|commentaires plus anciens|comentarios anteriores|较早评论
    |prev|previous|previous page|newer|newer posts|back|‹|«|<|<<|←|⟨|◀|◄
    |上一页|上一頁|上页|上頁|前一页|前へ|前のページ|이전|이전 페이지
    |précédent|précédente|page précédente|zurück|vorherige|vorige|anterior|página anterior|precedente|indietro
    |föregående|forrige|edellinen|poprzednia|wstecz|předchozí|predchádzajúca|előző|предыдущая|пред|назад|попередня
    |önceki|geri|sebelumnya|trước|trang trước|ก่อนหน้า|السابق|السابقة|הקודם|προηγούμενη|anterioară|înapoi
"""
_FIRST = """
    first|first page|首页|首頁|第一页|第一頁|最初|最初へ|처음|première|premier|erste|erste seite|primera|primeira|prima
    |eerste|första|første|ensimmäinen|pierwsza|první|prvá|első|первая|в начало|перша|ilk|pertama|đầu|แรก|الأولى|πρώτη
"""
_LAST = """
    last|last page|尾页|尾頁|末页|末頁|最后一页|最後一頁|最后|最後|最後へ|마지막
    |dernière|dernier|letzte|letzte seite|última
    |último|ultima|laatste|sista|siste|sidste|viimeinen|ostatnia|poslední|posledná|utolsó|последняя|остання|son
    |terakhir|cuối|สุดท้าย|الأخيرة|τελευταία|»»|>>|⟫|»|
"""

ROLES = {
    word.strip(): role
    for role, words in (("last", _LAST), ("first", _FIRST), ("previous", _PREVIOUS), ("next", _NEXT))
    for word in words.split("|")
    if word.strip()
}
RELS = {"next": "next", "prev": "previous", "previous": "previous", "first": "first", "last": "last"}

# The drawings of pagers, by the names that icon fonts and style sheets give them: "fa-chevron-right", "pager__next".
ICON = re.compile(
    r"(?:chevron|angle|arrow|caret|triangle|navigate)(s|[a-z_-]{0,20}double)?[a-z_-]{0,20}?(right|left|next|before|forward|back)"
    r"|(?:^|[\s_#-])(next|prev|previous|first|last)(?=$|[\s_-])"
)
ICON_ROLES = {"right": "next", "forward": "next", "left": "previous", "before": "previous", "back": "previous"}

# What stands around the number of a page: "Page 2", "第2页", "Seite 2".
_AROUND = "page pages pg p go to seite página pagina pag side sida strona strana sivu oldal страница стр halaman trang"
NUMBER_WORDS = frozenset(_AROUND.split())

# Names that a number of pages or of posts before a page goes by, in a query or a path.
_PAGES = """
    page p pg pn pgno pageno page_no pagenum pagenumber page_number paged cpage currentpage curpage pageindex pageid
    pag pagina seite side sida strona str strana sivu oldal halaman trang stranitsa start st offset from skip o s first
"""
PAGE_NAMES = frozenset(_PAGES.split())
# Those of them that count pages; the others may as well count the posts before a page.
_COUNTED = """
    page pg pgno pageno page_no pagenum pagenumber page_number paged cpage currentpage curpage pageindex pag pagina
    seite side sida strona strana sivu oldal halaman trang stranitsa
"""
COUNTED_NAMES = frozenset(_COUNTED.split())
# Names of numbers that are something else, whatever the labels of their links look like.
_OTHERS = """
    perpage per_page pp ppp limit count size pagesize page_size num rows view sort order dir mode highlight postcount
    authorid uid user member u pid post postid goto t tid topic topicid thread threadid f fid forum forumid board id
    year month day y m d lang style theme
"""
OTHER_NAMES = frozenset(_OTHERS.split())
