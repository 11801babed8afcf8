cimport cython

from thresher.extract.forum.families cimport Family
from thresher.extract.forum.layout cimport Layout


@cython.locals(letters=cython.double, line=cython.int)
cpdef double confidence_of(Layout layout, Family family, posts)
