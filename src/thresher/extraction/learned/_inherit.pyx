# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""What every element has from those around it, in C: the columns that `inherit` and `count_likes` of `sheet` fill."""

from libc.stdlib cimport calloc, free

ctypedef unsigned long long Key

cdef struct Slot:
    Key key  # one more than the key that it stands for; 0 where there is none
    int value

cdef struct Numbers:
    Slot* slots
    int shift
    Py_ssize_t last
    int count

cdef Key _SPREAD = 0x9E3779B97F4A7C15


def fill(sheet, const int[::1] mark_of_tag not None):
    """Fill the columns of a sheet's elements; parents stand before their children."""
    cdef const int[::1] parent = sheet.table.parent, tag = sheet.table.tag, hints = sheet.table.hints
    cdef int[::1] around = sheet.around, marks = sheet.marks, depth = sheet.depth
    cdef int[::1] path = sheet.path, kind = sheet.kind, likes = sheet.likes
    cdef Py_ssize_t count = tag.shape[0], e
    cdef int up
    cdef Key above, kind_above
    cdef Numbers paths, kinds, same
    if _open(&paths, count) + _open(&kinds, count) + _open(&same, count) < 3:
        _close(&paths, &kinds, &same)
        raise MemoryError("no memory for the elements of a page")
    with nogil:
        for e in range(count):
            up = parent[e]
            around[e] = hints[e]
            marks[e] = mark_of_tag[tag[e]]
            above = kind_above = 0
            if up >= 0:
                around[e] |= around[up]
                marks[e] |= marks[up]
                depth[e] = depth[up] + 1
                above, kind_above = path[up] + 1, kind[up] + 1
            path[e] = _number_of(&paths, above << 6 | tag[e])
            kind[e] = _number_of(&kinds, (kind_above << 6 | tag[e]) << 20 | hints[e])
            _slot_of(&same, <Key>(up + 1) << 32 | kind[e]).value += 1
        for e in range(count):
            likes[e] = _slot_of(&same, <Key>(parent[e] + 1) << 32 | kind[e]).value
    sheet.paths, sheet.kinds = paths.count, kinds.count
    _close(&paths, &kinds, &same)


cdef int _open(Numbers* numbers, Py_ssize_t count) noexcept:
    cdef int bits = 3
    while (<Py_ssize_t>1 << bits) < 2 * count:
        bits += 1
    numbers.shift, numbers.last, numbers.count = 64 - bits, (<Py_ssize_t>1 << bits) - 1, 0
    numbers.slots = <Slot*>calloc(numbers.last + 1, sizeof(Slot))
    return numbers.slots != NULL


cdef void _close(Numbers* one, Numbers* two, Numbers* three) noexcept:
    free(one.slots)
    free(two.slots)
    free(three.slots)


cdef inline Slot* _slot_of(Numbers* numbers, Key key) noexcept nogil:
    """Return the slot of a key, which is new where its key is not yet counted."""
    cdef Py_ssize_t place = <Py_ssize_t>(key * _SPREAD >> numbers.shift)
    key += 1
    while numbers.slots[place].key and numbers.slots[place].key != key:
        place = (place + 1) & numbers.last
    numbers.slots[place].key = key
    return &numbers.slots[place]


cdef inline int _number_of(Numbers* numbers, Key key) noexcept nogil:
    """Number the keys in the order in which they come."""
    cdef Slot* slot = _slot_of(numbers, key)
    if not slot.value:
        numbers.count += 1
        slot.value = numbers.count
    return slot.value - 1
