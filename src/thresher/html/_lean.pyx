# cython: language_level=3, boundscheck=False, wraparound=False
"""Markup without what nothing reads, in C: what `lean` makes with expressions."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.string cimport memchr, memcpy

from thresher.html.lean_words import CUT, DATA, ENDLESS, HIDING, RAW, READ

cdef enum:
    SPACE = 1  # what a byte is
    ENDS_TAG_NAME = 2  # white space, "/" and ">"
    ENDS_NAME = 4  # these and "="
    LETTER = 8

cdef enum:
    SLOTS = 512  # of a table of names; a power of two, much larger than their number
    LONGEST = 31  # bytes of a name
    HOMES = 2  # elements that an attribute is read of, at most

cdef enum:
    KEPT = 1  # what becomes of an attribute, or of what an element holds
    LEFT = 2
    KEPT_HERE = 3  # in some elements alone
    KEPT_HIDING = 4  # if it may hide the element
    ENDS_NEVER = 5

cdef struct Name:
    int size
    int fate
    unsigned char text[LONGEST + 1]
    int homes
    int home_size[HOMES]
    unsigned char home[HOMES][LONGEST + 1]  # the elements that an attribute is read of

cdef struct State:
    const unsigned char* end
    const unsigned char* kept  # what comes from here is not yet written
    unsigned char* out
    Py_ssize_t tags
    Py_ssize_t attributes  # of the long tag that has most of them
    Py_ssize_t long_tag
    Py_ssize_t most  # bytes that are kept of a script
    bint has_base
    bint failed  # it cannot be told where a script ends

cdef unsigned char _kinds[256]
cdef Name _attributes[SLOTS]
cdef Name _elements[SLOTS]
cdef Name _data, _hiding  # words that values are searched for


def lean(bytes markup not None, Py_ssize_t long_tag, Py_ssize_t most):
    """Return what `lean_by_expressions` returns."""
    cdef State state
    cdef Py_ssize_t size = len(markup)
    cdef bytes made = PyBytes_FromStringAndSize(NULL, size)
    cdef unsigned char* room = <unsigned char*>PyBytes_AS_STRING(made)
    state.kept = <const unsigned char*>PyBytes_AS_STRING(markup)
    state.end = state.kept + size
    state.out = room
    state.tags = state.attributes = 0
    state.long_tag, state.most = long_tag, most
    state.has_base = state.failed = False
    with nogil:
        _pass_over(&state)
    if state.failed:
        return None
    return made[: state.out - room], state.tags, state.attributes, bool(state.has_base)


cdef void _pass_over(State* state) noexcept nogil:
    cdef const unsigned char* at = state.kept
    cdef const unsigned char* end = state.end
    while at and not state.failed:
        at = <const unsigned char*>memchr(at, b"<", end - at)
        if not at:
            break
        state.tags += 1
        at += 1
        if at == end:
            break
        if _kinds[at[0]] & LETTER:
            at = _past_tag(state, at)
        elif at[0] == b"/" and end - at > 1 and _kinds[at[1]] & LETTER:
            at = _past_end_tag(at + 1, end)
        elif at[0] == b"!" and end - at > 2 and at[1] == b"-" and at[2] == b"-":
            at = _past_comment(state, at + 3)
        elif at[0] == b"!" or at[0] == b"?" or at[0] == b"/":
            at = <const unsigned char*>memchr(at, b">", end - at)
    _write(state, end)


cdef inline void _write(State* state, const unsigned char* end) noexcept nogil:
    """Write what has been passed over since the last that was left out."""
    memcpy(state.out, state.kept, end - state.kept)
    state.out += end - state.kept


cdef const unsigned char* _past_tag(State* state, const unsigned char* start) noexcept nogil:
    """Pass over a start tag, and over what a raw element holds; NULL where the page ends in it."""
    cdef const unsigned char* at = start
    cdef const unsigned char* end = state.end
    cdef const unsigned char* name
    cdef const unsigned char* name_end
    cdef const unsigned char* kept = state.kept
    cdef unsigned char* out = state.out
    cdef Py_ssize_t attributes = 0, size
    cdef bint closes_itself = False, has_style = False
    cdef Name* element
    while at < end and not _kinds[at[0]] & ENDS_TAG_NAME:
        at += 1
    size = at - start
    while at < end and at[0] != b">":
        if _kinds[at[0]] & ENDS_TAG_NAME:
            closes_itself = at[0] == b"/"
            at += 1
            continue
        closes_itself = False
        attributes += 1
        name = at
        at += 1  # "=" may begin a name
        while at < end and not _kinds[at[0]] & ENDS_NAME:
            at += 1
        name_end = at
        at = _past_value(at, end)
        if not _is_read(name, name_end, at, start, size, &has_style):
            _write(state, name)
            if not _kinds[(name - 1)[0]] & SPACE:
                state.out[0] = b" "
                state.out += 1
            state.kept = at
    if at - start > state.long_tag and attributes > state.attributes:
        state.attributes = attributes
    if at >= end:
        state.kept, state.out = kept, out
        return NULL
    element = _found(_elements, start, size)
    if not element or closes_itself and element.fate != KEPT_HERE:
        return at + 1
    if element.fate == KEPT_HERE:  # <base>
        state.has_base = True
        return at + 1
    return _past_raw(state, element, start, at + 1)


cdef inline bint _is_read(
    const unsigned char* name,
    const unsigned char* name_end,
    const unsigned char* end,
    const unsigned char* tag,
    Py_ssize_t tag_size,
    bint* has_style,
) noexcept nogil:
    cdef Name* known = _found(_attributes, name, name_end - name)
    if not known:
        return False
    if known.fate == KEPT_HERE:
        return _is_home(known, 0, tag, tag_size) or _is_home(known, 1, tag, tag_size)
    if known.fate == KEPT_HIDING:
        if has_style[0]:  # only the first counts
            return False
        has_style[0] = True
        return _holds(name_end, end, &_hiding)
    return True


cdef inline bint _is_home(Name* known, int place, const unsigned char* tag, Py_ssize_t size) noexcept nogil:
    return place < known.homes and size == known.home_size[place] and _is_same(tag, known.home[place], size)


cdef const unsigned char* _past_value(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """Pass over the value of an attribute whose name ends here, if it has one."""
    cdef const unsigned char* after = at
    while after < end and _kinds[after[0]] & SPACE:
        after += 1
    if after >= end or after[0] != b"=":
        return at
    at = after + 1
    while at < end and _kinds[at[0]] & SPACE:
        at += 1
    if at < end and (at[0] == b'"' or at[0] == b"'"):
        after = <const unsigned char*>memchr(at + 1, at[0], end - at - 1)
        return after + 1 if after else end
    while at < end and at[0] != b">" and not _kinds[at[0]] & SPACE:
        at += 1
    return at


cdef const unsigned char* _past_end_tag(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """Pass over an end tag, which may have attributes too; NULL where the page ends in it."""
    while at < end and not _kinds[at[0]] & ENDS_TAG_NAME:
        at += 1
    while at < end and at[0] != b">":
        if _kinds[at[0]] & ENDS_TAG_NAME:
            at += 1
            continue
        at += 1
        while at < end and not _kinds[at[0]] & ENDS_NAME:
            at += 1
        at = _past_value(at, end)
    return at + 1 if at < end else NULL


cdef const unsigned char* _past_comment(State* state, const unsigned char* start) noexcept nogil:
    """Leave out what a comment holds; NULL where it does not end."""
    cdef const unsigned char* at = start
    cdef const unsigned char* end = state.end
    if at < end and at[0] == b">":
        return at + 1
    if end - at > 1 and at[0] == b"-" and at[1] == b">":
        return at + 2
    while True:
        at = <const unsigned char*>memchr(at, b"-", end - at)
        if not at or end - at < 3:
            return NULL
        if at[1] == b"-" and (at[2] == b">" or end - at > 3 and at[2] == b"!" and at[3] == b">"):
            break
        at += 1
    _write(state, start)
    memcpy(state.out, b"-->", 3)
    state.out += 3
    state.kept = at + (3 if at[2] == b">" else 4)
    return state.kept


cdef const unsigned char* _past_raw(
    State* state, Name* element, const unsigned char* tag, const unsigned char* start
) noexcept nogil:
    """Pass over the text of a raw element up to its end tag, and leave it out if it is not read; NULL without end."""
    cdef const unsigned char* at = start
    cdef const unsigned char* end = state.end
    cdef bint is_script = element.size == 6 and element.fate == LEFT, is_escaped = False, is_nested = False
    cdef int size = element.size
    if element.fate == ENDS_NEVER:
        return NULL
    while True:
        at = <const unsigned char*>memchr(at, b"<", end - at)
        if not at or end - at < size + 3:
            return NULL
        if at[1] == b"/" and _kinds[at[2 + size]] & ENDS_TAG_NAME and _is_same(at + 2, element.text, size):
            break
        if is_script and at[1] == b"!" and at[2] == b"-" and at[3] == b"-":
            is_escaped = True
        # The next end tag may be that of a script inside a script's comment.
        is_nested |= is_escaped and _is_same(at + 1, element.text, size)
        at += 1
    if is_nested:
        state.failed = True
        return NULL
    if element.fate == LEFT and at - start > state.most and not (is_script and _holds(tag, start, &_data)):
        start += state.most
        while start[0] & 0xC0 == 0x80:  # not inside a character
            start -= 1
        _write(state, start)
        state.kept = at
    return at


cdef inline bint _is_same(const unsigned char* text, const unsigned char* name, Py_ssize_t size) noexcept nogil:
    """Say whether a text is a name but for upper case; names have no bytes that others become by the added bit."""
    cdef Py_ssize_t place
    for place in range(size):
        if text[place] | 32 != name[place]:
            return False
    return True


cdef bint _holds(const unsigned char* at, const unsigned char* end, Name* word) noexcept nogil:
    """Say whether a text holds a word in any case, or may hold it as entities."""
    while at < end:
        if at[0] == b"&" or at[0] | 32 == word.text[0] and end - at >= word.size and _is_same(at, word.text, word.size):
            return True
        at += 1
    return False


cdef inline Py_ssize_t _slot(const unsigned char* name, Py_ssize_t size) noexcept nogil:
    return (
        size * 67 + (name[0] | 32) * 5 + (name[size - 1] | 32) * 31 + (name[size >> 1] | 32) * 17
    ) & (SLOTS - 1)


cdef inline Name* _found(Name* table, const unsigned char* name, Py_ssize_t size) noexcept nogil:
    """Return a name's entry; NULL for one without."""
    cdef Py_ssize_t slot
    if size > LONGEST:
        return NULL
    slot = _slot(name, size)
    while table[slot].size:
        if table[slot].size == size and _is_same(name, table[slot].text, size):
            return &table[slot]
        slot = (slot + 1) & (SLOTS - 1)
    return NULL


cdef _enter(Name* table, str name, int fate, tuple homes=()):
    cdef bytes word = name.encode(), where
    cdef int place
    cdef Py_ssize_t slot = _slot(word, len(word))
    while table[slot].size:
        slot = (slot + 1) & (SLOTS - 1)
    _fill(&table[slot], word)
    table[slot].fate = fate
    table[slot].homes = len(homes)
    for place in range(min(len(homes), HOMES)):
        where = homes[place].encode()
        table[slot].home_size[place] = len(where)
        memcpy(table[slot].home[place], <const char*>where, len(where))


cdef _fill(Name* name, bytes word):
    name.size = len(word)
    memcpy(name.text, <const char*>word, len(word))


cdef _enter_words():
    cdef int code
    for code in range(256):
        byte = bytes((code,))
        _kinds[code] = (
            (SPACE | ENDS_TAG_NAME | ENDS_NAME if byte in b" \t\n\r\f" else 0)
            | (ENDS_TAG_NAME | ENDS_NAME if byte in b"/>" else 0)
            | (ENDS_NAME if byte == b"=" else 0)
            | (LETTER if byte.isalpha() else 0)
        )
    for name, homes in READ.items():
        assert len(homes) <= HOMES
        _enter(_attributes, name, KEPT_HERE if homes else KEPT, homes)
    _enter(_attributes, "style", KEPT_HIDING)
    for name in RAW:
        _enter(_elements, name, LEFT if name in CUT else KEPT)
    _enter(_elements, ENDLESS, ENDS_NEVER)
    _enter(_elements, "base", KEPT_HERE)
    _fill(&_data, DATA.encode())
    _fill(&_hiding, HIDING.encode())


_enter_words()
