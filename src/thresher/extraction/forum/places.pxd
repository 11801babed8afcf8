cimport cython

from thresher.extraction.forum.layout cimport Layout
from thresher.extraction.forum.records cimport Record

cdef int c_BITS
cdef int c_MASK


cdef class Part:
    cdef public int number
    cdef public double wanted
    cdef public double held
    cdef public list elements
    cdef public int end
    cdef public bint has_anchor


cdef class Place:
    cdef long long _code
    cdef list _words
    cdef public list parts

    @cython.locals(code=cython.longlong)
    cpdef tuple keys(self)


cdef class Places:
    cdef public Layout layout
    cdef dict _by_code
    cdef dict _cells
    cdef int[::1] _codes
    cdef dict _numbers
    cdef list _words
    cdef list _own
    cdef int _start

    cpdef list found(self)

    @cython.locals(root=cython.int, place=cython.int, key=str)
    cpdef Places of_record(self, Record record)

    @cython.locals(
        code=cython.longlong, own=cython.longlong, shift=cython.int, place=Place, parts=list, last=Part, part=Part
    )
    cpdef Part part_at(self, int node, int number)

    cpdef int _number_of(self, str key) except -1


cpdef str _key(Layout layout, int node, dict cells)

@cython.locals(count=cython.int, other=cython.int, parent=cython.int)
cpdef int _cells_before(Layout layout, int node, dict cells)
