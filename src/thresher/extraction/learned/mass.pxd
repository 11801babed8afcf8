cimport cython

cdef int c_SUMS
cdef int c_WIDTH
cdef int c_LEVELS
cdef int c_GAP
cdef double c_LIKELY
cdef int c_FAR
cdef int c_NO_RUN


@cython.locals(
    count=cython.Py_ssize_t,
    total=cython.double,
    size=cython.double,
    largest=cython.double,
    total_log=cython.double,
    i=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
)
cpdef Py_ssize_t fill_mass(
    double[::1] chances, double[::1] sums, float[::1] out, Py_ssize_t at, Py_ssize_t width, double top
)

@cython.locals(
    owner=cython.int[::1],
    parent=cython.int[::1],
    first=cython.int[::1],
    end=cython.int[::1],
    count=cython.Py_ssize_t,
    total=cython.double,
    mass=cython.double,
    i=cython.Py_ssize_t,
    e=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
    a=cython.Py_ssize_t,
    b=cython.Py_ssize_t,
    _=cython.int,
)
cpdef Py_ssize_t fill_containers(sheet, double[::1] sums, float[::1] out, Py_ssize_t at, Py_ssize_t width)

@cython.locals(
    rows=cython.double[::1],
    owner=cython.int[::1],
    kept=cython.double[::1],
    i=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
)
cpdef Py_ssize_t fill_likes(
    sheet, int[::1] group, double[::1] chances, float[::1] out, Py_ssize_t at, Py_ssize_t width
)

@cython.locals(start=cython.Py_ssize_t, last=cython.Py_ssize_t, i=cython.Py_ssize_t)
cpdef find_runs(double[::1] chances)

@cython.locals(best=cython.Py_ssize_t, most=cython.double, mass=cython.double, k=cython.Py_ssize_t)
cpdef Py_ssize_t largest_run(int[::1] runs, double[::1] sums)

@cython.locals(
    count=cython.Py_ssize_t,
    total=cython.double,
    best_first=cython.Py_ssize_t,
    best_last=cython.Py_ssize_t,
    largest=cython.double,
    mass=cython.double,
    before=cython.Py_ssize_t,
    after=cython.Py_ssize_t,
    k=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
)
cpdef Py_ssize_t fill_runs(
    int[::1] runs, Py_ssize_t best, double[::1] sums, float[::1] out, Py_ssize_t at, Py_ssize_t width
)

@cython.locals(
    e=cython.Py_ssize_t,
    first=cython.Py_ssize_t,
    end=cython.Py_ssize_t,
    count=cython.Py_ssize_t,
    mass=cython.double,
    inside=cython.double,
    mean=cython.double,
    i=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
)
cpdef Py_ssize_t fill_core(
    sheet, double[::1] sums, double alpha, float[::1] out, Py_ssize_t at, Py_ssize_t width
)

@cython.locals(
    parent=cython.int[::1],
    first=cython.int[::1],
    end=cython.int[::1],
    largest=cython.int[::1],
    most=cython.double[::1],
    count=cython.Py_ssize_t,
    e=cython.Py_ssize_t,
    mass=cython.double,
)
cpdef Py_ssize_t walk_down(sheet, double[::1] sums, double alpha)

@cython.locals(
    owner=cython.int[::1],
    parent=cython.int[::1],
    first=cython.int[::1],
    end=cython.int[::1],
    i=cython.Py_ssize_t,
    e=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
    a=cython.Py_ssize_t,
    b=cython.Py_ssize_t,
    steps=cython.int,
)
cpdef Py_ssize_t fill_shared(
    sheet, double[::1] sums, Py_ssize_t middle, float[::1] out, Py_ssize_t at, Py_ssize_t width
)

cpdef double share(double part, double whole)
