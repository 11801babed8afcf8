cimport cython


@cython.locals(char=cython.Py_UCS4)
cpdef bint _may_tell(str text)
