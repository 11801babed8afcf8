"""URLs: one canonical form, and the names derived from it."""

from thresher.urls.names import carries, host_of, key_of, kind_of, origin_of, shape_of, without_parameters
from thresher.urls.sites import site_of
from thresher.urls.spelling import MAX_LENGTH, canonical, shown

__all__ = [
    "MAX_LENGTH",
    "canonical",
    "carries",
    "host_of",
    "key_of",
    "kind_of",
    "origin_of",
    "shape_of",
    "shown",
    "site_of",
    "without_parameters",
]
