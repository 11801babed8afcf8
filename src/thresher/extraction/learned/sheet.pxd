cimport cython

cdef int c_WIDTH
cdef int c_SUMS
cdef int c_LONG
cdef int c_LABEL
cdef int c_COMMENT


@cython.locals(
    count=cython.Py_ssize_t,
    texts=list,
    sums=cython.double[::1],
    linked_chars=cython.int[::1],
    i=cython.Py_ssize_t,
    row=cython.Py_ssize_t,
    s=cython.Py_ssize_t,
    after=cython.Py_ssize_t,
    size=cython.double,
    linked=cython.double,
    is_prose=cython.bint,
)
cpdef running_sums(table, double[::1] rows)

@cython.locals(
    parent=cython.int[::1],
    tag=cython.int[::1],
    hints=cython.int[::1],
    around=cython.int[::1],
    marks=cython.int[::1],
    depth=cython.int[::1],
    path=cython.int[::1],
    kind=cython.int[::1],
    paths=dict,
    kinds=dict,
    e=cython.Py_ssize_t,
    up=cython.int,
    above=cython.longlong,
    kind_above=cython.longlong,
)
cpdef inherit(sheet)

# The keys take more than 32 bits, so parents and kinds stay numbers of Python here.
@cython.locals(likes=cython.int[::1], counts=dict, e=cython.Py_ssize_t)
cpdef count_likes(sheet)
