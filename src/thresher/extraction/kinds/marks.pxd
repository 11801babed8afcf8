cimport cython

cdef int c_WIDTH
cdef int c_SUMS
cdef int c_DATE
cdef int c_DATED
cdef int c_COUNT
cdef int c_HEADLINE
cdef int c_PROSE
cdef int c_LINKED
cdef int c_OF_THREAD
cdef int c_PRICE
cdef int c_PROSE_SIZE
cdef int c_HEADLINE_SIZE
cdef int c_COUNT_LETTERS
cdef int c_LABEL_CHARS
cdef double c_SAME_TITLE
cdef dict c_LABELS
cdef int c_MAY_PRICE
cdef int c_MAY_DATE
cdef int c_MAY_FLOOR
cdef int c_SHORT_WHEN
cdef tuple c__AGO
cdef int c_PLACES
cdef int c_ASCII
cdef tuple c_TAKEN


@cython.locals(
    rows=cython.double[::1],
    sums=cython.double[::1],
    texts=list,
    links=cython.int[::1],
    i=cython.Py_ssize_t,
    r=cython.Py_ssize_t,
    s=cython.Py_ssize_t,
    size=cython.double,
    linked=cython.double,
    bits=cython.int,
    named=cython.int,
)
cpdef fill_marks(sheet, int[::1] marks)

@cython.locals(looks=cython.int)
cpdef int read_label(str text, int named, double digits, double letters)

cpdef int label_of(str word)

@cython.locals(start=cython.Py_ssize_t, end=cython.Py_ssize_t, first=cython.Py_ssize_t, last=cython.Py_ssize_t)
cpdef bint may_be_label(str text)

@cython.locals(looks=cython.int, before=cython.Py_UCS4, last=cython.Py_UCS4, char=cython.Py_UCS4)
cpdef int looks_of(str text)

@cython.locals(plain=str, may_tell=cython.bint, word=str)
cpdef bint _tells_when(str text, int looks)
