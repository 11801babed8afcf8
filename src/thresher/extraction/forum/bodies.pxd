cimport cython

from thresher.extraction.forum.families cimport Family
from thresher.extraction.forum.layout cimport Layout
from thresher.extraction.forum.places cimport Part, Place, Places
from thresher.extraction.forum.records cimport Record
from thresher.extraction.forum.stamps cimport Stamp

cdef int c_IS_BARE_CHROME
cdef int c_IS_CHROME
cdef int c_IS_QUOTE
cdef int c_IS_TEXT
cdef int c_MAY_BE_CHROME
cdef int c_NO_BODY
cdef int c_SPEAKS_OF_TEXT
cdef int c__OTHER
cdef int c_LOOK


@cython.locals(record=Record, stamp=Stamp, places=Places, part=Part, best=Place, number=cython.int)
cpdef list find_bodies(Layout layout, Family family)

@cython.locals(
    wanted=cython.double[::1], held=cython.double[::1], count=cython.int, number=cython.int, place=cython.int,
    node=cython.int, end=cython.int, first=cython.int, last=cython.int, mark=cython.int, text=str, record=Record,
    quotes=cython.bint, is_other=cython.bint, has_comments=cython.bint, records=list, times=list,
    letters=cython.double,
)
cpdef tuple _letters(Layout layout, Family family)

@cython.locals(record=Record, stamp=Stamp, line=cython.int)
cpdef list _lines_of_times(Layout layout, Family family)

@cython.locals(mark=cython.int, inner=cython.int)
cpdef bint is_chrome(Layout layout, int node)

@cython.locals(
    layout=Layout, record=Record, number=cython.int, node=cython.int, first=cython.int, last=cython.int,
    end=cython.int, mark=cython.int, part=Part,
)
cpdef _add_parts(Places places, tuple one, int anchor, double[::1] wanted, double[::1] held)

@cython.locals(place=Place, best=Place, common=list, part=Part, held=cython.double, total=cython.double,
    most=cython.double, least=cython.double, score=cython.double, number=cython.int)
cpdef Place _best(Layout layout, list places, set left, list totals, double floor)

@cython.locals(mark=cython.int)
cpdef bint _is_named(Layout layout, Part part)

@cython.locals(
    wanted=cython.double,
    held=cython.double,
    elements=cython.int,
    anchors=cython.int,
    part=Part,
    precision=cython.double,
    recall=cython.double,
    score=cython.double,
)
cpdef double _score(list parts, int count, double total, bint is_named)
