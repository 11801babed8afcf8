cimport cython

from thresher.extract.forum.layout cimport Layout

cdef int c_MAX_TEXT
cdef int c_MAX_FLOOR_TEXT
cdef int c_LOOK
cdef frozenset c__IDS


@cython.locals(floors=list, first=cython.int, last=cython.int, node=cython.int, text=str)
cpdef tuple _read(Layout layout, record, bodies, stamps)

@cython.locals(node=cython.int, told=dict)
cpdef _id_of(Layout layout, record, bodies)

@cython.locals(char=cython.Py_UCS4)
cpdef bint _may_tell_floor(str text)

cpdef bint _holds_stamp(Layout layout, int node, stamps)
