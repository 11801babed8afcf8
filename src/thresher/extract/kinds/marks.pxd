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

cpdef int read_label(str text, int named, double digits, double letters)

cpdef int label_of(str word)
