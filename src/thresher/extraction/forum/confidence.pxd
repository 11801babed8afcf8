cimport cython

from thresher.extraction.forum.families cimport Family
from thresher.extraction.forum.layout cimport Layout


@cython.locals(letters=cython.double, line=cython.int)
cpdef double confidence_of(Layout layout, Family family, posts)
