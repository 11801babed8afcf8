cimport cython

cdef int c_RUNS
cdef int c_SUMS
cdef int c_COLUMNS
cdef int c_DATED
cdef int c_COUNT
cdef int c_HEADLINE
cdef int c_PROSE
cdef int c_LINKED
cdef int c_OF_THREAD
cdef int c_OF_BOARD
cdef int c_PRICE
cdef int c_POST_OWN
cdef int c_ROW_SIZE
cdef int c_MIN_RECORDS
cdef int c_MAX_DILUTED
cdef int c__SIDE
cdef int c_HINTS
cdef double c_SIDE_WEIGHT


@cython.locals(
    images=cython.int[::1],
    sums=cython.double[::1],
    out=cython.double[::1],
    i=cython.Py_ssize_t,
    a=cython.Py_ssize_t,
    b=cython.Py_ssize_t,
    bits=cython.int,
    size=cython.double,
)
cpdef running_counts(sheet, int[::1] marks, int[::1] chosen)

@cython.locals(
    kind=cython.int[::1],
    sums=cython.double[::1],
    around=cython.int[::1],
    first=cython.int[::1],
    end=cython.int[::1],
    out=cython.double[::1],
    e=cython.Py_ssize_t,
    f=cython.Py_ssize_t,
    t=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
    a=cython.Py_ssize_t,
    b=cython.Py_ssize_t,
    size=cython.double,
    own=cython.double,
    dates=cython.double,
    numbers=cython.double,
    heads=cython.double,
    links=cython.double,
    pictures=cython.double,
    prices=cython.double,
)
cpdef count_records(sheet, double[::1] counts)

cpdef add_counts(double[::1] out, Py_ssize_t k, double[::1] counts, Py_ssize_t a, Py_ssize_t b)

@cython.locals(best=cython.Py_ssize_t, top=cython.double, k=cython.Py_ssize_t, count=cython.double, score=cython.double)
cpdef Py_ssize_t best_kind(double[::1] table, Py_ssize_t column, Py_ssize_t mass)
