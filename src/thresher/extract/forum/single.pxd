cimport cython

from thresher.extract.forum.families cimport Family
from thresher.extract.forum.layout cimport Layout
from thresher.extract.forum.records cimport Record
from thresher.extract.forum.stamps cimport Stamp


@cython.locals(stamp=Stamp, record=Record, node=cython.int, mass=cython.double)
cpdef Family find_single(Layout layout, list stamps)
