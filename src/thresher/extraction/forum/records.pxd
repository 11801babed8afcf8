cimport cython

from thresher.extraction.forum.layout cimport Layout


cdef class Record:
    cdef public int start
    cdef public int end
    cdef public int anchor


cdef class _Rows:
    cdef Layout _layout
    cdef list _rows
    cdef dict _places
    cdef int _first
    cdef int _last
    cdef list _gaps
    cdef int _above

    cpdef int start(self)

    cpdef int end(self)

    cpdef int split(self, int left, int right)

    @cython.locals(row=cython.int, child=cython.int, keys=list)
    cpdef list _shapes(self, int start, int end)

    @cython.locals(one=cython.int, two=cython.int)
    cpdef list _between(self, list places)

    cpdef int _rows_above(self)


@cython.locals(
    top=cython.int, one=cython.int, other=cython.int, start=cython.int, parent=cython.int, left=cython.int,
    right=cython.int, border=cython.int, records=list, rows=_Rows,
)
cpdef list cut_records(Layout layout, list anchors)

cpdef str name_of(Layout layout, int element)

@cython.locals(roots=list, node=cython.int)
cpdef list roots_of(Layout layout, Record record)

cpdef list _named_alike(Layout layout, list records, int top)

@cython.locals(one=Record, two=Record)
cpdef bint _overlap(Layout layout, list records, int top)

@cython.locals(chain=list)
cpdef list _chain(Layout layout, int anchor, int start)
