cimport cython

cdef int c_MAX_PIECES


cdef class Layout:
    cdef public object elements
    cdef public list attributes
    cdef public list tags
    cdef public list keys
    cdef public list names
    cdef public int[::1] parents
    cdef public int[::1] ends
    cdef public int[::1] marks
    cdef public int[::1] first_line
    cdef public int[::1] last_line
    cdef public list telling
    cdef public list quotes
    cdef public list texts
    cdef public double[::1] letters
    cdef public double[::1] fresh
    cdef public double[::1] masses
    cdef public int[::1] pieces
    cdef public int[::1] starts
    cdef public int[::1] owners

    cpdef bint holds(self, int outer, int inner)

    @cython.locals(found=list, child=cython.int, end=cython.int)
    cpdef list children(self, int number)

    cpdef int meeting(self, int one, int other)

    cpdef int below(self, int outer, int inner)

    @cython.locals(place=cython.Py_ssize_t)
    cpdef bint is_quoted(self, int number)

    @cython.locals(found=list, node=cython.int, stop=cython.int, inner=cython.int)
    cpdef list outside(self, tuple span, skipped)

    @cython.locals(
        line=cython.int, end=cython.int, first=cython.int, last=cython.int, stop=cython.int, text=str
    )
    cpdef str short_text(self, int number)

    @cython.locals(piece=cython.int)
    cpdef int piece_at(self, int line, int place)


cpdef str stripped(str text)
