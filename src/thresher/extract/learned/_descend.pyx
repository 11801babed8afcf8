# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The way down the trees in C, without branches and several rows at once, with the sums that `descend` gives.

Small trees are not gone down at all. Every node strikes out the leaves on its left for the rows that it sends right,
and the first leaf that is left to a row is its own: "QuickScorer: a fast algorithm to rank documents with additive
ensembles of regression trees" (Lucchese and others, SIGIR 2015).
"""

from libc.math cimport INFINITY, exp
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

# In C's own words and apart from the loop around it, so that compilers make one instruction for several rows.
cdef extern from *:
    """
    #ifdef _MSC_VER
    __declspec(noinline)
    #else
    __attribute__((noinline))
    #endif
    static void strike_out(unsigned int* __restrict leaves, const float* __restrict values, float threshold,
                           unsigned int others) {
        int k;
        for (k = 0; k < 16; k++) leaves[k] &= values[k] > threshold ? others : 0xFFFFFFFFu;
    }
    """
    void strike_out(unsigned int* leaves, const float* values, float threshold, unsigned int others) noexcept nogil

cdef enum:
    ABREAST = 16  # rows that go together, so that the processor need not wait for any one of them; as above
    MOST_LEAVES = 32  # of a small tree: one bit each
    MOST_KEPT = 8  # forests that are remembered as they are struck

cdef struct Node:
    float threshold
    int feature
    int left

cdef struct Strike:
    float threshold
    int tree
    unsigned int others  # the leaves that are not struck out

cdef struct Trees:
    Node* nodes
    int* depth  # of each tree
    int* level  # of each node

cdef unsigned char _places[32]  # of a bit, by its product with the number below, whose every five bits are different
cdef unsigned int _SPREAD = 0x077CB531
cdef list _kept = []


def add_leaves(forest, const float[::1] rows not None, Py_ssize_t width, double[::1] out not None):
    """Put the sum of the leaves that each row ends in into `out`."""
    if not forest.feature or not out.shape[0]:
        return
    if rows.shape[0] < out.shape[0] * width:
        raise ValueError("fewer features than rows need")
    cdef Strikes strikes = _strikes_of(forest)
    if strikes.are_small:
        strikes.add(rows, width, out)
    else:
        _add_by_descent(forest, rows, width, out)


def to_chances(double[::1] sums not None):
    """Put the logistic of each sum in its place."""
    cdef Py_ssize_t place
    for place in range(sums.shape[0]):
        sums[place] = 1.0 / (1.0 + exp(-sums[place])) if sums[place] > -700.0 else 0.0


cdef Strikes _strikes_of(forest):
    for known, strikes in _kept:
        if known is forest:
            return strikes
    made = Strikes(forest)
    _kept.append((forest, made))
    del _kept[:-MOST_KEPT]
    return made


cdef class Strikes:
    """A forest of small trees as strikes, by feature and from the lowest threshold up."""

    cdef bint are_small
    cdef Py_ssize_t _trees, _features
    cdef Strike* _strikes
    cdef int* _feature  # the features that are asked for
    cdef int* _end  # of each one's strikes
    cdef double* _values  # MOST_LEAVES of each tree

    def __init__(self, forest):
        cdef Py_ssize_t place
        by_feature, values = {}, []
        self.are_small = all(_strike(forest, tree, root, by_feature, values) for tree, root in enumerate(forest.roots))
        if not self.are_small:
            return
        strikes = [(feature, *strike) for feature in sorted(by_feature) for strike in sorted(by_feature[feature])]
        self._trees, self._features = len(forest.roots), len(by_feature)
        self._strikes = <Strike*>malloc((len(strikes) + 1) * sizeof(Strike))
        self._feature = <int*>malloc((self._features + 1) * sizeof(int))
        self._end = <int*>malloc((self._features + 1) * sizeof(int))
        self._values = <double*>malloc((len(values) + 1) * sizeof(double))
        if not self._strikes or not self._feature or not self._end or not self._values:
            raise MemoryError("no memory for the trees")
        for place, (_, threshold, tree, others) in enumerate(strikes):
            self._strikes[place] = Strike(threshold, tree, others)
        end = 0
        for place, feature in enumerate(sorted(by_feature)):
            end += len(by_feature[feature])
            self._feature[place], self._end[place] = feature, end
        for place, value in enumerate(values):
            self._values[place] = value

    def __dealloc__(self):
        free(self._strikes)
        free(self._feature)
        free(self._end)
        free(self._values)

    cdef add(self, const float[::1] rows, Py_ssize_t width, double[::1] out):
        cdef Py_ssize_t count = out.shape[0], start = 0
        cdef unsigned int* left = <unsigned int*>malloc((self._trees + 1) * ABREAST * sizeof(unsigned int))
        if not left:
            raise MemoryError("no memory for the leaves")
        with nogil:
            while start < count:
                self._add_some(&rows[start * width], width, &out[start], <int>min(ABREAST, count - start), left)
                start += ABREAST
        free(left)

    cdef void _add_some(
        self, const float* rows, Py_ssize_t width, double* out, int some, unsigned int* left
    ) noexcept nogil:
        cdef double total[ABREAST]
        cdef Py_ssize_t tree
        cdef unsigned int first
        cdef int k
        memset(left, 255, self._trees * ABREAST * sizeof(unsigned int))
        self._strike_out(rows, width, some, left)
        for k in range(ABREAST):
            total[k] = 0.0
        for tree in range(self._trees):
            for k in range(ABREAST):
                first = left[tree * ABREAST + k]
                first &= 0 - first
                total[k] += self._values[tree * MOST_LEAVES + _places[<unsigned int>(first * _SPREAD) >> 27]]
        for k in range(some):
            out[k] = total[k]

    cdef void _strike_out(self, const float* rows, Py_ssize_t width, int some, unsigned int* left) noexcept nogil:
        cdef Py_ssize_t place, at = 0
        cdef const float* row[ABREAST]
        cdef float values[ABREAST]
        cdef float largest
        cdef int feature
        cdef const Strike* strike
        cdef int k
        for k in range(ABREAST):
            row[k] = &rows[min(k, some - 1) * width]
        for place in range(self._features):
            feature = self._feature[place]
            for k in range(ABREAST):
                values[k] = row[k][feature]
            largest = _largest(values)
            while at < self._end[place] and largest > self._strikes[at].threshold:
                strike = &self._strikes[at]
                strike_out(&left[strike.tree * ABREAST], values, strike.threshold, strike.others)
                at += 1
            at = self._end[place]


cdef inline float _largest(const float* values) noexcept nogil:
    """Return the largest of the values, in four chains that need not wait for each other; NaN is none."""
    cdef float a = -INFINITY, b = -INFINITY, c = -INFINITY, d = -INFINITY
    cdef int k
    for k in range(0, ABREAST, 4):
        a = values[k] if values[k] > a else a
        b = values[k + 1] if values[k + 1] > b else b
        c = values[k + 2] if values[k + 2] > c else c
        d = values[k + 3] if values[k + 3] > d else d
    a = b if b > a else a
    c = d if d > c else c
    return c if c > a else a


def _strike(forest, tree, root, by_feature, values):
    """Add the strikes of one tree and the values of its leaves, from left to right; say whether it is a small one."""
    leaves = []

    def enter(node):
        if len(leaves) > MOST_LEAVES:
            return
        feature = forest.feature[node]
        if feature < 0:
            leaves.append(forest.value[node])
            return
        start = len(leaves)
        enter(forest.left[node])
        struck = (1 << len(leaves)) - (1 << start)
        by_feature.setdefault(feature, []).append((forest.threshold[node], tree, 0xFFFFFFFF & ~struck))
        enter(forest.left[node] + 1)

    enter(root)
    values.extend(leaves + [0.0] * (MOST_LEAVES - len(leaves)))
    return len(leaves) <= MOST_LEAVES


def _enter_places():
    for bit in range(32):
        _places[<unsigned int>((1 << bit) * _SPREAD & 0xFFFFFFFF) >> 27] = bit


_enter_places()


cdef _add_by_descent(forest, const float[::1] rows, Py_ssize_t width, double[::1] out):
    cdef const int[::1] feature = forest.feature
    cdef const float[::1] threshold = forest.threshold
    cdef const int[::1] left = forest.left
    cdef const double[::1] value = forest.value
    cdef const int[::1] roots = forest.roots
    cdef Py_ssize_t size = feature.shape[0]
    cdef Trees trees
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
