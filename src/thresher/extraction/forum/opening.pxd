cimport cython

from thresher.extraction.forum.families cimport Family
from thresher.extraction.forum.layout cimport Layout
from thresher.extraction.forum.records cimport Record
from thresher.extraction.forum.stamps cimport Stamp


@cython.locals(first=Record, stamp=Stamp, node=cython.int, parent=cython.int, row=cython.int)
cpdef Family with_opening(Layout layout, Family family, list stamps)
