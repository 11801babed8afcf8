"""Words of bylines, of many European languages: what leads to a name, what parts names, what is no byline at all."""

import re

_KINDS = (
    r"written|posted|published|reported|texte?|texto|words|story|article|created|submitted|authored|contributed|review|"
    r"guide|news|features?|analysis|opinion|interview|column|post|blog|produced|compiled|report|reporting|added"
)
_LABELS = (
    r"authors?|writers?|autor(?:en|in|es|as|a|ka|zy|i)?|autore|auteure?s?|авторы?|текст|yazan|yazar|penulis|oleh|texte?|"
    r"texto|testo|tekst|words|story|redaktion|redakcja|napsal|szerző|door|schrijver|forfatter|författare|skribent|"
    r"kirjoittaja|συντάκτης|συντάκτρια|κείμενο|ρεπορτάζ|tác\sgiả"
)
_GERMAN = (
    r"publiziert|geschrieben|verfasst|erstellt|gespeichert|veröffentlicht|eingestellt|gepostet|artikel|beitrag|bericht|"
    r"kommentar|interview|gastbeitrag|essay|analyse|kolumne|rezension|text|reportage"
)
# With or without a colon; what else begins so in their languages has no name behind it.
_ABROAD = (
    r"(?:autoren|escriben?|oleh|написала?|подготовила?|írta|napsala?|napisał[ai]?|napisa(?:o|la)|scris\sde|piše|"
    r"γράφ(?:ει|ουν)(?:\s(?:ο|η|οι))?|بقلم|به\sقلم|מאת)(?:\s?:\s*|\s+)|(?:الكاتبة?|نویسنده)\s?:\s*|"
    r"(?-i:(?:Του|Της|ΤΟΥ|ΤΗΣ)\s+(?=[Α-ΩΆ-Ώ]\S+\s[Α-ΩΆ-Ώ]))"
)
LEAD = re.compile(
    rf"(?:(?:(?:this\s(?:post|article|story|piece)\swas\s)?(?:{_KINDS})(?:\s(?:on|in)\s\w+)?\s)?by(?:\s?[:：—–-]+\s*|\s+)|"
    rf"(?:{_LABELS})(?:\s*(?:&|and|und|et|y|e|/)\s*\w+)?\s?[:：]\s*|"
    rf"(?:(?:eine?\s)?(?:\w+\s)?(?:{_GERMAN})\s)?von(?:\s?:\s*|\s+)|"
    r"(?:(?:écrit|publié|rédigé|posté|propos\srecueillis)e?s?\s)?par(?:\s?:\s*|\s+)|"
    r"(?:(?:escrito|publicado|redactado|postado)\s)?por(?:\s?:\s*|\s+)|(?:(?:scritto|pubblicato|a\scura)\s)?d[ia]\s+|"
    r"(?:(?:geschreven|gepubliceerd)\s)?door\s+|(?:(?:skrevet|skriven)\s)?a[vf]\s+|"
    rf"{_ABROAD}|about\sthe\sauthors?\s?[-–—:]\s*|"
    # "ByAnn Miller": two elements side by side
    r"(?-i:[Bb]y(?=[A-Z][a-zà-ž.])|(?:Por|Par|Von)(?=[A-ZÀ-Þ][a-zà-ž]+\s[A-ZÀ-Þ])))(?=\S)",
    re.IGNORECASE,
)
# The first two letters of lines that begin with these, but for those that have " by " or " von " inside.
_LEAD_STARTS = (
    "by au wr ав те ya pe ol te wo st re na sz do vo pa po di da av af éc pu ré pr es sc ge sk fo fö ki tá ír pi συ κε "
    "ρε γρ το τη на по بق ال به نو מא ab"
)
LEAD_STARTS = frozenset((*_LEAD_STARTS.split(), "a "))
_LABEL_STARTS = "ab me üb zu au ав by vo pa po ar be wo st te pu wr co ge re gu ne ve es éc sc"
LABEL_STARTS = frozenset(form for two in _LABEL_STARTS.split() for form in (two, two.capitalize(), two.upper()))
# Whoever follows made something else, or the line is of another kind.
_OTHERS = r"""
    photos? photograph\w* images? pictures? illustrat\w+ videos? graphics? art artwork fotos? bild(?:er)? theme powered
    site website design\w* reviewed medically\sreviewed edited checked fact.?checked verified sponsored presented hosted
    translated developed built copyright © source quelle comments? curated cover visuali[sz]ations? promoted supported
    provided offered directed in\sresponse follow contact search more tags? tagged categor\w+ filed topics? share print
    via credit getty фото φωτογραφία zdjęcie fot
"""
OTHER_MAKER = re.compile(rf"(?:{'|'.join(_OTHERS.split())})\b", re.IGNORECASE)
OTHER_STARTS = frozenset(word[:2] for word in _OTHERS.split())  # the first two letters, small
LABEL = re.compile(
    r"(?:(?:about|meet|über|zum|zur)\s(?:(?:the|den|die|our|der)\s)?(?:authors?|writers?|autor(?:in|en)?|contributors?)|"
    r"authors?(?:\sof\s(?:the|this)\sarticle|\s(?:information|bio|details))?|autor(?:in|en)?|auteure?s?|autore|автор|"
    r"(?:(?:article|artikel|beitrag|words|story|text|posted|published|written|contributed|authored|guide|review|news|"
    r"reported|verfasst|geschrieben|escrito|publicado|écrit)\s)?(?:by|von|par|por)|text|words|writers?|geschreven\sdoor|"
    r"scritto\sda|contributors?)\s?[:：—–-]*$",
    re.IGNORECASE,
)
# What parts a line, with other things in each part, and two names; the first characters are asked for what is neither.
PARTS = re.compile(
    r"(?=[\s.|•·●▪▸›»«/(\[\])‧∙–—―-])"
    r"(?:(?<=\w{3})\.\s+(?=[A-Z])|\s*[|•·●▪▸›»«/(\[\])‧∙]+\s*|\s+[-–—―]+\s+|\s*[-–—―]+\s*(?=\|)|\t)"
)
BETWEEN = re.compile(
    r"(?=[\s,;&])(\s*[,;]\s*(?:and\s+|und\s+|&\s*)?|\s+(?:and|und|et|y|e|og|och|en|i|with|ja|a)\s+|\s*&\s*)",
    re.IGNORECASE,
)
_MONTHS = "January|February|March|April|June|July|August|September|October|November|December"
_SHORT_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
TIMES = re.compile(
    r"\b\d{1,3}\s?[-‐]?(?:min(?:ute|uten|utes|s)?|hours?|hrs?|stunden?)\b\.?"
    r"(?:\s(?:ago|read(?:ing)?(?:\stime)?|to\sread|lesezeit))?|\b\d{1,2}\s(?:days?|weeks?|months?|years?)\sago\b|"
    r"\b\d{1,2}:\d\d\s?(?:[ap]\.?m\.?|uhr|[A-Z]{2,4}\b)?|\b\d{1,2}[.h]\d\d\s?(?:[ap]\.?m\b\.?|uhr)|"
    rf"\b(?:{_SHORT_MONTHS})[a-z]*\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b(?!\s?,?\s?\d{{4}})|"
    rf"\b\d{{1,2}}\.?\s(?:{_SHORT_MONTHS})[a-z]{{0,7}}\b|\byesterday\b",
    re.IGNORECASE,
)
# What leads to a date: "Last updated on", "Veröffentlicht am".
STAMP = re.compile(
    r"(?:(?:last\s|zuletzt\s|zuerst\s|first\s)?(?:updated|published|posted|modified|aktualisiert|veröffentlicht|publiziert|"
    r"stand|actualizado|publicado|uppdaterad|publicerad|aggiornato|pubblicato|publié|mis\sà\sjour|geplaatst|gepubliceerd|"
    r"created|date|on|am|vom|le|at)\s?(?:on|at|am|le|el|il|den)?\s?:?\s*)$",
    re.IGNORECASE,
)
_SMALL = "[a-zäöüßéèíóáñ]"
# Without one of which nothing is glued together.
JOINT, YEAR_JOINT = re.compile(rf"{_SMALL}[A-Z\d]"), re.compile(r"\d, 20\d{3}")
# "Ann Miller5 hours ago", "Ann MillerPublished": side by side in elements with no space between.
GLUED = re.compile(
    rf"(?<={_SMALL})(?=\d)|(?<=[a-z])(?=(?:{_MONTHS}|{_SHORT_MONTHS})\.? \d)|(?<=\d, 20\d\d)(?=\d)|"
    rf"(?<={_SMALL})(?=(?:Published|Updated|Posted|Reviewed|Read|Last|Written|By)\b)"
)
# "View all posts by Ann Miller"
ARCHIVE = re.compile(
    r"(?:(?:(?:view|see|read|show)\s)?(?:all|more|other)\s(?:(?:posts?|articles?|stories|work|content)\s)?(?:by|from)|"
    r"(?:alle|weitere|mehr)\s(?:artikel|beiträge|texte)\s(?:von|des\sautors)|alles\svon|"
    r"(?:tous\sles|plus\sd['’e])\s?articles\s(?:de|par)|(?:ver\s)?(?:todos\slos|más)\sartículos\sde)\s+(?=\S)",
    re.IGNORECASE,
)
CAPITALS = re.compile(r"[^\W\d_a-z]\S+ (?:\S{1,3} )?[^\W\d_a-z]\S")  # two words as a name has
AFTER_LOGIN = re.compile(r"\s(?:on|in|at|from|am|um|@)(?=\s|$)")
GLUED_OFFICE = re.compile(rf"{_SMALL}(?=[A-Z][a-z])")  # where a match ends
_OFFICES = """
    writer report editor correspondent columnist contribut journalist author redakt rédact redact korresp toimittaja
    attorney fellow muhabir yazar periodista jornalista giornalista expert specialist manager founder staff blogger
    strategist analyst director professor producer consultant chief ceo marketing content
"""
OFFICES = ("head of", *_OFFICES.split())  # parts of words
ORGANISATION = re.compile(r"[A-Z][\w.&'’-]*(?:\s(?:of|and|&|the|for|[A-Z][\w.&'’-]*)){0,4}$")
STAFF = re.compile(
    r"^Team\s[A-Z]|(?:Team|Staff|Desk|Editors?|Editorial|Redaktion|Contributors?|Reporters?|Author|Newsroom|Bureau|Writers?)$"
)
LOGIN = re.compile(r"(?=.*[^\W\d_]{2})[\w.-]{3,24}")
BIOGRAPHY = re.compile(
    r"((?:Dr\.? |Prof\.? )?(?:[A-Z][^\s,]{0,30}\s){1,3}[A-Z][^\s,]{1,30}),?\s(?:\([^)]{2,20}\)\s)?"
    r"(?:is|was|has|ist|est|es|é|è|är|er|covers|writes|works|joined|schreibt|lives|holds|serves)\s"
)
PERSONAL = re.compile(
    r"\b(?:he|she|his|her|writer|author|journalist|editor|founder|co-founder|expert|director|manager|consultant|reporter|"
    r"professor|columnist|freelance|correspondent|lives in|holds|passionate|autor|autorin|blogger|specialist|"
    r"researcher|fellow|redakteur\w*|journalistin?)\b",
    re.IGNORECASE,
)
EDGES = ' \t.,:：;-–—·|/"“”()[]*~#>'  # of names
_EDGES_OF_LIST = f"{EDGES}&"


def has_lead_in(text: str) -> bool:
    """Say whether a text holds what all leads do: "by" or "von", a colon, or the first two letters of another."""
    if ":" in text or not text.isascii() or text[:2].lower() in LEAD_STARTS or text[1:2].isspace():
        return True
    lowered = text.lower()
    return "by" in lowered or "von" in lowered


def may_begin_with_name(text: str) -> bool:
    """Say whether a text has several words and begins with a capital, or is not of ASCII alone."""
    return not text.isascii() or (text.lstrip(_EDGES_OF_LIST)[:1].isupper() and len(text.split(None, 1)) > 1)
