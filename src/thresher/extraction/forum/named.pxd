cimport cython

from thresher.extraction.forum.families cimport Family
from thresher.extraction.forum.layout cimport Layout
from thresher.extraction.forum.records cimport Record
from thresher.extraction.forum.stamps cimport Stamp

cdef int c__NAMED_POST
cdef frozenset c__POST_NAMES


@cython.locals(number=cython.int, mark=cython.int, groups=dict)
cpdef dict _groups(Layout layout)

@cython.locals(told=dict, own=str, kind=str)
cpdef str _why(Layout layout, int number)

@cython.locals(kept=list, number=cython.int)
cpdef list _outermost(Layout layout, list group)

@cython.locals(records=list, times=list, told=cython.double, quality=cython.double, letters=cython.double)
cpdef Family _family(Layout layout, str why, list group, list stamps)

@cython.locals(node=cython.int, stamp=Stamp)
cpdef Record _with_time(Layout layout, int element, list stamps)

@cython.locals(stamp=Stamp, record=Record, places=dict, counts=dict, held=list, inside=list)
cpdef list stamps_of(Layout layout, list records, list stamps)

@cython.locals(stamp=Stamp, best=Stamp, most=cython.int, count=cython.int)
cpdef Stamp _most_usual(list held, dict places, dict counts)
