cimport cython

from thresher.extraction.forum.layout cimport Layout
from thresher.extraction.forum.records cimport Record

cdef int c_IS_LINK
cdef int c_MAX_TEXT
cdef int c_MAX_FLOOR_TEXT
cdef int c_LOOK
cdef frozenset c__IDS


cdef class Details:
    cdef public object floor
    cdef public object id
    cdef public object permalink
    cdef public object reply_to


@cython.locals(
    best=tuple, floor=tuple, first=cython.int, last=cython.int, node=cython.int, text=str, told=dict, mark=cython.int
)
cpdef tuple _read(Layout layout, Record record, list bodies, int anchor)

@cython.locals(found=list, around=list, record=Record, own=Details)
cpdef list with_answers(Layout layout, list records, list details)

@cython.locals(node=cython.int, told=dict)
cpdef _id_of(Layout layout, Record record, list bodies)

@cython.locals(name=str, value=str, is_own=cython.bint)
cpdef _id_told(dict told, bint is_outermost)

@cython.locals(char=cython.Py_UCS4)
cpdef bint _may_tell_floor(str text)

cpdef bint _holds_anchor(Layout layout, int node, int anchor)

@cython.locals(char=cython.Py_UCS4, last=cython.Py_UCS4, before=cython.Py_UCS4, may_lead=cython.bint)
cpdef bint _leads_to_post(str href)
