"""Leave out what the software of a site writes below a text: lines about comments, who wrote it, what else to read."""

import re

from thresher.extraction.learned.headed import end_of_section, lines_about
from thresher.extraction.learned.lexicon import SENSES
from thresher.extraction.learned.measure import MEASURES, WIDTH
from thresher.extraction.learned.sheet import Run, Sheet

LONGEST_LINE = 300.0  # of size
MAX_CHARACTERS = 400  # of a line, which may be small in size and yet of countless dots or spaces
LONGEST_HEADING = 80  # characters
LONGEST_BIO = 6  # blocks, its heading included
PROSE = 100.0  # of size; a paragraph
LINKED = 0.5  # share of a block that is links, from which on it is one
MOST_SECTIONS = 20  # that are looked at
MOST = 0.5  # of the chosen text that a section below a heading may hold; more is a list of articles that is the text

# Lines that are the same on every page of a site, but for a name, a number or a day.
_LINE = re.compile(
    r"\W*(?:"
    r"(?:no|\d+) comments? (?:yet|so far|to show)\b.{0,40}"
    r"|(?:there are |sorry,? )?(?:currently )?(?:no comments|comments? (?:are |have been |is )?(?:now )?"
    r"(?:closed|off|disabled|turned off))\b.{0,50}"
    r"|rss feed for comments on this (?:post|entry).{0,40}"
    r"|(?:leave|post|add|write|submit) (?:a |your |new )?(?:comment|reply|response)s?\b.{0,30}"
    r"|be the first to (?:comment|reply|respond|review)\b.{0,40}"
    r"|(?:you can )?(?:follow|subscribe to) (?:any responses|comments|this comment)\b.{0,120}"
    r"|both comments and pings\b.{0,60}"
    r"|(?:this|the) (?:entry|post|article|item) (?:was|is) (?:posted|filed|published|last updated)\b.{0,250}"
    r"|posted (?:under|in)\b(?: |:).{0,120}"
    r"|posted by:? .{1,50} (?:at|on) .{0,40}\d.{0,30}"
    r"|view all posts by\b.{0,60}"
    r"|(?:share|email|print|bookmark|tweet) this(?: (?:post|article|story|entry|page|on|with|via)\b.{0,40})?"
    r"|advertisements?"
    r"|(?:noch )?keine kommentare\b.{0,40}|kommentare sind geschlossen|schreiben? sie einen kommentar|"
    r"schreibe einen kommentar.{0,20}|kommentar (?:schreiben|verfassen)|anzeige"
    r"|(?:aucun|pas de) commentaires?\b.{0,30}|(?:laisser|poster|ajouter) un commentaire|"
    r"les commentaires sont fermés|publicité"
    r"|(?:no hay|sin) comentarios\b.{0,20}|(?:los )?comentarios (?:están )?cerrados|publicidad"
    r"|dodaj komentarz|reklama|комментарии закрыты|(?:добавить|оставить) комментарий|реклама"
    r"|(?:发表|添加|我要)评论|(?:暂无|没有)评论|评论(?:已)?关闭|發表(?:評論|留言|迴響)|コメントを(?:残す|書く|投稿)(?:する)?|"
    r"コメントはまだありません|댓글 (?:쓰기|달기|남기기)"
    r")\W*",
    re.IGNORECASE,
)
# Headings of what follows a text: a word about its writer, or other texts to read.
_WRITER = re.compile(
    r"\W*(?:about (?:the|our) (?:authors?|writers?|contributors?)|über den autor"
    r"|sobre (?:el|o) autor"
    r"|作者简介|关于作者|作者簡介|關於作者)\W*",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\W*(?:"
    r"(?:related|similar|recent|recommended) (?:posts?|articles?|stories|links|entries)\b[^:]{0,40}"
    r"|you (?:may|might) (?:also )?(?:like|enjoy|be interested in)\b[^:]{0,40}"
    r"|das könnte (?:sie|dich) auch interessieren|lire aussi|leer también|czytaj także|читайте также|σχετικά(?: άρθρα)?"
    r"|相关(?:阅读|新闻|文章|链接|报道)|相關(?:閱讀|新聞|文章|連結|報導)|延伸阅读|延伸閱讀|推荐阅读"
    r"|関連(?:記事|ニュース)|あわせて読みたい|관련 ?(?:기사|뉴스)"
    r")\W*",
    re.IGNORECASE,
)
# What such lines have words about; others are not looked at.
_SENSES_OF_LINES = sum(1 << SENSES.index(name) for name in ("byline", "share", "related", "comment", "advert", "nav"))
_SIZE = MEASURES.index("size")


def without_closing(sheet: Sheet, chosen: list[int]) -> list[int]:
    """Return the chosen blocks less such lines, and less the sections that such headings begin."""
    texts = sheet.table.texts
    runs = closing_runs(sheet, chosen)
    if not runs:
        return chosen
    most = MOST * sum(len(texts[place]) for place in chosen)
    left_out: set[int] = set()
    for first, end in runs:
        if end == first + 1:
            left_out.add(first)
            continue
        below = [place for place in chosen if first <= place < end]
        if sum(len(texts[place]) for place in below) <= most:
            left_out.update(below)
    return [place for place in chosen if place not in left_out]


def closing_runs(sheet: Sheet, places: list[int]) -> list[Run]:
    """Return such lines among some blocks, and the sections that such headings among them begin, in order."""
    found: list[Run] = []
    sections = 0
    for place in lines_about(sheet.rows, places, _SENSES_OF_LINES, LONGEST_LINE):
        if _is_closing_line(sheet.table.texts[place]):
            found.append((place, place + 1))
        elif sections < MOST_SECTIONS and (end := _end_below(sheet, place)):
            sections += 1
            found.append((place, end))
    return found


def _is_closing_line(text: str) -> bool:
    return len(text) <= MAX_CHARACTERS and _LINE.fullmatch(text) is not None


def _end_below(sheet: Sheet, place: int) -> int:
    """Return where the section ends that a block is the heading of; 0 where it heads none that follows a text.

    A section ends with the element that holds it. One of other texts ends before the next paragraph that is no link,
    for it may stand amid the text; one about the writer is short.
    """
    table = sheet.table
    text = table.texts[place]
    if len(text) > LONGEST_HEADING:
        return 0
    if _WRITER.fullmatch(text):
        end = end_of_section(table, place)
        return end if end - place <= LONGEST_BIO else 0
    if not _OTHERS.fullmatch(text):
        return 0
    end = end_of_section(table, place)
    for below in range(place + 1, end):
        if sheet.rows[below * WIDTH + _SIZE] >= PROSE and table.linked[below] < LINKED * len(table.texts[below]):
            return below
    return end
