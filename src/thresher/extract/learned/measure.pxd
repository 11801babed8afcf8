cimport cython

cdef dict c_SENSE_OF
cdef frozenset c_CJK_STOPS
cdef tuple c_CJK_PARTS
cdef int c_MAX_WORDS
cdef int c_SENSE
cdef int c_IN_TITLE
cdef int c_IN_SUMMARY
cdef int c_SHORT


@cython.locals(
    place=cython.Py_ssize_t,
    start=cython.Py_ssize_t,
    text=str,
    told=str,
    seen=dict,
    view=cython.double[::1],
    known=dict,
    title_words=frozenset,
)
cpdef measure(list texts, about)

@cython.locals(
    char=cython.Py_UCS4,
    punct=cython.Py_ssize_t,
    ends=cython.Py_ssize_t,
    digits=cython.Py_ssize_t,
    uppers=cython.Py_ssize_t,
    letters=cython.Py_ssize_t,
    cjk=cython.Py_ssize_t,
    quotes=cython.Py_ssize_t,
    stops=cython.Py_ssize_t,
    words=cython.Py_ssize_t,
    in_word=cython.bint,
)
cpdef count_characters(str text, double[::1] rows, Py_ssize_t start)

@cython.locals(place=cython.Py_ssize_t, last=cython.Py_UCS4)
cpdef int last_kind(str text)

@cython.locals(first=cython.Py_UCS4)
cpdef int first_kind(str text)

@cython.locals(known=dict)
cpdef dict known_words(about)

@cython.locals(words=list)
cpdef list first_words(str text)

@cython.locals(
    words=list,
    word=str,
    part=str,
    pair=str,
    stops=cython.int,
    senses=cython.int,
    sense=cython.int,
    hits=cython.int,
    titles=cython.int,
    summary=cython.int,
    is_short=cython.bint,
    cjk=cython.double,
    count=cython.double,
)
cpdef look_up(str text, double[::1] rows, Py_ssize_t start, dict known, frozenset title_words)

@cython.locals(digits=cython.double, place=cython.Py_ssize_t)
cpdef double is_dated(str text, double[::1] rows, Py_ssize_t start)

cpdef double is_told(str text, str told)
