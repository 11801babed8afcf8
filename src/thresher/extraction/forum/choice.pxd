cimport cython

from thresher.extraction.forum.families cimport Family
from thresher.extraction.forum.layout cimport Layout
from thresher.extraction.forum.records cimport Record


@cython.locals(best=Family, rival=Family, family=Family, record=Record)
cpdef Family choose(Layout layout, list stamps)

cpdef bint _is_better(Layout layout, Family named, Family timed)

@cython.locals(starts=list, own=set, units=list, inside=list, held=set, record=Record, r=Record, unit=Record, place=cython.int)
cpdef bint _is_commented(Layout layout, Family posts, Family comments)

@cython.locals(place=cython.Py_ssize_t, holder=Record)
cpdef int _holder(Record unit, list records, list starts)
