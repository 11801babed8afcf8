"""How the sites write times: each in its own way, none depending on the machine's language."""

from datetime import datetime, timedelta

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_UNITS = ((60, "minute", 60), (3600, "hour", 24), (86400, "day", 14), (7 * 86400, "week", 1000))


def shown(style: str, moment: datetime) -> str:
    """Return a moment as the skin of that name shows it; KeyError for a skin that shows relative times only."""
    parts = {
        "d": moment.day,
        "m": moment.month,
        "y": moment.year,
        "month": _MONTHS[moment.month - 1],
        "mon": _MONTHS[moment.month - 1][:3],
        "day": _DAYS[moment.weekday()],
        "hm": f"{moment:%H:%M}",
        "ampm": f"{(moment.hour - 1) % 12 + 1}:{moment.minute:02} {'am' if moment.hour < 12 else 'pm'}",
    }
    return _STYLES[style].format(**parts)


_STYLES = {
    "english": "{d} {month} {y}, {hm}",
    "chinese": "{y}年{m}月{d}日 {hm}",
    "blog": "{month} {d}, {y}",
    "classic": "{day} {mon} {d:02}, {y} {ampm}",
    "discuz": "{y}-{m}-{d} {hm}",
    "flat": "{y}-{m:02}-{d:02} {hm}:00",
    "joined_en": "{d:02} {mon} {y}",
    "joined_zh": "{y}-{m}-{d}",
}


def ago(moment: datetime, now: datetime) -> tuple[str, datetime]:
    """Return how long ago a moment is, as shown, and the moment that these words stand for."""
    age_s = max(60.0, (now - moment).total_seconds())
    unit_s, unit, _ = next(each for each in _UNITS if age_s < each[0] * each[2])
    count = int(age_s // unit_s)
    return f"{count} {unit}{'s' if count > 1 else ''} ago", now - timedelta(seconds=count * unit_s)
