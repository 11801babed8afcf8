cimport cython

cdef int c_SUMS
cdef int c_WIDTH
cdef int c_REACH


@cython.locals(rows=cython.double[::1], i=cython.Py_ssize_t, s=cython.Py_ssize_t, total=cython.double)
cpdef chance_sums(sheet, double[::1] chances)

@cython.locals(
    rows=cython.double[::1],
    largest=cython.double,
    mass=cython.double,
    size=cython.double,
    i=cython.Py_ssize_t,
)
cpdef double top_chance(sheet, double[::1] chances)

@cython.locals(
    count=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
    step=cython.int,
    window=cython.int,
)
cpdef Py_ssize_t fill_near(
    double[::1] chances, double[::1] sums, float[::1] out, Py_ssize_t at, Py_ssize_t width
)

@cython.locals(mass=cython.double)
cdef fill_window(double[::1] sums, float[::1] out, Py_ssize_t o, Py_ssize_t start, Py_ssize_t end)
