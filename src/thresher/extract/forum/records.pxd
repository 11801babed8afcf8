cimport cython

from thresher.extract.forum.layout cimport Layout


cpdef str name_of(Layout layout, int element)

@cython.locals(roots=list, node=cython.int)
cpdef list roots_of(Layout layout, record)
