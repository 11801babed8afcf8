cimport cython

from thresher.extract.forum.layout cimport Layout

cdef int c_SPEAKS_OF_POST


@cython.locals(number=cython.int, mark=cython.int, groups=dict)
cpdef dict _groups(Layout layout)

@cython.locals(told=dict)
cpdef str _why(Layout layout, int number)
