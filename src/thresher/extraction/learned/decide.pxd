cimport cython

cdef int c_WIDTH
cdef int c_LONG
cdef int c_PARAGRAPH
cdef int c__SIZE


@cython.locals(place=cython.Py_ssize_t)
cpdef list likelier(table, double[::1] chances, double cut, double sure)

@cython.locals(
    texts=list,
    owner=cython.int[::1],
    kind=cython.int[::1],
    best=dict,
    text=str,
    place=cython.Py_ssize_t,
    other=cython.Py_ssize_t,
    has_repeats=cython.bint,
)
cpdef list without_repeats(sheet, double[::1] chances, list chosen)

@cython.locals(rows=cython.double[::1], start=cython.Py_ssize_t, number=cython.Py_ssize_t)
cpdef list without_signatures(sheet, list chosen)
