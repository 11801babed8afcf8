cimport cython

from thresher.extract.forum.layout cimport Layout, Line

cdef frozenset c__TAGS
cdef frozenset c__AUTHORS
cdef int c_MAX_ELEMENTS
cdef int c_MAX_LABEL
cdef int c_SPEAKS_OF_AUTHOR


@cython.locals(
    found=list, start=cython.int, end=cython.int, first=cython.int, last=cython.int, node=cython.int, telling=set
)
cpdef list _names(Layout layout, record, list stamps, skipped)

@cython.locals(char=cython.Py_UCS4)
cpdef bint _has_letter(str text)

@cython.locals(text=str, href=str)
cpdef _name_at(Layout layout, int node, list stamps)

@cython.locals(mark=cython.int)
cpdef bint _speaks_of_author(Layout layout, int node)

@cython.locals(told=dict, hint=cython.double, above=cython.int, steps=cython.int)
cpdef double _hint(Layout layout, int node, int start)

@cython.locals(line=Line, end=cython.int, ends=list, owner=cython.int, place=cython.Py_ssize_t)
cpdef bint _holds_words(Layout layout, int node)

@cython.locals(keys=list)
cpdef tuple _place(Layout layout, int node, int start)
