cimport cython

from thresher.extract.forum.families cimport Family
from thresher.extract.forum.layout cimport Layout
from thresher.extract.forum.records cimport Record
from thresher.extract.forum.stamps cimport Stamp


@cython.locals(first=Record, stamp=Stamp, node=cython.int, parent=cython.int, row=cython.int)
cpdef Family with_opening(Layout layout, Family family, list stamps)
