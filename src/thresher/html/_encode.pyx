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
    cdef Py_ssize_t room, made
    cdef bytes encoded
    cdef unsigned char* out
    with nogil:
        room = size + 3 * _foreign_in(text, size)
    encoded = PyBytes_FromStringAndSize(NULL, room)
    out = <unsigned char*>PyBytes_AS_STRING(encoded)
    with nogil:
        made = _write(text, size, out) - out
    return encoded[:made]


cdef Py_ssize_t _foreign_in(const Char* text, Py_ssize_t size) noexcept nogil:
    """Count the characters above ASCII, block by block: small numbers can be added many at a time."""
    cdef Py_ssize_t foreign = 0, place
    cdef Char here
    cdef const Char* end = text + size
    while end - text >= BLOCK:
        here = 0
        for place in range(BLOCK):
            here += <Char>(text[place] > 0x7F)
        foreign += here
        text += BLOCK
    for place in range(end - text):
        foreign += text[place] > 0x7F
    return foreign


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
