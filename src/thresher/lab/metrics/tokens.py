"""Cut a text into tokens: words, and each Chinese, Japanese or Korean character by itself; punctuation is left out."""

import re

_CJK = (
    "\u3005-\u3007"  # 々〆〇
    "\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\uff66-\uff9d"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\uac00-\ud7a3"  # Hangul
)
_TOKEN = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
_CJK_CHARACTER = re.compile(rf"[{_CJK}]")


def tokens_of(text: str) -> list[str]:
    """Return the tokens in order, their case kept."""
    return _TOKEN.findall(text)


def is_cjk(text: str) -> bool:
    """Say whether half of the characters that are not white space or more are Chinese, Japanese or Korean."""
    solid = len("".join(text.split()))
    return solid > 0 and 2 * len(_CJK_CHARACTER.findall(text)) >= solid
