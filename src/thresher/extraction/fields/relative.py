"""Read dates that are told against now: "3小时前", "昨天 12:30", "2 hours ago", "vor 2 Stunden"."""

import re
from datetime import datetime, timedelta

_MINUTES = (
    "分钟 分鐘 分 minute minutes min mins minuto minutos minuten minuti минут минуты минуту 분 minuut minuter minutter"
)
_HOURS = (
    "小时 小時 時間 hour hours hr hrs h hora horas stunde stunden heure heures ore ora час часа часов 시간 uur timmar "
    "timme timer godzin godziny godzinę saat ώρες ώρα годин години годину"
)
_DAYS = (
    "天 日 day days d día días dia dias tag tagen jour jours giorno giorni день дня дней 일 dag dagen dagar dage dni "
    "dzień gün ημέρες днів дні"
)
_WEEKS = (
    "周 週 星期 week weeks w semana semanas woche wochen semaine semaines settimana settimane неделю недели 주 weken "
    "vecka veckor uker uger tydzień tygodnie tygodni hafta"
)
_MONTHS = (
    "个月 個月 か月 ヶ月 month months mes meses monat monaten mois mese mesi месяц месяца месяцев 개월 maand maanden "
    "månad månader måneder miesiąc miesiące miesięcy ay"
)
_YEARS = "年 year years año años ano anos jahr jahren an ans anno anni год года лет 년 jaar år rok lata lat yıl"
_DAY_S = 86_400
_UNITS_S = {
    60: _MINUTES + " minut minuty dakika λεπτά",
    3600: _HOURS,
    _DAY_S: _DAYS,
    7 * _DAY_S: _WEEKS,
    30 * _DAY_S: _MONTHS,
    365 * _DAY_S: _YEARS,
}
_SECONDS = {word: seconds for seconds, words in _UNITS_S.items() for word in words.split()}
_SECONDS.update({"seconds": 1, "second": 1, "秒": 1, "秒钟": 1})
_MAX_TEXT = 500  # characters searched
_COUNT = r"(\d{1,3}|an?|one|une?|eine[rmn]?)\s?"
_AFTER = re.compile(
    _COUNT + r"([^\W\d_]{1,8}?)\s?(?:之?前|ago\b|fa\b|atrás|назад|тому|전|geleden|sedan|siden|temu|önce)", re.IGNORECASE
)
_BEFORE = re.compile(r"\b(?:vor|il y a|hace|há|πριν)\s" + _COUNT + r"([^\W\d_]{2,9})", re.IGNORECASE)
_DAYS_AGO = {
    0: "今天 오늘 today heute hoy hoje oggi vandaag idag dzisiaj сегодня сьогодні bugün aujourd’hui aujourd'hui",
    1: "昨天 어제 yesterday gestern ayer ontem ieri gisteren igår wczoraj вчера вчора dün",
    2: "前天 vorgestern",
}
_NAMED = {word: days for days, words in _DAYS_AGO.items() for word in words.split()}
_NOW = ("刚刚", "剛剛", "just now")
_DAY = re.compile(
    rf"(?<![a-z])({'|'.join((*_NOW, *_NAMED))})(?![^\W\d_\u4e00-\u9fff])"
    r"[\s,]{0,2}(?:at |um |à |alle |o )?(?:(\d{1,2})[:：h](\d{2}))?",
    re.IGNORECASE,
)
# What may stand before and after the name of a day without a time; else it is a word among others.
_LEAD = re.compile(r"(?:^|[:：|•·,(]|posted|published|updated|[于於])\s{0,3}$", re.IGNORECASE)
_MARKS = ("|", "•", "·", ",", "，", ")", "）", "/", "-")


def read_relative(text: str, now: datetime) -> tuple[datetime, str] | None:
    """Return the moment that a short text tells against `now`, and the words that tell it; None when it tells none."""
    text = text[:_MAX_TEXT]
    for pattern in (_AFTER, _BEFORE):
        for match in pattern.finditer(text):
            seconds = _SECONDS.get(match[2].lower())
            count = int(match[1]) if match[1].isdecimal() else 1
            if seconds and (at := _ago(now, timedelta(seconds=count * seconds))):
                return at, match[0]
    return _read_day(text, now)


def _ago(now: datetime, time: timedelta) -> datetime | None:
    try:
        return now - time
    except OverflowError:  # before the year 1
        return None


def _read_day(text: str, now: datetime) -> tuple[datetime, str] | None:
    match = _DAY.search(text)
    if match is None or (match[2] is None and not _is_set_off(text, match)):
        return None
    days = _NAMED.get(match[1].lower())
    if days is None:
        return now, match[0]
    hour, minute = int(match[2] or 0), int(match[3] or 0)
    if hour > 23 or minute > 59:
        return None
    day = _ago(now, timedelta(days=days))
    return (day.replace(hour=hour, minute=minute, second=0, microsecond=0), match[0]) if day else None


def _is_set_off(text: str, match: "re.Match[str]") -> bool:
    """Say whether the name of a day is all that a text says, but for a label before it and what marks set off."""
    rest = text[match.end(1) :]
    is_followed = not rest.strip() or rest.lstrip().startswith(_MARKS) or (not match[1].isascii() and rest[0].isspace())
    return is_followed and _LEAD.search(text[: match.start(1)]) is not None
