cimport cython

cdef int c_SUMS
cdef int c_LEVELS
cdef double c_ALPHA
cdef int c__LEVEL
cdef int c__GROUP
cdef int c__GOOD
cdef int c__BAD
cdef int c__COMMENT


@cython.locals(
    sums=cython.double[::1],
    likes=cython.int[::1],
    parent=cython.int[::1],
    tag=cython.int[::1],
    hints=cython.int[::1],
    first=cython.int[::1],
    end=cython.int[::1],
    tags=cython.int[::1],
    owner=cython.int[::1],
    i=cython.Py_ssize_t,
    e=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
    a=cython.Py_ssize_t,
    b=cython.Py_ssize_t,
    _=cython.int,
    own=cython.double,
    size=cython.double,
    words=cython.double,
)
cpdef Py_ssize_t fill_levels(sheet, float[::1] out, Py_ssize_t at, Py_ssize_t width)

@cython.locals(
    sums=cython.double[::1],
    owner=cython.int[::1],
    kept=cython.double[::1],
    count=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
    s=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
    valid=cython.double,
)
cpdef Py_ssize_t fill_groups(sheet, int[::1] group, float[::1] out, Py_ssize_t at, Py_ssize_t width)

@cython.locals(
    sums=cython.double[::1],
    core=cython.Py_ssize_t,
    first=cython.Py_ssize_t,
    end=cython.Py_ssize_t,
    count=cython.Py_ssize_t,
    valid=cython.double,
    inside=cython.double,
    mcr=cython.double,
    depth=cython.int,
    i=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
)
cpdef Py_ssize_t fill_core(sheet, float[::1] out, Py_ssize_t at, Py_ssize_t width)

@cython.locals(
    sums=cython.double[::1],
    parent=cython.int[::1],
    first=cython.int[::1],
    end=cython.int[::1],
    largest=cython.int[::1],
    most=cython.double[::1],
    count=cython.Py_ssize_t,
    e=cython.Py_ssize_t,
    mass=cython.double,
)
cpdef Py_ssize_t core_of(sheet)

@cython.locals(
    sums=cython.double[::1],
    parent=cython.int[::1],
    first=cython.int[::1],
    end=cython.int[::1],
    most=cython.double,
    e=cython.Py_ssize_t,
)
cpdef double largest_child(sheet, Py_ssize_t core)

cpdef double share(double part, double whole)
