cimport cython

from thresher.extract.forum.layout cimport Layout, Line


@cython.locals(quoted=list, dropped=list, node=cython.int, end=cython.int)
cpdef tuple _parts(Layout layout, int body)

@cython.locals(lines=list, line=Line)
cpdef bint _starts_quoting(Layout layout, int node, int body)
