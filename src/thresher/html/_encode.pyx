# cython: language_level=3, boundscheck=False, wraparound=False
"""Text to UTF-8 in C: markup is ASCII for long stretches, which are copied many characters at a time."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
)

cdef enum:
    STRETCH = 32  # characters
    BLOCK = 128  # few enough for a byte to count them

ctypedef fused Char:
    unsigned char
    unsigned short
    unsigned int


def encode(str text not None):
    """Return what `str.encode("utf-8", "replace")` returns."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef int kind = PyUnicode_KIND(text)
    if text.isascii():
        return text.encode()
    if kind == PyUnicode_1BYTE_KIND:
        return _encoded(<const unsigned char*>data, size)
    if kind == PyUnicode_2BYTE_KIND:
        return _encoded(<const unsigned short*>data, size)
    return _encoded(<const unsigned int*>data, size)


cdef bytes _encoded(const Char* text, Py_ssize_t size):
    cdef Py_ssize_t room
    cdef bytes encoded
    cdef unsigned char* out
    with nogil:
        room = size + _more_in(text, size)
    encoded = PyBytes_FromStringAndSize(NULL, room)
    out = <unsigned char*>PyBytes_AS_STRING(encoded)
    with nogil:
        _write(text, size, out)
    return encoded


cdef Py_ssize_t _more_in(const Char* text, Py_ssize_t size) noexcept nogil:
    """Count the bytes that characters take beside one each, block by block: small numbers are added many at a time."""
    cdef Py_ssize_t more = 0, place
    cdef Char here
    cdef const Char* end = text + size
    while end - text >= BLOCK:
        here = 0
        for place in range(BLOCK):
            here += _more(text[place])
        more += here
        text += BLOCK
    for place in range(end - text):
        more += _more(text[place])
    return more


cdef inline Char _more(Char char) noexcept nogil:
    """Return how many bytes a character takes beside one; a lone surrogate becomes a question mark."""
    if sizeof(Char) == 1:
        return <Char>(char > 0x7F)
    if sizeof(Char) == 2:
        return <Char>((char > 0x7F) + (char > 0x7FF) - 2 * <int>(char >> 11 == 0x1B))
    return <Char>((char > 0x7F) + (char > 0x7FF) + (char > 0xFFFF) - 2 * <int>(char >> 11 == 0x1B))


cdef unsigned char* _write(const Char* text, Py_ssize_t size, unsigned char* out) noexcept nogil:
    cdef const Char* end = text + size
    cdef unsigned int seen
    cdef int place
    while text < end:
        if end - text >= STRETCH:
            seen = 0
            for place in range(STRETCH):
                seen |= text[place]
            if seen < 0x80:
                for place in range(STRETCH):
                    out[place] = <unsigned char>text[place]
                out += STRETCH
            else:
                for place in range(STRETCH):
                    out = _put(text[place], out)
            text += STRETCH
        else:
            out = _put(text[0], out)
            text += 1
    return out


cdef inline unsigned char* _put(unsigned int char, unsigned char* out) noexcept nogil:
    if char < 0x80:
        out[0] = <unsigned char>char
        return out + 1
    if char < 0x800:
        out[0] = <unsigned char>(0xC0 | char >> 6)
        out[1] = <unsigned char>(0x80 | char & 0x3F)
        return out + 2
    if 0xD800 <= char < 0xE000:
        out[0] = b"?"
        return out + 1
    if char < 0x10000:
        out[0] = <unsigned char>(0xE0 | char >> 12)
        out[1] = <unsigned char>(0x80 | char >> 6 & 0x3F)
        out[2] = <unsigned char>(0x80 | char & 0x3F)
        return out + 3
    out[0] = <unsigned char>(0xF0 | char >> 18)
    out[1] = <unsigned char>(0x80 | char >> 12 & 0x3F)
    out[2] = <unsigned char>(0x80 | char >> 6 & 0x3F)
    out[3] = <unsigned char>(0x80 | char & 0x3F)
    return out + 4
