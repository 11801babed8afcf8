cimport cython

from thresher.extract.forum.layout cimport Layout


cpdef double mass_of(Layout layout, record, list masses)

@cython.locals(letters=cython.double, end=cython.int, holder=cython.int)
cpdef double letters_of(Layout layout, records, list masses)

cpdef int line_at(Layout layout, int element)

@cython.locals(found=list, node=cython.int, start=cython.int, whole=cython.double, before=cython.double)
cpdef list _holders(Layout layout, record, list masses)
