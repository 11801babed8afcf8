cimport cython

from thresher.extract.forum.layout cimport Layout


cpdef double mass_of(Layout layout, record, list masses)

cpdef int line_at(Layout layout, int element)

@cython.locals(found=list, node=cython.int, start=cython.int, whole=cython.double, before=cython.double)
cpdef list _holders(Layout layout, record, list masses)
