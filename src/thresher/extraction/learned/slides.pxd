cimport cython


@cython.locals(place=cython.Py_ssize_t, found=list)
cpdef list places_in(list places, int[::1] owner, int[::1] around, int names)
