# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The texts of a record, in C: what `row_texts` reads, from libxml2's own nodes; Python objects are made of few."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport strcmp, strlen

cimport lxml.includes.etreepublic as lxml
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_ELEMENT_NODE,
    XML_TEXT_NODE,
    XML_XINCLUDE_END,
    XML_XINCLUDE_START,
    xmlNode,
)

lxml.import_lxml__etree()


def pieces(lxml._Element record not None, Py_ssize_t limit):
    """Return what `pieces_by_text` returns."""
    cdef xmlNode* top = record._c_node
    cdef xmlNode* node = top.children
    cdef list found = []
    cdef Py_ssize_t length = 0
    cdef str text
    while node:
        if _is_text(node):
            text = "" if _is_blank(node) else _text_from(node)
            if text and not text.isspace():
                length += len(text)
                if length > limit:
                    return None
                found.append(text)
            node = _last_text(node)
        node = _next(node, top)
    return found


def numbered(lxml._Element record not None, Py_ssize_t limit):
    """Return what `numbered_by_text` returns."""
    cdef xmlNode* top = record._c_node
    cdef xmlNode* node = top.children
    cdef list found = []
    while node:
        if _is_text(node):
            if _may_count(node, limit):
                found.append((_text_from(node), bool(_is_linked(node.parent, top))))
            node = _last_text(node)
        node = _next(node, top)
    return found


def may_show_numbers(lxml._Element top not None, Py_ssize_t least):
    """Say whether as many texts may be numbers."""
    cdef Py_ssize_t found = 0
    cdef xmlNode* node = top._c_node.children
    while node and found < least:
        found += _is_text(node) and _may_be_number(node.content)
        node = _next(node, top._c_node)
    return found >= least


cdef inline bint _may_be_number(const unsigned char* at) noexcept nogil:
    """Say whether a text has digits and nothing that numbers do not have."""
    cdef bint has_digits = False
    while at and at[0]:
        if 48 <= at[0] <= 57:
            has_digits = True
        elif at[0] > 32 and not (at[0] in (b".", b"-", b"+") or at[0] | 32 == b"e"):
            return False
        at += 1
    return has_digits


cdef inline bint _is_text(xmlNode* node) noexcept nogil:
    return node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE


cdef xmlNode* _next(xmlNode* node, xmlNode* top) noexcept nogil:
    """Return the node after this one in document order, inside of `top`."""
    if node.type == XML_ELEMENT_NODE and node.children:
        return node.children
    while node != top and not node.next:
        node = node.parent
    return NULL if node == top else node.next


cdef xmlNode* _following(xmlNode* node) noexcept nogil:
    """Return the text node that continues a text; NULL where it ends."""
    node = node.next
    while node and (node.type == XML_XINCLUDE_START or node.type == XML_XINCLUDE_END):
        node = node.next
    return node if node and _is_text(node) else NULL


cdef xmlNode* _last_text(xmlNode* node) noexcept nogil:
    cdef xmlNode* after = _following(node)
    while after:
        node, after = after, _following(after)
    return node


cdef str _text_from(xmlNode* node):
    """Return the text that begins with a node."""
    cdef str text = ""
    while node:
        if node.content:
            text += PyUnicode_DecodeUTF8(<const char*>node.content, strlen(<const char*>node.content), NULL)
        node = _following(node)
    return text


cdef bint _is_blank(xmlNode* node) noexcept nogil:
    """Say whether a text is white space of ASCII alone; there is other white space as well."""
    cdef const unsigned char* at
    while node:
        at = node.content
        while at and at[0]:
            if not (at[0] == 32 or 9 <= at[0] <= 13 or 28 <= at[0] <= 31):
                return False
            at += 1
        node = _following(node)
    return True


cdef bint _may_count(xmlNode* node, Py_ssize_t limit) noexcept nogil:
    """Say whether a text may be short and have a digit; one beyond ASCII may be."""
    cdef const unsigned char* at
    cdef bint may = False
    cdef Py_ssize_t size = 0
    while node:
        at = node.content
        while at and at[0]:
            may |= 48 <= at[0] <= 57 or at[0] > 127
            size += at[0] & 0xC0 != 0x80
            if size > limit:
                return False
            at += 1
        node = _following(node)
    return may


cdef bint _is_linked(xmlNode* node, xmlNode* top) noexcept nogil:
    while node and node != top:
        if not node.ns and strcmp(<const char*>node.name, "a") == 0:
            return True
        node = node.parent
    return False
