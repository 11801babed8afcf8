cimport cython

cdef int c_REACH
cdef int c_WIDTH
cdef int c_SUMS


@cython.locals(
    rows=cython.double[::1],
    linked=cython.int[::1],
    shape=cython.int[::1],
    texts=list,
    count=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
    r=cython.Py_ssize_t,
    step=cython.int,
    j=cython.int,
)
cpdef Py_ssize_t fill_neighbours(sheet, float[::1] out, Py_ssize_t at, Py_ssize_t width)

@cython.locals(
    sums=cython.double[::1],
    windows=cython.int[::1],
    count=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
    window=cython.int,
)
cpdef Py_ssize_t fill_windows(sheet, float[::1] out, Py_ssize_t at, Py_ssize_t width)

@cython.locals(a=cython.Py_ssize_t, b=cython.Py_ssize_t, size=cython.double)
cdef fill_window(double[::1] sums, float[::1] out, Py_ssize_t o, Py_ssize_t start, Py_ssize_t end)

@cython.locals(
    rows=cython.double[::1],
    sums=cython.double[::1],
    count=cython.Py_ssize_t,
    largest=cython.double,
    cjk=cython.double,
    told=cython.double,
    size=cython.double,
    size_log=cython.double,
    largest_log=cython.double,
    t=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
    r=cython.Py_ssize_t,
)
cpdef Py_ssize_t fill_page(sheet, float[::1] out, Py_ssize_t at, Py_ssize_t width)
