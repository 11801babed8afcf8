cimport cython

cdef int c_WIDTH
cdef int c_SUMS
cdef int c_RUNS
cdef int c_DATED
cdef int c_HEADLINE
cdef int c_LINKED
cdef int c_PROSE
cdef int c_TOO_LONG_FOR_TEASER
cdef int c_DATE_BEFORE
cdef int c_DATE_AFTER
cdef int c_TITLE_BEFORE
cdef double c_SAME_TITLE


@cython.locals(
    sums=cython.double[::1],
    rows=cython.double[::1],
    count=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    s=cython.Py_ssize_t,
    t=cython.Py_ssize_t,
    bits=cython.int,
    size=cython.double,
    proses=cython.double,
    teasers=cython.double,
    solid=cython.double,
    stretch=cython.double,
    longest=cython.double,
    largest=cython.double,
    cjk=cython.double,
    chosen_n=cython.double,
    chosen_prose=cython.double,
    chosen_linked=cython.double,
    chosen_dates=cython.double,
    chosen_size=cython.double,
    of_chosen=cython.double,
)
cpdef fill_text(sheet, int[::1] marks, int[::1] chosen, double[::1] counts, float[::1] out)

@cython.locals(
    sums=cython.double[::1],
    count=cython.Py_ssize_t,
    t=cython.Py_ssize_t,
    c=cython.Py_ssize_t,
    size=cython.double,
)
cpdef fill_totals(sheet, double[::1] counts, float[::1] out)

@cython.locals(near=cython.Py_ssize_t)
cpdef bint is_teaser(int[::1] marks, Py_ssize_t place, Py_ssize_t count, double size)

@cython.locals(count=cython.Py_ssize_t, first=cython.Py_ssize_t, place=cython.Py_ssize_t)
cpdef double date_near(int[::1] marks, int[::1] chosen)

@cython.locals(
    sums=cython.double[::1],
    owner=cython.int[::1],
    parent=cython.int[::1],
    first=cython.int[::1],
    end=cython.int[::1],
    mass=dict,
    total=cython.double,
    most=cython.double,
    held=cython.double,
    size=cython.double,
    i=cython.Py_ssize_t,
    e=cython.Py_ssize_t,
)
cpdef fill_cores(sheet, int[::1] marks, int[::1] chosen, float[::1] out)

@cython.locals(
    rows=cython.double[::1],
    first=cython.Py_ssize_t,
    last=cython.Py_ssize_t,
    number=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
)
cpdef fill_span(sheet, int[::1] marks, int[::1] chosen, double[::1] counts, float[::1] out)
