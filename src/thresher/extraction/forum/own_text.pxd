cimport cython

from thresher.extraction.forum.layout cimport Layout

cdef int c_IS_QUOTE
cdef int c_MAY_QUOTE
cdef int c__CHROME
cdef int c_SPEAKS_OF_TEXT


cdef class OwnText:
    cdef public list blocks
    cdef public tuple quotes


@cython.locals(quoted=list, dropped=list, node=cython.int, mark=cython.int)
cpdef tuple _parts(Layout layout, int body)

@cython.locals(first=cython.int, count=cython.int, mark=cython.int, text=str)
cpdef bint _starts_quoting(Layout layout, int node, int body)

@cython.locals(last=cython.Py_ssize_t, place=cython.Py_ssize_t, found=list, text=str)
cpdef list _trimmed(list blocks)

cpdef bint _is_in(str path, set outer)
