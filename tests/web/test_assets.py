"""What a browser loads: small, from here alone, and in colours that can be told apart and are documented."""

import gzip
import re
from pathlib import Path

import pytest

from thresher import web

STATIC = Path(web.__file__).parent / "static"
DESIGN = (Path(__file__).parents[2] / "docs" / "design.md").read_text("utf-8")
STYLE = (STATIC / "css" / "thresher.css").read_text("utf-8")
TOKENS = dict(re.findall(r"(--[a-z][\w-]*):\s*([^;]*);", STYLE.partition("}")[0]))
KB = 1_000
MAX_SCRIPT, MAX_STYLE = 60 * KB, 15 * KB
MIN_CONTRAST = 4.5  # of text on its ground, WCAG AA
TEXT_ON = [
    *((ink, ground) for ink in ("ink", "soft", "link") for ground in ("paper", "panel", "sunk")),
    *((tone, ground) for tone in ("ok", "warn", "bad", "accent") for ground in ("paper", "panel")),
    *((tone, f"{tone}-soft") for tone in ("ok", "warn", "bad", "accent")),
    *(("on-accent", "accent"), ("ink", "mark"), ("soft", "sunk"), ("paper", "ink")),
]


def packed(pattern: str) -> int:
    return sum(len(gzip.compress(path.read_bytes(), mtime=0)) for path in STATIC.rglob(pattern))


def test_all_scripts_together_are_small() -> None:
    assert packed("*.js") <= MAX_SCRIPT


def test_all_styles_together_are_small() -> None:
    assert packed("*.css") <= MAX_STYLE


def test_styles_load_nothing() -> None:
    styles = "".join(path.read_text("utf-8") for path in STATIC.rglob("*.css"))
    assert re.findall(r"@import|url\((?!data:)", styles) == []


def test_colours_spaces_and_sizes_are_documented() -> None:
    documented = set(re.findall(r"`(--[a-z][\w-]*)`", DESIGN)) | {f"--c{number}" for number in range(1, 7)}
    assert len(TOKENS) > 30
    assert sorted(name for name in TOKENS if name not in documented) == []


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_text_stands_out_from_its_ground(theme: int) -> None:
    faint = {f"{ink} on {ground}": round(contrast(ink, ground, theme), 2) for ink, ground in TEXT_ON}
    assert {pair: value for pair, value in faint.items() if value < MIN_CONTRAST} == {}


def contrast(ink: str, ground: str, theme: int) -> float:
    bright, dark = sorted((luminance(ink, theme), luminance(ground, theme)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(name: str, theme: int) -> float:
    colour = re.findall(r"#([0-9a-f]{6})", TOKENS[f"--{name}"])[theme]
    channels = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
