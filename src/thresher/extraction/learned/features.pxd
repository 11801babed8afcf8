cimport cython

cdef int c_WIDTH
cdef int c_SUMS
cdef int c_FAR
cdef int c_LABEL
cdef int c_COMMENT
cdef int c_RELATED
cdef int c__SENSES
cdef int c__HINTS
cdef int c__MARKED
cdef int c__GOOD
cdef int c__BAD
cdef int c__BYLINE
cdef int c__MEDIA


cpdef double share(double part, double whole)

@cython.locals(
    rows=cython.double[::1],
    sums=cython.double[::1],
    depth=cython.int[::1],
    shape=cython.int[::1],
    tag=cython.int[::1],
    owner=cython.int[::1],
    linked=cython.int[::1],
    links=cython.int[::1],
    strong=cython.int[::1],
    broken=cython.int[::1],
    images=cython.int[::1],
    texts=list,
    count=cython.Py_ssize_t,
    total=cython.double,
    top=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
    r=cython.Py_ssize_t,
    s=cython.Py_ssize_t,
    length=cython.Py_ssize_t,
    words=cython.double,
    looked=cython.double,
)
cpdef Py_ssize_t fill_own(sheet, float[::1] out, Py_ssize_t at, Py_ssize_t width)

@cython.locals(
    rows=cython.double[::1],
    shape=cython.int[::1],
    comment=cython.Py_ssize_t,
    related=cython.Py_ssize_t,
    heading=cython.Py_ssize_t,
    dated=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
    r=cython.Py_ssize_t,
    senses=cython.int,
)
cpdef Py_ssize_t fill_since(sheet, float[::1] out, Py_ssize_t at, Py_ssize_t width)

@cython.locals(
    rows=cython.double[::1],
    shape=cython.int[::1],
    best=cython.double,
    weight=cython.double,
    score=cython.double,
    place=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
    r=cython.Py_ssize_t,
)
cpdef Py_ssize_t title_block(sheet)

@cython.locals(
    rows=cython.double[::1],
    around=cython.int[::1],
    marks=cython.int[::1],
    owner=cython.int[::1],
    inners=cython.int[::1],
    i=cython.Py_ssize_t,
    o=cython.Py_ssize_t,
    j=cython.int,
    senses=cython.int,
    inner=cython.int,
    hints=cython.int,
    marked=cython.int,
)
cpdef Py_ssize_t fill_marks(sheet, float[::1] out, Py_ssize_t at, Py_ssize_t width)
