"""Numbers, sizes and moments as people write them in the language of the interface."""

from datetime import UTC, date, datetime, timedelta

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
}
_SIZES = ("B", "kB", "MB", "GB", "TB", "PB")
_LENGTHS_S = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))
_ZH_LENGTHS = {"d": "天", "h": "小时", "min": "分钟", "s": "秒"}
_LONG_AGO = timedelta(days=7)  # from then on the day says more than how long ago it was


class Formats:
    """How one language writes things; times are shown in one zone, UTC."""

    def __init__(self, language: str = "en") -> None:
        self.language = language

    def number(self, value: float | None) -> str:
        """Write a number with its thousands apart; whole numbers whole, others with three digits that count."""
        if value is None:
            return "–"
        if isinstance(value, int) or value == int(value):
            return f"{int(value):,}"
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"

    def size(self, count: float | None) -> str:
        """Write a number of bytes."""
        if count is None:
            return "–"
        step = 0
        while abs(count) >= 1000 and step < len(_SIZES) - 1:
            count /= 1000
            step += 1
        return f"{count:.0f} {_SIZES[step]}" if step == 0 or count >= 100 else f"{count:.1f} {_SIZES[step]}"

    def percent(self, share: float | None, *, signed: bool = False) -> str:
        """Write a share of 1 as a percentage."""
        if share is None:
            return "–"
        digits = 0 if abs(share) >= 0.1 or share == 0 else 1
        shown = f"{100 * share:+.{digits}f}" if signed else f"{100 * share:.{digits}f}"
        return f"{shown.replace('-', '−')}%" if self.language == "zh" else f"{shown.replace('-', '−')} %"

    def lasting(self, seconds: float | None) -> str:
        """Write how long something takes, in the two largest units."""
        if seconds is None:
            return "–"
        left = round(seconds)
        parts: list[str] = []
        for unit, length_s in _LENGTHS_S:
            count, left = divmod(left, length_s)
            if count or parts or unit == "s":
                parts.append(self._amount(count, unit))
            if len(parts) == 2:
                break
        shown = [part for part in parts if not part.startswith("0")] or parts[-1:]
        return ("" if self.language == "zh" else " ").join(shown)

    def day(self, moment: date | None) -> str:
        """Write the day of a moment."""
        if moment is None:
            return "–"
        at = _utc(moment)
        if self.language == "zh":
            return f"{at.year}年{at.month}月{at.day}日"
        return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"

    def short_day(self, moment: date) -> str:
        """Write the day of a moment without its year, for axes."""
        at = _utc(moment)
        return f"{at.month}月{at.day}日" if self.language == "zh" else f"{at.day} {_MONTHS[at.month - 1]}"

    def weekday(self, moment: date) -> str:
        """Write the day of a moment with that of its week."""
        name = _WEEKDAYS[self.language][moment.weekday()]
        return f"{self.day(moment)} {name}" if self.language == "zh" else f"{name}, {self.day(moment)}"

    def moment(self, moment: datetime | None) -> str:
        """Write day and time of a moment."""
        return "–" if moment is None else f"{self.day(moment)} {_utc(moment):%H:%M} UTC"

    def time(self, moment: datetime | None) -> str:
        """Write the time of a moment."""
        return "–" if moment is None else f"{_utc(moment):%H:%M:%S}"

    def ago(self, moment: datetime | None, now: datetime | None = None) -> str:
        """Write how long ago a moment was, or its day where that is long; what is to come is written as in so long."""
        if moment is None:
            return "–"
        past = (now or datetime.now(UTC)) - _aware(moment)
        if abs(past) >= _LONG_AGO:
            return self.day(moment)
        seconds = abs(past.total_seconds())
        unit, length_s = next((each for each in _LENGTHS_S if seconds >= each[1]), _LENGTHS_S[-1])
        amount = self._amount(int(seconds // length_s), unit)
        if past < timedelta():
            return f"{amount}后" if self.language == "zh" else f"in {amount}"
        return f"{amount}前" if self.language == "zh" else f"{amount} ago"

    def iso(self, moment: date | None) -> str:
        """Write a moment for machines."""
        return "" if moment is None else moment.isoformat()

    def _amount(self, count: int, unit: str) -> str:
        return f"{count}{_ZH_LENGTHS[unit]}" if self.language == "zh" else f"{count} {unit}"


FILTERS = ("number", "size", "percent", "lasting", "day", "short_day", "weekday", "moment", "time", "ago", "iso")


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _utc(moment: date) -> date:
    return moment.astimezone(UTC) if isinstance(moment, datetime) and moment.tzinfo else moment
