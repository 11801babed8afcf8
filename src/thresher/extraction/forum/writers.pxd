cimport cython

from thresher.extraction.forum.families cimport Family
from thresher.extraction.forum.layout cimport Layout
from thresher.extraction.forum.records cimport Record
from thresher.extraction.forum.stamps cimport Stamp

cdef frozenset c__AUTHORS
cdef int c_MAX_ELEMENTS
cdef int c_MAX_LABEL
cdef int c_MAY_NAME
cdef int c_SPEAKS_OF_AUTHOR
cdef int c_STRESSES


cdef class _Names:
    cdef public dict by_record
    cdef public dict far
    cdef public double hints
    cdef public int before
    cdef public int nearest


@cython.locals(
    places=dict, comments=list, record=Record, stamp=Stamp, told=list, first_body=cython.int, inner=list, names=_Names,
    far=cython.int, node=cython.int, hint=cython.double, skipped=list,
)
cpdef list find_writers(Layout layout, Family family, list bodies, list alike)

@cython.locals(likely=list, number=cython.int, held=list, nearest=cython.int, names=_Names)
cpdef _count_nearest(dict places, int count)

@cython.locals(place=cython.Py_ssize_t, before=cython.int, after=cython.int)
cpdef int _distance(Layout layout, int node, list told)

@cython.locals(record=Record, stamp=Stamp, own=Stamp, found=list)
cpdef list same_times(Family family, list stamps)

cpdef bint _is_same(Stamp one, Stamp other)

@cython.locals(
    found=list, start=cython.int, end=cython.int, first=cython.int, last=cython.int, node=cython.int, telling=set,
    times=set,
)
cpdef list _names(Layout layout, Record record, list stamps, list skipped)

@cython.locals(char=cython.Py_UCS4)
cpdef bint _has_letter(str text)

@cython.locals(text=str, name=str, href=str, mark=cython.int, told=dict)
cpdef str _name_at(Layout layout, int node, set times)

@cython.locals(last=cython.Py_UCS4)
cpdef bint _is_count(str text, str href)

@cython.locals(mark=cython.int)
cpdef bint _speaks_of_author(Layout layout, int node)

@cython.locals(told=dict, hint=cython.double, above=cython.int, steps=cython.int, mark=cython.int, prop=str, href=str)
cpdef double _hint(Layout layout, int node, int start)

@cython.locals(prop=str)
cpdef bint _is_author(dict told)

@cython.locals(
    line=cython.int, end=cython.int, stop=cython.int, piece=cython.int, owner=cython.int, last=cython.int, text=str
)
cpdef bint _holds_words(Layout layout, int node)

@cython.locals(keys=list, key=str)
cpdef tuple _place(Layout layout, int node, int start)

@cython.locals(met=cython.int, differ=cython.int, placed=cython.double)
cpdef double _score(_Names names, int count)
