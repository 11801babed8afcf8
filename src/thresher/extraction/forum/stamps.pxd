cimport cython

from thresher.extraction.forum.layout cimport Layout

cdef frozenset c__DATED
cdef frozenset c__EPOCHS
cdef int c_MAX_LINE
cdef int c_MAX_RELATIVE
cdef int c_MAX_ATTRIBUTE


cdef class Stamp:
    cdef public int element
    cdef public object at
    cdef public str raw
    cdef public bint has_time
    cdef public str role
    cdef public int rest
    cdef public bint is_marked
    cdef public bint is_shown
    cdef public bint is_local


@cython.locals(found=dict, number=cython.int, line=cython.int, text=str)
cpdef list find_stamps(Layout layout, now, zone=*)

@cython.locals(char=cython.Py_UCS4)
cpdef bint _has_digit(str text)

cpdef bint _may_tell(str text)

@cython.locals(name=str, value=str, stamp=Stamp)
cpdef _marked(int number, dict told, now, zone)

@cython.locals(found=list)
cpdef list _told(int line, str text, Layout layout, now, habits)

@cython.locals(text=str, start=cython.int, end=cython.int, piece=cython.int, stop=cython.int, node=cython.int, stamp=Stamp)
cpdef Stamp _in_line(int line, Layout layout, moment, str raw)

@cython.locals(marked=Stamp, node=cython.int, steps=cython.int)
cpdef _add(dict found, Stamp stamp, Layout layout)

@cython.locals(other=Stamp)
cpdef Stamp _changed(Stamp stamp, at, bint has_time)

@cython.locals(joined=Stamp)
cpdef Stamp _joined(Stamp marked, Stamp shown)

cpdef tuple _moment_of(Stamp marked, Stamp shown)

@cython.locals(stamp=Stamp, elements=list)
cpdef list inside_of(list stamps, spans)

cpdef str _ones(str text)
