# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Texts folded, words counted and a title looked for in C; `texts` says what each gives, and does the same in Python."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcmp, memset

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    bint PyUnicode_IS_ASCII(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t place) nogil
    void PyUnicode_WRITE(int kind, void* data, Py_ssize_t place, Py_UCS4 character) nogil
    object PyUnicode_New(Py_ssize_t size, Py_UCS4 largest)
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil

cdef enum:
    UNFOLDED = 0  # what no character but itself is folded to: here, it says that Python must fold the text
    SLOTS = 4096  # of the table of words; a power of two
    LONGEST = 15  # characters of a word
    MOST_RANGES = 24  # of letters
    MOST_SETS = 255  # of those that have a word
    START = 0x811C9DC5  # of the hash of Fowler, Noll and Vo


cdef uint16_t _folded[65536]
cdef uint16_t _lowered[65536]


def _fill():
    """Note what each character is folded to, where that is one character that takes no less room, and its small form."""
    cdef Py_ssize_t code
    for code in range(1, 65536):
        other = chr(code).casefold()
        is_plain = len(other) == 1 and ord(other) < 65536 and (code < 128 or ord(other) >= 128)
        if is_plain and (code < 256) == (ord(other) < 256):
            _folded[code] = ord(other)
        other = chr(code).lower()
        if len(other) == 1 and ord(other) < 65536 and code != 0x3A3:  # a sigma depends on what follows it
            _lowered[code] = ord(other)


_fill()


def fold(str text not None):
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text), place
    cdef void* source = PyUnicode_DATA(text)
    cdef void* target
    cdef uint32_t character
    cdef str folded
    if PyUnicode_IS_ASCII(text) or kind == 4:
        return text.casefold()
    folded = PyUnicode_New(size, 255 if kind == 1 else 65535)
    target = PyUnicode_DATA(folded)
    for place in range(size):
        character = _folded[PyUnicode_READ(kind, source, place)]
        if character == UNFOLDED:
            return text.casefold()
        PyUnicode_WRITE(kind, target, place, character)
    return folded


def find_shown(
    list texts not None, str wanted not None, Py_ssize_t start, *, Py_ssize_t least, Py_ssize_t most, Py_ssize_t least_part
):
    cdef Py_ssize_t number, size, sought = PyUnicode_GET_LENGTH(wanted)
    cdef Py_ssize_t holds = -1, part = -1
    cdef str text
    for number in range(start, len(texts)):
        text = <str?>texts[number]
        size = PyUnicode_GET_LENGTH(text)
        if size < least or size > most:
            continue
        if not PyUnicode_IS_ASCII(text):
            text = fold(text)
            size = PyUnicode_GET_LENGTH(text)
        if size == sought:
            if _may_hold(text, wanted) and fold(text) == wanted:
                return number, holds, part
        elif size > sought:
            if holds < 0 and _may_hold(text, wanted) and wanted in fold(text):
                holds = number
        elif part < 0 and size >= least_part and _may_hold(wanted, text) and fold(text) in wanted:
            part = number
    return -1, holds, part


cdef bint _may_hold(str text, str sought):
    """Say whether the first and the last character of a text that is no longer stand so far from each other."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t place, end = PyUnicode_GET_LENGTH(sought) - 1
    cdef uint32_t first = _small(PyUnicode_READ(PyUnicode_KIND(sought), PyUnicode_DATA(sought), 0))
    cdef uint32_t last = _small(PyUnicode_READ(PyUnicode_KIND(sought), PyUnicode_DATA(sought), end))
    for place in range(PyUnicode_GET_LENGTH(text) - end):
        if _small(PyUnicode_READ(kind, data, place)) == first and _small(PyUnicode_READ(kind, data, place + end)) == last:
            return True
    return False


cdef inline uint32_t _small(uint32_t character) noexcept nogil:
    """Fold a letter of ASCII; other texts are folded before."""
    return character | 32 if 65 <= character <= 90 else character


cdef class Letters:
    """Ranges of letters, each of a kind."""

    cdef Py_ssize_t _count, _kinds
    cdef uint32_t _firsts[MOST_RANGES]
    cdef uint32_t _lasts[MOST_RANGES]
    cdef int _kind_of[MOST_RANGES]

    def __init__(self, ranges, Py_ssize_t kinds):
        self._count, self._kinds = 0, kinds
        for first, last, kind in ranges:
            if self._count == MOST_RANGES or not 0 <= kind < kinds <= MOST_RANGES:
                raise ValueError("too many ranges, or one of no kind")
            self._firsts[self._count], self._lasts[self._count] = ord(first), ord(last)
            self._kind_of[self._count] = kind
            self._count += 1

    def count(self, str text not None):
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef uint32_t plain[128]
        cdef uint32_t found[MOST_RANGES]
        cdef uint32_t letter
        cdef Py_ssize_t place
        memset(plain, 0, sizeof(plain))
        memset(found, 0, sizeof(found))
        for place in range(PyUnicode_GET_LENGTH(text)):
            letter = PyUnicode_READ(kind, data, place)
            if letter < 128:
                plain[letter] += 1
            else:
                self._add(found, letter, 1)
        for letter in range(128):
            if plain[letter]:
                self._add(found, letter, plain[letter])
        return [found[place] for place in range(self._kinds)]

    cdef inline void _add(self, uint32_t* found, uint32_t letter, uint32_t times) noexcept nogil:
        cdef Py_ssize_t number
        for number in range(self._count):
            if self._firsts[number] <= letter <= self._lasts[number]:
                found[self._kind_of[number]] += times


cdef struct Word:
    uint32_t hash
    uint16_t start  # among the letters of all
    uint8_t size  # 0 of an empty slot
    uint8_t bearers  # number of the set of those that have it


cdef class Ballot:
    """Words and the candidates that each is a vote for."""

    cdef Word _words[SLOTS]
    cdef list _sets
    cdef uint16_t _letters[65536]
    cdef Py_ssize_t _used, _candidates

    def __init__(self, dict bearers not None, Py_ssize_t candidates):
        memset(self._words, 0, sizeof(self._words))
        self._used, self._candidates, self._sets = 0, candidates, []
        if 2 * len(bearers) > SLOTS:
            raise ValueError("too many words")
        for word, those in bearers.items():
            self._enter(word, those)

    cdef _enter(self, str word, tuple those):
        cdef Py_ssize_t place, size = len(word)
        cdef uint32_t mixed = START
        cdef Word* slot
        if those not in self._sets:
            self._sets.append(those)
        if not 0 < size <= LONGEST or len(self._sets) > MOST_SETS or self._used + size > 65535:
            raise ValueError(f"no word, too long a one, or one too many: {word}")
        for place in range(size):
            if ord(word[place]) > 65535:
                raise ValueError(f"{word} has letters of no living language")
            self._letters[self._used + place] = ord(word[place])
            mixed = _mixed(mixed, ord(word[place]))
        slot = self._slot_of(mixed, &self._letters[self._used], size)
        slot.hash, slot.start, slot.size, slot.bearers = mixed, self._used, size, self._sets.index(those)
        self._used += size

    cdef Word* _slot_of(self, uint32_t mixed, const uint16_t* letters, Py_ssize_t size) noexcept nogil:
        """Return the slot of a word, or the empty one where it belongs."""
        cdef uint32_t at = mixed & (SLOTS - 1)
        cdef Word* slot = &self._words[at]
        while slot.size:
            if slot.hash == mixed and slot.size == size:
                if memcmp(&self._letters[slot.start], letters, size * sizeof(uint16_t)) == 0:
                    return slot
            at = (at + 1) & (SLOTS - 1)
            slot = &self._words[at]
        return slot

    def count(self, str text not None):
        votes = self._count(text, True)
        return self._count(text.lower(), False) if votes is None else votes

    cdef _count(self, str text, bint to_lower):
        """Count the words of a text in small letters, or make them so on the way: None where Python must do that."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t place, number, size = 0, end = PyUnicode_GET_LENGTH(text)
        cdef uint32_t mixed = START
        cdef uint16_t letters[LONGEST]
        cdef uint32_t counts[MOST_SETS]
        cdef uint32_t letter
        cdef Word* slot
        memset(counts, 0, sizeof(counts))
        for place in range(end + 1):
            letter = PyUnicode_READ(kind, data, place) if place < end else 32
            if to_lower and letter < 65536:
                if not _lowered[letter]:
                    return None
                letter = _lowered[letter]
            if not Py_UNICODE_ISSPACE(letter):
                if size < LONGEST:
                    letters[size] = <uint16_t>letter
                size += 1 if letter < 65536 else LONGEST + 1
                mixed = _mixed(mixed, letter)
                continue
            if 0 < size <= LONGEST:
                slot = self._slot_of(mixed, letters, size)
                if slot.size:
                    counts[slot.bearers] += 1
            size, mixed = 0, START
        votes = [0] * self._candidates
        for number in range(len(self._sets)):
            if counts[number]:
                for one in <tuple>self._sets[number]:
                    votes[one] += counts[number]
        return votes


cdef inline uint32_t _mixed(uint32_t hash, uint32_t letter) noexcept nogil:
    return (hash ^ letter) * 16777619
