"""Scripts: the Lua of each atomic step, put together from the files it is made of."""

from functools import cache
from pathlib import Path

from thresher.frontier.keys import lua_names

FOLDER = Path(__file__).parent / "lua"
_SHARED = ("context", "records", "hosts", "rests", "queue")
_PARTS = {  # what a step needs besides; "seen" is the seen-set that the job uses
    "admit": (),
    "offer": ("seen", "offering"),
    "wake": ("seen", "offering"),
    "lease": ("seen", "reclaim", "leasing"),
    "settle": ("seen", "reclaim", "settling"),
    "exchange": ("seen", "reclaim", "settling", "leasing"),
    "release": ("seen", "reclaim"),
    "reap": ("seen", "reclaim"),
    "find": ("seen",),
    "renew": (),
    "due": (),
    "dead": (),
    "mark": (),
    "prefer": (),
    "retry": ("seen",),
    "weed": ("seen",),
    "peek": (),
    "beat": (),
    "time": (),
    "recover": (),
}
STEPS = tuple(_PARTS)


@cache
def script(step: str, seen: str) -> str:
    """Return the Lua of a step over the seen-set "exact" or "bloom"."""
    names = (*_SHARED, *_PARTS[step], step)
    files = [f"seen_{seen}" if name == "seen" else name for name in names]
    return lua_names() + "".join((FOLDER / f"{name}.lua").read_text("utf-8") for name in files)
