cimport cython

from thresher.extraction.forum.families cimport Family
from thresher.extraction.forum.layout cimport Layout
from thresher.extraction.forum.records cimport Record
from thresher.extraction.forum.stamps cimport Stamp


@cython.locals(stamp=Stamp, record=Record, node=cython.int, mass=cython.double)
cpdef Family find_single(Layout layout, list stamps)
