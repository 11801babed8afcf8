"""A conversation to dress in the markup of forums: who said what when, with quotations and signatures."""
# ruff: noqa: E501  # markup, in lines as forums write it

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

START = datetime(2019, 3, 14, 9, 26, tzinfo=UTC)
TITLE = "Which oil for a gearbox that whines in second?"
TITLE_ZH = "二挡异响的变速箱该用什么油"


@dataclass(frozen=True)
class Said:
    """One post of the conversation; `quote` is what it quotes from the one before."""

    number: int
    author: str
    at: datetime
    text: tuple[str, ...]
    quote: str = ""
    signature: str = ""

    @property
    def own(self) -> str:
        """The author's own words, a paragraph a line."""
        return "\n".join(self.text)


_ENGLISH = (
    (
        "mortimer77",
        "My gearbox whines in second, but only when it is cold.",
        "After ten minutes of driving it is gone.",
    ),
    ("Saltmarsh", "That sounds like the usual thin oil to me, drain it and look for metal on the plug."),
    ("ada_lune", "Before you drain anything, find out what is in there now.", "Mixing two kinds made mine worse."),
    ("mortimer77", "Drained it this morning, there was a fine grey paste on the magnet and nothing else."),
    ("Old Brass", "Grey paste is normal wear.", "Fill it with what the manual says and drive on, life is short."),
    ("Saltmarsh", "Agreed, and change it again after a thousand miles so that the rest is washed out."),
)
_CHINESE = (
    ("山间旧客", "我的变速箱挂二挡的时候总是嗡嗡响，冷车的时候特别明显。", "跑个十分钟就听不见了，不知道是怎么回事。"),
    ("半盏清茶", "多半是油太稀了，先放出来看看有没有铁屑再说吧。"),
    ("北海渔夫", "放油之前最好弄清楚里面原来加的是什么牌子，混着用只会更糟。"),
    ("山间旧客", "今天早上放掉了，磁铁上有一层灰色的细泥，别的什么都没有。"),
    ("半盏清茶", "灰色细泥属于正常磨损，按说明书上的型号加满就行了，放心开。"),
)
_GAPS_M = (0, 47, 95, 1510, 1633, 4007)
_SIGNED = {"Saltmarsh": "Tides wait for nobody, least of all for me"}


def talk(language: str = "en", *, posts: int = 6) -> list[Said]:
    """Return the first posts of the conversation."""
    rows = (_CHINESE if language == "zh" else _ENGLISH)[:posts]
    said: list[Said] = []
    for number, ((author, *text), gap) in enumerate(zip(rows, _GAPS_M, strict=False), start=1):
        quote = said[-1].text[0] if number in (3, 5) else ""
        at = START + timedelta(minutes=gap)
        said.append(Said(number, author, at, tuple(text), quote, _SIGNED.get(author, "")))
    return said


def page(body: str, title: str = TITLE, head: str = "") -> str:
    """Return a whole page around posts, with what stands around them everywhere."""
    return f"""<!DOCTYPE html><html lang="en"><head><title>{title} - The Garage Table</title>{head}</head><body>
<div id="top"><a href="/">The Garage Table</a><ul class="nav"><li><a href="/forums">Forums</a></li>
<li><a href="/members">Members</a></li><li><a href="/search">Search</a></li></ul></div>
<div id="crumbs"><a href="/">Home</a> &rsaquo; <a href="/forums/gearboxes">Gearboxes</a></div>
{body}
<div id="foot"><p>All times are UTC. It is now Fri 22 Mar 2019, 18:02.</p><p>Powered by good will</p></div></body></html>"""
