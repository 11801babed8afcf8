cimport cython

from thresher.extract.forum.layout cimport Layout, Line

cdef frozenset c__NO_BODY
cdef int c_IS_BARE_CHROME
cdef int c_IS_CHROME
cdef int c_IS_QUOTE
cdef int c_IS_TEXT
cdef int c_MAY_BE_CHROME
cdef int c_LOOK


cdef class _Part:
    cdef public double wanted
    cdef public double held
    cdef public list elements
    cdef public bint has_anchor


@cython.locals(
    start=cython.int,
    stop=cython.int,
    node=cython.int,
    first=cython.int,
    last=cython.int,
    end=cython.int,
    anchor=cython.int,
    wanted=list,
    held=list,
    keys=dict,
    place=tuple,
    held_before=cython.double,
    held_after=cython.double,
    wanted_before=cython.double,
    wanted_after=cython.double,
    parts=dict,
    elements=list,
    part=_Part,
)
cpdef _add_parts(dict places, Layout layout, tuple one, tuple sums)

@cython.locals(keys=list, key=str)
cpdef tuple _place(Layout layout, int node, int start, dict known)

@cython.locals(count=cython.int, other=cython.int)
cpdef int _cells_before(Layout layout, int node)

cpdef str _key(Layout layout, int node)

@cython.locals(mark=cython.int, inner=cython.int)
cpdef bint is_chrome(Layout layout, int node)

@cython.locals(mark=cython.int)
cpdef bint is_quote(Layout layout, int node)

@cython.locals(
    wanted=list, held=list, number=cython.int, place=cython.int, node=cython.int, end=cython.int, text=str, line=Line,
    quotes=cython.bint, is_other=cython.bint, has_comments=cython.bint,
)
cpdef tuple _letters(Layout layout, records, comments)

@cython.locals(
    wanted=cython.double,
    held=cython.double,
    elements=cython.int,
    anchors=cython.int,
    part=_Part,
    precision=cython.double,
    recall=cython.double,
    score=cython.double,
)
cpdef double _score(list parts, int count, double total, bint is_named)
