cimport cython

from thresher.extraction.forum.layout cimport Layout
from thresher.extraction.forum.records cimport Record

cdef int c_IS_LINK
cdef int c_MAX_TEXT
cdef int c_MAX_FLOOR_TEXT
cdef int c_LOOK
cdef int c_LONG_ID
cdef frozenset c__IDS


cdef class Details:
    cdef public object floor
    cdef public object id
    cdef public object permalink
    cdef public object reply_to
    cdef public object target


@cython.locals(
    best=tuple, first=cython.int, last=cython.int, node=cython.int, text=str, told=dict, mark=cython.int,
    links=list, number=str, href=str, is_timed=cython.bint
)
cpdef tuple _read(Layout layout, Record record, list bodies, int anchor, str own)

@cython.locals(href=str, rank=cython.int, best_rank=cython.int)
cpdef _best_link(list links, own, floor)

@cython.locals(path=str, fragment=str)
cpdef int _rank(str href, own, floor, bint is_timed)

@cython.locals(place=cython.Py_ssize_t, end=cython.Py_ssize_t)
cpdef bint _holds_number(str text, str number)

@cython.locals(found=list, around=list, record=Record, own=Details)
cpdef list with_answers(Layout layout, list records, list details)

@cython.locals(node=cython.int, told=dict)
cpdef tuple _id_of(Layout layout, Record record, list bodies)

@cython.locals(name=str, value=str, is_own=cython.bint)
cpdef _id_told(dict told, bint is_outermost)

@cython.locals(char=cython.Py_UCS4)
cpdef bint _may_tell_floor(str text)

cpdef bint _holds_anchor(Layout layout, int node, int anchor)

@cython.locals(char=cython.Py_UCS4, last=cython.Py_UCS4, before=cython.Py_UCS4, may_lead=cython.bint)
cpdef bint _leads_to_post(str href)
