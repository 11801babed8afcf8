cimport cython


@cython.locals(char=cython.Py_UCS4)
cpdef bint _may_tell(str text)

@cython.locals(name=str, value=str)
cpdef _marked(int number, dict told, now)
