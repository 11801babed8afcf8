# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The hashes of a text's shingles, in C: what `lowest_by_text` in sketch.py returns.

XXH3 with 64 bits and without a seed, by its specification, for up to 128 bytes; longer shingles are left to the library.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy

from xxhash import xxh3_64_intdigest

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    #endif

    /* The key of the specification, as far as 128 bytes need it. */
    static const uint8_t KEY[128] = {
        0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
        0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
        0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
        0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
        0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
        0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
        0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
        0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    };

    static uint64_t word64(const uint8_t *at) {
        return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24
            | (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
    }

    static uint32_t word32(const uint8_t *at) {
        return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }

    static uint64_t turned(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

    static uint64_t reversed_bytes(uint64_t value) {
        uint64_t result = 0;
        int i;
        for (i = 0; i < 8; i++) result = result << 8 | (value >> 8 * i & 0xff);
        return result;
    }

    /* The halves of a product of 128 bits, one folded over the other. */
    static uint64_t folded(uint64_t one, uint64_t other) {
    #if defined(__SIZEOF_INT128__)
        unsigned __int128 product = (unsigned __int128)one * other;
        return (uint64_t)product ^ (uint64_t)(product >> 64);
    #elif defined(_MSC_VER) && defined(_M_X64)
        uint64_t high, low = _umul128(one, other, &high);
        return low ^ high;
    #else
        uint64_t a = one >> 32, b = one & 0xffffffff, c = other >> 32, d = other & 0xffffffff;
        uint64_t low = b * d, middle = (low >> 32) + a * d, cross = (middle & 0xffffffff) + b * c;
        return (cross << 32 | (low & 0xffffffff)) ^ (a * c + (middle >> 32) + (cross >> 32));
    #endif
    }

    static uint64_t mixed(const uint8_t *at, const uint8_t *key) {
        return folded(word64(at) ^ word64(key), word64(at + 8) ^ word64(key + 8));
    }

    static uint64_t scattered(uint64_t value) {
        value = (value ^ value >> 37) * 0x165667919E3779F9ULL;
        return value ^ value >> 32;
    }

    static uint64_t xxh3(const uint8_t *at, size_t length) {
        uint64_t value;
        if (length > 16) {
            size_t part = (length - 1) / 32 + 1;
            value = length * 0x9E3779B185EBCA87ULL;
            while (part--) {
                value += mixed(at + 16 * part, KEY + 32 * part);
                value += mixed(at + length - 16 * (part + 1), KEY + 32 * part + 16);
            }
            return scattered(value);
        }
        if (length > 8) {
            uint64_t low = word64(at) ^ word64(KEY + 24) ^ word64(KEY + 32);
            uint64_t high = word64(at + length - 8) ^ word64(KEY + 40) ^ word64(KEY + 48);
            return scattered(length + reversed_bytes(low) + high + folded(low, high));
        }
        if (length > 3) {
            value = (word32(at + length - 4) + ((uint64_t)word32(at) << 32)) ^ word64(KEY + 8) ^ word64(KEY + 16);
            value ^= turned(value, 49) ^ turned(value, 24);
            value *= 0x9FB21C651E98DF25ULL;
            value = (value ^ ((value >> 35) + length)) * 0x9FB21C651E98DF25ULL;
            return value ^ value >> 28;
        }
        if (length)
            value = ((uint32_t)at[0] << 16 | (uint32_t)at[length >> 1] << 24 | at[length - 1] | (uint32_t)length << 8)
                ^ (uint64_t)(word32(KEY) ^ word32(KEY + 4));
        else
            value = word64(KEY + 56) ^ word64(KEY + 64);
        value = (value ^ value >> 33) * 0xC2B2AE3D27D4EB4FULL;
        value = (value ^ value >> 29) * 0x165667B19E3779F9ULL;
        return value ^ value >> 32;
    }

    static int by_size(const void *one, const void *other) {
        uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
        return a < b ? -1 : a > b;
    }
    """
    uint64_t xxh3(const uint8_t* at, size_t length) noexcept nogil
    int by_size(const void* one, const void* other) noexcept nogil

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(uint32_t char) noexcept

cdef enum:
    MOST_RANGES = 32

cdef uint64_t _UNSIGNED = 0xFFFFFFFFFFFFFFFF


def lowest(str text not None, Py_ssize_t words, Py_ssize_t low, str cjk not None):
    """Return what `lowest_by_text` returns; the characters in the ranges of `cjk` ("a-bc-d") are words of their own."""
    cdef Py_ssize_t length = len(text), count
    cdef uint8_t* spoken = <uint8_t*>PyMem_Malloc(5 * length + 1)
    cdef Py_ssize_t* ends = <Py_ssize_t*>PyMem_Malloc((length + 1) * sizeof(Py_ssize_t))
    cdef uint64_t* found = <uint64_t*>PyMem_Malloc((length + 1) * sizeof(uint64_t))
    try:
        if not (spoken and ends and found):
            raise MemoryError
        count = _words(text, cjk, spoken, ends)
        count -= words - 1
        return _hashes(spoken, ends, count, words, _UNSIGNED // count * low if count > low > 0 else _UNSIGNED, found), count
    finally:
        PyMem_Free(spoken)
        PyMem_Free(ends)
        PyMem_Free(found)


cdef Py_ssize_t _words(str text, str cjk, uint8_t* spoken, Py_ssize_t* ends):
    """Write the words in UTF-8 with a space behind each, and where each ends; return how many there are."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef uint32_t[2 * MOST_RANGES] ranges
    cdef int n_ranges = min(MOST_RANGES, len(cjk) // 3), number
    cdef Py_ssize_t place, count = 0, at = 0
    cdef uint32_t char
    cdef bint inside = False, alone
    for number in range(n_ranges):
        ranges[2 * number] = ord(cjk[3 * number])
        ranges[2 * number + 1] = ord(cjk[3 * number + 2])
    for place in range(len(text)):
        char = PyUnicode_READ(kind, data, place)
        alone = _is_in(char, ranges, n_ranges)
        if not alone and Py_UNICODE_ISALNUM(char):
            inside = True
            at = _encoded(char, spoken, at)
            continue
        if inside:
            at = _ended(spoken, ends, count, at)
            count += 1
            inside = False
        if alone:
            at = _ended(spoken, ends, count, _encoded(char, spoken, at))
            count += 1
    if inside:
        _ended(spoken, ends, count, at)
        count += 1
    return count


cdef inline bint _is_in(uint32_t char, uint32_t* ranges, int n_ranges) noexcept:
    cdef int number
    if char < 0x1100:  # where the first of them begins
        return False
    for number in range(n_ranges):
        if ranges[2 * number] <= char <= ranges[2 * number + 1]:
            return True
    return False


cdef inline Py_ssize_t _ended(uint8_t* spoken, Py_ssize_t* ends, Py_ssize_t count, Py_ssize_t at) noexcept:
    ends[count] = at
    spoken[at] = 32
    return at + 1


cdef inline Py_ssize_t _encoded(uint32_t char, uint8_t* spoken, Py_ssize_t at) noexcept:
    if char < 0x80:
        spoken[at] = char
        return at + 1
    if char < 0x800:
        spoken[at] = 0xC0 | char >> 6
        spoken[at + 1] = 0x80 | char & 0x3F
        return at + 2
    if char < 0x10000:
        spoken[at] = 0xE0 | char >> 12
        spoken[at + 1] = 0x80 | char >> 6 & 0x3F
        spoken[at + 2] = 0x80 | char & 0x3F
        return at + 3
    spoken[at] = 0xF0 | char >> 18
    spoken[at + 1] = 0x80 | char >> 12 & 0x3F
    spoken[at + 2] = 0x80 | char >> 6 & 0x3F
    spoken[at + 3] = 0x80 | char & 0x3F
    return at + 4


cdef list _hashes(
    uint8_t* spoken, Py_ssize_t* ends, Py_ssize_t shingles, Py_ssize_t words, uint64_t most, uint64_t* found
):
    cdef Py_ssize_t first, start = 0, length, kept = 0, place
    cdef uint64_t value
    cdef list told = []
    for first in range(shingles):
        length = ends[first + words - 1] - start
        if length > 128:
            value = xxh3_64_intdigest(PyBytes_FromStringAndSize(<char*>spoken + start, length))
        else:
            value = xxh3(spoken + start, length)
        if value <= most:
            found[kept] = value
            kept += 1
        start = ends[first] + 1
    qsort(found, kept, sizeof(uint64_t), by_size)
    for place in range(kept):
        if not place or found[place] != found[place - 1]:
            told.append(found[place])
    return told
