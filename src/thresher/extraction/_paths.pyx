# cython: language_level=3, boundscheck=False, wraparound=False
"""XPaths of many elements of one page in C: those that `paths` gives.

It reads fields of libxml2's structures and calls nothing of it. The tree must not change meanwhile.
"""

cimport lxml.includes.etreepublic as lxml
from lxml.includes.tree cimport (
    XML_COMMENT_NODE,
    XML_ELEMENT_NODE,
    XML_ENTITY_REF_NODE,
    XML_PI_NODE,
    xmlNode,
)
from libc.string cimport strcmp

lxml.import_lxml__etree()


cdef class Paths:
    """The paths and positions asked for so far, by the addresses of the elements."""

    cdef lxml._Document _document  # while it lives no address is given to another element
    cdef dict _paths, _numbers
    cdef int _max_depth
    cdef Py_ssize_t _steps

    def __init__(self, int max_depth, Py_ssize_t max_steps):
        self._paths, self._numbers = {}, {}
        self._max_depth, self._steps = max_depth, max_steps

    def of(self, lxml._Element element not None):
        """Return the XPath of an element, empty for one that lies too deep; None when it would take too many steps."""
        cdef xmlNode* node = element._c_node
        cdef int depth = 0
        if self._document is None:
            self._document = element._doc
        if self._document is not element._doc or self._steps <= 0:
            return None
        while node and node.type == XML_ELEMENT_NODE:
            depth += 1
            if depth > self._max_depth:
                return ""
            node = node.parent
        return self._path(element._c_node)

    cdef str _path(self, xmlNode* node):
        cdef object key = <size_t>node
        cdef str path = self._paths.get(key)
        if path is not None:
            return path
        if node.parent and node.parent.type == XML_ELEMENT_NODE:
            path = f"{self._path(node.parent)}/{self._step(node)}"
        else:
            path = "/" + _name(node)
        self._paths[key] = path
        return path

    cdef str _step(self, xmlNode* node):
        cdef str name = _name(node)
        cdef bint is_plain = node.ns == NULL and name.isascii() and name.isalnum()
        return f"{name}[{self._number(node, True)}]" if is_plain else f"*[{self._number(node, False)}]"

    cdef Py_ssize_t _number(self, xmlNode* node, bint is_plain):
        """Count from the nearest sibling before it of which the number is known."""
        cdef xmlNode* other = node.prev
        cdef Py_ssize_t count = 1
        while other:
            self._steps -= 1
            if is_plain:
                if other.type == XML_ELEMENT_NODE and not other.ns and strcmp(<char*>other.name, <char*>node.name) == 0:
                    known = self._numbers.get(<size_t>other)
                    if known is not None:
                        count += known
                        break
                    count += 1
            elif other.type in (XML_ELEMENT_NODE, XML_COMMENT_NODE, XML_PI_NODE, XML_ENTITY_REF_NODE):
                count += 1
            other = other.prev
        if is_plain:
            self._numbers[<size_t>node] = count
        return count


cdef str _name(xmlNode* node):
    return (<const char*>node.name).decode("utf-8")
