"""Read dates that are told against now: "3小时前", "昨天 12:30", "2 hours ago", "vor 2 Stunden"."""

import re
from datetime import datetime, timedelta

_UNITS_S = {
    60: "分钟 分鐘 分 minute minutes min mins minuto minutos minuten minuto minuti минут минуты минуту 분",
    3600: "小时 小時 時間 hour hours hr hrs hora horas stunde stunden heure heures ore ora час часа часов 시간",
    86400: "天 日 day days día días dia dias tag tagen jour jours giorno giorni день дня дней 일",
    7
    * 86400: "周 週 星期 week weeks semana semanas woche wochen semaine semaines settimana settimane неделю недели 주",
    30 * 86400: "个月 個月 か月 month months mes meses monat monaten mois mese mesi месяц месяца месяцев 개월",
    365 * 86400: "年 year years año años ano anos jahr jahren an ans anno anni год года лет 년",
}
_SECONDS = {word: seconds for seconds, words in _UNITS_S.items() for word in words.split()}
_SECONDS.update({"seconds": 1, "second": 1, "秒": 1, "秒钟": 1})
_MAX_TEXT = 500  # characters searched
_COUNT = r"(\d{1,3}|an?|one|une?|eine[rmn]?)\s?"
_AFTER = re.compile(_COUNT + r"([^\W\d_]{1,8}?)\s?(?:之?前|ago\b|fa\b|atrás|назад|전)", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:vor|il y a|hace|há)\s" + _COUNT + r"([^\W\d_]{2,9})", re.IGNORECASE)
_DAY = re.compile(
    r"(刚刚|剛剛|今天|昨天|前天|just now|today|yesterday)[\s,]{0,2}(?:at )?(?:(\d{1,2})[:：](\d{2}))?", re.IGNORECASE
)
_DAYS_AGO = {"今天": 0, "today": 0, "昨天": 1, "yesterday": 1, "前天": 2}


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
    if match is None:
        return None
    days = _DAYS_AGO.get(match[1].lower())
    if days is None:
        return now, match[0]
    hour, minute = int(match[2] or 0), int(match[3] or 0)
    if hour > 23 or minute > 59:
        return None
    day = _ago(now, timedelta(days=days))
    return (day.replace(hour=hour, minute=minute, second=0, microsecond=0), match[0]) if day else None
