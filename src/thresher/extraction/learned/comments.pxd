cimport cython


@cython.locals(element=cython.Py_ssize_t)
cpdef list named_by(int[::1] hints, int bit)
