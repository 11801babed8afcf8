cimport cython

cdef int c_WIDTH


@cython.locals(sizes=cython.double[::1], number=cython.Py_ssize_t)
cpdef sizes_before(double[::1] rows, list chosen)

@cython.locals(place=cython.Py_ssize_t, found=list)
cpdef list likely_between(double[::1] chances, Py_ssize_t first, Py_ssize_t end, double least)
