cimport cython


cdef int c_IS_QUOTATION


cdef class Line:
    cdef public list starts
    cdef public list owners
    cdef public str text
    cdef public double letters
    cdef public double mass


cdef class Layout:
    cdef public object elements
    cdef public list attributes
    cdef public list tags
    cdef public list parents
    cdef public list ends
    cdef public list keys
    cdef public list names
    cdef public list first_line
    cdef public list last_line
    cdef public list lines
    cdef public list telling
    cdef public list marks
    cdef public list masses
    cdef public list quotes

    cpdef bint holds(self, int outer, int inner)

    @cython.locals(found=list, child=cython.int, end=cython.int, ends=list)
    cpdef list children(self, int number)

    @cython.locals(ends=list, parents=list)
    cpdef int meeting(self, int one, int other)

    @cython.locals(parents=list)
    cpdef int below(self, int outer, int inner)

    @cython.locals(place=cython.Py_ssize_t)
    cpdef bint is_quoted(self, int number)

    @cython.locals(found=list, ends=list, node=cython.int, stop=cython.int, inner=cython.int)
    cpdef list outside(self, tuple span, skipped)

    @cython.locals(line=Line, end=cython.int, owners=list, places=list, last=cython.Py_ssize_t)
    cpdef str short_text(self, int number)

    cpdef list lines_of(self, int number)


@cython.locals(end=cython.int, number=cython.int, mark=cython.int)
cpdef Layout settle(Layout layout)

@cython.locals(of_keys=dict, of_names=dict, number=cython.Py_ssize_t)
cpdef list _marks(list keys, list names)
