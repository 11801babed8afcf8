"""The last lines of a text: corrections, notes of the editors and a short last paragraph stay, offers to readers go."""

import re
from array import array
from collections.abc import Iterator

from thresher.extraction.learned.hints import BIT
from thresher.extraction.learned.measure import MEASURES, WIDTH
from thresher.extraction.learned.sheet import Sheet
from thresher.extraction.learned.table import SHAPE_CODE

MAX_BELOW = 12  # blocks below a text among which notes are looked for
MAX_NOTE = 700  # characters
LINKED = 0.5  # share of a note that may be links
MIN_LINE = 15  # of size, of a short last paragraph
LEAST = 0.1  # chance of one
ALIKE = 3  # chosen blocks of its make above it

_WORDS = (
    r"corrections?|clarifications?|erratum|editor[’']?s?[’']? note|note to readers|update|"
    r"korrektur|berichtigung|anmerkung der redaktion|hinweis der redaktion|nachtrag|"
    r"rectificatif|mise à jour|note de la rédaction|ndlr|corrección|rectificación|fe de errores|nota de la redacción|"
    r"nota del editor|correzione|rettifica|nota della redazione|correção|nota da redação|correctie|rectificatie|"
    r"noot van de redactie|rättelse|rettelse|sprostowanie|korekta|od redakcji|исправление|поправка|от редакции|"
    r"примечание редакции|更正|勘误|勘誤|编者按|编者注|編者按|編者註|訂正|追記|編集部注|정정|편집자 주"
)
_HEADING = re.compile(rf"\W*(?:{_WORDS})\W*", re.IGNORECASE)
_NOTE = re.compile(
    rf"\W*(?:(?:{_WORDS})\b[^.:：]{{0,40}}(?:[:：—–-] ?|\.\s)\S"
    r"|(?:this|an (?:earlier|older) version of this|a previous version of this) "
    r"(?:article|story|post|report|text|piece|headline|page) (?:(?:was|has been|has since been) (?:since )?"
    r"(?:corrected|amended|updated (?:to|with|on)|edited|changed|revised|clarified)|originally said|incorrectly|"
    r"misstated|gave|said|stated|did not|contained|misidentified|misspelled)\b"
    r"|in einer früheren (?:version|fassung)\b|une version (?:précédente|antérieure)\b|una versión anterior\b)",
    re.IGNORECASE,
)
# A line of the software that says when a page was changed is no note.
_STAMP = re.compile(
    r"[^:]{0,60}(?:published|posted|updated|modified|reviewed)\b[^.]{0,50}\d[^.]{0,30}\.?", re.IGNORECASE
)
# What is said to those who have not paid, below the lead of a text.
_OFFER = re.compile(
    r"\W*(?:"
    r"you(?: have|’ve|'ve) (?:now )?(?:read|reached|used)\b.{0,60}\b(?:articles?|stories|limit)\b"
    r"|(?:this|the full|the rest of this) (?:text|article|story|content|post|page) is\b.{0,30}"
    r"\b(?:members|subscribers)\b"
    r"|(?:already|not yet) (?:a )?(?:subscriber|member|subscribed|registered)\b"
    r"|(?:to (?:read|continue|keep) .{0,60}|please )?(?:subscribe|sign in|sign up|log in|register)\b.{0,40}"
    r"\b(?:to (?:read|continue|keep|unlock|access)|now|today)\b"
    r"|(?:dieser|der ganze|der vollständige) (?:artikel|text|beitrag) ist\b.{0,40}\b(?:abonnent|mitglieder|plus)"
    r"|(?:weiterlesen|jetzt weiterlesen|sie haben bereits) .{0,60}abo"
    r"|(?:cet article est|la suite est) réservée? aux abonné|il vous reste .{0,30}de cet article"
    r"|(?:este artículo|este contenido) es .{0,30}suscriptores|contenuto riservato agli abbonati"
    r"|ta treść jest .{0,40}(?:abonent|subskryb)|(?:статья|материал) доступ\w+ .{0,20}подпис"
    r"|(?:本文|此文|全文).{0,10}(?:会员|會員|订阅|訂閱|付费|付費)|(?:この|続きの?)記事は.{0,10}会員"
    r")",
    re.IGNORECASE,
)
MAX_OFFER, OFFERS = 300, 4  # characters of such a line; lines at the end that are looked at
_SIZE, _SENSES, _DATED, _FINAL = (MEASURES.index(name) for name in ("size", "senses", "dated", "final"))
_ASIDE = BIT["comment"] | BIT["side"] | BIT["nav"] | BIT["hidden"] | BIT["advert"]
_ITEM = SHAPE_CODE["li"]


def with_last_lines(sheet: Sheet, chances: "array[float]", chosen: list[int]) -> list[int]:
    """Return the chosen blocks and the last lines of their text, in reading order."""
    if not chosen:
        return chosen
    added = [*_last_paragraph(sheet, chances, chosen)]
    added += _notes(sheet, (chosen + added)[-1])
    return chosen + added


def without_offers(sheet: Sheet, chosen: list[int]) -> list[int]:
    """Return the chosen blocks less those at the end from the first on that offers the rest of the text for sale."""
    texts = sheet.table.texts
    for number in range(max(len(chosen) - OFFERS, 1), len(chosen)):
        text = texts[chosen[number]]
        if len(text) <= MAX_OFFER and _OFFER.match(text):
            return chosen[:number]
    return chosen


def _last_paragraph(sheet: Sheet, chances: "array[float]", chosen: list[int]) -> Iterator[int]:
    """Yield the next block where it is a sentence, or a line after other lines, made as those of the text are."""
    place, table = chosen[-1] + 1, sheet.table
    if place >= len(table.texts) or chances[place] < LEAST or table.shape[place] or table.linked[place]:
        return
    kind, rows = sheet.kind[table.owner[place]], sheet.rows
    alike = [other for other in chosen[-2 * ALIKE :] if sheet.kind[table.owner[other]] == kind]
    row = place * WIDTH
    is_said = int(rows[row + _SENSES]) or rows[row + _DATED]
    is_sentence = rows[row + _FINAL] and rows[row + _SIZE] >= MIN_LINE and not is_said
    is_heading = table.texts[place].endswith((":", "："))
    lines = [other for other in alike[-ALIKE:] if other >= place - ALIKE and not rows[other * WIDTH + _FINAL]]
    if len(alike) >= ALIKE and not is_heading and (is_sentence or len(lines) == ALIKE):
        yield place


def _notes(sheet: Sheet, last: int) -> list[int]:
    """Return the notes among the first blocks below a text."""
    table = sheet.table
    found: list[int] = []
    for place in range(last + 1, min(last + 1 + MAX_BELOW, len(table.texts))):
        if sheet.around[table.owner[place]] & _ASIDE:
            continue
        is_headed = bool(found) and found[-1] == place - 1 and _HEADING.fullmatch(table.texts[place - 1])
        is_prose = table.linked[place] <= LINKED * len(table.texts[place]) <= LINKED * MAX_NOTE
        if is_prose and (is_headed or _HEADING.fullmatch(table.texts[place]) or _is_note(table.texts[place])):
            found.append(place)
    return [place for place in found if place + 1 in found or not _HEADING.fullmatch(table.texts[place])]


def _is_note(text: str) -> bool:
    return _NOTE.match(text) is not None and not _STAMP.fullmatch(text)
