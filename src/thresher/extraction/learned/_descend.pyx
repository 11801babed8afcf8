# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The way down the trees in C, without branches and several rows at once, with the sums that `descend` gives.

Small trees are not gone down at all. Every node strikes out the leaves on its left for the rows that it sends right,
and the first leaf that is left to a row is its own: "QuickScorer: a fast algorithm to rank documents with additive
ensembles of regression trees" (Lucchese and others, SIGIR 2015).
"""

from libc.math cimport INFINITY, exp
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

# In C's own words, so that compilers make one instruction for several rows, and a wider one where the processor has it.
cdef extern from *:
    """
    #include <math.h>
    #if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    #define HAS_WIDE
    #include <immintrin.h>
    #endif

    #ifdef _MSC_VER
    #include <intrin.h>
    static int lowest_bit(unsigned int bits) { unsigned long place; _BitScanForward(&place, bits); return (int)place; }
    #else
    #define lowest_bit __builtin_ctz
    #endif

    typedef struct { float threshold; int tree; unsigned int others; } strike_t;
    typedef struct {
        const strike_t* strikes;
        const int* feature;  /* the features that are asked for */
        const int* end;  /* of each one's strikes */
        int features;
    } forest_t;
    typedef void strike_f(const forest_t*, const float* const*, int, unsigned int*);

    static void strike_plain(const forest_t* forest, const float* const* row, int width, unsigned int* left) {
        const strike_t* strike = forest->strikes;
        int place, k;
        (void)width;
        for (place = 0; place < forest->features; place++) {
            const strike_t* end = forest->strikes + forest->end[place];
            float values[16], largest = -INFINITY;
            for (k = 0; k < 16; k++) {
                values[k] = row[k][forest->feature[place]];
                largest = values[k] > largest ? values[k] : largest;
            }
            for (; strike < end && largest > strike->threshold; strike++) {
                unsigned int* leaves = left + strike->tree * 16;
                for (k = 0; k < 16; k++) if (values[k] > strike->threshold) leaves[k] &= strike->others;
            }
            strike = end;
        }
    }

    /* The sums of the first leaves that are left to sixteen rows: each over the trees in their order. */
    static void add_first(const unsigned int* left, const double* values, int trees, int width, double* total) {
        int k, tree;
        for (k = 0; k < 16; k += 4) {
            double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
            for (tree = 0; tree < trees; tree++) {
                const unsigned int* first = left + tree * 16 + k;
                const double* leaves = values + tree * width;
                a += leaves[lowest_bit(first[0])];
                b += leaves[lowest_bit(first[1])];
                c += leaves[lowest_bit(first[2])];
                d += leaves[lowest_bit(first[3])];
            }
            total[k] = a;
            total[k + 1] = b;
            total[k + 2] = c;
            total[k + 3] = d;
        }
    }

    #ifdef HAS_WIDE
    #define WIDE __attribute__((target("avx2")))

    /* Eight features of eight rows, turned: values has sixteen rows of each feature. */
    WIDE static void turn(const float* const* row, int at, float* values) {
        __m256 a[8], b[8];
        int k;
        for (k = 0; k < 8; k++) a[k] = _mm256_loadu_ps(row[k] + at);
        for (k = 0; k < 8; k += 2) {
            b[k] = _mm256_unpacklo_ps(a[k], a[k + 1]);
            b[k + 1] = _mm256_unpackhi_ps(a[k], a[k + 1]);
        }
        for (k = 0; k < 8; k += 4) {
            a[k] = _mm256_shuffle_ps(b[k], b[k + 2], 0x44);
            a[k + 1] = _mm256_shuffle_ps(b[k], b[k + 2], 0xEE);
            a[k + 2] = _mm256_shuffle_ps(b[k + 1], b[k + 3], 0x44);
            a[k + 3] = _mm256_shuffle_ps(b[k + 1], b[k + 3], 0xEE);
        }
        for (k = 0; k < 4; k++) {
            _mm256_storeu_ps(values + k * 16, _mm256_permute2f128_ps(a[k], a[k + 4], 0x20));
            _mm256_storeu_ps(values + (k + 4) * 16, _mm256_permute2f128_ps(a[k], a[k + 4], 0x31));
        }
    }

    WIDE static float largest_of(__m256 low, __m256 high) {  /* NaN is none */
        const __m256 least = _mm256_set1_ps(-INFINITY);
        const __m256 most = _mm256_max_ps(_mm256_max_ps(low, least), _mm256_max_ps(high, least));
        __m128 four = _mm_max_ps(_mm256_castps256_ps128(most), _mm256_extractf128_ps(most, 1));
        four = _mm_max_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_max_ss(four, _mm_shuffle_ps(four, four, 1)));
    }

    WIDE static void strike_wide(const forest_t* forest, const float* const* row, int width, unsigned int* left) {
        const strike_t* strike = forest->strikes;
        float turned[8 * 16];
        int place, k, j, block = -1;
        for (place = 0; place < forest->features; place++) {
            const strike_t* end = forest->strikes + forest->end[place];
            const int feature = forest->feature[place];
            __m256 low, high;
            float largest;
            if (feature / 8 != block) {
                block = feature / 8;
                if (8 * block + 8 <= width) {
                    turn(row, 8 * block, turned);
                    turn(row + 8, 8 * block, turned + 8);
                } else {
                    for (k = 8 * block; k < width; k++) for (j = 0; j < 16; j++) turned[k % 8 * 16 + j] = row[j][k];
                }
            }
            low = _mm256_loadu_ps(turned + feature % 8 * 16);
            high = _mm256_loadu_ps(turned + feature % 8 * 16 + 8);
            largest = largest_of(low, high);
            for (; strike < end && largest > strike->threshold; strike++) {
                __m256i* leaves = (__m256i*)(left + strike->tree * 16);
                const __m256 threshold = _mm256_set1_ps(strike->threshold);
                const __m256i struck = _mm256_set1_epi32((int)~strike->others);
                const __m256i one = _mm256_castps_si256(_mm256_cmp_ps(low, threshold, _CMP_GT_OQ));
                const __m256i two = _mm256_castps_si256(_mm256_cmp_ps(high, threshold, _CMP_GT_OQ));
                const __m256i first = _mm256_loadu_si256(leaves), second = _mm256_loadu_si256(leaves + 1);
                _mm256_storeu_si256(leaves, _mm256_andnot_si256(_mm256_and_si256(one, struck), first));
                _mm256_storeu_si256(leaves + 1, _mm256_andnot_si256(_mm256_and_si256(two, struck), second));
            }
            strike = end;
        }
    }

    static strike_f* best_strike(void) {
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") ? strike_wide : strike_plain;
    }
    #else
    static strike_f* best_strike(void) { return strike_plain; }
    #endif
    """
    ctypedef struct Strike "strike_t":
        float threshold
        int tree
        unsigned int others  # the leaves that are not struck out
    ctypedef struct Struck "forest_t":
        const Strike* strikes
        const int* feature
        const int* end
        int features
    ctypedef void (*Striker "strike_f*")(const Struck*, const float**, int, unsigned int*) noexcept nogil
    Striker best_strike() noexcept nogil
    void add_first(const unsigned int* left, const double* values, int trees, int width, double* total) noexcept nogil
    int lowest_bit(unsigned int bits) noexcept nogil

cdef enum:
    ABREAST = 16  # rows that go together, so that the processor need not wait for any one of them; as above
    MOST_LEAVES = 32  # of a small tree: one bit each
    MOST_KEPT = 8  # forests that are remembered as they are struck

cdef struct Node:
    float threshold
    int feature
    int left

cdef struct Trees:
    Node* nodes
    int* depth  # of each tree
    int* level  # of each node

cdef list _kept = []
cdef Striker _striker = best_strike()


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
    cdef Py_ssize_t _trees, _features, _leaves  # the most that a tree has
    cdef Strike* _strikes
    cdef int* _feature  # the features that are asked for
    cdef int* _end  # of each one's strikes
    cdef double* _values  # _leaves of each tree, side by side: what lies apart is read slowly

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
        self._leaves = max(map(len, values), default=1)
        self._values = <double*>malloc((len(values) * self._leaves + 1) * sizeof(double))
        if not self._strikes or not self._feature or not self._end or not self._values:
            raise MemoryError("no memory for the trees")
        for place, (_, threshold, tree, others) in enumerate(strikes):
            self._strikes[place] = Strike(threshold, tree, others)
        end = 0
        for place, feature in enumerate(sorted(by_feature)):
            end += len(by_feature[feature])
            self._feature[place], self._end[place] = feature, end
        for tree, leaves in enumerate(values):
            for place, value in enumerate(leaves, tree * self._leaves):
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
                if count - start == 1:
                    out[start] = self._add_one(&rows[start * width], left)
                    break
                self._add_some(&rows[start * width], width, &out[start], <int>min(ABREAST, count - start), left)
                start += ABREAST
        free(left)

    cdef void _add_some(
        self, const float* rows, Py_ssize_t width, double* out, int some, unsigned int* left
    ) noexcept nogil:
        cdef double total[ABREAST]
        cdef const float* row[ABREAST]
        cdef Struck forest = Struck(self._strikes, self._feature, self._end, <int>self._features)
        cdef int k
        for k in range(ABREAST):
            row[k] = &rows[min(k, some - 1) * width]
        memset(left, 255, self._trees * ABREAST * sizeof(unsigned int))
        _striker(&forest, row, <int>width, left)
        add_first(left, self._values, <int>self._trees, <int>self._leaves, total)
        for k in range(some):
            out[k] = total[k]

    cdef double _add_one(self, const float* row, unsigned int* left) noexcept nogil:
        """Return the sum for a single row, with the leaves one by one."""
        cdef Py_ssize_t place, at = 0, tree
        cdef const Strike* strike
        cdef float value
        cdef double total = 0.0
        memset(left, 255, self._trees * sizeof(unsigned int))
        for place in range(self._features):
            value = row[self._feature[place]]
            while at < self._end[place] and value > self._strikes[at].threshold:
                strike = &self._strikes[at]
                left[strike.tree] &= strike.others
                at += 1
            at = self._end[place]
        for tree in range(self._trees):
            total += self._values[tree * self._leaves + lowest_bit(left[tree])]
        return total


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
    values.append(leaves)
    return len(leaves) <= MOST_LEAVES


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
