"""XPaths of many elements of one page, in time linear in the page's size."""

from lxml import etree

try:
    from thresher.extraction import _paths
except ImportError:  # not compiled
    _paths = None  # type: ignore[assignment]

MAX_STEPS = 1_000_000  # from sibling to sibling; the compiled part is quadratic for pages that nobody writes
MAX_DEPTH = 64  # deeper elements get no path: a hostile page would fill the memory with them


class Paths:
    """The XPaths asked for so far; every step has its position, and strange names become "*"."""

    def __init__(self, *, compiled: bool = True) -> None:
        self._compiled = _paths.Paths(MAX_DEPTH, MAX_STEPS) if compiled and _paths else None
        self._known: dict[etree._Element, tuple[str, int]] = {}  # path and depth
        self._steps: dict[etree._Element, str] = {}

    def of(self, element: etree._Element) -> str:
        """Return the XPath of an element, or the empty string for one that lies too deep."""
        path = self._compiled.of(element) if self._compiled else None
        return self._of(element) if path is None else path

    def _of(self, element: etree._Element) -> str:
        chain = []
        node: etree._Element | None = element
        while node is not None and node not in self._known:
            chain.append(node)
            node = node.getparent()
        path, depth = self._known[node] if node is not None else ("", 0)
        for step in reversed(chain):
            depth += 1
            path = f"{path}/{self._step(step)}" if depth <= MAX_DEPTH else ""
            self._known[step] = path, depth
        return path

    def _step(self, element: etree._Element) -> str:
        if element not in self._steps:
            parent = element.getparent()
            if parent is None:
                return str(element.tag)
            self._number(parent)
        return self._steps[element]

    def _number(self, parent: etree._Element) -> None:
        """Number all children at once: asking one by one would be quadratic."""
        counts: dict[str, int] = {}
        for place, child in enumerate(parent, start=1):
            tag = str(child.tag)
            counts[tag] = counts.get(tag, 0) + 1
            self._steps[child] = f"{tag}[{counts[tag]}]" if tag.isascii() and tag.isalnum() else f"*[{place}]"
