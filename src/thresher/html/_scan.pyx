# cython: language_level=3, boundscheck=False, wraparound=False
"""One look over the markup in C, before it is parsed: what `scan` finds with expressions."""

from libc.string cimport memchr

cdef enum:
    SPACE = 1
    BREAKS_NAME = 2  # white space, "/", ">" and "="
    LETTER = 4

cdef unsigned char _kinds[256]


def scan(bytes markup not None, Py_ssize_t long_tag, Py_ssize_t many, Py_ssize_t max_rounds):
    """Return how many "<" there are, and whether a tag that is long and has many attributes, a <base>."""
    cdef const unsigned char* text = markup
    cdef Py_ssize_t size = len(markup), tags
    cdef bint is_long, has_base = False
    with nogil:
        tags = _count_tags(text, text + size, &has_base)
        is_long = size > long_tag and _has_long_tag(text, text + size, long_tag, many, max_rounds)
    return tags, is_long, has_base


def has_controls(bytes markup not None):
    """Say whether there is a control character."""
    cdef const unsigned char* text = markup
    cdef Py_ssize_t size = len(markup)
    cdef bint found
    with nogil:
        found = _has_controls(text, size)
    return found


cdef Py_ssize_t _count_tags(const unsigned char* at, const unsigned char* end, bint* has_base) noexcept nogil:
    cdef Py_ssize_t tags = 0
    while True:
        at = <const unsigned char*>memchr(at, b"<", end - at)
        if not at:
            return tags
        tags += 1
        at += 1
        if end - at >= 4 and at[0] | 32 == b"b" and at[1] | 32 == b"a" and at[2] | 32 == b"s" and at[3] | 32 == b"e":
            has_base[0] = True


cdef bint _has_controls(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    cdef unsigned char seen = 0, byte
    cdef Py_ssize_t place
    for place in range(size):
        byte = text[place]
        seen |= <unsigned char>((byte < 32) & (byte != 9) & (byte != 10) & (byte != 13)) | <unsigned char>(byte == 127)
    return seen != 0


cdef bint _has_long_tag(
    const unsigned char* at, const unsigned char* end, Py_ssize_t long_tag, Py_ssize_t many, Py_ssize_t max_rounds
) noexcept nogil:
    cdef const unsigned char* start
    cdef Py_ssize_t attributes, size, left = max_rounds * (end - at)
    while True:
        start = <const unsigned char*>memchr(at, b"<", end - at)
        if not start:
            return False
        at = start + 1
        if at < end and _kinds[at[0]] & LETTER:
            attributes = 0
            size = _end_of_tag(at, end, &attributes) - start
            left -= size
            if left < 0 or size > long_tag and attributes > many:
                return True


cdef const unsigned char* _end_of_tag(
    const unsigned char* at, const unsigned char* end, Py_ssize_t* attributes
) noexcept nogil:
    """Pass over name and attributes; a quote opens a value only after "=", and may stay open to the end."""
    cdef const unsigned char* after
    while at < end and (at[0] == b"=" or not _kinds[at[0]] & BREAKS_NAME):
        at += 1
    while at < end and at[0] != b">":
        if _kinds[at[0]] & BREAKS_NAME:
            at += 1
            continue
        attributes[0] += 1
        while at < end and not _kinds[at[0]] & BREAKS_NAME:
            at += 1
        after = _past_space(at, end)
        if after < end and after[0] == b"=":
            at = _end_of_value(_past_space(after + 1, end), end)
    return at


cdef const unsigned char* _end_of_value(const unsigned char* at, const unsigned char* end) noexcept nogil:
    cdef const unsigned char* close
    if at < end and (at[0] == b'"' or at[0] == b"'"):
        close = <const unsigned char*>memchr(at + 1, at[0], end - at - 1)
        return close + 1 if close else end
    while at < end and at[0] != b">" and not _kinds[at[0]] & SPACE:
        at += 1
    return at


cdef const unsigned char* _past_space(const unsigned char* at, const unsigned char* end) noexcept nogil:
    while at < end and _kinds[at[0]] & SPACE:
        at += 1
    return at


cdef _enter_kinds():
    cdef int code
    for code in range(256):
        byte = bytes((code,))
        _kinds[code] = (
            (SPACE if byte in b" \t\n\r\f\v" else 0)
            | (BREAKS_NAME if byte in b" \t\n\r\f\v/>=" else 0)
            | (LETTER if byte.isalpha() else 0)
        )


_enter_kinds()
