"""Text to UTF-8; `_encode.pyx` does it in C, where it could be compiled."""

try:
    from thresher.html._encode import encode as _compiled
except ImportError:
    _compiled = None  # type: ignore[assignment]


def encode(text: str) -> bytes:
    """Encode a page that may have lone surrogates, which become question marks."""
    if _compiled is not None:
        return _compiled(text)
    return text.encode("utf-8", "replace")
