"""Simple tree matching: the largest top-down matching of two element trees (the CEVC thesis, §3.3.1, algorithm 3.1).

Equal trees are one number, so that a pair is matched once a page and equal ones at no cost. What is left is quadratic
by nature and therefore bounded: each comparison may fill a share of CELLS, then subtrees count by their roots alone.
"""

from lxml import etree

from thresher.extraction.forum.pivots import REMOVED

CELLS = 2_000_000  # of all matrices of a page: about a second of work; of 5,553 pages none needed more than 20,163
MAX_WIDTH = 400  # children of one element that are compared, after those that are equal at both ends
MAX_DEPTH = 150  # elements deeper than this are not compared: each level is three calls

Pairs = dict[int, int]  # position of a child in one tree → of its partner in the other


class Shapes:
    """The trees below an element by number: equal numbers are equal trees of tags; scripts and styles are left out."""

    def __init__(self, root: etree._Element) -> None:
        self.labels: list[str] = []
        self.children: list[tuple[int, ...]] = []
        self.sizes: list[int] = []  # elements in the tree
        self.of: dict[etree._Element, int] = {}  # every element that is not left out
        self.inside: dict[etree._Element, list[etree._Element]] = {}  # their children, where they have any
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}
        self._read(root)

    def _read(self, root: etree._Element) -> None:
        above: list[tuple[list[etree._Element], list[int]]] = [([], [])]  # the children so far, and their numbers
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, node in walk:
            if event == "start":
                above.append(([], []))
                if node.tag in REMOVED or len(above) > MAX_DEPTH:
                    walk.skip_subtree()
                continue
            children, numbers = above.pop()
            if node.tag not in REMOVED:
                number = self.of[node] = self._number(str(node.tag), tuple(numbers))
                if children:
                    self.inside[node] = children
                above[-1][0].append(node)
                above[-1][1].append(number)

    def _number(self, label: str, children: tuple[int, ...]) -> int:
        number = self._known.setdefault((label, children), len(self.labels))
        if number == len(self.labels):
            self.labels.append(label)
            self.children.append(children)
            self.sizes.append(1 + sum(self.sizes[child] for child in children))
        return number


class Matcher:
    """Matches trees of one page; `comparisons` says how many there will be, and so how much each may cost."""

    def __init__(self, shapes: Shapes, comparisons: int) -> None:
        self.cells = 0  # filled so far
        self._shapes = shapes
        self._share = CELLS // max(comparisons, 1)
        self._left = self._share
        self._known: dict[tuple[int, int], tuple[int, Pairs]] = {}

    def match(self, one: int, other: int) -> int:
        """Return how many pairs of elements the largest matching of two trees has, 0 for roots of different tags."""
        self._left = self._share
        return self._matched(one, other)[0]

    def pairs(self, one: int, other: int) -> Pairs:
        """Return which children the largest matching of two different trees pairs; equal trees pair all of theirs."""
        self._left = self._share
        return self._matched(one, other)[1]

    def _matched(self, one: int, other: int) -> tuple[int, Pairs]:
        shapes = self._shapes
        if shapes.labels[one] != shapes.labels[other]:
            return 0, {}
        ours, theirs = shapes.children[one], shapes.children[other]
        if one == other:
            return shapes.sizes[one], {}
        if not ours or not theirs:
            return 1, {}
        known = self._known.get((one, other))
        if known is None:
            known = self._known[one, other] = self._align(ours, theirs)
        return known

    def _align(self, ours: tuple[int, ...], theirs: tuple[int, ...]) -> tuple[int, Pairs]:
        """Pair children in order: equal ones at both ends, which no better matching can part, then by the matrix."""
        head = tail = 0
        shorter = min(len(ours), len(theirs))
        while head < shorter and ours[head] == theirs[head]:
            head += 1
        while tail < shorter - head and ours[-1 - tail] == theirs[-1 - tail]:
            tail += 1
        total = 1 + sum(self._shapes.sizes[child] for child in ours[:head] + ours[len(ours) - tail :])
        best, middle = self._align_middle(ours[head : len(ours) - tail], theirs[head : len(theirs) - tail])
        pairs = {place: place for place in range(head)}
        pairs.update((head + i, head + j) for i, j in middle)
        pairs.update((len(ours) - place, len(theirs) - place) for place in range(tail, 0, -1))
        return total + best, pairs

    def _align_middle(self, ours: tuple[int, ...], theirs: tuple[int, ...]) -> tuple[int, list[tuple[int, int]]]:
        """Return the best sum of matches over children in order, and the pairs it is made of (algorithm 3.1)."""
        ours, theirs = ours[:MAX_WIDTH], theirs[:MAX_WIDTH]
        cells = len(ours) * len(theirs)
        if not cells or cells > min(self._left, CELLS - self.cells):
            return 0, []
        self._left -= cells
        self.cells += cells
        labels = self._shapes.labels
        rows = [[0] * (len(theirs) + 1)]
        for one in ours:
            above, row, left = rows[-1], [0], 0
            for place, other in enumerate(theirs):
                left = max(left, above[place + 1])
                if labels[one] == labels[other]:
                    left = max(left, above[place] + self._matched(one, other)[0])
                row.append(left)
            rows.append(row)
        return rows[-1][-1], _trace(rows)


def _trace(rows: list[list[int]]) -> list[tuple[int, int]]:
    """Return the pairs that made up the last cell of a matrix."""
    pairs: list[tuple[int, int]] = []
    i, j = len(rows) - 1, len(rows[0]) - 1
    while i and j:
        if rows[i][j] == rows[i - 1][j]:
            i -= 1
        elif rows[i][j] == rows[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]
