# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The measures of texts in C: the same rows as `measure_texts` gives, from one look at every character.

Words are looked up as they stand in the text, by a code that is made of their characters on the way; none becomes a
Python object, and Python's lock is given up, but for the few words whose lower case is not that of their characters.
"""

from array import array

from cpython cimport array as carray
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from thresher.extraction.learned import measure_texts as _texts
from thresher.extraction.learned.lexicon import CJK_PARTS, CJK_STOPS, DATE, SENSE_OF

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    bint Py_UNICODE_ISSPACE(Py_UCS4 char) nogil
    bint Py_UNICODE_ISALPHA(Py_UCS4 char) nogil
    bint Py_UNICODE_ISDIGIT(Py_UCS4 char) nogil
    bint Py_UNICODE_ISUPPER(Py_UCS4 char) nogil
    bint Py_UNICODE_ISLOWER(Py_UCS4 char) nogil
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 char) nogil

ctypedef unsigned long long Code

ctypedef fused Char:
    unsigned char
    unsigned short
    unsigned int

cdef enum:
    SPACE = 1  # what a character is
    LETTER = 2
    UPPER = 4
    CJK = 8
    STOP = 16
    PUNCT = 32
    END = 64
    DIGIT = 128
    QUOTE = 256
    EDGE = 512
    CLOSER = 1024
    JOIN = 2048
    CASED = 4096  # it has a lower case
    OPENS = 8192  # a phrase of the lexicon starts with it
    ODD = 16384  # its lower case is more than one character, or depends on those around it

cdef enum:
    MOST_PHRASES = 512
    LONGEST_PHRASE = 8
    GRAM = 4  # characters whose codes tell whether a longer text may hold a shorter one
    GRAM_BITS = 18  # of such a code
    ENDS_LENGTH = 30  # characters of a text's start and end that the page's own account may hold

cdef struct Entry:
    Code code
    Py_ssize_t start  # in the characters of all words
    Py_ssize_t size  # 0 where there is none
    int mask

cdef struct Phrase:
    unsigned int chars[LONGEST_PHRASE]
    int size
    int sense
    int next  # phrase whose first character has the same place, or -1

cdef struct Pair:
    unsigned int first
    unsigned int second
    Py_ssize_t met  # last text that it was found in, counted from 1

cdef struct Text:
    void* chars
    Py_ssize_t size
    int kind

cdef struct Counts:
    int stops, senses, hits, titles, summary

cdef unsigned short _classes[65536]
cdef Phrase _phrases[MOST_PHRASES]
cdef int _opening[256]  # first phrase by the last byte of its first character
cdef Code _seed = <Code>(hash("words") & 0xFFFFFFFF) | 1  # another one in every process
cdef Code _SPREAD = 0x9E3779B97F4A7C15
cdef int _MAX_WORDS = _texts.MAX_WORDS
cdef int _SHORT = _texts.SHORT
cdef int _SHORT_DATED = _texts.SHORT_DATED
cdef int _MIN_TOLD = _texts.MIN_TOLD
cdef int _WIDTH = _texts.WIDTH
cdef int _SENSE = _texts.SENSE
cdef int _IN_TITLE = _texts.IN_TITLE
cdef int _IN_SUMMARY = _texts.IN_SUMMARY
cdef int _DATE = DATE
cdef double _EXTRA = _texts.CJK_SIZE - 1
cdef carray.array _no_numbers = array("d")


def measure(list texts not None, about):
    """Return a row of MEASURES for each text, one after the other."""
    cdef Py_ssize_t count = len(texts), place
    cdef carray.array rows = carray.clone(_no_numbers, count * _WIDTH, zero=True)
    cdef double* row = rows.data.as_doubles
    cdef Page page = Page(about)
    cdef Text* pieces = <Text*>malloc((count + 1) * sizeof(Text))
    cdef dict seen = {}
    if not pieces:
        raise MemoryError("no memory for the measures of a page")
    try:
        for place in range(count):
            text = texts[place]
            seen[text] = seen.get(text, 0) + 1
            pieces[place] = Text(PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text))
        with nogil:
            for place in range(count):
                page.fill(&pieces[place], place, row + place * _WIDTH)
    finally:
        free(pieces)
    for place in range(count):
        text = texts[place]
        row[18] = seen[text] - 1
        if row[17] != 0:
            row[17] = _texts.is_told(text, page.told)
        row += _WIDTH
    return rows


cdef class Page:
    """What the texts of one page are compared with: the words of its title and summary, and its own account of them."""

    cdef Words _own
    cdef dict _known  # for the odd ones
    cdef str told
    cdef Py_ssize_t _title_size
    cdef Pair* _pairs
    cdef Py_ssize_t _pairs_mask
    cdef unsigned char* _grams

    def __init__(self, about):
        masks = dict.fromkeys(about.title_words, _IN_TITLE)
        for word in about.summary_words:
            masks[word] = masks.get(word, 0) | _IN_SUMMARY
        self._own = Words(masks)
        self._known = _texts.known_words(about) if any(not word.isascii() for word in masks) else SENSE_OF
        self._title_size = len(about.title_words)
        self._enter_pairs([word for word in about.title_words if len(word) == 2])
        self.told = about.told
        if self.told:
            self._enter_told(self.told)

    def __dealloc__(self):
        free(self._pairs)
        free(self._grams)

    cdef _enter_pairs(self, list words):
        cdef Py_ssize_t room = 4, slot
        if not words:
            return
        while room < 2 * len(words):
            room *= 2
        self._pairs = <Pair*>calloc(room, sizeof(Pair))
        if not self._pairs:
            raise MemoryError("no memory for the words of a title")
        self._pairs_mask = room - 1
        for word in words:
            slot = _pair_slot(ord(word[0]), ord(word[1])) & self._pairs_mask
            while self._pairs[slot].first:
                slot = (slot + 1) & self._pairs_mask
            self._pairs[slot] = Pair(ord(word[0]), ord(word[1]), 0)

    cdef _enter_told(self, str told):
        cdef int kind = PyUnicode_KIND(told)
        cdef void* chars = PyUnicode_DATA(told)
        self._grams = <unsigned char*>calloc(1 << (GRAM_BITS - 3), 1)
        if not self._grams:
            raise MemoryError("no memory for the text that a page tells of")
        if kind == 1:
            _enter_grams(<const unsigned char*>chars, len(told), self._grams)
        elif kind == 2:
            _enter_grams(<const unsigned short*>chars, len(told), self._grams)
        else:
            _enter_grams(<const unsigned int*>chars, len(told), self._grams)

    cdef int fill(self, Text* text, Py_ssize_t place, double* row) except -1 nogil:
        if text.kind == 1:
            _fill(self, <const unsigned char*>text.chars, text.size, place, row)
        elif text.kind == 2:
            _fill(self, <const unsigned short*>text.chars, text.size, place, row)
        else:
            _fill(self, <const unsigned int*>text.chars, text.size, place, row)
        return 0

    cdef int odd_mask(self, const unsigned int* chars, Py_ssize_t size) except -1 with gil:
        """Return the mask of a word whose lower case Python must tell."""
        word = "".join([chr(chars[place]) for place in range(size)]).lower()
        mask = self._known.get(word, 0)
        sense = mask & _SENSE
        if sense == 0:
            sense = self._known.get(word.strip(_texts.EDGES), 0) & _SENSE
        return (mask & ~_SENSE) | sense


cdef class Words:
    """Words and their masks, found by the codes of their characters."""

    cdef Entry* _entries
    cdef unsigned int* _chars
    cdef int _shift
    cdef Py_ssize_t _last

    def __init__(self, dict masks):
        cdef Py_ssize_t room = 4, slot, at = 0, size, place
        cdef int bits = 2
        cdef Code code
        while room < 2 * len(masks):
            room, bits = 2 * room, bits + 1
        self._entries = <Entry*>calloc(room, sizeof(Entry))
        self._chars = <unsigned int*>malloc((sum(map(len, masks)) + 1) * sizeof(unsigned int))
        if not self._entries or not self._chars:
            raise MemoryError("no memory for words")
        self._shift, self._last = 64 - bits, room - 1
        for word, mask in masks.items():
            size, code = len(word), _seed
            for place in range(size):
                self._chars[at + place] = ord(word[place])
                code = (code ^ self._chars[at + place]) * _SPREAD
            slot = <Py_ssize_t>(code >> self._shift)
            while self._entries[slot].size:
                slot = (slot + 1) & self._last
            self._entries[slot] = Entry(code, at, size, mask)
            at += size

    def __dealloc__(self):
        free(self._entries)
        free(self._chars)


cdef Words _lexicon = Words(SENSE_OF)


cdef inline int _mask_in(Words words, const Char* word, Py_ssize_t size, Code code) noexcept nogil:
    cdef Py_ssize_t slot = <Py_ssize_t>(code >> words._shift)
    cdef const Entry* entry = &words._entries[slot]
    while entry.size:
        if entry.code == code and entry.size == size and _is_lower_of(&words._chars[entry.start], word, size):
            return entry.mask
        slot = (slot + 1) & words._last
        entry = &words._entries[slot]
    return 0


cdef inline bint _is_lower_of(const unsigned int* lower, const Char* word, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t place
    for place in range(size):
        if lower[place] != _lower(word[place]):
            return False
    return True


cdef inline unsigned int _lower(unsigned int char) noexcept nogil:
    if char < 128:
        return char + 32 if 65 <= char <= 90 else char
    return Py_UNICODE_TOLOWER(char) if _class_of(char) & CASED else char


cdef inline int _class_of(unsigned int char) noexcept nogil:
    return _classes[char] if char < 65536 else _class_by_python(char)


cdef int _class_by_python(unsigned int char) noexcept nogil:
    """Say what Python takes a character for; the signs that are named one by one are entered after it."""
    cdef int bits = CASED if Py_UNICODE_TOLOWER(char) != char else 0
    if Py_UNICODE_ISSPACE(char):
        bits |= SPACE
    if Py_UNICODE_ISDIGIT(char):
        bits |= DIGIT
    if Py_UNICODE_ISALPHA(char):
        if 0x3041 <= char <= 0x30FF or 0x3400 <= char <= 0x9FFF or 0xAC00 <= char <= 0xD7AF:
            bits |= CJK
        else:
            bits |= LETTER | (UPPER if Py_UNICODE_ISUPPER(char) else 0)
    return bits


cdef int _fill(Page page, const Char* text, Py_ssize_t size, Py_ssize_t number, double* row) except -1 nogil:
    """Measure one text."""
    cdef int punct = 0, ends = 0, digits = 0, uppers = 0, letters = 0, cjk = 0, quotes = 0, stops = 0, words = 0
    cdef int bits, odd = 0
    cdef Py_ssize_t place, start = -1
    cdef Code code = _seed
    cdef Counts counts
    cdef double all_words
    memset(&counts, 0, sizeof(Counts))
    for place in range(size):
        bits = _class_of(text[place])
        if bits & SPACE:
            if start >= 0 and words <= _MAX_WORDS:
                _count_word(page, text + start, place - start, code, odd, &counts)
            start = -1
            continue
        if start < 0:
            start, code, odd = place, _seed, 0
            words += 1
        code = (code ^ (_lower(text[place]) if bits & CASED else text[place])) * _SPREAD
        if bits & LETTER:
            letters += 1
            if bits & UPPER:
                uppers += 1
                odd |= bits
        elif bits & CJK:
            cjk += 1
            if bits & STOP:
                stops += 1
        elif bits & PUNCT:
            punct += 1
            if bits & END:
                ends += 1
        elif bits & DIGIT:
            digits += 1
        elif bits & QUOTE:
            quotes += 1
    if start >= 0 and words <= _MAX_WORDS:
        _count_word(page, text + start, size - start, code, odd, &counts)
    if cjk > 0 and size < _SHORT:
        _find_phrases(text, size, &counts)
        if page._pairs:
            _find_pairs(page, text, size, number + 1, &counts)
    all_words = words + cjk / 2.0
    row[0] = size + _EXTRA * cjk
    row[1] = all_words
    row[2], row[3], row[4], row[5] = punct, ends, stops + counts.stops, digits
    row[6], row[7], row[8], row[9] = uppers, letters, cjk, quotes
    row[10], row[11] = _last_kind(text, size), _first_kind(text[0] if size else 0)
    row[12], row[13], row[14] = counts.senses, counts.hits, min(words, _MAX_WORDS)
    row[15] = min(1.0, counts.titles / all_words) if all_words > 0 else 0.0
    row[16] = min(1.0, counts.titles / <double>page._title_size) if size < _SHORT and page._title_size else 0.0
    row[19] = counts.titles
    row[20] = min(1.0, counts.summary / all_words) if all_words > 0 else 0.0
    row[21] = 1.0 if 1 <= digits and size < _SHORT_DATED and _is_dated(text, size, digits, counts.senses) else 0.0
    if page._grams:
        row[17] = _may_be_told(page._grams, text, size)
    return 0


cdef int _count_word(
    Page page, const Char* word, Py_ssize_t size, Code code, int odd, Counts* counts
) except -1 nogil:
    cdef int mask, sense
    if odd & ODD:
        mask = _odd_mask(page, word, size)
    else:
        mask = _mask_in(_lexicon, word, size, code) | _mask_in(page._own, word, size, code)
        if not mask & _SENSE and (_class_of(word[0]) & EDGE or _class_of(word[size - 1]) & EDGE):
            mask |= _stripped_mask(page, word, size) & _SENSE
    if mask & _IN_TITLE:
        counts.titles += 1
    if mask & _IN_SUMMARY:
        counts.summary += 1
    sense = mask & _SENSE
    if sense & 1:
        counts.stops += 1
    if sense > 1:
        counts.senses |= sense
        counts.hits += 1
    return 0


cdef int _stripped_mask(Page page, const Char* word, Py_ssize_t size) noexcept nogil:
    """Return the senses of a word without the signs at its edges."""
    cdef Code code = _seed
    cdef Py_ssize_t place
    while size and _class_of(word[0]) & EDGE:
        word += 1
        size -= 1
    while size and _class_of(word[size - 1]) & EDGE:
        size -= 1
    for place in range(size):
        code = (code ^ _lower(word[place])) * _SPREAD
    return _mask_in(_lexicon, word, size, code) if size else 0


cdef int _odd_mask(Page page, const Char* word, Py_ssize_t size) except -1 nogil:
    cdef unsigned int* chars = <unsigned int*>malloc(size * sizeof(unsigned int))
    cdef Py_ssize_t place
    cdef int mask
    if not chars:
        with gil:
            raise MemoryError("no memory for a word")
    for place in range(size):
        chars[place] = word[place]
    try:
        mask = page.odd_mask(chars, size)
    finally:
        free(chars)
    return mask


cdef void _find_phrases(const Char* text, Py_ssize_t size, Counts* counts) noexcept nogil:
    """Count the phrases of the lexicon that the text holds, each once."""
    cdef unsigned char met[MOST_PHRASES]
    cdef bint any = False
    cdef Py_ssize_t place
    cdef int phrase
    for place in range(size):
        if not _class_of(text[place]) & OPENS:
            continue
        phrase = _opening[text[place] & 255]
        while phrase >= 0:
            if _starts_with(text + place, size - place, &_phrases[phrase]):
                if not any:
                    memset(met, 0, sizeof(met))
                    any = True
                if not met[phrase]:
                    met[phrase] = 1
                    counts.senses |= _phrases[phrase].sense
                    counts.hits += 1
            phrase = _phrases[phrase].next


cdef inline bint _starts_with(const Char* text, Py_ssize_t size, const Phrase* phrase) noexcept nogil:
    cdef int place
    if phrase.size > size:
        return False
    for place in range(phrase.size):
        if text[place] != phrase.chars[place]:
            return False
    return True


cdef void _find_pairs(Page page, const Char* text, Py_ssize_t size, Py_ssize_t number, Counts* counts) noexcept nogil:
    """Count the words of two characters of the title that the text holds, each once."""
    cdef Py_ssize_t place, slot
    cdef Pair* pair
    for place in range(size - 1):
        slot = _pair_slot(text[place], text[place + 1]) & page._pairs_mask
        pair = &page._pairs[slot]
        while pair.first:
            if pair.first == text[place] and pair.second == text[place + 1]:
                if pair.met != number:
                    pair.met = number
                    counts.titles += 1
                break
            slot = (slot + 1) & page._pairs_mask
            pair = &page._pairs[slot]


cdef inline Py_ssize_t _pair_slot(unsigned int first, unsigned int second) noexcept nogil:
    return <Py_ssize_t>((((_seed ^ first) * _SPREAD) ^ second) * _SPREAD >> 32)


cdef bint _is_dated(const Char* text, Py_ssize_t size, int digits, int senses) noexcept nogil:
    cdef Py_ssize_t place
    if senses & _DATE:
        return True
    if digits >= 4:
        for place in range(1, size - 1):
            if _class_of(text[place]) & JOIN and _class_of(text[place - 1]) & DIGIT:
                return True
    return False


cdef int _last_kind(const Char* text, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t place = size - 1
    cdef int bits
    while place > 0 and _class_of(text[place]) & (CLOSER | SPACE):
        place -= 1
    if place < 0:
        return 0
    bits = _class_of(text[place])
    if bits & END:
        return 3
    if text[place] == 58 or text[place] == 0xFF1A:
        return 2
    return 1 if bits & PUNCT else 0


cdef int _first_kind(unsigned int first) noexcept nogil:
    if Py_UNICODE_ISUPPER(first):
        return 0
    if Py_UNICODE_ISLOWER(first):
        return 1
    if Py_UNICODE_ISDIGIT(first):
        return 2
    if _class_of(first) & QUOTE:
        return 3
    return 4 if Py_UNICODE_ISALPHA(first) else 5


cdef void _enter_grams(const Char* text, Py_ssize_t size, unsigned char* grams) noexcept nogil:
    cdef Py_ssize_t place
    cdef unsigned int code
    for place in range(size - GRAM + 1):
        code = _gram(text[place], text[place + 1], text[place + 2], text[place + 3])
        grams[code >> 3] |= 1 << (code & 7)


cdef inline unsigned int _gram(unsigned int a, unsigned int b, unsigned int c, unsigned int d) noexcept nogil:
    return (((a * 31 + b) * 1021 + c) * 31 + d) * 2654435761U >> (32 - GRAM_BITS)


cdef int _may_be_told(const unsigned char* grams, const Char* text, Py_ssize_t size) noexcept nogil:
    """Say whether the page's own account may hold a text's start or end: 0 where it cannot."""
    cdef unsigned int first[ENDS_LENGTH]
    cdef unsigned int last[ENDS_LENGTH]
    cdef Py_ssize_t at = 0
    cdef int count = 0, back = 0
    while at < size and count < ENDS_LENGTH:
        if not _class_of(text[at]) & SPACE:
            first[count] = text[at]
            count += 1
        at += 1
    if count < _MIN_TOLD:
        return 0
    if _has_grams(grams, first, count):
        return 1
    at = size
    while at > 0 and back < ENDS_LENGTH:
        at -= 1
        if not _class_of(text[at]) & SPACE:
            back += 1
            last[ENDS_LENGTH - back] = text[at]
    return _has_grams(grams, &last[ENDS_LENGTH - back], back)


cdef bint _has_grams(const unsigned char* grams, const unsigned int* chars, int count) noexcept nogil:
    cdef unsigned int code
    cdef int place = 0
    while place + GRAM <= count:
        code = _gram(chars[place], chars[place + 1], chars[place + 2], chars[place + 3])
        if not grams[code >> 3] >> (code & 7) & 1:
            return False
        place += GRAM
    return True


def _enter_classes():
    """Fill the table of characters from what Python says of them, and from the signs that the measures name."""
    cdef unsigned int char
    for char in range(65536):
        _classes[char] = _class_by_python(char)
    named = (
        (PUNCT, _texts.PUNCT),
        (END, _texts.ENDS),
        (CLOSER, _texts.CLOSERS),
        (QUOTE, _texts.QUOTES),
        (JOIN, _texts.JOINS),
        (EDGE, _texts.EDGES),
        (STOP, CJK_STOPS),
        (OPENS, [phrase[0] for phrase, _ in CJK_PARTS]),
        (ODD, "\u0130\u03a3"),
    )
    for bit, chars in named:
        for sign in chars:
            _classes[ord(sign)] |= <int>bit


def _enter_phrases():
    assert len(CJK_PARTS) <= MOST_PHRASES
    for place in range(256):
        _opening[place] = -1
    for place, (chars, sense) in enumerate(CJK_PARTS):
        assert len(chars) <= LONGEST_PHRASE
        _phrases[place].size, _phrases[place].sense = len(chars), sense
        for at, char in enumerate(chars):
            _phrases[place].chars[at] = ord(char)
        _phrases[place].next = _opening[ord(chars[0]) & 255]
        _opening[ord(chars[0]) & 255] = place


_enter_classes()
_enter_phrases()
