cimport cython

cdef int c_SUMS
cdef int c_WIDTH
cdef int c_REACH


@cython.locals(i=cython.Py_ssize_t, k=cython.Py_ssize_t)
cpdef copy_rows(float[::1] rows, Py_ssize_t size, float[::1] out, Py_ssize_t width)

@cython.locals(rows=cython.double[::1], sums=cython.double[::1], i=cython.Py_ssize_t, s=cython.Py_ssize_t)
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
    w=cython.Py_ssize_t,
    windows=cython.int[::1],
    step=cython.int,
    window=cython.int,
)
cpdef Py_ssize_t fill_near(
    double[::1] chances, double[::1] sums, float[::1] out, Py_ssize_t at, Py_ssize_t width
)

@cython.locals(mass=cython.double)
cdef fill_window(double[::1] sums, float[::1] out, Py_ssize_t o, Py_ssize_t start, Py_ssize_t end)

cpdef double share(double part, double whole)
