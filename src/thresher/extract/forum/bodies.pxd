cimport cython

from thresher.extract.forum.layout cimport Layout, Line

cdef frozenset c__NO_BODY
cdef frozenset c__CHROME_TAGS


@cython.locals(
    start=cython.int,
    stop=cython.int,
    node=cython.int,
    first=cython.int,
    last=cython.int,
    end=cython.int,
    anchor=cython.int,
    wanted=list,
    held=list,
    keys=dict,
    parts=dict,
    elements=list,
)
cpdef _add_parts(dict places, Layout layout, tuple one, tuple sums)

@cython.locals(keys=list, key=str)
cpdef tuple _place(Layout layout, int node, int start, dict known)

cpdef str _key(Layout layout, int node)

@cython.locals(names=str, told=str)
cpdef bint is_chrome(Layout layout, int node)

@cython.locals(key=str)
cpdef bint is_quote(Layout layout, int node)
