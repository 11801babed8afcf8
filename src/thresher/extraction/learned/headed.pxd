cimport cython

cdef int c_WIDTH
cdef int c__LENGTH
cdef int c__SENSES


@cython.locals(place=cython.Py_ssize_t, told=cython.int, found=list)
cpdef list lines_about(double[::1] rows, list places, int senses, double longest)
