cimport cython

from thresher.extraction.forum.layout cimport Layout
from thresher.extraction.forum.records cimport Record
from thresher.extraction.forum.stamps cimport Stamp

cdef int c_IS_INLINE
cdef double c_FULL_POST


cdef class Family:
    cdef public list stamps
    cdef public list records
    cdef public double score
    cdef public double quality
    cdef public object comments

    cpdef Family with_records(self, list stamps, list records)


@cython.locals(groups=dict, stamp=Stamp, group=list, family=Family)
cpdef list find_families(Layout layout, stamps)

@cython.locals(record=Record, place=cython.int, end=cython.int, missing=list)
cpdef Family with_untimed(Layout layout, Family family)

cpdef double mass_of(Layout layout, Record record)

cpdef int line_at(Layout layout, int element)

@cython.locals(node=cython.int, place=list, mark=cython.int)
cpdef tuple place_of(Layout layout, Stamp stamp, int steps=*)

@cython.locals(finest=tuple, places=list)
cpdef list _places_of(Layout layout, Stamp stamp)

cpdef str form_of(Stamp stamp)

@cython.locals(stamps=list, stamp=Stamp, records=list, quality=cython.double, letters=cython.double)
cpdef Family _family(Layout layout, list group)

@cython.locals(
    letters=cython.double, held=cython.double, end=cython.int, before=cython.int, after=cython.int, place=cython.int,
    record=Record, following=Record,
)
cpdef double letters_of(Layout layout, list records)

@cython.locals(stamp=Stamp, first=Stamp, times=list, ups=cython.int, downs=cython.int, quality=cython.double)
cpdef double _quality(Layout layout, list stamps)

@cython.locals(record=Record, holders=list, names=dict, node=cython.int)
cpdef double evenness(Layout layout, list records)

@cython.locals(found=list, node=cython.int, whole=cython.double, before=cython.double, held=cython.double)
cpdef list _holders(Layout layout, Record record)

@cython.locals(forms=dict, stamp=Stamp, form=str)
cpdef double _likeness(list stamps)

@cython.locals(names=list)
cpdef list _names(Layout layout, int node)
