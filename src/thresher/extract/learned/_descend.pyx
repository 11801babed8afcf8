# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The way down the trees in C: several rows at once and without branches, with the sums that `descend` gives."""

from libc.math cimport INFINITY
from libc.stdlib cimport calloc, free, malloc

cdef enum:
    ABREAST = 16  # rows that go down a tree together, so that the processor need not wait for any one of them

cdef struct Node:
    float threshold
    int feature
    int left

cdef struct Trees:
    Node* nodes
    int* depth  # of each tree
    int* level  # of each node


def add_leaves(forest, const float[::1] rows not None, Py_ssize_t width, double[::1] out not None):
    """Put the sum of the leaves that each row ends in into `out`."""
    cdef const int[::1] feature = forest.feature
    cdef const float[::1] threshold = forest.threshold
    cdef const int[::1] left = forest.left
    cdef const double[::1] value = forest.value
    cdef const int[::1] roots = forest.roots
    cdef Py_ssize_t size = feature.shape[0], count = out.shape[0]
    cdef Trees trees
    if not size or not count:
        return
    if rows.shape[0] < count * width:
        raise ValueError("fewer features than rows need")
    trees.nodes = <Node*>malloc(size * sizeof(Node))
    trees.level = <int*>calloc(size, sizeof(int))
    trees.depth = <int*>calloc(roots.shape[0] + 1, sizeof(int))
    try:
        if not trees.nodes or not trees.level or not trees.depth:
            raise MemoryError("no memory for the trees")
        with nogil:
            _pack(&trees, feature, threshold, left, roots)
            _descend(&trees, value, roots, rows, width, out)
    finally:
        free(trees.nodes)
        free(trees.level)
        free(trees.depth)


cdef void _pack(
    Trees* trees, const int[::1] feature, const float[::1] threshold, const int[::1] left, const int[::1] roots
) noexcept nogil:
    """Put what a step needs side by side, and see how deep each tree is. A leaf leads to itself for ever."""
    cdef Py_ssize_t node, tree, end
    for tree in range(roots.shape[0]):
        end = roots[tree + 1] if tree + 1 < roots.shape[0] else feature.shape[0]
        for node in range(roots[tree], end):
            trees.nodes[node].left = left[node]
            if feature[node] < 0:
                trees.nodes[node].feature = 0
                trees.nodes[node].threshold = INFINITY
                trees.nodes[node].left = <int>node
                trees.depth[tree] = max(trees.depth[tree], trees.level[node])
            else:
                trees.nodes[node].feature = feature[node]
                trees.nodes[node].threshold = threshold[node]
                trees.level[left[node]] = trees.level[left[node] + 1] = trees.level[node] + 1


cdef void _descend(
    Trees* trees,
    const double[::1] value,
    const int[::1] roots,
    const float[::1] rows,
    Py_ssize_t width,
    double[::1] out,
) noexcept nogil:
    cdef Py_ssize_t count = out.shape[0], start, tree
    cdef int k, step, some
    cdef int at[ABREAST]
    cdef double total[ABREAST]
    cdef const float* row[ABREAST]
    cdef const Node* nodes = trees.nodes
    cdef const Node* node
    start = 0
    while start < count:
        some = <int>min(ABREAST, count - start)
        for k in range(ABREAST):
            row[k] = &rows[(start + min(k, some - 1)) * width]
            total[k] = 0.0
        for tree in range(roots.shape[0]):
            for k in range(ABREAST):
                at[k] = roots[tree]
            for step in range(trees.depth[tree]):
                for k in range(ABREAST):
                    node = &nodes[at[k]]
                    at[k] = node.left + (row[k][node.feature] > node.threshold)
            for k in range(ABREAST):
                total[k] += value[at[k]]
        for k in range(some):
            out[start + k] = total[k]
        start += ABREAST
