"""Filler: the inline style rules and page state that make up most of a real page's bytes."""

import json
from functools import cache

from thresher.sample.dice import dice

_BLOCKS = ("masthead", "nav", "story", "card", "teaser", "aside", "promo", "share", "comments", "related", "banner")
_PARTS = ("title", "text", "link", "image", "item", "list", "inner", "meta", "label", "icon", "button", "wrap")
_STATES = ["", "", ":hover", ":focus-visible", "::before", ".is-active", ":first-child"]
_RULES = [
    "display:flex;align-items:center",
    "margin:0 0 {}px",
    "padding:{}px 12px",
    "font:600 {}px/1.25 Georgia,serif",
    "color:#12344d",
    "background:#f4f1ea",
    "border-bottom:1px solid rgba(18,52,77,.{})",
    "max-width:{}em",
    "grid-template-columns:repeat(12,minmax(0,1fr));gap:{}px",
    "transition:opacity .{}s ease-in-out",
]


@cache
def style(name: str, rules: int) -> str:
    """Return a block of style rules for a site; as long as rules are asked for, some 75 bytes each."""
    rng = dice("style", name)
    lines = []
    for _ in range(rules):
        selector = f".{rng.choice(_BLOCKS)}__{rng.choice(_PARTS)}{rng.choice(_STATES)}"
        body = ";".join(rule.format(rng.randint(10, 60)) for rule in rng.sample(_RULES, 2))
        lines.append(f"{selector}{{{body}}}")
    return "".join(lines)


@cache
def state(name: str, entries: int) -> str:
    """Return the page state that a site's scripts read, as JSON; some 120 bytes an entry."""
    rng = dice("state", name)
    modules = [
        {
            "id": f"{rng.getrandbits(48):012x}",
            "type": rng.choice(_BLOCKS),
            "slot": f"{rng.choice(_PARTS)}-{rng.randint(1, 40)}",
            "weight": round(rng.random(), 4),
            "lazy": rng.random() < 0.5,
            "breakpoints": [320, 640, 960 + rng.randint(0, 320)],
        }
        for _ in range(entries)
    ]
    return json.dumps({"site": name, "build": f"{rng.getrandbits(40):010x}", "modules": modules})
