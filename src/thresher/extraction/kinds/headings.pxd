cimport cython

cdef int c_WIDTH
cdef int c_RUNS
cdef int c_LINKED
cdef int c_PROSE
cdef int c_OF_LIST
cdef int c_OF_SHOP
cdef int c_OF_ARTICLE
cdef int c_FIRST_HEADING
cdef int c_LAST_HEADING
cdef double c_SAME_TITLE


@cython.locals(i=cython.Py_ssize_t, lists=cython.double, shops=cython.double, articles=cython.double)
cpdef fill_labels(int[::1] marks, float[::1] out)

@cython.locals(
    rows=cython.double[::1],
    shape=cython.int[::1],
    count=cython.Py_ssize_t,
    first=cython.Py_ssize_t,
    last=cython.Py_ssize_t,
    title=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    linked=cython.double,
    plain=cython.double,
    own_linked=cython.double,
    own_plain=cython.double,
    is_own=cython.bint,
)
cpdef fill_heads(sheet, int[::1] marks, int[::1] chosen, double[::1] counts, float[::1] out)
